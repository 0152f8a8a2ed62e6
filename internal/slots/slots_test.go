package slots

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func calendar(t testing.TB, zone string, jobs ...Times) Calendar {
	t.Helper()
	return Calendar{Zone: Zone{Loc: mustZone(t, zone)}, Jobs: jobs}
}

// spans writes slots as "start < at < end" in their zone.
func spans(list []Slot) []string {
	const layout = "02T15:04:05Z07:00"
	var out []string
	for _, s := range list {
		out = append(out, s.Window.Start.Format(layout)+" < "+s.At.Format(layout)+" < "+s.Window.End.Format(layout))
	}
	return out
}

func TestUpcomingWindows(t *testing.T) {
	t.Parallel()
	daily := func(job, spec string) Times { return Times{Job: job, Publish: mustParse(t, spec)} }
	tests := []struct {
		name, zone, now string
		jobs            []Times // the first is asked for
		want            []string
	}{
		{
			"one slot has its whole day", "Europe/Berlin", "2027-03-27T08:00:00+01:00",
			[]Times{daily("a", "0 8 * * *")},
			[]string{
				"28T00:00:00+01:00 < 28T08:00:00+02:00 < 29T00:00:00+02:00",
				"29T00:00:00+02:00 < 29T08:00:00+02:00 < 30T00:00:00+02:00",
			},
		},
		{
			"two slots share the day at the midpoint", "Asia/Seoul", "2027-03-01T07:00:00+09:00",
			[]Times{daily("a", "0 8,17 * * *")},
			[]string{
				"01T00:00:00+09:00 < 01T08:00:00+09:00 < 01T12:30:00+09:00",
				"01T12:30:00+09:00 < 01T17:00:00+09:00 < 02T00:00:00+09:00",
			},
		},
		{
			"slots of other jobs split, past ones too", "Asia/Seoul", "2027-03-01T09:00:00+09:00",
			[]Times{daily("a", "0 12 * * *"), daily("b", "0 8 * * *"), daily("c", "0 20 * * *")},
			[]string{"01T10:00:00+09:00 < 01T12:00:00+09:00 < 01T16:00:00+09:00"},
		},
		{
			"equal instants share a window", "Asia/Seoul", "2027-03-01T07:00:00+09:00",
			[]Times{daily("a", "0 8 * * *"), daily("b", "0 8,20 * * *")},
			[]string{"01T00:00:00+09:00 < 01T08:00:00+09:00 < 01T14:00:00+09:00"},
		},
		{
			"slots made equal by a gap share a window", "America/New_York", "2027-03-14T00:00:00-05:00",
			[]Times{daily("a", "15 2 * * *"), daily("b", "45 2 * * *")},
			[]string{"14T00:00:00-05:00 < 14T03:00:00-04:00 < 15T00:00:00-04:00"},
		},
		{
			"midpoint of elapsed time over a change", "America/New_York", "2027-11-07T00:00:00-04:00",
			[]Times{daily("a", "0 8 * * *"), daily("b", "0 0 * * *")},
			[]string{"07T03:30:00-05:00 < 07T08:00:00-05:00 < 08T00:00:00-05:00"},
		},
		{
			"a day that begins at one", "America/Santiago", "2026-09-05T23:00:00-04:00",
			[]Times{daily("a", "0 0 * * *")},
			[]string{
				"06T01:00:00-03:00 < 06T01:00:00-03:00 < 07T00:00:00-03:00",
				"07T00:00:00-03:00 < 07T00:00:00-03:00 < 08T00:00:00-03:00",
			},
		},
		{
			"a day that ends after a second eleven", "America/Santiago", "2027-04-03T12:00:00-03:00",
			[]Times{daily("a", "30 23 * * *")},
			[]string{
				"03T00:00:00-03:00 < 03T23:30:00-03:00 < 04T00:00:00-04:00",
				"04T00:00:00-04:00 < 04T23:30:00-04:00 < 05T00:00:00-04:00",
			},
		},
		{
			"after a day that was left out", "Pacific/Apia", "2011-12-29T12:00:00-10:00",
			[]Times{daily("a", "0 8 * * *")},
			[]string{
				"31T00:00:00+14:00 < 31T00:00:00+14:00 < 31T04:00:00+14:00",
				"31T04:00:00+14:00 < 31T08:00:00+14:00 < 01T00:00:00+14:00",
			},
		},
		{
			"month end and leap day", "Asia/Seoul", "2028-02-28T12:00:00+09:00",
			[]Times{daily("a", "0 8 * * *")},
			[]string{
				"29T00:00:00+09:00 < 29T08:00:00+09:00 < 01T00:00:00+09:00",
				"01T00:00:00+09:00 < 01T08:00:00+09:00 < 02T00:00:00+09:00",
			},
		},
		{
			"strictly after now", "Asia/Seoul", "2027-03-01T08:00:00+09:00",
			[]Times{daily("a", "0 8 * * *")},
			[]string{"02T00:00:00+09:00 < 02T08:00:00+09:00 < 03T00:00:00+09:00"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := calendar(t, tt.zone, tt.jobs...).Upcoming("a", mustTime(t, tt.now), len(tt.want))
			if d := cmp.Diff(tt.want, spans(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestUpcomingSkip(t *testing.T) {
	t.Parallel()
	daily := mustParse(t, "0 8 * * *")
	noon := mustParse(t, "0 12 * * *")
	// 2027-03-05 is a Friday.
	now := mustTime(t, "2027-03-05T06:00:00+09:00")
	skip := Skip{
		Dates:    map[string]bool{"2027-03-08": true},
		Weekdays: map[time.Weekday]bool{time.Saturday: true, time.Sunday: true},
	}
	t.Run("skipped days are no slots", func(t *testing.T) {
		t.Parallel()
		c := calendar(t, "Asia/Seoul", Times{Job: "a", Publish: daily, Skip: skip})
		want := []string{
			"05T00:00:00+09:00 < 05T08:00:00+09:00 < 06T00:00:00+09:00",
			"09T00:00:00+09:00 < 09T08:00:00+09:00 < 10T00:00:00+09:00",
		}
		if d := cmp.Diff(want, spans(c.Upcoming("a", now, 2))); d != "" {
			t.Error(d)
		}
	})
	t.Run("another job's skipped days split nothing", func(t *testing.T) {
		t.Parallel()
		c := calendar(t, "Asia/Seoul", Times{Job: "a", Publish: daily, Skip: skip}, Times{Job: "b", Publish: noon})
		want := []string{
			"05T10:00:00+09:00 < 05T12:00:00+09:00 < 06T00:00:00+09:00",
			"06T00:00:00+09:00 < 06T12:00:00+09:00 < 07T00:00:00+09:00",
		}
		if d := cmp.Diff(want, spans(c.Upcoming("b", now, 2))); d != "" {
			t.Error(d)
		}
	})
	t.Run("the date is the site's", func(t *testing.T) {
		t.Parallel()
		early := Times{Job: "a", Publish: mustParse(t, "30 0 * * *"), Skip: Skip{Dates: map[string]bool{"2027-03-06": true}}}
		got := calendar(t, "Asia/Seoul", early).Upcoming("a", now, 1)
		if want := []string{"07T00:00:00+09:00 < 07T00:30:00+09:00 < 08T00:00:00+09:00"}; !cmp.Equal(want, spans(got)) {
			t.Errorf("got %v, want %v", spans(got), want)
		}
	})
	t.Run("every day skipped", func(t *testing.T) {
		t.Parallel()
		all := Skip{Weekdays: map[time.Weekday]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true}}
		minutely := Times{Job: "a", Publish: mustParse(t, "* * * * *"), Skip: all}
		if got := calendar(t, "Asia/Seoul", minutely).Upcoming("a", now, 1); got != nil {
			t.Errorf("got %v, want none", spans(got))
		}
	})
}

func TestUpcomingNone(t *testing.T) {
	t.Parallel()
	c := calendar(t, "Asia/Seoul", Times{Job: "a", Publish: mustParse(t, "0 8 * * *")})
	now := mustTime(t, "2027-03-01T00:00:00Z")
	if got := c.Upcoming("b", now, 3); got != nil {
		t.Errorf("unknown job: got %v", spans(got))
	}
	if got := c.Upcoming("a", now, 0); got != nil {
		t.Errorf("no slot wanted: got %v", spans(got))
	}
}

// A slot half an hour after the site's midnight belongs to the site's day,
// though UTC still has the day before.
func TestB61DateIsTheSites(t *testing.T) {
	t.Parallel()
	c := calendar(t, "Asia/Seoul", Times{Job: "a", Publish: mustParse(t, "30 0 * * *")})
	s := c.Upcoming("a", mustTime(t, "2027-01-04T12:00:00Z"), 1)[0]
	if got, want := s.Date(), "2027-01-05"; got != want {
		t.Errorf("Date() = %s, want %s", got, want)
	}
	if got, want := s.At.UTC().Format(time.RFC3339), "2027-01-04T15:30:00Z"; got != want {
		t.Errorf("At = %s, want %s", got, want)
	}
}

func TestWindowContains(t *testing.T) {
	t.Parallel()
	start := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	w := Window{start, start.Add(time.Hour)}
	for at, want := range map[time.Duration]bool{-1: false, 0: true, time.Hour - 1: true, time.Hour: false} {
		if got := w.Contains(start.Add(at)); got != want {
			t.Errorf("Contains(start%+v) = %v, want %v", at, got, want)
		}
	}
}

func BenchmarkUpcoming(b *testing.B) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	b.Run("daily", func(b *testing.B) {
		c := calendar(b, "Europe/Berlin", Times{Job: "a", Publish: mustParse(b, "0 8 * * *")})
		for b.Loop() {
			c.Upcoming("a", now, 3)
		}
	})
	b.Run("every minute of a day", func(b *testing.B) {
		c := calendar(b, "Europe/Berlin", Times{Job: "a", Publish: mustParse(b, "* * * * *")})
		for b.Loop() {
			c.Upcoming("a", now, 1440)
		}
	})
}
