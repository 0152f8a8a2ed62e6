package main

import (
	"testing"
	"time"

	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/publish"
)

func TestCoverage(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2026, 12, day, 8, 0, 0, 0, time.UTC) }
	for name, tt := range map[string]struct {
		states map[int]string // of the slots of the first days of December; "queue" for one that an item would fill
		days   int
		want   string
	}{
		"nothing known":        {nil, 0, ""},
		"empty":                {nil, 2, "covers no slot: nothing for Tuesday 1 December"},
		"bookings and queue":   {map[int]string{1: "taken", 2: "queue", 3: "queue", 4: "queue"}, 6, "covers until Friday 4 December, then empty"},
		"farther than is seen": {map[int]string{1: "taken", 2: "queue"}, 2, "covers until Wednesday 2 December at least"},
		"a gap":                {map[int]string{1: "queue", 3: "queue"}, 4, "covers until Tuesday 1 December, then nothing for Wednesday 2 December"},
		"a gap at once":        {map[int]string{2: "queue"}, 4, "nothing for Tuesday 1 December"},
		"free as last seen":    {map[int]string{1: "free", 2: "free"}, 2, "covers no slot: nothing for Tuesday 1 December"},
		"too late is no gap":   {map[int]string{1: "too_late", 2: "queue"}, 3, "covers until Wednesday 2 December, then empty"},
		"unknown is no gap":    {map[int]string{1: "queue", 2: "unknown", 3: "queue"}, 4, "covers until Thursday 3 December, then empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := &view{bookings: map[int64]journal.Booking{}}
			v.queue = append(v.queue, publish.Forecast{}) // one without a slot
			for day := range tt.days {
				s := at(day + 1)
				v.upcoming = append(v.upcoming, slots.Slot{At: s})
				switch state := tt.states[day+1]; state {
				case "":
				case "queue":
					v.queue = append(v.queue, publish.Forecast{Slot: s})
				default:
					v.bookings[s.Unix()] = journal.Booking{State: state}
				}
			}
			if got := v.coverage().text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
