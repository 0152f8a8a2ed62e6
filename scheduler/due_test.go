package scheduler

import (
	"testing"
	"time"

	"morrow/internal/slots"
)

func TestDue(t *testing.T) {
	t.Parallel()
	weekend := slots.Skip{Weekdays: map[time.Weekday]bool{time.Saturday: true, time.Sunday: true}}
	always := slots.Skip{Weekdays: map[time.Weekday]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true}}
	tests := []struct {
		name, check, publish string
		skip                 slots.Skip
		zone, now            string
		want                 bool
	}{
		{"started at 22:00, the check was at 21:00", "0 21 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-11-30T22:00:00+09:00", true},
		{"started at 10:00, a check is still to come", "0 21 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-11-30T10:00:00+09:00", false},
		{"in the second of the tick", "0 21 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-11-30T21:00:00+09:00", true},
		{"just before the tick", "0 21 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-11-30T20:59:59+09:00", false},
		{"in the lead of the slot", "0 21 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-12-01T07:50:00+09:00", true},
		{"at the slot, the next one counts", "0 21 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-12-01T08:00:00+09:00", false},
		{"a tick before the lead is left", "44 7 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-12-01T07:30:00+09:00", false},
		{"a tick at the lead is too late", "45 7 * * *", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-12-01T07:30:00+09:00", true},
		{"weekly check, daily slots", "0 21 * * sun", "0 8 * * *", slots.Skip{}, "Asia/Seoul", "2026-12-01T10:00:00+09:00", true},
		{"Friday night, weekend skipped", "0 21 * * *", "0 8 * * *", weekend, "Asia/Seoul", "2026-12-04T22:00:00+09:00", false},
		{"Sunday night, weekend skipped", "0 21 * * *", "0 8 * * *", weekend, "Asia/Seoul", "2026-12-06T22:00:00+09:00", true},
		{"no slot at all", "0 21 * * *", "0 8 * * *", always, "Asia/Seoul", "2026-12-06T22:00:00+09:00", false},
		{"the site's zone decides", "0 21 * * *", "0 8 * * *", slots.Skip{}, "America/New_York", "2026-11-30T22:00:00+09:00", false},
		{"a check that a gap moves behind the lead", "40 2 * * *", "10 3 * * *", slots.Skip{}, "Europe/Berlin", "2027-03-28T01:00:00+01:00", true},
		{"the same on another day", "40 2 * * *", "10 3 * * *", slots.Skip{}, "Europe/Berlin", "2027-03-29T01:00:00+02:00", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			j := Job{
				Name: "a", Lead: 15 * time.Minute, Skip: tt.skip,
				Check: mustParse(t, tt.check), Publish: mustParse(t, tt.publish),
			}
			if got := due(mustTime(t, tt.now), j, mustZone(t, tt.zone)); got != tt.want {
				t.Errorf("due = %v, want %v", got, tt.want)
			}
		})
	}
}
