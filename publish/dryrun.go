package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"morrow/internal/compose"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/wpclient"
)

// The parts of a dry run: the run itself knows nothing of it.

// rehearse says what booking would do. The item is used up: the next slot gets
// the next one.
func (r *run) rehearse(_ context.Context, s slots.Slot, d compose.Draft, f finding) (SlotReport, error) {
	r.tried[d.Item.Key] = ""
	reason := fmt.Sprintf("the slot is free; this would be scheduled as %q with the slug %q", d.Title, d.Slug)
	switch {
	case d.Item.Post.ID != 0:
		reason = "the slot is free; this draft would be scheduled as it is"
	case f.fate == reuse:
		reason += fmt.Sprintf(", from the draft %d that is on the site already", f.draft.ID)
	}
	if len(d.Warnings) > 0 {
		reason += "; mind: " + strings.Join(d.Warnings, "; ")
	}
	return SlotReport{Slot: s.At, Outcome: WouldBook, Item: d.Item.Name, Reason: reason}, nil
}

var errDryRun = errors.New("a dry run writes nothing")

// noWriter is a site that takes no writes.
type noWriter struct{}

func (noWriter) Create(context.Context, string, wpclient.Fields) (wpclient.Post, error) {
	return wpclient.Post{}, errDryRun
}

func (noWriter) Update(context.Context, string, int64, wpclient.Fields, func() error) (wpclient.Post, error) {
	return wpclient.Post{}, errDryRun
}

func (noWriter) Delete(context.Context, string, int64) error { return errDryRun }

func (noWriter) Wake(context.Context) {}

// keeper is a source that keeps its files.
type keeper struct{ Source }

func (keeper) Consume(context.Context, source.Item) error { return nil }

func (keeper) Restore(context.Context, string, func(source.Item) bool) (bool, error) {
	return false, errDryRun
}

// noLock is a lock that never disturbs anybody.
type noLock struct{}

func (noLock) Acquire(context.Context, time.Duration) (func() error, bool, error) {
	return func() error { return nil }, true, nil
}
