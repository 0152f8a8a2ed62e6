package publish

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"morrow/internal/compose"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/wpclient"
)

// No lock reaches across machines. So there is one rule for everybody: whoever
// sees two scheduled posts of ours for one slot, or of one item, withdraws all
// but the lowest id, at once, whoever made them. The rule gives the same answer
// on every machine, and the later of two commits always sees both.

// withdrawLimit is how near a slot a booking may still be withdrawn: later it
// could be live when the request arrives.
const withdrawLimit = time.Minute

// bookings are the scheduled posts that Morrow made for just this slot, lowest
// id first.
func (f filler) bookings(s slots.Slot, seen []wpclient.Post) (own []wpclient.Post) {
	for _, p := range seen {
		if f.isScheduled(p) && p.DateGMT.Equal(s.At) {
			own = append(own, p)
		}
	}
	slices.SortFunc(own, func(a, b wpclient.Post) int { return cmp.Compare(a.ID, b.ID) })
	return own
}

// surplus are the bookings of a slot that have to go: all but the first, and
// with yield all of them beside a person's post.
func (f filler) surplus(s slots.Slot, seen []wpclient.Post) []wpclient.Post {
	own := f.bookings(s, seen)
	if len(own) == 0 {
		return nil
	}
	if f.yield && slices.ContainsFunc(seen, func(p wpclient.Post) bool { return f.fills(s, p) && !f.isOwn(p) }) {
		return own
	}
	return own[1:]
}

// repeats are the bookings of items that stand in another slot, too: all but
// the lowest id of an item, and all of them when it is public already.
func (f filler) repeats(seen []wpclient.Post) (again []wpclient.Post) {
	for _, p := range seen {
		if f.isScheduled(p) && slices.ContainsFunc(seen, func(q wpclient.Post) bool {
			return q.ID != p.ID && f.sameItem(p, q) && (q.Status == "publish" || f.isScheduled(q) && q.ID < p.ID)
		}) {
			again = append(again, p)
		}
	}
	return again
}

// isScheduled says whether the post is a booking that stands where it was made
// for. One that a person moved is theirs to judge.
func (f filler) isScheduled(p wpclient.Post) bool {
	t := compose.Read(p)
	return t.Own && f.isOurs(t) && p.Status == "future" && p.DateGMT.Equal(t.Slot)
}

// sameItem says whether two posts were booked for one item. A text alone makes
// none: a greeting may go out every Monday, under another slug.
func (f filler) sameItem(p, q wpclient.Post) bool {
	t, u := compose.Read(p), compose.Read(q)
	if !t.Own || !u.Own || !f.isOurs(t) || !f.isOurs(u) || t.Handed || u.Handed {
		return false
	}
	return (t.Text == u.Text || t.Job == u.Job && t.Item == u.Item) && (isForm(p.Slug, q.Slug) || isForm(q.Slug, p.Slug))
}

// isOwn says whether the post is one that Morrow booked, for whatever slot.
func (f filler) isOwn(p wpclient.Post) bool {
	t := compose.Read(p)
	return t.Ours && t.Own
}

// onlyOne withdraws what is too many for a slot or of an item, and gives the
// posts that remain in sight.
func (r *run) onlyOne(ctx context.Context, ahead []slots.Slot, look sight) []wpclient.Post {
	left := look.posts
	var gone []wpclient.Post
	for _, s := range ahead {
		gone = append(gone, r.filler.surplus(s, left)...)
	}
	left = without(left, gone)
	again := r.filler.repeats(left)
	left = without(left, again)
	for _, p := range gone {
		r.withdrawn(ctx, look.at, p, "one too many for "+p.DateGMT.In(r.zone.Loc).Format(time.RFC3339))
	}
	for _, p := range again {
		r.withdrawn(ctx, look.at, p, "booked though its item has another post")
	}
	if len(gone)+len(again) > 0 {
		r.tended, r.listed = false, false
		r.bringBack(ctx)
	}
	return left
}

// withdrawn withdraws a booking that is what is said of it, and tells.
func (r *run) withdrawn(ctx context.Context, looked time.Time, p wpclient.Post, what string) {
	switch err := r.withdraw(ctx, looked, p); {
	case errors.Is(err, errDryRun):
		r.notice("post %d is %s: a run would withdraw it", p.ID, what)
	case err != nil:
		r.notice("post %d is %s and could not be withdrawn: %v", p.ID, what, err)
	default:
		r.event(Withdrawn, p.ID, "post %d was %s: it was withdrawn and waits as a draft", p.ID, what)
	}
}

func without(posts, gone []wpclient.Post) []wpclient.Post {
	return slices.DeleteFunc(slices.Clone(posts), func(p wpclient.Post) bool {
		return slices.ContainsFunc(gone, func(q wpclient.Post) bool { return q.ID == p.ID })
	})
}

// giveWay is the rule for a slot in whose window there is a post that this
// account may not see: it may be a booking made by another account, so the
// lowest id stays, seen or not.
func (r *run) giveWay(ctx context.Context, s slots.Slot, look sight) []wpclient.Post {
	own := r.filler.bookings(s, look.posts)
	if len(look.hidden) == 0 || len(own) == 0 {
		return look.posts
	}
	q := r.exactly(s.Window)
	q.Limit = 1 // by id, ascending
	l, err := r.client.List(ctx, q)
	if err != nil || len(l.Posts) > 0 || l.Total == 0 {
		return look.posts
	}
	if err := r.withdraw(ctx, wall(l.At), own[0]); err != nil {
		r.notice("post %d stands beside a post that this account may not see, and could not be withdrawn: %v", own[0].ID, err)
		return look.posts
	}
	r.event(Withdrawn, own[0].ID, "post %d stood beside an older post that this account may not see: it was withdrawn and waits as a draft", own[0].ID)
	return without(look.posts, own[:1])
}

// withdraw turns a booking back into a draft that floats, its text untouched.
// As with a commit, it is not sent on a look that is too old: a person may have
// settled it.
func (r *run) withdraw(ctx context.Context, looked time.Time, p wpclient.Post) error {
	status := "draft"
	_, err := r.write.Update(ctx, r.job.Type, p.ID, wpclient.Fields{Status: &status, ClearDate: true}, func() error {
		if p.DateGMT.Sub(r.clock.later()) <= withdrawLimit {
			return errors.New("its slot is too near")
		}
		return r.isRecent(looked)
	})
	return err
}

// isRecent says whether what was seen at a moment may still be acted on.
func (r *run) isRecent(looked time.Time) error {
	if age := wall(r.clock.now()).Sub(looked); age < 0 || age > lookAge {
		return errStaleLook
	}
	return nil
}

// drafts lists the drafts of ours that nobody touched. They are invisible to
// readers: a failure here is for a later run to make good.
func (r *run) drafts(ctx context.Context) (drafts []wpclient.Post) {
	l, err := r.client.List(ctx, wpclient.Query{Type: r.job.Type, Statuses: []string{"draft"}, Search: "morrow"})
	if err != nil {
		r.log.Warn().Err(err).Msg("cannot list our drafts")
	}
	for _, p := range l.Posts {
		if t := compose.Read(p); p.Floats() && t.Intact && r.filler.isOurs(t) && (t.Own || t.ID == 0) {
			drafts = append(drafts, p)
		}
	}
	return drafts
}

// tend looks after drafts of ours whose item is not in the queue: one that was
// withdrawn, here or on another machine, brings its file back from done/; the
// look-up then tells whether the item waits for a slot or is booked, so that
// its draft is surplus.
func (r *run) tend(ctx context.Context, drafts []wpclient.Post) {
	for _, p := range drafts {
		t := compose.Read(p)
		if t.Handed || r.queued(ctx, p, t) {
			continue
		}
		ok, err := r.source.Restore(ctx, t.Item, func(it source.Item) bool { return r.compose.Makes(ctx, it, t.Text) })
		switch {
		case errors.Is(err, errDryRun):
			r.notice("draft %d waits for a slot: a run would bring its file back from done/", p.ID)
		case err != nil:
			r.notice("draft %d waits for a slot, but its file stays in done/: %v", p.ID, err)
		case ok:
			r.listed = false
			r.settleItem(ctx, t.Item, drafts)
		}
	}
}

// bringBack looks after our drafts once a run; ok is false if it did before.
func (r *run) bringBack(ctx context.Context) (ok bool) {
	if r.tended {
		return false
	}
	r.tended = true
	r.tend(ctx, r.drafts(ctx))
	return true
}

// queued says whether the queue has the item of a draft: the file of its name
// that makes its text, or had its slug before it was edited. When the queue
// can't be read nothing is brought back to it.
func (r *run) queued(ctx context.Context, p wpclient.Post, t compose.Trace) bool {
	if err := r.list(ctx); err != nil {
		return true
	}
	it, ok := r.item(t.Item)
	return ok && (slices.Contains(slugForms(compose.Slug(it)), p.Slug) || r.compose.Makes(ctx, it, t.Text))
}

// surplusDrafts are those of our drafts that the item's booking leaves over.
func (r *run) surplusDrafts(drafts []wpclient.Post, d compose.Draft, booking wpclient.Post) (surplus []wpclient.Post) {
	for _, p := range drafts {
		// A copy that a person made of a draft has no slug yet.
		if p.ID != booking.ID && isForm(p.Slug, d.Slug) && r.filler.isItem(compose.Read(p), p, d) {
			surplus = append(surplus, p)
		}
	}
	return surplus
}

// settleItem finds out whether an item that came back for its draft is booked
// after all, so that its drafts are surplus.
func (r *run) settleItem(ctx context.Context, key string, drafts []wpclient.Post) {
	if r.list(ctx) != nil {
		return
	}
	it, ok := r.item(key)
	if !ok {
		return
	}
	d, f, err := r.known(ctx, it)
	if err == nil && f.fate == settled {
		if f.post.ID != 0 {
			f.extra = r.surplusDrafts(drafts, d, f.post)
		}
		r.finish(ctx, d, f)
		return
	}
	delete(r.tried, key)
	r.notice("%s is back in the queue: its booking was withdrawn", it.Name)
}
