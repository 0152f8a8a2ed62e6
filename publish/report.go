package publish

import (
	"time"
)

// Outcome is how a run, or one slot of it, ended.
type Outcome string

// Outcomes.
const (
	Booked        Outcome = "booked"
	AlreadyBooked Outcome = "already_booked"
	WouldBook     Outcome = "would_book"
	NothingToBook Outcome = "nothing_to_book"
	TooLate       Outcome = "too_late"
	Busy          Outcome = "busy"
	Unknown       Outcome = "unknown"
	Failed        Outcome = "failed"
)

// PostRef names a post on the site.
type PostRef struct {
	ID     int64  `json:"id"`
	Status string `json:"status"`
	Slug   string `json:"slug"`
	Link   string `json:"link"`
}

// SlotReport is what a run found or did for one slot.
type SlotReport struct {
	Slot    time.Time // in the site's zone
	Outcome Outcome
	Item    string // the item's name
	Reason  string
	Post    *PostRef

	// Waits says that the slot is free, and not this run's to fill.
	Waits bool

	err error // what ended the slot, if an error did
}

// EventKind says what an Event is.
type EventKind string

// Kinds of events.
const (
	Mended    EventKind = "mended"    // WordPress missed a schedule; the run published the post
	Overdue   EventKind = "overdue"   // and this is one that it could not publish
	Withdrawn EventKind = "withdrawn" // a booking was one too many
)

// Event is what a run did or met with a post and people want to be told of
// wherever they are. A notice says it, too.
type Event struct {
	Kind EventKind
	Post int64
	Text string
}

// Report is the whole of a run.
type Report struct {
	Run, Job, Site string
	Trigger        string
	DryRun         bool
	Outcome        Outcome
	Started        time.Time
	Elapsed        time.Duration
	Slots          []SlotReport
	// Notices are things a person should know that changed nothing: an item
	// set aside, a twin seen.
	Notices []string
	// Alarms are what a person must hear of: a slot that stays empty, a lock
	// that does not come free.
	Alarms []string
	Events []Event
	// Err says why the run as a whole is failed or unknown; a slot's own
	// reason stands with the slot.
	Err error
	// Next is when to look again, zero for no wish; NextTrigger says why.
	Next        time.Time
	NextTrigger string
}

// reason says in a line why the run ended as it did.
func (rep Report) reason() string {
	if rep.Err != nil {
		return rep.Err.Error()
	}
	for _, s := range rep.Slots {
		if s.Outcome == rep.Outcome {
			return s.Reason
		}
	}
	return ""
}

// worst orders outcomes: the first that occurred in any slot is the run's.
func worst(rs []SlotReport) Outcome {
	for _, o := range []Outcome{Failed, Unknown, NothingToBook, TooLate, Busy, Booked, WouldBook} {
		for _, r := range rs {
			if r.Outcome == o {
				return o
			}
		}
	}
	return AlreadyBooked
}
