package slots

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tester is what a *testing.T and a *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
}

func mustZone(t tester, name string) *time.Location {
	t.Helper()
	z, err := NewZone(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	return z.Loc
}

func mustOffset(t testing.TB, hours float64) *time.Location {
	t.Helper()
	z, err := NewZone("", hours)
	if err != nil {
		t.Fatal(err)
	}
	return z.Loc
}

func mustTime(t testing.TB, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestNextAcrossClockChanges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, spec, zone string
		after            string
		want             []string
	}{
		{
			"New York spring, in the gap", "30 2 * * *", "America/New_York", "2027-03-12T12:00:00-05:00",
			[]string{"2027-03-13T02:30:00-05:00", "2027-03-14T03:00:00-04:00", "2027-03-15T02:30:00-04:00"},
		},
		{
			"New York spring, several in the gap and its end", "0,15,45 2,3 * * *", "America/New_York", "2027-03-14T01:00:00-05:00",
			[]string{"2027-03-14T03:00:00-04:00", "2027-03-14T03:15:00-04:00", "2027-03-14T03:45:00-04:00", "2027-03-15T02:00:00-04:00"},
		},
		{
			"New York spring, hourly", "@hourly", "America/New_York", "2027-03-14T00:30:00-05:00",
			[]string{"2027-03-14T01:00:00-05:00", "2027-03-14T03:00:00-04:00", "2027-03-14T04:00:00-04:00"},
		},
		{
			"New York autumn, doubled", "30 1 * * *", "America/New_York", "2027-11-06T12:00:00-04:00",
			[]string{"2027-11-07T01:30:00-04:00", "2027-11-08T01:30:00-05:00"},
		},
		{
			"New York autumn, asked between the two", "30 1 * * *", "America/New_York", "2027-11-07T01:10:00-05:00",
			[]string{"2027-11-08T01:30:00-05:00"},
		},
		{
			"New York autumn, first after the doubled hour", "0 2 * * *", "America/New_York", "2027-11-07T01:59:59-05:00",
			[]string{"2027-11-07T02:00:00-05:00", "2027-11-08T02:00:00-05:00"},
		},
		{
			"New York autumn, asked in the first of the two", "0 2 * * *", "America/New_York", "2027-11-07T01:59:59-04:00",
			[]string{"2027-11-07T02:00:00-05:00"},
		},
		{
			"Santiago spring, no midnight", "0 0 * * *", "America/Santiago", "2026-09-05T12:00:00-04:00",
			[]string{"2026-09-06T01:00:00-03:00", "2026-09-07T00:00:00-03:00"},
		},
		{
			"Santiago autumn, two half past elevens", "30 23 * * *", "America/Santiago", "2027-04-03T12:00:00-03:00",
			[]string{"2027-04-03T23:30:00-03:00", "2027-04-04T23:30:00-04:00"},
		},
		{
			"Santiago autumn, midnight comes after the second", "@daily", "America/Santiago", "2027-04-03T12:00:00-03:00",
			[]string{"2027-04-04T00:00:00-04:00", "2027-04-05T00:00:00-04:00"},
		},
		{
			"Lord Howe spring, half an hour", "0,15,30 2 * * *", "Australia/Lord_Howe", "2026-10-04T01:00:00+10:30",
			[]string{"2026-10-04T02:30:00+11:00", "2026-10-05T02:00:00+11:00"},
		},
		{
			"Lord Howe autumn, half an hour", "*/15 1 * * *", "Australia/Lord_Howe", "2027-04-04T01:15:00+11:00",
			[]string{"2027-04-04T01:30:00+11:00", "2027-04-04T01:45:00+11:00", "2027-04-05T01:00:00+10:30"},
		},
		{
			"Samoa leaves out 30 December 2011", "0 8 * * *", "Pacific/Apia", "2011-12-28T12:00:00-10:00",
			[]string{"2011-12-29T08:00:00-10:00", "2011-12-31T00:00:00+14:00", "2011-12-31T08:00:00+14:00", "2012-01-01T08:00:00+14:00"},
		},
		{
			"Seoul never changes", "0 8 * * *", "Asia/Seoul", "2027-03-27T12:00:00+09:00",
			[]string{"2027-03-28T08:00:00+09:00", "2027-03-29T08:00:00+09:00"},
		},
		{
			"month end over a change", "0 8 31 * *", "Europe/Berlin", "2027-01-31T08:00:00+01:00",
			[]string{"2027-03-31T08:00:00+02:00", "2027-05-31T08:00:00+02:00", "2027-07-31T08:00:00+02:00"},
		},
		{
			"leap day", "0 8 29 2 *", "Europe/Berlin", "2027-01-01T00:00:00+01:00",
			[]string{"2028-02-29T08:00:00+01:00", "2032-02-29T08:00:00+01:00"},
		},
		{
			"leap day over 2100, which has none", "0 8 29 2 *", "Europe/Berlin", "2096-02-29T08:00:00+01:00",
			[]string{"2104-02-29T08:00:00+01:00"},
		},
		{
			"from the last day of a leap year", "0 8 29 2 *", "Europe/Berlin", "2098-12-31T23:59:59+01:00",
			[]string{"2104-02-29T08:00:00+01:00"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			loc := mustZone(t, tt.zone)
			schedule := mustParse(t, tt.spec).In(loc)
			var got []string
			at := mustTime(t, tt.after)
			for range tt.want {
				at = schedule.Next(at)
				got = append(got, at.Format(time.RFC3339))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNextAtOffsets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		hours float64
		want  string
	}{
		{5.75, "2027-03-28T08:00:00+05:45"},
		{12.75, "2027-03-28T08:00:00+12:45"},
		{-3.5, "2027-03-27T08:00:00-03:30"},
		{-9.5, "2027-03-27T08:00:00-09:30"},
		{0, "2027-03-28T08:00:00Z"},
	}
	after := time.Date(2027, 3, 27, 8, 0, 0, 0, time.UTC)
	for _, tt := range tests {
		got := mustParse(t, "0 8 * * *").Next(after, mustOffset(t, tt.hours)).Format(time.RFC3339)
		if got != tt.want {
			t.Errorf("at %v hours: got %s, want %s", tt.hours, got, tt.want)
		}
	}
}

func BenchmarkNext(b *testing.B) {
	loc := mustZone(b, "Europe/Berlin")
	s := mustParse(b, "0 8 * * *")
	at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		s.Next(at, loc)
	}
}
