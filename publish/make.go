package publish

import (
	"context"
	"errors"
	"slices"
	"time"

	"morrow/internal/slots"
	"morrow/internal/source"
)

// maker is a Source that can make an item for a slot (source.Command does). The
// error says why there is none.
type maker interface {
	Make(ctx context.Context, slot time.Time) error
}

// noMaker stands for the maker in a dry run.
type noMaker struct{}

func (noMaker) Make(context.Context, time.Time) error { return errDryRun }

// supply finds an item for a slot when the queue has none for it: one whose
// booking was withdrawn, else one that the source makes, once a slot. It makes
// none while anything waits there: what a person or the site holds up must not
// let the next be made. ok is false when there is nothing new to pick, and the
// report says how the slot ends.
func (r *run) supply(ctx context.Context, s slots.Slot, later map[string]string) (rep SlotReport, ok bool) {
	if r.bringBack(ctx) || r.waitForYoung(ctx) {
		return rep, true
	}
	rep = SlotReport{Slot: s.At, Outcome: NothingToBook, Reason: r.shortage(s, later)}
	if r.broken != nil {
		return rep.end(r.broken), false
	}
	if r.maker == nil || r.madeFor.Equal(s.At) || slices.ContainsFunc(r.entries, r.waits) {
		return rep, false
	}
	r.madeFor = s.At
	err := r.maker.Make(ctx, s.At)
	switch {
	case errors.Is(err, errDryRun):
		rep.Outcome, rep.Reason = WouldBook, "the slot is free; a run would run the command, and book what it prints"
	case err != nil:
		rep.Reason = err.Error()
	default:
		r.listed = false
	}
	return rep, err == nil
}

// waitForYoung waits, once and only in a run by hand, for files that were saved
// a moment ago: the person who did it is looking on.
func (r *run) waitForYoung(ctx context.Context) bool {
	var longest time.Duration
	for _, e := range r.entries {
		longest = max(longest, e.Wait)
	}
	if longest == 0 || r.waited || r.trigger != triggerManual {
		return false
	}
	r.waited, r.listed = true, false
	r.begin(stepWait)
	select {
	case <-ctx.Done():
	case <-time.After(longest):
	}
	return true
}

// waits says whether an entry is an item, or may become one, that is not booked
// yet.
func (r *run) waits(e source.Entry) bool {
	if e.Item == nil {
		return e.State != source.Ignored
	}
	why, tried := r.tried[e.Item.Key]
	return !tried || why != ""
}
