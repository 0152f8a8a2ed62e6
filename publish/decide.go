package publish

import (
	"fmt"
	"slices"
	"time"

	"morrow/internal/compose"
	"morrow/internal/slots"
	"morrow/wpclient"
)

// state is what a look says of one slot.
type state string

const (
	taken   state = "taken"
	free    state = "free"
	unknown state = "unknown"
	tooLate state = "too_late"
)

// verdict is the state of one slot, and why.
type verdict struct {
	slot   slots.Slot
	state  state
	post   *wpclient.Post // the post that fills it, where it can be seen
	ours   bool           // Morrow made that post
	reason string
}

// filler says which posts fill a slot of a job.
type filler struct {
	job      string
	jobs     []string // all jobs of the site in this configuration
	statuses []string
	category int64 // 0 for any
	author   int64 // 0 for any
	yield    bool  // our booking makes way for a person's
}

// decide says of each slot whether it is taken, free or too late, from the
// posts seen and the time. It asks nothing and changes nothing.
func decide(now time.Time, lead time.Duration, ahead []slots.Slot, seen []wpclient.Post, f filler) []verdict {
	verdicts := make([]verdict, 0, len(ahead))
	for _, s := range ahead {
		v := verdict{slot: s, state: free}
		if p, ours := f.find(s, seen); p != nil {
			v.state, v.post, v.ours = taken, p, ours
			v.reason = fillReason(s, *p, ours)
		} else if s.At.Sub(now) <= lead {
			v.state = tooLate
			v.reason = fmt.Sprintf("the slot is less than %s away: WordPress publishes at once what comes too late, so nothing is booked any more", lead)
		}
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// find gives the post that fills the slot, one of ours before a person's, then
// the lowest id.
func (f filler) find(s slots.Slot, seen []wpclient.Post) (found *wpclient.Post, ours bool) {
	for i := range seen {
		p := &seen[i]
		if !f.fills(s, *p) {
			continue
		}
		t := compose.Read(*p)
		mine := t.Ours && t.Own
		if found == nil || mine && !ours || mine == ours && p.ID < found.ID {
			found, ours = p, mine
		}
	}
	return found, ours
}

func (f filler) fills(s slots.Slot, p wpclient.Post) bool {
	if p.DateGMT.IsZero() || !s.Window.Contains(p.DateGMT) || !slices.Contains(f.statuses, p.Status) {
		return false
	}
	// A pending post or a draft has a day only when somebody gave it one.
	if p.Date == p.Modified && (p.Status == "pending" || p.Status == "draft") {
		return false
	}
	if t := compose.Read(p); t.Ours && t.Own {
		return f.isBooking(s, t) // whatever its category: the scope is for others' posts
	}
	return (f.category == 0 || slices.Contains(p.Categories, f.category)) && (f.author == 0 || p.Author == f.author)
}

// isBooking says whether a booking of Morrow's is this job's. One of a job that
// this configuration does not know may have been made for this very slot before
// the job was renamed; else it is another machine's business.
func (f filler) isBooking(s slots.Slot, t compose.Trace) bool {
	return t.Job == f.job || !slices.Contains(f.jobs, t.Job) && t.Slot.Equal(s.At)
}

// isOurs says whether the trace names this job, or one that may have been it.
func (f filler) isOurs(t compose.Trace) bool {
	return t.Ours && (t.Job == f.job || !slices.Contains(f.jobs, t.Job))
}

// unsure is decide's answer when the look failed: unknown never books.
func unsure(ahead []slots.Slot, reason string) []verdict {
	verdicts := make([]verdict, 0, len(ahead))
	for _, s := range ahead {
		verdicts = append(verdicts, verdict{slot: s, state: unknown, reason: reason})
	}
	return verdicts
}

func fillReason(s slots.Slot, p wpclient.Post, ours bool) string {
	who := "a post that Morrow did not make"
	if ours {
		who = "Morrow's own booking"
	}
	status := p.Status
	switch status { // in the dashboard's words
	case "future":
		status = "scheduled"
	case "publish":
		status = "published"
	}
	if !p.DateGMT.Equal(s.At) {
		status += ", dated " + p.DateGMT.In(s.At.Location()).Format("Mon 2 Jan 15:04")
	}
	return fmt.Sprintf("filled by %s: post %d (%s), %q", who, p.ID, status, p.Title)
}
