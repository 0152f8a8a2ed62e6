package publish

import (
	"context"
	"errors"
	"time"

	"morrow/internal/compose"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/wpclient"
)

// early is what was fetched of the likeliest item while the look was under
// way. It spares a round trip; whatever failed of it is asked again in turn.
type early struct {
	done    chan struct{}
	entries []source.Entry
	listErr error
	draft   compose.Draft
	list    wpclient.List
	found   bool
}

// foresee reads the queue beside the look, and begins to fetch what the site
// has of the first item, unless the journal says that the slots are filled and
// their files moved, so that most likely nothing is to be done; or the run only
// watches.
func (r *run) foresee(ctx context.Context) {
	ahead := r.upcoming()
	if r.onlyWatches() || r.likelySettled(ctx, ahead) {
		return
	}
	e := &early{done: make(chan struct{})}
	r.early = e
	loc := r.zone.Loc
	go func() {
		defer close(e.done)
		e.entries, e.listErr = r.source.Entries(ctx, loc)
		it, ok := likeliest(ahead, e.entries)
		if !ok || it.Post.ID != 0 {
			return // a draft on the site is looked at again anyway
		}
		var err error
		if e.draft, err = r.compose.Render(ctx, it); err == nil {
			e.list, err = r.slugList(ctx, e.draft)
		}
		e.found = err == nil
	}()
}

// likeliest is the item that is booked next if all these slots are free.
func likeliest(ahead []slots.Slot, entries []source.Entry) (source.Item, bool) {
	for _, s := range ahead {
		if c := choices(s, entries); len(c) > 0 {
			return *c[0], true
		}
	}
	return source.Item{}, false
}

// catchUp waits for what foresee began.
func (r *run) catchUp() {
	if r.early == nil {
		return
	}
	<-r.early.done
	if err := r.early.listErr; cut(err) {
		return // of no fault of the queue
	} else if err != nil {
		r.notice("the queue can't be read: %v", err)
		return
	}
	r.entries, r.listed = r.early.entries, true
}

// list reads the queue once a run, and again after it has changed.
func (r *run) list(ctx context.Context) error {
	if r.listed {
		return nil
	}
	entries, err := r.source.Entries(ctx, r.zone.Loc)
	if cut(err) {
		return err
	} else if err != nil {
		return needsPerson("read the queue: %v", err)
	}
	r.entries, r.listed = entries, true
	return nil
}

// item finds an item of the queue by its key.
func (r *run) item(key string) (source.Item, bool) {
	for _, e := range r.entries {
		if e.Item != nil && e.Item.Key == key {
			return *e.Item, true
		}
	}
	return source.Item{}, false
}

// pick gives the next item for the slot, none of those that are for later; ok is
// false when there is none.
func (r *run) pick(ctx context.Context, s slots.Slot, later map[string]string) (it source.Item, ok bool, err error) {
	if err := r.list(ctx); err != nil {
		return it, false, err
	}
	r.picked = true
	for _, it := range choices(s, r.entries) {
		if _, done := r.tried[it.Key]; !done && later[it.Key] == "" {
			r.passOver(*it)
			return *it, true, nil
		}
	}
	return it, false, nil
}

// known renders the item and looks up what the site has of it. Its terms and
// pictures are settled only when it is to be booked.
func (r *run) known(ctx context.Context, it source.Item) (compose.Draft, finding, error) {
	if it.Post.ID != 0 {
		return r.handed(ctx, it)
	}
	d, f, err := r.lookedUp(ctx, it)
	if err == nil && f.fate == fresh {
		f, err = r.lookBack(ctx, d, f)
	}
	if err == nil && (f.fate == fresh || f.fate == reuse) {
		d, err = r.compose.Settle(ctx, d)
	}
	return d, f, err
}

// lookedUp gives what the site has of an item by its slug, as foresee has it or
// as it is now.
func (r *run) lookedUp(ctx context.Context, it source.Item) (compose.Draft, finding, error) {
	if e := r.early; e != nil && e.found && e.draft.Item.Key == it.Key {
		e.found = false // once: what comes later is asked anew
		f, err := r.weigh(e.list, e.draft)
		return e.draft, f, err
	}
	d, err := r.compose.Render(ctx, it)
	if err != nil {
		return d, finding{}, err
	}
	f, err := r.lookUp(ctx, d)
	return d, f, err
}

// lookBack is for an item whose file could not be moved when it was booked, and
// whose post has another slug now: the journal may know the post.
func (r *run) lookBack(ctx context.Context, d compose.Draft, f finding) (finding, error) {
	id, queued, err := r.journal.PostOf(ctx, r.job.key(), r.job.Name, d.Item.Name)
	if err != nil || id == 0 {
		return f, nil //nolint:nilerr // the journal is a cache: without it the site's answer stands
	}
	p, err := r.client.Read(ctx, r.job.Type, id)
	if isGone(err) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	t := compose.Read(p)
	left := queued && t.Own && r.filler.isOurs(t) && t.Item == d.Item.Key // and edited since
	if left || r.filler.isItem(t, p, d) {
		f = judge(p, t, d)
		f.draft = p
	}
	return f, nil
}

// finish is for an item that is on the site already, or was taken out there:
// its file is done with.
func (r *run) finish(ctx context.Context, d compose.Draft, f finding) {
	it := d.Item
	r.tried[it.Key] = ""
	r.notice("%s is done with: %s", it.Name, f.reason)
	r.tidy(ctx, d, f.post, f.extra)
	r.consume(ctx, it)
}

// takeOut takes the item of a booking that stands out of the queue, where a run
// that was killed after its commit has left it.
func (r *run) takeOut(ctx context.Context, key string, v verdict) {
	it, ok := r.item(key)
	if _, done := r.tried[key]; !ok || done {
		return
	}
	switch d, f, err := r.known(ctx, it); {
	case err != nil:
		r.notice("%s is booked already, and stays in the queue for now: %v", it.Name, err)
	case f.fate == held:
		r.aside(it, f.reason)
	case f.fate == settled:
		r.finish(ctx, d, f)
		r.remember(ctx, []verdict{v})
	}
}

// consume moves the item out of the queue. That this fails never undoes a
// booking: the next run finds the post by its slug and tries again.
func (r *run) consume(ctx context.Context, it source.Item) {
	err := r.source.Consume(ctx, it)
	var changed *source.ChangedError
	switch {
	case errors.As(err, &changed):
		r.notice("%v", err)
	case err != nil:
		r.stuck[it.Key] = true
		r.notice("%s stays in the queue: %v; it is on the site and not posted again", it.Name, err)
	}
}

// likelySettled says whether the journal remembers all these slots as filled,
// and no file of theirs as left in the queue. It is a hint about what to fetch,
// never a decision.
func (r *run) likelySettled(ctx context.Context, ahead []slots.Slot) bool {
	if len(ahead) == 0 {
		return true
	}
	rows, err := r.journal.Bookings(ctx, r.job.key(), r.job.Name, ahead[0].At, ahead[len(ahead)-1].At.Add(time.Second))
	if err != nil {
		return false
	}
	filled := 0
	for _, b := range rows {
		if b.State == string(taken) && !b.Queued {
			filled++
		}
		if b.Ours {
			r.names[b.PostID] = b.Item
		}
	}
	return filled == len(ahead)
}

// cut says whether an error is no more than the end of the run's time.
func cut(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
