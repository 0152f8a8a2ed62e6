package publish

import (
	"context"
	"fmt"
	"os"

	"morrow/internal/compose"
	"morrow/internal/journal"
	"morrow/wpclient"
)

// The journal is history and cache: that it fails never stops a booking.

// record writes the run's row, by StartRun or EndRun.
func (r *run) record(ctx context.Context, write func(context.Context, journal.Run) error, rep Report) {
	row := journal.Run{
		ID: rep.Run, Job: rep.Job, Site: rep.Site, Trigger: rep.Trigger, PID: os.Getpid(), Host: r.host,
		Started: rep.Started, Outcome: string(rep.Outcome),
	}
	if rep.Outcome != "" {
		row.Ended = rep.Started.Add(rep.Elapsed)
	}
	row.Reason = rep.reason()
	if err := write(ctx, row); err != nil {
		r.log.Warn().Err(err).Msg("cannot record the run")
	}
}

// remember records what the look saw, for `status` and as a hint for the next
// run.
func (r *run) remember(ctx context.Context, verdicts []verdict) {
	rows := make([]journal.Booking, 0, len(verdicts))
	for _, v := range verdicts {
		rows = append(rows, r.row(v))
	}
	if err := r.journal.SaveBookings(ctx, rows); err != nil {
		r.log.Warn().Err(err).Msg("cannot record the slots")
	}
}

// rememberAsides records what this run set aside, if it came to pick.
func (r *run) rememberAsides(ctx context.Context) {
	if !r.picked {
		return
	}
	var as []journal.Aside
	for _, e := range r.entries {
		if e.Item != nil && r.tried[e.Item.Key] != "" {
			as = append(as, journal.Aside{Name: e.Name, Reason: r.tried[e.Item.Key], Seen: r.clock.now()})
		}
	}
	if err := r.journal.SaveAsides(ctx, r.job.key(), r.job.Name, as); err != nil {
		r.log.Warn().Err(err).Msg("cannot record the items set aside")
	}
}

func (r *run) row(v verdict) journal.Booking {
	b := journal.Booking{
		Site: r.job.key(), Job: r.job.Name, Slot: v.slot.At, State: string(v.state), Ours: v.ours, Reason: v.reason, Seen: r.clock.now(),
	}
	if v.post != nil {
		b.PostID, b.Status, b.Slug, b.Link, b.Title = v.post.ID, v.post.Status, v.post.Slug, v.post.Link, v.post.Title
		if v.ours {
			b.Item, b.Queued = r.itemName(*v.post), r.stillQueued(*v.post)
		}
	}
	return b
}

// itemName is the name of the item of a booking: its file's, where the journal
// knows it, else the key in the marker.
func (r *run) itemName(p wpclient.Post) string {
	if name := r.names[p.ID]; name != "" {
		return name
	}
	t := compose.Read(p)
	if t.Handed {
		return fmt.Sprintf("draft %d %q", p.ID, p.Title)
	}
	return t.Item
}

// stillQueued says whether the file of a booking may still be in the queue. A
// run that did not read the queue has had that from the journal.
func (r *run) stillQueued(p wpclient.Post) bool {
	if !r.listed {
		return false
	}
	it, ok := r.item(compose.Read(p).Item)
	_, done := r.tried[it.Key]
	return ok && (!done || r.stuck[it.Key])
}
