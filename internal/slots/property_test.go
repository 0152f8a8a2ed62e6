package slots

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// hostile are zones that change their clocks in every way there is.
func hostile() []string {
	return []string{
		"America/New_York", "America/Santiago", "America/St_Johns", "America/Havana", "Atlantic/Azores", "Africa/Cairo",
		"Africa/Casablanca", "Africa/El_Aaiun", "Asia/Beirut", "Asia/Gaza", "Asia/Seoul", "Asia/Kathmandu", "Asia/Tehran",
		"Antarctica/Troll", "Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin", "Pacific/Apia", "Pacific/Chatham",
		"Pacific/Kwajalein", "America/Sao_Paulo", "America/Nuuk", "Asia/Pyongyang", "America/Caracas", "UTC",
	}
}

// clocking is a cron expression of minutes and hours, and its own meaning.
type clocking struct {
	minutes, hours []int
}

func (c clocking) spec() string {
	join := func(list []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]") }
	return join(c.minutes) + " " + join(c.hours) + " * * *"
}

func (c clocking) matches(wall time.Time) bool {
	return slices.Contains(c.minutes, wall.Minute()) && slices.Contains(c.hours, wall.Hour())
}

func drawClocking(t *rapid.T) clocking {
	// Clocks are changed by night.
	hour := rapid.OneOf(rapid.SampledFrom([]int{0, 1, 2, 3, 4, 22, 23}), rapid.IntRange(0, 23))
	return clocking{
		minutes: rapid.SliceOfNDistinct(rapid.IntRange(0, 59), 1, 6, rapid.ID[int]).Draw(t, "minutes"),
		hours:   rapid.SliceOfNDistinct(hour, 1, 6, rapid.ID[int]).Draw(t, "hours"),
	}
}

// drawTime draws a moment, more often than not near a change of the clocks.
func drawTime(t *rapid.T, loc *time.Location) time.Time {
	second := rapid.Int64Range(time.Date(1985, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(2060, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
	at := time.Unix(second.Draw(t, "at"), 0).In(loc)
	if _, end := at.ZoneBounds(); !end.IsZero() && rapid.IntRange(0, 3).Draw(t, "near a change") > 0 {
		at = end.Add(time.Duration(rapid.IntRange(-30*3600, 30*3600).Draw(t, "off")) * time.Second)
	}
	return at
}

// instants walks through two days minute by minute, as a clock on the wall
// does, and notes when each matching wall time is first reached or passed.
func instants(c clocking, from time.Time) []time.Time {
	const reach = 50 * time.Hour
	var out []time.Time
	start := from.Add(-reach).Truncate(time.Minute)
	highest := reading(start)
	for at := start; at.Before(from.Add(reach)); at = at.Add(time.Minute) {
		passed := false
		for wall := reading(at); highest.Before(wall); {
			highest = highest.Add(time.Minute)
			passed = passed || c.matches(highest)
		}
		if passed && at.After(from) {
			out = append(out, at)
		}
	}
	return out
}

func TestNextAgainstMinuteByMinute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		loc := mustZone(t, rapid.SampledFrom(hostile()).Draw(t, "zone"))
		c := drawClocking(t)
		from := drawTime(t, loc)
		s := mustParse(t, c.spec())
		at := from
		for _, want := range instants(c, from) {
			at = s.Next(at, loc)
			if !at.Equal(want) {
				t.Fatalf("%s in %v after %v: got %v, want %v", s, loc, from, at, want.In(loc))
			}
		}
	})
}

func TestNextIsMonotonic(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		loc := mustZone(t, rapid.SampledFrom(hostile()).Draw(t, "zone"))
		s := mustParse(t, drawClocking(t).spec())
		a := drawTime(t, loc)
		b := a.Add(time.Duration(rapid.Int64Range(0, int64(50*time.Hour)).Draw(t, "later")))
		nextA, nextB := s.Next(a, loc), s.Next(b, loc)
		switch {
		case !nextA.After(a) || !nextB.After(b):
			t.Fatalf("%s: not strictly after: %v -> %v, %v -> %v", s, a, nextA, b, nextB)
		case nextA.After(b) != nextA.Equal(nextB):
			t.Fatalf("%s: %v -> %v, but %v -> %v", s, a, nextA, b, nextB)
		}
	})
}

func TestUpcomingWindowsAreDisjoint(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		loc := mustZone(t, rapid.SampledFrom(hostile()).Draw(t, "zone"))
		c := Calendar{Zone: Zone{Loc: loc}}
		for _, job := range []string{"a", "b", "c"} {
			c.Jobs = append(c.Jobs, Times{Job: job, Publish: mustParse(t, drawClocking(t).spec())})
		}
		now := drawTime(t, loc)
		windows := map[Window]time.Time{}
		for _, job := range c.Jobs {
			last := Slot{At: now}
			for _, s := range c.Upcoming(job.Job, now, 40) {
				if !s.At.After(last.At) || s.Window.Start.Before(last.Window.End) {
					t.Fatalf("%v %v follows %v %v", s.At, s.Window, last.At, last.Window)
				}
				if !s.Window.Contains(s.At) {
					t.Fatalf("%v lies outside its window %v", s.At, s.Window)
				}
				if at, ok := windows[s.Window]; ok && !at.Equal(s.At) {
					t.Fatalf("%v and %v share the window %v", at, s.At, s.Window)
				}
				windows[s.Window] = s.At
				last = s
			}
		}
		// All jobs' windows tile their days: none overlaps another.
		list := slices.SortedFunc(maps.Keys(windows), func(a, b Window) int { return a.Start.Compare(b.Start) })
		for i := 1; i < len(list); i++ {
			if list[i].Start.Before(list[i-1].End) {
				t.Fatalf("windows overlap: %v and %v", list[i-1], list[i])
			}
		}
	})
}
