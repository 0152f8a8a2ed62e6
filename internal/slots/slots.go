// Package slots turns cron expressions and a site's zone into instants.
//
// Expressions mean what the clock on the site's wall shows. They are evaluated
// on a clock that is never set, and only then mapped to instants, so that a
// change to or from summer time can neither lose a slot nor double it.
package slots

import (
	"slices"
	"time"
)

// Window is the stretch of time that belongs to a slot: Start <= t < End.
type Window struct{ Start, End time.Time }

// Contains says whether t lies in the window.
func (w Window) Contains(t time.Time) bool { return !t.Before(w.Start) && t.Before(w.End) }

// Slot is one publication instant of a job, in the site's zone.
type Slot struct {
	Job    string
	At     time.Time
	Window Window
}

// Date is the slot's calendar day as YYYY-MM-DD in the site's zone.
func (s Slot) Date() string { return s.At.Format(time.DateOnly) }

// Skip are the days on which a job has no slot.
type Skip struct {
	Dates    map[string]bool // YYYY-MM-DD in the site's zone
	Weekdays map[time.Weekday]bool
}

func (s Skip) covers(at time.Time) bool {
	return s.Weekdays[at.Weekday()] || len(s.Dates) > 0 && s.Dates[at.Format(time.DateOnly)]
}

// Times are the publication times of one job.
type Times struct {
	Job     string
	Publish Schedule
	Skip    Skip
}

// Calendar holds the publication times of all jobs of one site.
type Calendar struct {
	Zone Zone
	Jobs []Times
}

// Upcoming lists the next n slots of job strictly after now, skipped days
// left out, each with its window: the slot's calendar day in the site's zone,
// split at the midpoints between all slots that the site's jobs have that day.
// Equal slots of several jobs share a window. There are fewer than n slots
// when no more come within 28 years, and none of a job that is not listed.
func (c Calendar) Upcoming(job string, now time.Time, n int) []Slot {
	i := slices.IndexFunc(c.Jobs, func(t Times) bool { return t.Job == job })
	if i < 0 {
		return nil
	}
	times := c.Jobs[i]
	// After 28 years the weekdays of all dates repeat, 29 February included.
	horizon := now.AddDate(28, 0, 0)
	var list []Slot
	var today day
	for t := now; len(list) < n; {
		t = times.Publish.Next(t, c.Zone.Loc)
		if t.IsZero() || t.After(horizon) {
			break
		}
		if times.Skip.covers(t) {
			t = dayOf(t).End.Add(-1)
			continue
		}
		if !today.Contains(t) {
			today = c.day(t)
		}
		list = append(list, Slot{Job: job, At: t, Window: today.window(t)})
	}
	return list
}

// day is one calendar day of a site and the distinct slots in it, ascending.
type day struct {
	Window
	at []time.Time
}

func (c Calendar) day(t time.Time) day {
	d := day{Window: dayOf(t)}
	for _, job := range c.Jobs {
		if job.Skip.covers(t) {
			continue
		}
		at := job.Publish.Next(d.Start.Add(-1), c.Zone.Loc)
		for ; d.Contains(at); at = job.Publish.Next(at, c.Zone.Loc) {
			d.at = append(d.at, at)
		}
	}
	slices.SortFunc(d.at, time.Time.Compare)
	d.at = slices.CompactFunc(d.at, time.Time.Equal)
	return d
}

// window is the part of the day that belongs to its slot at.
func (d day) window(at time.Time) Window {
	w := d.Window
	i, _ := slices.BinarySearchFunc(d.at, at, time.Time.Compare)
	if i > 0 {
		w.Start = midpoint(d.at[i-1], at)
	}
	if i+1 < len(d.at) {
		w.End = midpoint(at, d.at[i+1])
	}
	return w
}

func midpoint(a, b time.Time) time.Time { return a.Add(b.Sub(a) / 2) }

// dayOf is t's calendar day in t's zone, from its first instant to that of
// the next date. It need not last 24 hours nor begin at midnight.
func dayOf(t time.Time) Window {
	year, month, date := t.Date()
	midnight := func(date int) time.Time {
		return instant(time.Date(year, month, date, 0, 0, 0, 0, time.UTC), t.Location())
	}
	return Window{Start: midnight(date), End: midnight(date + 1)}
}
