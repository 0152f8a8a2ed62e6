package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"morrow/internal/compose"
	"morrow/internal/slots"
	"morrow/wpclient"
)

const (
	// lookAge is how old the second look may be when a commit is sent.
	lookAge = 10 * time.Second
	// maxRefusals is how many items a site may refuse before it is asked no
	// further in this run.
	maxRefusals = 3
	// rounds bounds how often a run goes back to the look with one draft.
	rounds = 3
)

var (
	errTooLate   = errors.New("the slot is too near")
	errStaleLook = errors.New("the look is too old")
	errNotThere  = errors.New("the site does not show the booking")
	errStartOver = errors.New("the site has changed meanwhile")
)

// booking is one item on its way into one slot.
type booking struct {
	*run
	slot  slots.Slot
	draft compose.Draft
	post  wpclient.Post   // the item's post, as last seen
	extra []wpclient.Post // further drafts of the item, to be removed once it is booked
	// leftovers are all our drafts, as the read back saw them.
	leftovers []wpclient.Post
}

// bookPost takes an item through the steps prepare to consume.
func (r *run) bookPost(ctx context.Context, s slots.Slot, d compose.Draft, f finding) (SlotReport, error) {
	b := &booking{run: r, slot: s, draft: d, post: f.draft, extra: f.extra}
	rep := SlotReport{Slot: s.At, Item: d.Item.Name}
	if err := b.prepare(ctx); err != nil {
		return rep.end(err), err
	}
	var sent error // what the last commit was answered
	for range rounds {
		v, at, err := b.lookAgain(ctx)
		if err != nil {
			return rep.end(err), err
		}
		if v.state != free {
			return r.settle(ctx, v), nil
		}
		switch err = b.commit(ctx, at); {
		case errors.Is(err, errTooLate):
			rep.Outcome = TooLate
			rep.Reason = fmt.Sprintf("the slot came nearer than %s while this run was under way; the item waits for another slot as draft %d", r.job.Lead, b.post.ID)
			return rep, nil
		case errors.Is(err, errStaleLook):
			continue
		case isGone(err):
			return rep.end(err), errStartOver
		case isSiteFault(err):
			return rep.end(err), err
		case isKnown(err):
			err = b.refused(err)
			return rep.end(err), err
		}
		sent = err
		switch err = b.readBack(ctx, sent); {
		case errors.Is(err, errNotThere):
			continue
		case errors.Is(err, errStartOver), isSiteFault(err):
			return rep.end(err), err
		case err != nil:
			return rep.end(err), nil
		}
		b.wrapUp(ctx)
		rep.Outcome, rep.Reason, rep.Post = Booked, "", ref(b.post)
		return rep, nil
	}
	if sent == nil {
		return rep.end(fmt.Errorf("book draft %d: the site answers too slowly for a look that is fresh, %d times in a row; a later run settles it", b.post.ID, rounds)), nil
	}
	err := b.refused(fmt.Errorf("book draft %d: the site did not take it in %d tries: %w", b.post.ID, rounds, sent))
	return rep.end(err), err
}

// prepare puts the item on the site as a draft, or brings a leftover draft of
// ours to the item's text. A create is sent once: whatever comes of it, only a
// look-up tells.
func (b *booking) prepare(ctx context.Context) error {
	b.begin(stepPrepare)
	// Lists don't show the further fields: they are sent again.
	if b.draft.Item.Post.ID != 0 || b.post.ID != 0 && len(b.draft.Extra) == 0 && b.draft.Verify(b.post) == nil {
		return nil
	}
	fields, err := b.draft.Prepare(b.slot.At, b.post.ID)
	if err != nil {
		return err
	}
	made := b.post.ID == 0
	if made {
		if b.post, err = b.write.Create(ctx, b.job.Type, fields); err == nil {
			b.unsent[b.post.ID] = true
		}
	} else {
		b.post, err = b.write.Update(ctx, b.job.Type, b.post.ID, fields, nil)
	}
	if err != nil {
		if isKnown(err) || b.adopt(ctx) != nil {
			return b.refused(err)
		}
		made = false
	}
	return b.verify(ctx, made)
}

// spoiled sorts what the site changed of a draft: it is the item's fault, until
// the site has done so to several.
func (b *booking) spoiled(err error) error {
	if b.refusals >= maxRefusals {
		return needsPerson("%v; it did so to %d more: a plugin of the site changes posts as they are stored", err, b.refusals)
	}
	b.refusals++
	return &compose.Fault{Reason: err.Error()}
}

// adopt takes the draft that the site has of the item now, be it ours of a
// moment ago or another machine's.
func (b *booking) adopt(ctx context.Context) error {
	f, err := b.lookUp(ctx, b.draft)
	switch {
	case err != nil:
		return err
	case f.fate == fresh:
		return errNotThere
	case f.fate != reuse || b.elsewhere(f.draft, b.slot) != "":
		return errStartOver
	}
	b.post, b.extra = f.draft, f.extra
	return nil
}

// verify holds the stored draft to what was sent. A draft made just now that
// WordPress changed is removed again: its text is nobody's.
func (b *booking) verify(ctx context.Context, made bool) error {
	b.begin(stepVerify)
	switch {
	case b.post.Status == "publish":
		return livef("post %d is LIVE already: the site published a draft at once (a plugin?); see %s", b.post.ID, b.post.Link)
	case !b.post.Floats():
		b.discard(ctx, made)
		return siteFaultf("the site did not keep a draft of %s as one: it stored post %d as %s, dated %s (a plugin?)", b.draft.Item.Name, b.post.ID, b.post.Status, b.post.Date)
	}
	err := b.draft.Verify(b.post)
	var suffixed *compose.SuffixError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &suffixed):
		// Another draft of the item was made at the same time: all machines
		// go on with the lowest. The commit sends the slug once more.
		id := b.post.ID
		if err := b.adopt(ctx); !errors.Is(err, errNotThere) {
			return err
		}
		b.discard(ctx, made)
		return fmt.Errorf("look up draft %d: the site's lists do not show it, though it has just been stored; a replica that lags, or a plugin or cache that filters them", id)
	}
	b.discard(ctx, made)
	return b.spoiled(err)
}

// discard removes a draft that this run has just made and can't use. It is read
// first: a plugin or a proxy may have answered the create with another post.
func (b *booking) discard(ctx context.Context, made bool) {
	if !made {
		return
	}
	p, err := b.client.Read(ctx, b.job.Type, b.post.ID)
	if err == nil && !b.hasMade(p) {
		b.notice("the site answered the create of %s with post %d, %q, which is another: that is left alone", b.draft.Item.Name, p.ID, p.Title)
		return
	}
	if err == nil {
		err = b.write.Delete(ctx, b.job.Type, b.post.ID)
	}
	if err != nil && !isGone(err) {
		b.notice("post %d of %s is left on the site: %v", b.post.ID, b.draft.Item.Name, err)
	}
}

// hasMade says whether a post can be what was created a moment ago: by its
// marker, or by its title and age where the site took the marker out.
func (b *booking) hasMade(p wpclient.Post) bool {
	if t := compose.Read(p); t.Ours {
		return t.ID == 0 && t.Item == b.draft.Item.Key
	}
	return p.Title == b.draft.StoredTitle() && b.clock.site().Sub(p.ModifiedGMT) < b.job.RunTimeout
}

// lookAgain looks at the slot and at the draft right before the commit. It
// also gives the moment of the look. Where the site hides posts it asks for the
// exact window at the same time: after one another, the first answer would be
// too old on a slow site.
func (b *booking) lookAgain(ctx context.Context) (verdict, time.Time, error) {
	b.begin(stepLookAgain)
	var s sight
	var p wpclient.Post
	var exact verdict
	hiding := b.hiding
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		s, err = b.ask(gctx, []slots.Slot{b.slot}, time.Time{})
		return err
	})
	g.Go(func() (err error) {
		p, err = b.client.Read(gctx, b.job.Type, b.post.ID)
		return err
	})
	if hiding {
		g.Go(func() error {
			exact.state, exact.reason = b.hiddenIn(gctx, b.types(), b.slot.Window)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		if isGone(err) {
			return verdict{}, s.at, errStartOver
		}
		return verdict{}, s.at, err
	}
	v := decide(b.clock.later(), b.job.Lead, s.ahead, s.posts, b.filler)[0]
	switch {
	case v.state != free || len(s.hidden) == 0:
	case hiding:
		v.state, v.reason = exact.state, exact.reason
	default:
		v = b.unhide(ctx, s, []verdict{v})[0]
	}
	if b.otherZone([]wpclient.Post{p}) {
		return v, s.at, errors.Join(errOtherZone, b.discover(ctx))
	}
	if v.state == free && !b.untouched(p) {
		return v, s.at, errStartOver
	}
	b.post = p
	return v, s.at, nil
}

// untouched says whether the post is still the draft that was verified.
func (b *booking) untouched(p wpclient.Post) bool {
	if b.draft.Item.Post.ID != 0 {
		return sameDraft(p, b.draft.Item.Post)
	}
	t := compose.Read(p)
	return p.Floats() && t.Ours && t.Intact && t.Text == b.draft.Text && (t.Own || t.ID == 0)
}

// commit turns the draft into the scheduled post. The clock is read at the
// last moment before the first byte leaves: WordPress publishes at once what
// comes too late.
func (b *booking) commit(ctx context.Context, looked time.Time) error {
	b.begin(stepCommit)
	fields, err := b.draft.Commit(b.slot.At, b.post.ID)
	if err != nil {
		return needsPerson("write the marker: %v", err)
	}
	p, err := b.write.Update(ctx, b.job.Type, b.post.ID, fields, func() error {
		if b.slot.At.Sub(b.clock.later()) <= b.job.Lead {
			return errTooLate
		}
		if err := b.isRecent(looked); err != nil {
			return err
		}
		delete(b.unsent, b.post.ID)
		return nil
	})
	if err != nil {
		return err
	}
	return b.astray(ctx, p)
}

// astray says what the site made of a commit, if not a post scheduled for the
// slot. One on another date is taken back.
func (b *booking) astray(ctx context.Context, p wpclient.Post) error {
	b.post = p
	to := p.DateGMT.In(b.slot.At.Location()).Format(time.RFC3339)
	switch {
	case p.Status == "publish":
		return livef("post %d is LIVE already: the site published it at once instead of scheduling it for %s; is its clock right? See %s",
			p.ID, b.slot.At.Format(time.RFC3339), p.Link)
	case p.Status == "future" && p.DateGMT.Equal(b.slot.At):
		return nil
	}
	msg := fmt.Sprintf("the site stored post %d as %s for %s instead of scheduling it for %s: a plugin changes posts", p.ID, p.Status, to, b.slot.At.Format(time.RFC3339))
	if err := b.withdraw(ctx, wall(b.clock.now()), p); err != nil {
		return siteFaultf("%s; it could not be taken back: %v", msg, err)
	}
	return siteFaultf("%s; it was taken back and waits as a draft", msg)
}

// readBack asks the window whether the booking stands, whatever the commit
// was answered (sent), and holds it to the rule of one booking a slot and an
// item, for which it asks for all slots ahead. Beside that it lists our drafts,
// among which a create that arrived twice shows.
func (b *booking) readBack(ctx context.Context, sent error) error {
	b.begin(stepReadBack)
	listed := make(chan []wpclient.Post, 1)
	go func() { listed <- b.drafts(ctx) }()
	s, err := b.ask(ctx, b.upcoming(), time.Time{})
	b.leftovers = <-listed
	if err != nil {
		return fmt.Errorf("read the booking back (post %d): %w", b.post.ID, err)
	}
	at := slices.IndexFunc(s.posts, func(p wpclient.Post) bool { return p.ID == b.post.ID })
	switch {
	case at < 0 && sent != nil:
		return errNotThere
	case at < 0:
		return fmt.Errorf("read the booking back: the site confirmed post %d, but its list does not show it; a later run settles it", b.post.ID)
	}
	p := s.posts[at]
	if t := compose.Read(p); t.Own && !t.Slot.Equal(b.slot.At) && p.DateGMT.Equal(t.Slot) {
		return errStartOver // another machine has booked the same draft into another slot
	}
	if sent == nil && p.Status == "future" && !p.DateGMT.Equal(b.slot.At) {
		return siteFaultf("post %d was scheduled for %s, and a moment later stands at %s: a person or a plugin moved it, and there it is left",
			p.ID, b.slot.At.Format(time.RFC3339), p.DateGMT.In(b.slot.At.Location()).Format(time.RFC3339))
	} else if err := b.astray(ctx, p); err != nil {
		return err
	}
	s.posts = b.onlyOne(ctx, s.ahead, s)
	left := b.giveWay(ctx, b.slot, s)
	if !slices.ContainsFunc(left, func(p wpclient.Post) bool { return p.ID == b.post.ID }) {
		return errStartOver // it was one too many: look who has the slot
	}
	return nil
}

// wrapUp is what remains once the booking stands: the slug, surplus drafts,
// the file.
func (b *booking) wrapUp(ctx context.Context) {
	extra := slices.Concat(b.extra, b.surplusDrafts(b.leftovers, b.draft, b.post))
	b.post = b.tidy(ctx, b.draft, b.post, extra)
	b.names[b.post.ID] = b.draft.Item.Name
	for _, w := range b.draft.Warnings {
		b.notice("%s: %s", b.draft.Item.Name, w)
	}
	booked := []verdict{{slot: b.slot, state: taken, post: &b.post, ours: true, reason: fillReason(b.slot, b.post, true)}}
	b.remember(ctx, booked)
	b.begin(stepConsume)
	b.tried[b.draft.Item.Key] = ""
	b.consume(ctx, b.draft.Item)
	b.remember(ctx, booked)
	b.tend(ctx, b.leftovers)
}

// tidy removes the surplus drafts of an item that is booked. If one of them has
// kept the booking from its own slug, that is sent again.
func (r *run) tidy(ctx context.Context, d compose.Draft, booking wpclient.Post, extra []wpclient.Post) wpclient.Post {
	if booking.Status != "future" || booking.Slug == d.Slug || !isForm(booking.Slug, d.Slug) { // else a person's slug
		r.removeExtra(ctx, booking, extra)
		return booking
	}
	if f, err := r.lookUp(ctx, d); err == nil {
		extra = append(extra, f.extra...)
	}
	r.removeExtra(ctx, booking, extra)
	p, err := r.write.Update(ctx, r.job.Type, booking.ID, wpclient.Fields{Slug: &d.Slug}, nil)
	if err != nil {
		p = booking
	}
	if p.Slug != d.Slug && !errors.Is(err, errDryRun) {
		r.notice("post %d has the slug %q instead of %q: another post has that", p.ID, p.Slug, d.Slug)
	}
	return p
}

// removeExtra deletes surplus drafts of an item for good, each only if it is
// still a draft of ours that nobody touched: a late commit to it then answers
// 404, where a trashed post would be revived. A draft with a lower id than the
// booking's stays while another machine may be committing it: of the two
// bookings the rule would keep that one.
func (r *run) removeExtra(ctx context.Context, booking wpclient.Post, extra []wpclient.Post) {
	fresh := r.clock.site().Sub(booking.ModifiedGMT) <= r.job.RunTimeout+r.job.Lead
	for _, p := range extra {
		if p.ID < booking.ID && fresh {
			continue
		}
		p, err := r.client.Read(ctx, r.job.Type, p.ID)
		if isGone(err) {
			continue
		}
		if err == nil {
			t := compose.Read(p)
			if !p.Floats() || !t.Ours || !t.Intact || t.Handed || t.ID != 0 && !t.Own {
				continue
			}
			err = r.write.Delete(ctx, r.job.Type, p.ID)
		}
		if err != nil && !isGone(err) && !errors.Is(err, errDryRun) {
			r.notice("surplus draft %d is left on the site: %v", p.ID, err)
		}
	}
}

// isGone says whether the site has no such post (any more).
func isGone(err error) bool {
	var e *wpclient.Error
	return errors.As(err, &e) && (e.Status == http.StatusNotFound && e.Code == "rest_post_invalid_id" || e.Status == http.StatusGone)
}

// isKnown says whether a write surely had no effect.
func isKnown(err error) bool {
	var e *wpclient.Error
	return err != nil && (!errors.As(err, &e) || e.Known())
}
