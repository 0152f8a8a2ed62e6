package scheduler

import (
	"context"
	"strings"
	"testing"
	"time"

	"morrow/internal/slots"
)

// wishing is a run that gives one wish after the other, then none.
func wishing(h *host, wishes ...string) func(context.Context, string, Trigger) Again {
	return func(context.Context, string, Trigger) Again {
		if len(wishes) == 0 {
			return Again{}
		}
		at := wishes[0]
		wishes = wishes[1:]
		return Again{At: mustTime(h.t, at), Trigger: Guard}
	}
}

func TestAgain(t *testing.T) {
	t.Run("is granted at its time", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-11-30T22:01:07Z", "2026-12-01T07:40:00Z")
			h.start(h.job("a"))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T22:00:00 a start", "30T22:01:07 a guard", "01T07:40:00 a guard")
		})
	})
	t.Run("the last run's replaces the earlier", func(t *testing.T) {
		onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-11-30T22:00:00Z", "2026-11-30T23:30:00Z")
			h.start(h.job("a", checks(t, "0 21 * * *"), publishes(t, "0 20 * * *")))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T21:00:00 a cron", "30T22:00:00 a guard", "30T23:30:00 a guard")
		})
	})
	t.Run("none withdraws the earlier", func(t *testing.T) {
		onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-11-30T23:00:00Z")
			h.start(h.job("a", checks(t, "0 21,22 * * *"), publishes(t, "0 20 * * *")))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T21:00:00 a cron", "30T22:00:00 a cron")
		})
	})
	t.Run("goes by the wall clock over sleep", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-12-01T07:40:00Z", "2026-12-01T09:00:00Z")
			h.start(h.job("a"))
			h.until("2026-11-30T22:00:10Z")
			h.set(mustTime(t, "2026-12-01T07:30:10Z"))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T22:00:00 a start", "01T07:30:30 a wake", "01T09:00:00 a guard")
		})
	})
	t.Run("missed asleep, runs after waking", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-12-01T08:00:00Z")
			h.start(h.job("a"))
			h.until("2026-11-30T22:00:10Z")
			h.set(mustTime(t, "2026-12-01T12:00:10Z"))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T22:00:00 a start", "01T12:00:30 a guard")
		})
	})
	t.Run("missed asleep beside what is due, runs once", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-12-01T01:00:00Z")
			h.start(h.job("a"))
			h.set(mustTime(t, "2026-12-01T02:00:00Z"))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T22:00:00 a start", "01T02:00:30 a wake")
		})
	})
	t.Run("not before its time after the clock is set back", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-11-30T22:00:20Z")
			h.start(h.job("a"))
			h.set(mustTime(t, "2026-11-30T21:59:56Z")) // too little for a step
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T22:00:00 a start", "30T22:00:20 a guard")
		})
	})
	t.Run("in the past is no loop", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = func(context.Context, string, Trigger) Again { return Again{h.now().Add(-time.Hour), Retry} }
			h.start(h.job("a"))
			h.until("2026-11-30T22:00:02Z")
			h.wantRuns("30T22:00:00 a start", "30T22:00:01 a retry", "30T22:00:02 a retry")
		})
	})
}

// A timer can fire while the wish that it was set for is being replaced.
func TestAgainIgnoresAStaleTimer(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		h.run = wishing(h, "2026-11-30T23:00:00Z")
		h.start(h.job("a"))
		h.until("2026-11-30T22:00:00Z")
		h.grant(h.byName["a"], Again{At: mustTime(t, "2026-11-30T21:30:00Z"), Trigger: Guard})
		h.until("2026-12-01T20:00:00Z")
		h.wantRuns("30T21:00:00 a cron", "30T23:00:00 a guard")
	})
}

func TestNext(t *testing.T) {
	onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
		h.run = wishing(h, "2026-12-01T07:40:00Z")
		h.start(h.job("a"), h.job("b", func(j *Job) { j.Zone = func() (slots.Zone, bool) { return slots.Zone{}, false } }))
		want := func(job, want string) {
			t.Helper()
			if got := h.Next(job).UTC().Format("02T15:04:05"); got != want {
				t.Errorf("Next(%s) = %s, want %s", job, got, want)
			}
		}
		want("a", "30T21:00:00")
		want("b", "30T20:01:00")
		if got := h.Next("c"); !got.IsZero() {
			t.Errorf("Next of an unknown job = %v", got)
		}
	})
}

func TestReplace(t *testing.T) {
	replace := func(h *host, jobs ...Job) {
		h.t.Helper()
		if err := h.Replace(jobs); err != nil {
			h.t.Fatal(err)
		}
	}
	t.Run("new jobs in, removed ones out", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-11-30T23:00:00Z")
			h.start(h.job("a"))
			h.until("2026-11-30T22:30:00Z")
			replace(h, h.job("b"), h.job("c", checks(t, "0 23 * * *")))
			h.until("2026-12-01T22:00:00Z")
			h.wantRuns("30T22:00:00 a start", "30T22:30:00 b start", "30T23:00:00 c cron", "01T21:00:00 b cron")
		})
	})
	t.Run("unchanged ones keep their wish and are not due again", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-12-01T07:40:00Z")
			h.start(h.job("a"))
			h.until("2026-11-30T22:30:00Z")
			replace(h, h.job("a"))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T22:00:00 a start", "01T07:40:00 a guard")
		})
	})
	for name, edit := range map[string]func(*Job){
		"check":   func(j *Job) { j.Check = mustParse(t, "0 22 * * *") },
		"publish": func(j *Job) { j.Publish = mustParse(t, "0 6 * * *") },
		"lead":    func(j *Job) { j.Lead = time.Hour },
		"skip":    func(j *Job) { j.Skip.Dates = map[string]bool{"2027-01-01": true} },
		"weekday": func(j *Job) { j.Skip.Weekdays = map[time.Weekday]bool{time.Sunday: true} },
		"site":    onSite("other"),
	} {
		t.Run("changed "+name+" makes it due, the wish stays until it has run", func(t *testing.T) {
			onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
				h.run = wishing(h, "2026-12-01T03:00:00Z", "2026-12-01T02:00:00Z")
				h.start(h.job("a"))
				h.until("2026-11-30T23:00:00Z")
				replace(h, h.job("a", edit))
				h.until("2026-12-01T05:00:00Z")
				h.wantRuns("30T22:00:00 a start", "30T23:00:00 a start", "01T02:00:00 a guard")
			})
		})
	}
	t.Run("a changed check replaces the tick", func(t *testing.T) {
		onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
			h.start(h.job("a"))
			replace(h, h.job("a", checks(t, "0 22 * * *")))
			h.until("2026-11-30T23:00:00Z")
			h.wantRuns("30T22:00:00 a cron")
		})
	})
	t.Run("the wish outlives a move to another site", func(t *testing.T) {
		onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
			h.run = wishing(h, "2026-11-30T13:00:00Z")
			times := []func(*Job){checks(t, "0 11,21 * * *"), publishes(t, "0 22 * * *")}
			h.start(h.job("a", times...))
			h.until("2026-11-30T12:00:00Z")
			replace(h, h.job("a", append(times, onSite("other"))...))
			h.until("2026-11-30T20:00:00Z")
			h.wantRuns("30T11:00:00 a cron", "30T13:00:00 a guard")
		})
	})
	t.Run("another order is no change, and waking keeps all ticks", func(t *testing.T) {
		onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
			h.start(h.job("a"), h.job("b"))
			replace(h, h.job("b"), h.job("a"))
			h.set(mustTime(t, "2026-11-30T15:00:00Z"))
			h.until("2026-11-30T22:00:00Z")
			h.wantRuns("30T21:00:00 a cron", "30T21:00:00 b cron")
		})
	})
	t.Run("the new zone is asked", func(t *testing.T) {
		onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
			h.start(h.job("a"))
			replace(h, h.job("a", func(j *Job) { j.Zone = known(mustZone(t, "Asia/Seoul")) }))
			h.until("2026-12-01T20:00:00Z")
			h.wantRuns("30T21:00:00 a cron", "01T12:00:00 a cron")
		})
	})
	t.Run("nothing is left of jobs that are gone", func(t *testing.T) {
		onHost(t, "2026-11-30T10:00:00Z", func(h *host) {
			h.start(h.job("a", onSite("s")), h.job("b", onSite("s")), h.job("c"))
			replace(h, h.job("a", onSite("s")))
			if len(h.sites) != 1 || len(h.sites["s"].jobs) != 1 || len(h.cron.Entries()) != 1 {
				t.Errorf("%d sites, %d jobs of s, %d ticks; want 1 each", len(h.sites), len(h.sites["s"].jobs), len(h.cron.Entries()))
			}
		})
	})
	t.Run("a run in flight goes on, what waits behind it does not", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			ended := false
			h.run = func(ctx context.Context, _ string, _ Trigger) Again {
				time.Sleep(time.Minute)
				ended = ctx.Err() == nil
				return Again{At: h.now().Add(time.Minute), Trigger: Guard}
			}
			h.start(h.job("a", onSite("s")), h.job("b", onSite("s")))
			replace(h)
			h.until("2026-12-02T00:00:00Z")
			h.wantRuns("30T22:00:00 a start")
			if !ended {
				t.Error("the run in flight was cancelled")
			}
		})
	})
	t.Run("faulty jobs change nothing", func(t *testing.T) {
		onHost(t, "2026-11-30T20:00:00Z", func(h *host) {
			h.start(h.job("a"))
			if err := h.Replace([]Job{h.job("b"), h.job("b")}); err == nil {
				t.Error("a name used twice gave no error")
			}
			h.until("2026-11-30T22:00:00Z")
			h.wantRuns("30T21:00:00 a cron")
		})
	})
	t.Run("after the stop nothing begins", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			h.start()
			h.stop()
			replace(h, h.job("a"))
			h.until("2026-12-02T00:00:00Z")
			h.wantRuns()
		})
	})
	t.Run("before the start it counts at the start", func(t *testing.T) {
		onHost(t, "2026-11-30T22:00:00Z", func(h *host) {
			s, err := New(Options{Jobs: []Job{h.job("a")}, Runner: h, Now: h.now})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Replace([]Job{h.job("b")}); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
			defer cancel()
			if err := s.Run(ctx); err != nil {
				t.Error(err)
			}
			h.wantRuns("30T22:00:00 b start")
		})
	})
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	h := &host{t: t}
	tests := []struct {
		want string
		jobs []Job
	}{
		{"no name", []Job{h.job("")}},
		{"used twice", []Job{h.job("a"), h.job("a")}},
		{"a check and a publish", []Job{h.job("a", func(j *Job) { j.Check = slots.Schedule{} })}},
		{"a check and a publish", []Job{h.job("a", func(j *Job) { j.Publish = slots.Schedule{} })}},
		{"negative", []Job{h.job("a", func(j *Job) { j.Lead = -1 })}},
		{"no zone", []Job{h.job("a", func(j *Job) { j.Zone = nil })}},
	}
	for _, tt := range tests {
		if _, err := New(Options{Jobs: tt.jobs, Runner: h}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}
