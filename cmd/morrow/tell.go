package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/internal/notify"
	"morrow/publish"
	"morrow/scheduler"
)

// pingsEnd is how long a command that ends waits for its last pings.
const pingsEnd = 10 * time.Second

// teller tells people, and the machines that watch for them, of runs. Its nil
// pointer tells nobody: a dry run's.
type teller struct {
	*program
	journal  *journal.Journal
	notifier *notify.Notifier
	pulse    *notify.Pulse
}

// begins tells that a run begins.
func (t *teller) begins(ctx context.Context, job config.Job, trigger string) {
	if t != nil && job.Ping.IsSet() && pinged(trigger) {
		t.pulse.Start(ctx, job.Name, newPing(job))
	}
}

// ended tells what a run found. No message is sent yet.
func (t *teller) ended(ctx context.Context, cfg *config.Config, job config.Job, r publish.Report) {
	if t == nil {
		return
	}
	if ok, known := isWell(r); known && job.Ping.IsSet() && pinged(r.Trigger) {
		t.pulse.End(ctx, job.Name, newPing(job), ok)
	}
	if t.notifier.Quiet() {
		return
	}
	l := lookOf(r)
	if r.Err == nil {
		l = t.queueEnds(ctx, cfg, job, l)
	}
	t.notifier.Observe(ctx, l)
}

// faults tells what of a configuration is out of service; nil is for nothing.
func (t *teller) faults(ctx context.Context, err error) {
	if t == nil {
		return
	}
	l := notify.Look{Saw: []notify.Kind{notify.Failed}}
	if err != nil {
		l.Events = []notify.Event{{Kind: notify.Failed, Text: "the configuration has faults: " + err.Error()}}
	}
	t.notifier.Observe(ctx, l)
}

// use takes the addresses and the faults of a configuration.
func (t *teller) use(ctx context.Context, cfg *config.Config) {
	if t == nil {
		return
	}
	t.notifier.Use(notifyAddresses(cfg))
	t.faults(ctx, cfg.Err())
}

// close sends what there is to tell, and says on stderr what could not be. An
// interrupted command leaves it to the next.
func (t *teller) close(ctx context.Context) {
	if t == nil || ctx.Err() != nil {
		return
	}
	if err := t.notifier.Send(ctx); err != nil {
		t.warn("%s; it is tried again with the next run", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	ctx, cancel := context.WithTimeout(ctx, pingsEnd)
	defer cancel()
	t.pulse.Wait(ctx)
}

// pinged says whether a dead man's switch is told of a run. One that watches a
// post go live is not what the switch waits for.
func pinged(trigger string) bool { return trigger != string(scheduler.Watch) }

// isWell says whether a run ended well; known is false where a later run, or the
// one at work, will tell.
func isWell(r publish.Report) (ok, known bool) {
	switch r.Outcome {
	case publish.Booked, publish.AlreadyBooked:
		return true, true
	case publish.NothingToBook, publish.TooLate, publish.Failed:
		return false, true
	case publish.Unknown, publish.Busy, publish.WouldBook:
	}
	return false, false
}

// lookOf is what a run means to people.
func lookOf(r publish.Report) notify.Look {
	l := notify.Look{Job: r.Job}
	add := func(e notify.Event) {
		e.Site, e.Job = r.Site, r.Job
		l.Events = append(l.Events, e)
	}
	for _, s := range r.Slots {
		if s.Outcome == publish.Booked && s.Post != nil {
			add(notify.Event{Kind: notify.Booked, Text: fmt.Sprintf("booked %s for %s: %s", s.Item, wall(s.Slot), address(*s.Post))})
		}
	}
	for _, e := range r.Events {
		add(eventOf(e))
	}
	switch {
	case r.Outcome == publish.Busy && r.Trigger == manual:
	case r.Outcome == publish.Busy:
		l.Saw = []notify.Kind{notify.LockHeld}
		add(notify.Event{Kind: notify.LockHeld, Text: strings.Join(r.Alarms, "; ")})
	case r.Err != nil && r.Outcome == publish.Unknown:
		l.Saw = []notify.Kind{notify.Unseen, notify.LockHeld}
		add(notify.Event{Kind: notify.Unseen, Text: "the site can't be looked at: " + r.Err.Error()})
	case r.Err != nil:
		l.Saw = []notify.Kind{notify.Failed}
		add(notify.Event{Kind: notify.Failed, Text: r.Err.Error()})
	default:
		l.Saw = []notify.Kind{notify.Empty, notify.Failed, notify.Unseen, notify.LockHeld}
		for _, e := range slotEvents(r.Slots) {
			add(e)
		}
	}
	return l
}

// eventOf is an event of a run as people are told it.
func eventOf(e publish.Event) notify.Event {
	switch e.Kind {
	case publish.Mended:
		return notify.Event{Kind: notify.Missed, Text: e.Text}
	case publish.Withdrawn:
		return notify.Event{Kind: notify.Withdrawn, Text: e.Text}
	case publish.Overdue:
	}
	return notify.Event{Kind: notify.Failed, Subject: fmt.Sprintf("post %d", e.Post), Text: e.Text}
}

// slotEvents are what is wrong with slots: the first that failed, the first of
// which nothing is known, and the next slot if it is empty. That later ones are
// is told by the queue's end.
func slotEvents(slots []publish.SlotReport) (events []notify.Event) {
	var failed, unseen bool
	for i, s := range slots {
		at := wall(s.Slot)
		switch s.Outcome {
		case publish.Failed:
			if !failed {
				events = append(events, notify.Event{Kind: notify.Failed, Text: at + ": " + s.Reason})
			}
			failed = true
		case publish.Unknown:
			if !unseen {
				events = append(events, notify.Event{Kind: notify.Unseen, Text: "it is not known whether " + at + " is filled: " + s.Reason})
			}
			unseen = true
		case publish.NothingToBook, publish.TooLate:
			if i == 0 && !s.Waits {
				events = append(events, notify.Event{
					Kind: notify.Empty, Subject: s.Slot.UTC().Format(time.RFC3339), Until: s.Slot, Text: "nothing is booked for " + at + ": " + s.Reason,
				})
			}
		case publish.Booked, publish.AlreadyBooked, publish.WouldBook, publish.Busy:
		}
	}
	return events
}

// queueEnds adds that the queue ends within days, where that can be foretold.
func (t *teller) queueEnds(ctx context.Context, cfg *config.Config, job config.Job, l notify.Look) notify.Look {
	if job.QueueLow == 0 || job.Source.Folder == "" || job.Source.Command != nil {
		return l
	}
	v, err := t.look(ctx, cfg, t.journal, job, false)
	if err != nil || v.fault != nil || !v.known {
		return l
	}
	l.Saw = append(l.Saw, notify.QueueLow)
	c := v.coverage()
	left := c.empty.Sub(t.now())
	const day = 24 * time.Hour
	if c.empty.IsZero() || left >= time.Duration(job.QueueLow)*day {
		return l
	}
	days := "no day"
	switch n := int(left / day); {
	case n == 1:
		days = "1 day"
	case n > 1:
		days = fmt.Sprintf("%d days", n)
	}
	l.Events = append(l.Events, notify.Event{
		Kind: notify.QueueLow, Site: job.Site, Job: job.Name, Text: fmt.Sprintf("%s left: the queue %s; it is %s", days, c.text(), job.Source),
	})
	return l
}
