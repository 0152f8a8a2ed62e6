package source

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"morrow/wpclient"
)

// DraftsOptions configure Drafts.
type DraftsOptions struct {
	Client *wpclient.Client
	Type   string // the REST base of the drafts' type; posts when empty
	// Category or Tag, by name or slug, is the sign by which drafts are handed over.
	Category, Tag string
	// MinAge: a draft changed more recently is still being written; 2 min when
	// 0, as the block editor saves once a minute.
	MinAge time.Duration
	Now    func() time.Time // time.Now when nil
}

// Drafts are the drafts on the site that people hand over by a category or a
// tag, oldest first. The item is the draft itself: what is booked is that post,
// and one that is withdrawn is a draft with the sign again.
type Drafts struct{ o DraftsOptions }

// NewDrafts makes a source of drafts; the site is asked by Entries.
func NewDrafts(o DraftsOptions) *Drafts {
	o.MinAge = cmp.Or(o.MinAge, 2*time.Minute)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Drafts{o}
}

// Entries lists the drafts that bear the sign, by their id. The error is for
// the list itself, or for a sign that the site does not know.
func (d *Drafts) Entries(ctx context.Context, loc *time.Location) ([]Entry, error) {
	sign, err := d.signID(ctx)
	if err != nil {
		return nil, err
	}
	q := wpclient.Query{Type: d.o.Type, Statuses: []string{"draft"}}
	if d.o.Tag != "" {
		q.Tags = []int64{sign}
	} else {
		q.Categories = []int64{sign}
	}
	l, err := d.o.Client.List(ctx, q)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(l.Posts))
	for _, p := range l.Posts {
		if !slices.Contains(p.Categories, sign) && !slices.Contains(p.Tags, sign) {
			return nil, fmt.Errorf("list drafts: the answer has draft %d, which does not bear the sign: a plugin or a cache changes the site's lists", p.ID)
		}
		entries = append(entries, d.entry(p, l.Date, loc))
	}
	return entries, nil
}

// entry judges one draft; now is the site's clock.
func (d *Drafts) entry(p wpclient.Post, now time.Time, loc *time.Location) Entry {
	title := strings.Join(strings.Fields(p.Title), " ")
	e := Entry{Name: fmt.Sprintf("draft %d %q", p.ID, title), State: Ready}
	if now.IsZero() {
		now = d.o.Now()
	}
	switch age := now.Sub(p.ModifiedGMT); {
	case title == "":
		e.Name, e.State, e.Reason = fmt.Sprintf("draft %d", p.ID), Faulty, "it has no title"
	case strings.TrimSpace(p.Content) == "":
		e.State, e.Reason = Faulty, "it has no text"
	case !p.Floats():
		// The person's own, or a booking that a person took back: its marker may be gone.
		e.State, e.Reason = Held, "it has a date of its own; taken once that is “immediately” again"
	case age < 0: // made with a date to come, WordPress takes that for the time of its change, too
		e.State, e.Reason = Held, "it is dated "+p.ModifiedGMT.In(loc).Format("2006-01-02 15:04")+", and not taken before"
	case age < d.o.MinAge:
		e.State, e.Reason = Held, fmt.Sprintf("changed %v ago; taken once it has been left alone for %v", age.Round(time.Second), d.o.MinAge)
	}
	if e.State != Ready {
		return e
	}
	e.Item = &Item{Key: DraftKey(p.ID), Name: e.Name, Title: title, Slug: p.Slug, Excerpt: p.Excerpt, Body: []byte(p.Content), Post: p}
	return e
}

// DraftKey is the Key of the item that the post of that id is.
func DraftKey(id int64) string { return fmt.Sprintf("post-%d", id) }

// signID looks the term up each time: people rename their categories.
func (d *Drafts) signID(ctx context.Context) (int64, error) {
	taxonomy, key, name := "categories", "category", d.o.Category
	if d.o.Tag != "" {
		taxonomy, key, name = "tags", "tag", d.o.Tag
	}
	terms, err := d.o.Client.Terms(ctx, taxonomy, name)
	if err != nil {
		return 0, err
	}
	terms = slices.DeleteFunc(terms, func(t wpclient.Term) bool { return t.Slug != name && !strings.EqualFold(t.Name, name) })
	if i := slices.IndexFunc(terms, func(t wpclient.Term) bool { return t.Slug == name }); i >= 0 {
		terms = terms[i : i+1]
	}
	switch len(terms) {
	case 0:
		return 0, fmt.Errorf("the site has no %[1]s %[2]q: make it there, or mend `source: {drafts: {%[1]s: …}}`", key, name)
	case 1:
		return terms[0].ID, nil
	}
	return 0, fmt.Errorf("the site has %d of the name %q: give the slug in `source: {drafts: {%s: …}}`", len(terms), name, key)
}

// Consume has nothing to do: a post that is scheduled is no draft.
func (*Drafts) Consume(context.Context, Item) error { return nil }

// Restore has nothing to do: a booking that is withdrawn is a draft again.
func (*Drafts) Restore(context.Context, string, func(Item) bool) (bool, error) { return false, nil }
