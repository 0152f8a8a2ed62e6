package scheduler

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"morrow/internal/slots"
)

func TestB74PanicStaysInItsRun(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		h.run = func(_ context.Context, _ string, trigger Trigger) Again {
			if trigger == Cron {
				panic("boom")
			}
			return Again{}
		}
		h.start(h.job("a"), h.job("b", onSite("a")))
		h.until("2026-12-01T21:30:00Z")
		h.wantRuns(
			"30T21:00:00 a cron", "30T21:00:00 b cron", "30T21:01:00 a retry", "30T21:01:00 b retry",
			"01T21:00:00 a cron", "01T21:00:00 b cron", "01T21:01:00 a retry", "01T21:01:00 b retry",
		)
		log := h.out.String()
		if n := strings.Count(log, "run panicked"); n != 4 {
			t.Errorf("%d panics logged, want 4, each once", n)
		}
		if !strings.Contains(log, "boom") || !strings.Contains(log, "run_test.go") {
			t.Errorf("the log lacks the panic or its stack:\n%s", log)
		}
	})
}

// A panic gives no wish, so the one before it stands, with retries ahead of it.
func TestPanicRetriesWithGrowingPauses(t *testing.T) {
	onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
		h.run = func(context.Context, string, Trigger) Again { panic("boom") }
		h.start(h.job("a"))
		h.until("2026-11-30T22:30:00Z")
		h.wantRuns("30T22:00:00 a start", "30T22:01:00 a retry", "30T22:03:00 a retry", "30T22:08:00 a retry", "30T22:18:00 a retry", "30T22:28:00 a retry")
	})
}

func TestOverlappingTriggersCollapse(t *testing.T) {
	onHost(t, "2026-11-30T20:30:00Z", func(h *host) {
		h.run = func(_ context.Context, _ string, trigger Trigger) Again {
			if trigger == Cron {
				time.Sleep(3*time.Hour + 30*time.Minute)
			}
			return Again{}
		}
		h.start(h.job("a", checks(t, "0 21,22,23,0 * * *")))
		h.until("2026-12-01T06:00:00Z")
		h.wantRuns("30T21:00:00 a cron", "01T00:30:00 a cron")
	})
}

func TestJobsOfOneSiteQueue(t *testing.T) {
	onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
		h.run = func(context.Context, string, Trigger) Again {
			time.Sleep(time.Minute)
			return Again{}
		}
		h.start(h.job("a", onSite("s")), h.job("b", onSite("s")), h.job("c", onSite("s")), h.job("d"))
		h.until("2026-11-30T23:00:00Z")
		h.wantRuns("30T22:00:00 a start", "30T22:00:00 d start", "30T22:01:00 b start", "30T22:02:00 c start")
	})
}

func TestParallelIsBoundedAndFair(t *testing.T) {
	onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
		h.run = func(context.Context, string, Trigger) Again {
			time.Sleep(time.Minute)
			return Again{}
		}
		h.startWith(Options{Parallel: 1, Jobs: []Job{
			h.job("a", onSite("s")), h.job("b", onSite("s")), h.job("c"), h.job("d"),
		}})
		h.until("2026-11-30T23:00:00Z")
		// b, whose site had its turn, lets the other sites go first.
		h.wantRuns("30T22:00:00 a start", "30T22:01:00 c start", "30T22:02:00 d start", "30T22:03:00 b start")
	})
}

func TestDrainLetsRunsFinish(t *testing.T) {
	onHost(t, "2026-11-30T20:59:50Z", func(h *host) {
		ended := false
		h.run = func(ctx context.Context, _ string, _ Trigger) Again {
			select {
			case <-time.After(25 * time.Second):
				ended = true
			case <-ctx.Done():
			}
			return Again{At: h.now().Add(time.Second)}
		}
		asked := 0
		h.start(h.job("a"), h.job("b", onSite("a"), func(j *Job) {
			j.Zone = func() (slots.Zone, bool) { asked++; return slots.Zone{Loc: time.UTC}, true }
		}))
		h.until("2026-11-30T21:00:00Z")
		before := asked
		h.stop()
		if asked != before {
			t.Errorf("the zone was asked %d times more: after the stop nothing is armed", asked-before)
		}
		if !ended {
			t.Error("the run in flight was cancelled within the grace period")
		}
		h.until("2026-12-01T22:00:00Z")
		if got := h.took(); len(got) != 1 {
			t.Errorf("after the stop more was fired: %v", got)
		}
	})
}

// A tick can be on its way when the context ends.
func TestDrainIgnoresALateTick(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		h.start(h.job("a"))
		h.stop()
		e := h.byName["a"]
		if h.fire(e, Cron); e.queued || h.busy != 0 {
			t.Error("a run was queued after the stop")
		}
	})
}

func TestDrainIsBounded(t *testing.T) {
	onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
		h.run = func(ctx context.Context, _ string, _ Trigger) Again {
			<-ctx.Done()
			time.Sleep(time.Second) // it tidies up, and is awaited
			return Again{}
		}
		h.startWith(Options{Jobs: []Job{h.job("a")}, Grace: 10 * time.Second})
		h.until("2026-11-30T22:05:00Z")
		h.cancel()
		h.cancel = nil
		err := <-h.done
		if err == nil || !strings.Contains(err.Error(), "longer than 10s") {
			t.Errorf("got %v, want an error that names the grace period", err)
		}
		if got, want := h.now().UTC().Format("15:04:05"), "22:05:11"; got != want {
			t.Errorf("ended at %s, want %s", got, want)
		}
	})
}

func TestRunsOnce(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		h.start(h.job("a"))
		if err := h.Scheduler.Run(h.t.Context()); err == nil {
			t.Error("a second Run gave no error")
		}
	})
}

func TestZoneNotKnownYet(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		var zone slots.Zone
		unknown := func(j *Job) { j.Zone = func() (slots.Zone, bool) { return zone, zone.Loc != nil } }
		h.start(h.job("a", unknown, onSite("s")), h.job("b", unknown, onSite("s")))
		h.until("2026-11-30T10:20:00Z")
		h.wantRuns(
			"30T10:00:00 a start", "30T10:00:00 b start", "30T10:01:00 a retry", "30T10:01:00 b retry", "30T10:03:00 a retry",
			"30T10:03:00 b retry", "30T10:08:00 a retry", "30T10:08:00 b retry", "30T10:18:00 a retry", "30T10:18:00 b retry",
		)
		if !h.Next("a").Equal(mustTime(t, "2026-11-30T10:28:00Z")) {
			t.Errorf("Next = %v, want the retry", h.Next("a"))
		}
		h.run = func(_ context.Context, _ string, _ Trigger) Again {
			zone = mustZone(t, "Asia/Seoul")
			return Again{}
		}
		h.until("2026-12-01T11:00:00Z")
		h.wantRuns("30T10:28:00 a retry", "30T10:28:00 b retry", "30T12:00:00 a cron", "30T12:00:00 b cron")
	})
}

// The Runner may want to come back sooner than the pauses, not later.
func TestZoneNotKnownAndAWish(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		wish := 20 * time.Second
		h.run = func(context.Context, string, Trigger) Again { return Again{h.now().Add(wish), Guard} }
		h.start(h.job("a", func(j *Job) { j.Zone = func() (slots.Zone, bool) { return slots.Zone{}, false } }))
		h.until("2026-11-30T10:00:30Z")
		wish = time.Hour
		h.until("2026-11-30T10:02:00Z")
		h.wantRuns("30T10:00:00 a start", "30T10:00:20 a guard", "30T10:00:40 a guard", "30T10:01:40 a retry")
	})
}

func TestZoneChanges(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		zone := mustZone(t, "UTC")
		moving := func(j *Job) { j.Zone = func() (slots.Zone, bool) { return zone, true } }
		h.run = func(context.Context, string, Trigger) Again {
			zone = mustZone(t, "Asia/Seoul")
			return Again{}
		}
		h.start(h.job("a", moving, onSite("s")), h.job("b", moving, onSite("s"), checks(t, "0 23 * * *")))
		h.until("2026-11-30T21:30:00Z")
		// In Seoul it is 06:00 by now: b's check is past, its slot two hours off.
		h.wantRuns("30T21:00:00 a cron", "30T21:00:00 b wake")
		h.until("2026-12-01T20:00:00Z")
		h.wantRuns("01T12:00:00 a cron", "01T14:00:00 b cron")
	})
}

func TestLogTellsTheNextRun(t *testing.T) {
	onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
		h.start(h.job("a", func(j *Job) { j.Zone = known(mustZone(t, "Asia/Seoul")) }))
		h.stop()
		log := h.out.String()
		for _, want := range []string{`"message":"scheduler started"`, `"job":"a","next_run":"2026-11-30T21:00:00+09:00"`, `"message":"scheduler stops"`} {
			if !strings.Contains(log, want) {
				t.Errorf("the log lacks %s:\n%s", want, log)
			}
		}
	})
}

func BenchmarkStart(b *testing.B) {
	const n = 10_000
	jobs := make([]Job, n)
	for i := range jobs {
		jobs[i] = Job{
			Name: strconv.Itoa(i), Site: strconv.Itoa(i / 3), Lead: 15 * time.Minute,
			Check: mustParse(b, "0 21 * * *"), Publish: mustParse(b, "0 8 * * *"), Zone: known(mustZone(b, "Europe/Berlin")),
		}
	}
	now := mustTime(b, "2026-11-30T10:00:00Z")
	b.ReportAllocs()
	for b.Loop() {
		s, err := New(Options{Jobs: jobs, Runner: &host{}, Now: func() time.Time { return now }})
		if err != nil {
			b.Fatal(err)
		}
		ctx, cancel := context.WithCancel(b.Context())
		cancel()
		if err := s.Run(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
