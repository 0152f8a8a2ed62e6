package main

import (
	"testing"
	"time"

	"morrow/internal/config"
)

func TestCoincide(t *testing.T) {
	t.Parallel()
	weekend := config.Skip{Weekdays: map[time.Weekday]bool{time.Saturday: true, time.Sunday: true}}
	workdays := config.Skip{Weekdays: map[time.Weekday]bool{
		time.Monday: true, time.Tuesday: true, time.Wednesday: true, time.Thursday: true, time.Friday: true,
	}}
	monday := config.Skip{Dates: map[string]bool{"2027-03-01": true}}
	tests := map[string]struct {
		a, b         string
		skipA, skipB config.Skip
		want         bool
	}{
		"same":                           {a: "0 8 * * *", b: "0 8 * * *", want: true},
		"other minute":                   {a: "0 8 * * *", b: "1 8 * * *"},
		"written otherwise":              {a: "@daily", b: "0 0 * * *", want: true},
		"dense and sparse":               {a: "*/15 * * * *", b: "45 23 1 6 *", want: true},
		"sparse and dense":               {a: "45 23 1 6 *", b: "*/15 * * * *", want: true},
		"dense and sparse, beside":       {a: "*/15 * * * *", b: "44 23 1 6 *"},
		"odd and even hours":             {a: "0 1-23/2 * * *", b: "0 0-22/2 * * *"},
		"a weekday that meets a date":    {a: "0 8 * * 1", b: "0 8 1 3 *", want: true},
		"that date is skipped":           {a: "0 8 * * 1", b: "0 8 1 3 *", skipA: monday},
		"skipped by the other":           {a: "0 8 * * 1", b: "0 8 1 3 *", skipB: monday},
		"workdays and weekends":          {a: "0 8 * * *", b: "0 8 * * *", skipA: weekend, skipB: workdays},
		"workdays both":                  {a: "0 8 * * *", b: "0 8 * * *", skipA: weekend, skipB: weekend, want: true},
		"what can't be read never meets": {a: "x", b: "0 8 * * *"},
	}
	test := coincide(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)) // 2027-03-01 is a Monday
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := test(config.Job{Publish: tt.a, Skip: tt.skipA}, config.Job{Publish: tt.b, Skip: tt.skipB})
			if got != tt.want {
				t.Errorf("%q and %q coincide: %t, want %t", tt.a, tt.b, got, tt.want)
			}
		})
	}
}

func TestLeastAhead(t *testing.T) {
	t.Parallel()
	const lead = 15 * time.Minute
	for spec, tt := range map[string]struct {
		lead time.Duration
		skip config.Skip
		want int
	}{
		"0 8 * * *":       {lead: lead, want: 1},
		"*/10 * * * *":    {lead: lead, want: 2},
		"*/15 * * * *":    {lead: lead, want: 2}, // the next is just as far off as lead
		"*/16 * * * *":    {lead: lead, want: 2}, // 48 and 0
		"*/20 * * * *":    {lead: lead, want: 1},
		"* * * * *":       {lead: lead, want: 16},
		"0,10 8 1 1 *":    {lead: lead, want: 2},
		"5,55 0,23 * * *": {lead: lead, want: 2}, // across midnight
		"0 9 * * *":       {lead: 24 * time.Hour, want: 2},
		"0 9 * * 1,2":     {lead: 24 * time.Hour, skip: config.Skip{Weekdays: map[time.Weekday]bool{time.Tuesday: true}}, want: 1},
		"x":               {lead: lead, want: 1},
	} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
			if got := leastAhead(now)(config.Job{Publish: spec, Lead: tt.lead, Skip: tt.skip}); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

// TestB72CheckCron: what would be idle for ever, or panic, is refused.
func TestB72CheckCron(t *testing.T) {
	t.Parallel()
	for spec, ok := range map[string]bool{
		"0 21 * * *": true, "@daily": true, "0 21 * * 7": true,
		"0 0 21 * * *": false, "CRON_TZ=Asia/Seoul": false, "0 0 31 2 *": false, "@every 24h": false, "": false,
	} {
		if err := checkCron(spec); (err == nil) != ok {
			t.Errorf("checkCron(%q) = %v, want ok %t", spec, err, ok)
		}
	}
}
