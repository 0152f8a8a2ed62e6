package slots

import (
	"time"

	"github.com/robfig/cron/v3"
)

// Schedule is a parsed cron expression, evaluated as wall-clock time. Make it
// with Parse. Two Schedules of the same expression are ==.
type Schedule struct {
	spec   string
	fields cron.SpecSchedule
}

// Next is the first instant strictly after t whose wall time in loc matches.
// A wall time that loc's clocks skip counts as the first one after the gap,
// and one that they show twice counts only the first time; instants that
// become equal by this are one. The zero time means that there is none.
func (s Schedule) Next(t time.Time, loc *time.Location) time.Time {
	wall := s.nextWall(latest(t.In(loc)))
	if wall.IsZero() {
		return wall
	}
	return instant(wall, loc)
}

// In gives the schedule in the form that robfig's runner takes.
func (s Schedule) In(loc *time.Location) cron.Schedule { return located{s, loc} }

// String is the expression that was parsed.
func (s Schedule) String() string { return s.spec }

// Equal says whether two schedules stem from the same expression.
func (s Schedule) Equal(o Schedule) bool { return s == o }

type located struct {
	schedule Schedule
	loc      *time.Location
}

func (l located) Next(t time.Time) time.Time { return l.schedule.Next(t, l.loc) }

// nextWall is the first matching wall time after wall. Wall times are carried
// as UTC, where no clock is ever set.
func (s Schedule) nextWall(wall time.Time) time.Time {
	next := s.fields.Next(wall)
	if next.IsZero() {
		// robfig/cron looks five years ahead; 29 February can be eight away.
		next = s.fields.Next(time.Date(wall.Year()+5, time.January, 1, 0, 0, 0, 0, time.UTC).Add(-1))
	}
	return next
}

// latest is the latest wall time that clocks in t's zone have shown up to t.
// It is later than t's own for as long as they repeat a stretch, so that what
// comes true in the stretch does so once.
func latest(t time.Time) time.Time {
	wall := reading(t)
	for start, _ := t.ZoneBounds(); !start.IsZero() && t.Sub(start) <= maxShift; {
		before := start.Add(-1)
		if w := reading(before); w.After(wall) {
			wall = w
		}
		start, _ = before.ZoneBounds()
	}
	return wall
}

// instant is the first one at which clocks in loc show wall or, where they
// skip it, more than wall.
func instant(wall time.Time, loc *time.Location) time.Time {
	t := wall.Add(-maxShift).In(loc)
	for {
		_, offset := t.Zone()
		at := wall.Add(-time.Duration(offset) * time.Second).In(loc)
		if at.Before(t) {
			return t
		}
		end := until(t)
		if end.IsZero() || at.Before(end) {
			return at
		}
		t = end
	}
}

// until is when t's offset from UTC ends, or may end; zero for never. On the
// last day of a leap year Go's ZoneBounds gives a moment that is past, as it
// takes each year for 365 days where the zone has only a rule for the years to
// come (measured with Go 1.26: time.tzset): there the new year's is asked.
func until(t time.Time) time.Time {
	_, end := t.ZoneBounds()
	if !end.IsZero() && !end.After(t) {
		_, end = t.Add(24 * time.Hour).ZoneBounds()
	}
	return end
}

// maxShift is more than any zone differs from UTC, and as much as clocks were
// ever set by: Samoa and Kwajalein skipped a day.
const maxShift = 24 * time.Hour

// reading is what clocks in t's zone show at t, carried as UTC.
func reading(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC()
}
