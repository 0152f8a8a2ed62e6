package publish

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"morrow/internal/compose"
	"morrow/internal/slots"
	"morrow/wpclient"
)

// fate is what the site's posts with an item's slug mean for the item.
type fate int

const (
	fresh   fate = iota // nothing is there: prepare it
	reuse               // a draft of ours is there: book that
	held                // a person has to look at it first
	settled             // it is booked, or a person took it out: the file is done with
)

// finding is what step 5 found out about one item.
type finding struct {
	fate   fate
	draft  wpclient.Post   // reuse: the draft with the lowest id
	extra  []wpclient.Post // further drafts of ours with this item, untouched by anybody
	post   wpclient.Post   // settled: the post that the item is on the site as
	reason string
}

// slugForms are the slugs under which a post of the item can stand: its own,
// the ones WordPress makes of a second post, and the one it gives to trash.
func slugForms(slug string) []string {
	return []string{slug, slug + "-2", slug + "-3", slug + "__trashed"}
}

// isForm says whether a draft's slug is the item's, with whatever suffix: a
// fourth draft has one that no look-up asks for.
func isForm(slug, of string) bool {
	n, suffixed := strings.CutPrefix(slug, of+"-")
	_, err := strconv.ParseUint(n, 10, 32)
	return slug == of || suffixed && err == nil
}

// slugList asks the site for the posts that can be an item's.
func (r *run) slugList(ctx context.Context, d compose.Draft) (wpclient.List, error) {
	return r.client.List(ctx, wpclient.Query{
		Type:  r.job.Type,
		Slugs: slugForms(d.Slug), Statuses: []string{"publish", "future", "draft", "pending", "private", "trash"},
	})
}

// lookUp asks the site for the posts of an item and says what they mean.
func (r *run) lookUp(ctx context.Context, d compose.Draft) (finding, error) {
	l, err := r.slugList(ctx, d)
	if err != nil {
		return finding{}, err
	}
	return r.weigh(l, d)
}

func (r *run) weigh(l wpclient.List, d compose.Draft) (finding, error) {
	if err := r.complete(l); err != nil {
		return finding{}, err
	}
	return classify(l.Posts, l.Hidden(), d, r.filler), nil
}

// classify is the table of what is found by slug. It asks nothing and changes
// nothing.
func classify(rows []wpclient.Post, hidden int, d compose.Draft, f filler) finding {
	if hidden > 0 {
		return finding{fate: held, reason: fmt.Sprintf("a post that this account may not see has the slug %q: set another `slug:` in the file", d.Slug)}
	}
	var found finding
	var drafts []wpclient.Post
	for _, p := range rows {
		one := finding{fate: held, reason: takenSlug(p)}
		if t := compose.Read(p); f.isItem(t, p, d) {
			one = judge(p, t, d)
		} else if p.Slug != d.Slug && p.Slug != d.Slug+"__trashed" {
			continue // a stranger's suffixed slug is a name of its own
		}
		if one.fate == reuse {
			drafts = append(drafts, p)
		} else if one.fate > found.fate {
			found = one
		}
	}
	slices.SortFunc(drafts, func(a, b wpclient.Post) int { return cmp.Compare(a.ID, b.ID) })
	if found.fate == fresh && len(drafts) > 0 {
		found = finding{fate: reuse, draft: drafts[0]}
		drafts = drafts[1:]
	}
	found.extra = drafts
	return found
}

// isItem says whether the post is one that Morrow made of this item. A public
// or scheduled post that bears no id, or another's, is a person's copy; so is
// a draft that bears another's.
func (f filler) isItem(t compose.Trace, p wpclient.Post, d compose.Draft) bool {
	if !f.isOurs(t) {
		return false
	}
	// A file's name can come again, with another slug, for another item.
	// Nor is one of a job that this configuration does not know, save by its text.
	same := t.Text == d.Text || t.Job == f.job && t.Item == d.Item.Key && slices.Contains(slugForms(d.Slug), p.Slug)
	return same && (t.Own || t.ID == 0 && (p.Status == "draft" || p.Status == "trash"))
}

// judge says what one post that Morrow made of the item means for it.
func judge(p wpclient.Post, t compose.Trace, d compose.Draft) finding {
	switch {
	case p.Status == "trash" && t.Text != d.Text:
		return finding{fate: fresh} // a new text under an old name
	case p.Status == "trash":
		return finding{fate: settled, reason: fmt.Sprintf("post %d of it was put in the trash: it is not posted again by itself", p.ID)}
	case p.Status == "draft" && !p.Floats():
		return finding{fate: settled, reason: fmt.Sprintf("post %d of it was turned into a draft by a person: it is not posted again by itself", p.ID)}
	case !t.Intact:
		return finding{fate: held, reason: fmt.Sprintf("post %d (%s) of it was edited on the site: finish it there, and move the file out of the queue", p.ID, p.Status)}
	case p.Status == "draft":
		return finding{fate: reuse}
	case t.Text != d.Text:
		return finding{fate: held, reason: fmt.Sprintf("the file was changed after it was booked as post %d (%s): change the post on the site, or give the file another `slug:`, and move what is done with out of the queue", p.ID, p.Status)}
	default:
		return finding{fate: settled, post: p, reason: fmt.Sprintf("on the site already as post %d (%s)", p.ID, p.Status)}
	}
}

// elsewhere says why a draft is not booked into this slot yet, if so: it was made
// for another one and never booked, so short ago that a commit may be on its way
// still, from another machine or a run that was killed. That would pull the
// booking out of this slot again. It is no reason to leave a slot empty.
func (r *run) elsewhere(draft wpclient.Post, s slots.Slot) string {
	t := compose.Read(draft)
	to := t.Slot
	arrived := draft.ModifiedGMT.Add(r.job.Lead)
	if t.Own || r.unsent[draft.ID] || to.IsZero() || to.Equal(s.At) || !arrived.After(r.clock.site()) || !arrived.Before(s.At.Add(-r.job.Lead)) {
		return ""
	}
	return fmt.Sprintf("draft %d of it may be on its way into the slot %s until %s", draft.ID,
		to.In(r.zone.Loc).Format("Mon 2 Jan 15:04"), arrived.In(r.zone.Loc).Format("15:04"))
}

// stands says whether the post is a booking made for just this slot that stands
// in its window.
func (f finding) stands(s slots.Slot) bool {
	return f.fate == settled && f.post.ID != 0 && compose.Read(f.post).Slot.Equal(s.At) && s.Window.Contains(f.post.DateGMT)
}

func takenSlug(p wpclient.Post) string {
	if p.Status == "trash" {
		return fmt.Sprintf("slug taken by post %d in the trash: delete that for good, or set another `slug:` in the file", p.ID)
	}
	return fmt.Sprintf("slug taken by post %d (%s), %q: set another `slug:` in the file", p.ID, p.Status, p.Title)
}
