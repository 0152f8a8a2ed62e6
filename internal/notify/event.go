// Package notify tells people, wherever they are, what runs did and what is
// wrong: one message for all that happened within a short time, never the same
// one twice in a row, and a word when it is over.
//
// A message that can't be delivered waits for the next try. Nothing here ever
// stops a booking, or makes one wait. Addresses are secrets: they stand in no
// error, no log, no message and not in the memory.
package notify

import (
	"slices"
	"time"
)

// Kind says what an Event is.
type Kind string

// Kinds of events.
const (
	Booked    Kind = "booked"          // an item was booked
	Empty     Kind = "nothing_booked"  // a slot that was to be filled is not
	Failed    Kind = "failed"          // a person has to mend something
	Missed    Kind = "missed_schedule" // WordPress missed a schedule; the post was published all the same
	Withdrawn Kind = "twin_withdrawn"  // a booking was one too many
	QueueLow  Kind = "queue_low"       // the queue ends within days
	Unseen    Kind = "unreachable"     // the site could not be looked at
	LockHeld  Kind = "lock_held"       // the site's lock did not come free
)

// Kinds lists all kinds.
func Kinds() []Kind {
	return []Kind{Booked, Empty, Failed, Missed, Withdrawn, QueueLow, Unseen, LockHeld}
}

// test is the kind of a message that is only to show that it arrives.
const test Kind = "test"

const day = 24 * time.Hour

// pauses are those between messages of one and the same thing while it lasts;
// the last one goes on. It is empty for what happens and is past.
func (k Kind) pauses() []time.Duration {
	switch k {
	case Empty, Failed, Unseen, LockHeld:
		return []time.Duration{time.Hour, 4 * time.Hour, day}
	case QueueLow:
		return []time.Duration{day}
	case Booked, Missed, Withdrawn, test:
	}
	return nil
}

// lasts says whether events of the kind go on until they are over.
func (k Kind) lasts() bool { return len(k.pauses()) > 0 }

// Event is one thing that happened, or that is wrong and lasts.
type Event struct {
	Kind Kind   `json:"kind"`
	Site string `json:"site,omitempty"`
	Job  string `json:"job,omitempty"` // empty for what concerns no single job
	// Subject tells apart what goes on in one job: a slot, a post.
	Subject string `json:"subject,omitempty"`
	Text    string `json:"text"` // for people
	// Until is when something that lasts is past, whether it was mended or not;
	// nothing is said then. Zero for never.
	Until time.Time `json:"until,omitzero"`
}

// key is the same for two events that are of one and the same thing.
func (e Event) key() string { return string(e.Kind) + " " + e.Job + " " + e.Subject }

// Look is what one run of a job found.
type Look struct {
	Job    string // empty for what concerns no single job
	Events []Event
	// Saw are the kinds of which the run was able to see whether they last:
	// what is not among Events is over.
	Saw []Kind
}

func (l Look) saw(k Kind) bool { return slices.Contains(l.Saw, k) }
