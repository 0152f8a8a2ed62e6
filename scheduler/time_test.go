package scheduler

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestStartRunsOnlyWhatIsDue(t *testing.T) {
	t.Run("after the check", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.start(h.job("a"))
			h.wantRuns("30T22:00:00 a start")
			h.until("2026-12-01T22:00:00Z")
			h.wantRuns("01T21:00:00 a cron")
		})
	})
	t.Run("before the check", func(t *testing.T) {
		onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
			h.start(h.job("a"))
			h.until("2026-11-30T22:00:00Z")
			h.wantRuns("30T21:00:00 a cron")
		})
	})
}

func TestB84StartAloneRunsNothing(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		for range 20 {
			h.start(h.job("a"))
			time.Sleep(3 * time.Second)
			h.stop()
		}
		h.wantRuns()
	})
}

// A year on a host whose clock is far off the bubble's: every tick comes, at
// its second, once.
func TestYearOfTicks(t *testing.T) {
	zones := []string{
		"America/New_York", "America/Santiago", "Australia/Lord_Howe", "Europe/Berlin", "Asia/Seoul", "Africa/Casablanca", "Pacific/Chatham",
	}
	specs := []string{"30 2 * * *", "0 0 * * *", "*/30 1-3 * * sun", "@monthly"}
	begin, end := mustTime(t, "2027-01-01T00:00:00Z"), mustTime(t, "2028-01-01T00:00:00Z")
	onHost(t, "2027-01-01T00:00:00Z", func(h *host) {
		want := map[string][]string{}
		var jobs []Job
		for _, name := range zones {
			zone := mustZone(t, name)
			for _, spec := range specs {
				job := h.job(name+" "+spec, checks(t, spec))
				job.Zone = known(zone)
				jobs = append(jobs, job)
				for at := job.Check.Next(begin, zone.Loc); at.Before(end); at = job.Check.Next(at, zone.Loc) {
					want[job.Name] = append(want[job.Name], at.UTC().Format("02T15:04:05 ")+job.Name+" cron")
				}
			}
		}
		h.start(jobs...)
		h.until("2027-12-31T23:59:59Z")
		got := map[string][]string{}
		for _, run := range h.took() {
			_, rest, _ := strings.Cut(run, " ")
			if job, ok := strings.CutSuffix(rest, " cron"); ok {
				got[job] = append(got[job], run)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if n := len(got["America/New_York 30 2 * * *"]); n != 365 {
			t.Errorf("New York: %d ticks a year, want 365", n)
		}
		if strings.Contains(h.out.String(), "clock was set") {
			t.Error("a clock that went right was taken for a step")
		}
	})
}

func TestSleepOverATick(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		h.start(h.job("a"))
		h.until("2026-11-30T20:30:10Z")
		h.set(mustTime(t, "2026-12-01T02:00:10Z"))
		h.until("2026-12-01T20:59:59Z")
		h.wantRuns("01T02:00:30 a wake")
		h.until("2026-12-01T21:00:00Z")
		h.wantRuns("01T21:00:00 a cron")
	})
}

func TestSleepOverManyTicksIsNoBurst(t *testing.T) {
	hourly := func(h *host) Job { return h.job("a", checks(t, "@hourly")) }
	t.Run("nothing is due", func(t *testing.T) {
		onHost(t, "2026-11-30T10:30:00Z", func(h *host) {
			h.start(hourly(h))
			h.set(mustTime(t, "2026-11-30T20:30:00Z"))
			h.until("2026-11-30T21:30:00Z")
			h.wantRuns("30T21:00:00 a cron")
		})
	})
	t.Run("the last tick before the lead was missed", func(t *testing.T) {
		onHost(t, "2026-11-30T20:30:00Z", func(h *host) {
			h.start(hourly(h))
			h.set(mustTime(t, "2026-12-01T07:30:00Z"))
			h.until("2026-12-01T08:30:00Z")
			h.wantRuns("01T07:30:30 a wake", "01T08:00:00 a cron")
		})
	})
}

func TestClockSetBackOverATick(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		h.start(h.job("a"))
		h.until("2026-11-30T21:10:10Z")
		h.wantRuns("30T21:00:00 a cron")
		h.set(mustTime(t, "2026-11-30T20:10:10Z"))
		h.until("2026-12-01T20:00:00Z")
		h.wantRuns("30T21:00:00 a cron") // once more, at its time; the site knows
	})
}

func TestClockSet(t *testing.T) {
	for name, to := range map[string]string{
		"an hour ahead": "2026-11-30T19:00:00Z", "an hour back": "2026-11-30T17:00:00Z",
		"ten seconds ahead": "2026-11-30T18:00:10Z", "ten seconds back": "2026-11-30T17:59:50Z",
	} {
		t.Run(name, func(t *testing.T) {
			onHost(t, "2026-11-30T17:59:00Z", func(h *host) {
				h.start(h.job("a"))
				h.until("2026-11-30T18:00:00Z")
				h.set(mustTime(t, to))
				h.until("2026-11-30T22:00:00Z")
				h.wantRuns("30T21:00:00 a cron")
			})
		})
	}
}

// A clock that is corrected by a little goes unnoticed, and the timer fires
// before the tick by it: that must not make two of one tick.
func TestTimerAheadOfTheClock(t *testing.T) {
	onHost(t, "2026-11-30T20:59:00Z", func(h *host) {
		h.start(h.job("a"))
		h.set(h.now().Add(-3 * time.Second))
		h.until("2026-11-30T22:00:00Z")
		h.wantRuns("30T20:59:57 a cron")
	})
}

// Whoever says when to look is looked to alone, and leaves what time it likes
// between two looks.
func TestRecheckWhenTold(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		look := make(chan time.Time, 1)
		h.startWith(Options{Jobs: []Job{h.job("a")}, Recheck: look})
		h.set(mustTime(t, "2026-12-01T02:00:10Z"))
		h.until("2026-12-01T02:30:00Z")
		h.wantRuns()
		look <- time.Now()
		h.until("2026-12-01T02:30:01Z")
		h.wantRuns("01T02:30:00 a wake")
		h.until("2026-12-01T20:00:00Z")
		look <- time.Now()
		h.until("2026-12-01T20:30:00Z")
		h.wantRuns()
		if n := strings.Count(h.out.String(), "clock was set"); n != 1 {
			t.Errorf("the clock was set once, and noticed %d times", n)
		}
	})
}

// Where timers count sleep, too, the wall clock does not leave them behind;
// what tells is that the question comes late.
func TestClockNoticesSleepThatTimersCount(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		c := clock{now: h.now, every: recheckEvery}
		c.set()
		time.Sleep(recheckEvery)
		if off := c.off(); off != 0 {
			t.Errorf("asked in time: off by %v", off)
		}
		time.Sleep(recheckEvery + time.Hour)
		if off := c.off(); off != time.Hour {
			t.Errorf("asked an hour late: off by %v", off)
		}
		time.Sleep(recheckEvery)
		if off := c.off(); off != 0 {
			t.Errorf("asked in time again: off by %v", off)
		}
	})
}

// The wall clock decides: a monotonic reading stands still while the machine
// sleeps, and times that bear one are compared by it.
func TestWallClock(t *testing.T) {
	t.Parallel()
	c := clock{now: time.Now}
	if got := c.wall(); got != got.Round(0) {
		t.Errorf("the wall clock bears a monotonic reading: %s", got)
	}
}
