package publish

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"morrow/wpclient"
)

// Triggers: a person's, and those of the runs that a run itself asks for.
const (
	triggerManual = "manual"
	triggerRetry  = "retry"
	triggerGuard  = "guard"
	triggerWatch  = "watch"
)

// Delays are the pauses between a run and the next that it asks for; zero
// means the default.
type Delays struct {
	Guard      time.Duration   // after a booking: 1 min, for a site whose replicas lag
	BeforeLead time.Duration   // before the lead begins: 5 min, while an emptied slot can still be filled
	BeforeSlot time.Duration   // before the slot: 3 min, the last look for twins; later where lead is short
	Missed     time.Duration   // after the slot until a post that is not live is published: 2 min
	Watch      time.Duration   // between looks at a post that is not live: 30 s
	Denied     time.Duration   // until a site is asked again that wants a person: 30 min
	Retry      []time.Duration // while a slot is free: 1, 2, 5, 10, 30, 30 … min
}

func (d Delays) orDefault() Delays {
	for _, f := range []struct {
		value *time.Duration
		def   time.Duration
	}{
		{&d.Guard, time.Minute},
		{&d.BeforeLead, 5 * time.Minute},
		{&d.BeforeSlot, 3 * time.Minute},
		{&d.Missed, 2 * time.Minute},
		{&d.Watch, 30 * time.Second},
		{&d.Denied, 30 * time.Minute},
	} {
		if *f.value == 0 {
			*f.value = f.def
		}
	}
	if len(d.Retry) == 0 {
		d.Retry = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute}
	}
	return d
}

// plan is what a Publisher remembers from run to run, so as to know when to
// look again. Losing it costs nothing but pauses that begin anew; what would
// cost more, the journal keeps, too.
type plan struct {
	rand     func(n int64) int64
	offset   time.Duration // site's clock minus ours, as last seen
	failures int           // runs in a row that left a slot free
	alarmed  time.Time     // the last slot of which it was said that it stays empty
	faults   siteFaults    // as last remembered
}

// next completes a report by when to look again, and by its alarms. Slots are
// the site's, and go by its clock: a machine's own may be off by minutes.
func (p *plan) next(rep *Report, j Job, c clock, overdue bool) {
	now := c.later()
	wish := wishes{now: now}
	// Leads are measured by the later clock, slots by the site's.
	fast := now.Sub(c.site())
	// After the last commit may have come, before it is too late to withdraw.
	last := min(j.Delays.BeforeSlot, (j.Lead+withdrawLimit)/2)
	pause := max(p.pause(j.Delays), asked(rep, j.Delays))
	unsettled := rep.Outcome == Busy || rep.Err != nil && len(rep.Slots) == 0
	for _, s := range rep.Slots {
		if s.Waits {
			continue
		}
		switch begins := s.Slot.Add(-j.Lead); s.Outcome {
		case Booked, AlreadyBooked:
			if s.Outcome == Booked {
				wish.at(now.Add(j.Delays.Guard), triggerGuard)
			}
			wish.at(begins.Add(-j.Delays.BeforeLead), triggerGuard)
			wish.at(s.Slot.Add(fast-last), triggerGuard)
			wish.at(s.Slot.Add(fast), triggerWatch)
		case WouldBook:
		case NothingToBook, TooLate, Busy, Unknown, Failed:
			if begins.After(now) {
				unsettled = true
				pause = min(pause, max(j.Delays.Retry[0], begins.Sub(now)/2)) // denser as the lead comes near
			}
			p.alarm(rep, s, begins, now)
			wish.at(begins.Add(time.Second), triggerRetry) // to say that it stays empty
			wish.at(s.Slot.Add(fast), triggerWatch)
		}
	}
	if rep.Outcome == Busy && rep.Trigger != triggerManual {
		rep.Alarms = append(rep.Alarms, fmt.Sprintf("the site's lock was held for longer than %s: is a run stuck? `morrow status` names its holder", j.RunTimeout))
	}
	if overdue {
		wish.at(now.Add(j.Delays.Watch), triggerWatch)
	}
	if !unsettled {
		p.failures = 0
	} else {
		wish.at(now.Add(pause), triggerRetry)
		p.failures++
		if p.failures == len(j.Delays.Retry) && len(rep.Slots) == 0 && rep.Err != nil {
			rep.Alarms = append(rep.Alarms, fmt.Sprintf("the site could not be looked at %d times in a row, and its slots are not known yet: %v", p.failures, rep.Err))
		}
	}
	rep.NextTrigger = wish.trigger
	if !wish.first.IsZero() {
		rep.Next = wish.first.Add(wall(c.now()).Sub(now))
	}
}

// alarm says once of each slot that nothing is booked for it.
func (p *plan) alarm(rep *Report, s SlotReport, begins, now time.Time) {
	if begins.After(now) || !s.Slot.After(p.alarmed) {
		return
	}
	p.alarmed = s.Slot
	rep.Alarms = append(rep.Alarms, fmt.Sprintf("nothing is booked for %s: %s", s.Slot.Format(time.RFC3339), s.Reason))
}

// pause grows with each run that left a slot free.
func (p *plan) pause(d Delays) time.Duration {
	pause := d.Retry[min(p.failures, len(d.Retry)-1)]
	return pause + time.Duration(p.rand(int64(pause/5)+1))
}

// asked is the pause that the site asks for by Retry-After, and a long one
// where only a person can help: such a site is not hammered. It never passes
// over what is left of the time before a lead.
func asked(rep *Report, d Delays) (pause time.Duration) {
	errs := []error{rep.Err}
	for _, s := range rep.Slots {
		errs = append(errs, s.err)
	}
	for _, err := range errs {
		var e *wpclient.Error
		if !errors.As(err, &e) {
			continue
		}
		pause = max(pause, e.RetryAfter)
		if e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden {
			pause = max(pause, d.Denied)
		}
	}
	return pause
}

// wishes keeps the earliest of the moments to look again that are yet to come.
type wishes struct {
	now, first time.Time
	trigger    string
}

func (w *wishes) at(t time.Time, trigger string) {
	if t.After(w.now) && (w.first.IsZero() || t.Before(w.first)) {
		w.first, w.trigger = t, trigger
	}
}
