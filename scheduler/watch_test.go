package scheduler

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// A job that waits for its tick is looked at all the same when the daemon
// starts, wakes or finds its clock set: a slot may have passed meanwhile.
func TestWatchAtStartAndWaking(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		h.watching = true
		h.start(h.job("a"))
		h.until("2026-11-30T10:00:10Z")
		h.set(mustTime(t, "2026-11-30T15:00:10Z"))
		h.until("2026-11-30T22:00:00Z")
		h.wantRuns("30T10:00:00 a watch", "30T15:00:30 a watch", "30T21:00:00 a cron")
	})
}

// When a slot has passed and no tick is left before the next slot's lead, the
// run that watched is followed by one that fills.
func TestFillsAfterASlotWithoutATick(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		h.watching = true
		slots := []string{"2026-12-01T08:00:00Z", "2026-12-01T20:00:00Z"}
		h.run = func(context.Context, string, Trigger) Again {
			for _, s := range slots {
				if at := mustTime(t, s); at.After(h.now()) {
					return Again{At: at, Trigger: Watch}
				}
			}
			return Again{}
		}
		h.start(h.job("a", checks(t, "0 21 * * *"), publishes(t, "0 8,20 * * *")))
		h.until("2026-12-01T20:59:00Z")
		h.wantRuns("30T20:00:00 a watch", "30T21:00:00 a cron", "01T08:00:00 a retry", "01T08:00:00 a watch", "01T20:00:00 a watch")
	})
}

// A tick that comes while a run waits to watch is not lost in it.
func TestTickOutranksAWatchThatWaits(t *testing.T) {
	onHost(t, "2026-11-30T20:59:50Z", func(h *host) {
		h.watching = true
		h.run = func(context.Context, string, Trigger) Again {
			time.Sleep(30 * time.Second)
			return Again{}
		}
		h.start(h.job("a", onSite("s")), h.job("b", onSite("s")))
		h.until("2026-11-30T22:00:00Z")
		h.wantRuns("30T20:59:50 a watch", "30T21:00:20 b cron", "30T21:00:50 a cron")
	})
}

// A wish whose time passed asleep is granted by the run that waking brings, and
// not once more beside it. Many jobs, as it is a matter of who comes first.
func TestWakingGrantsAMissedWishOnce(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		h.watching = true
		h.run = wishing(h)
		var jobs []Job
		var want []string
		for n := range 50 {
			name := fmt.Sprintf("j%02d", n)
			jobs = append(jobs, h.job(name))
			want = append(want, "30T15:00:30 "+name+" guard")
		}
		h.start(jobs...)
		for _, j := range jobs {
			h.wish(j.Name, "2026-11-30T12:00:00Z")
		}
		h.took()
		h.until("2026-11-30T10:00:10Z")
		h.set(mustTime(t, "2026-11-30T15:00:10Z"))
		h.until("2026-11-30T20:00:00Z")
		h.wantRuns(want...)
	})
}
