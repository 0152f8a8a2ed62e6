package main

import (
	"time"

	"morrow/internal/slots"
)

// coverage is how far bookings and queue reach.
type coverage struct {
	until time.Time // the last slot before the first empty one; zero for none
	empty time.Time // that empty one; zero when none is in sight
	more  bool      // a later slot is covered: the empty one is a gap
}

// coverage is told for the slots from now on, as far as they are known: those
// that are unknown or too near are no gaps.
func (v *view) coverage() coverage {
	planned := make(map[int64]bool, len(v.queue))
	for _, f := range v.queue {
		planned[f.Slot.Unix()] = true
	}
	var c coverage
	for _, s := range v.upcoming {
		switch at := s.At.Unix(); {
		case v.bookings[at].State == "taken" || planned[at]:
			if c.empty.IsZero() {
				c.until = s.At
			}
			c.more = !c.empty.IsZero()
		case v.isFree(s) && c.empty.IsZero():
			c.empty = s.At
		}
		if c.more {
			break
		}
	}
	return c
}

// isFree says whether a slot is known to be free, or not known to be taken.
func (v *view) isFree(s slots.Slot) bool {
	b, ok := v.bookings[s.At.Unix()]
	return !ok || b.State == "free"
}

// text tells the coverage in words; "" where nothing is known.
func (c coverage) text() string {
	const day = "Monday 2 January"
	switch {
	case c.until.IsZero() && c.empty.IsZero():
		return ""
	case c.until.IsZero() && c.more:
		return "nothing for " + c.empty.Format(day)
	case c.until.IsZero():
		return "covers no slot: nothing for " + c.empty.Format(day)
	case c.empty.IsZero():
		return "covers until " + c.until.Format(day) + " at least"
	case c.more:
		return "covers until " + c.until.Format(day) + ", then nothing for " + c.empty.Format(day)
	}
	return "covers until " + c.until.Format(day) + ", then empty"
}

// forecast is the coverage in words. What a command makes nobody can count.
func (v *view) forecast() string {
	if v.fault != nil {
		return ""
	}
	if argv := v.job.Source.Command; argv != nil {
		return argv[0] + " makes an item when a slot is free"
	}
	return v.coverage().text()
}
