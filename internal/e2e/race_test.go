//go:build linux

package e2e

import (
	"fmt"
	"testing"
	"time"
)

// Five processes at one instant make one post, every time, and five more none.
func TestRaceBooksEachSlotOnce(t *testing.T) {
	t.Parallel()
	const rounds, racers = 20, 5
	each(t, func(r *rig) {
		var booked []time.Time
		skip, met := "", 0
		for round := range rounds {
			// The days before are skipped, so that the slot is a fresh one. The
			// queue never runs dry: a twin would find an item.
			r.items(fmt.Sprintf("a%02d.md", round), fmt.Sprintf("b%02d.md", round))
			r.jobKeys = "skip: {dates: [" + skip + "]}"
			r.configure()
			booked = append(booked, r.slot)

			won, busy := race(r, racers)
			if won != 1 {
				r.Errorf("round %d: %d processes say that they booked, want 1", round, won)
			}
			r.scheduled(booked...)
			met += busy
			if won, _ := race(r, racers); won != 0 {
				r.Errorf("round %d: %d processes say that they booked a filled slot", round, won)
			}
			r.scheduled(booked...)

			if round > 0 {
				skip += ", "
			}
			skip += r.slot.Format(time.DateOnly)
			r.slot = r.slot.AddDate(0, 0, 1)
		}
		if met < rounds {
			r.Errorf("%d processes in %d rounds met another at work: this was no race", met, rounds)
		}
	})
}

// race wants every process to end with 0 or 75 and gives how many of them
// booked, and how many were turned away.
func race(r *rig, racers int) (booked, busy int) {
	r.Helper()
	for _, p := range r.together(racers, "run", "--json") {
		res := p.wait()
		switch {
		case res.code != 0 && res.code != 75 || len(res.lines) != 1:
			r.Errorf("exit code %d, want 0 or 75\nstdout: %s\nstderr: %s", res.code, res.stdout, res.stderr)
		case res.lines[0].Outcome == "booked":
			booked++
		case res.code == 75:
			busy++
		}
	}
	return booked, busy
}
