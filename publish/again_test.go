package publish

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
	"morrow/wpclient"
)

func TestNext(t *testing.T) {
	t.Parallel()
	slot := day(2).At
	evening := time.Date(2026, 12, 1, 21, 0, 0, 0, seoul)
	job := Job{Lead: 15 * time.Minute, RunTimeout: 15 * time.Minute, Delays: Delays{}.orDefault()}
	one := func(o Outcome, err error) Report {
		return Report{Outcome: o, Slots: []SlotReport{{Slot: slot, Outcome: o, err: err}}}
	}
	for _, tc := range []struct {
		name     string
		rep      Report
		now      time.Time
		failures int
		lead     time.Duration // 15 min when 0
		overdue  bool
		offset   time.Duration // site's clock minus ours
		trigger  string
		min, max time.Duration // from now
		alarm    string
	}{
		{name: "booked", rep: one(Booked, nil), trigger: "guard", min: time.Minute, max: time.Minute},
		{name: "guarded", rep: one(AlreadyBooked, nil), trigger: "guard", min: 10*time.Hour + 40*time.Minute, max: 10*time.Hour + 40*time.Minute},
		{name: "in the lead", rep: one(AlreadyBooked, nil), now: slot.Add(-10 * time.Minute), trigger: "guard", min: 7 * time.Minute, max: 7 * time.Minute},
		{name: "in the shortest lead", rep: one(AlreadyBooked, nil), lead: 80 * time.Second, now: slot.Add(-79 * time.Second), trigger: "guard", min: 9 * time.Second, max: 9 * time.Second},
		{name: "at the slot", rep: one(AlreadyBooked, nil), now: slot.Add(-time.Minute), trigger: "watch", min: time.Minute, max: time.Minute},
		{name: "by a slow clock, before the lead", rep: one(AlreadyBooked, nil), offset: 10 * time.Minute, trigger: "guard", min: 10*time.Hour + 30*time.Minute, max: 10*time.Hour + 30*time.Minute},
		{name: "by a fast clock, before the lead", rep: one(AlreadyBooked, nil), offset: -10 * time.Minute, trigger: "guard", min: 10*time.Hour + 40*time.Minute, max: 10*time.Hour + 40*time.Minute},
		{name: "by a slow clock, at the slot", rep: one(AlreadyBooked, nil), now: slot.Add(-12 * time.Minute), offset: 10 * time.Minute, trigger: "watch", min: 2 * time.Minute, max: 2 * time.Minute},
		{name: "by a fast clock, at the slot", rep: one(AlreadyBooked, nil), now: slot.Add(9 * time.Minute), offset: -10 * time.Minute, trigger: "watch", min: time.Minute, max: time.Minute},
		{name: "not live", rep: one(AlreadyBooked, nil), overdue: true, trigger: "watch", min: 30 * time.Second, max: 30 * time.Second},
		{name: "unknown", rep: one(Unknown, nil), trigger: "retry", min: time.Minute, max: 72 * time.Second},
		{name: "unknown for the third time", rep: one(Unknown, nil), failures: 2, trigger: "retry", min: 5 * time.Minute, max: 6 * time.Minute},
		{name: "unknown for the ninth time", rep: one(Unknown, nil), failures: 8, trigger: "retry", min: 30 * time.Minute, max: 36 * time.Minute},
		{name: "nothing to book", rep: one(NothingToBook, nil), trigger: "retry", min: time.Minute, max: 72 * time.Second},
		{name: "busy", rep: Report{Outcome: Busy, Trigger: "cron"}, trigger: "retry", min: time.Minute, max: 72 * time.Second, alarm: "lock"},
		{name: "B54 Retry-After", rep: one(Unknown, &wpclient.Error{Status: 503, RetryAfter: time.Hour}), trigger: "retry", min: time.Hour, max: time.Hour},
		{
			name: "Retry-After over the whole night", rep: one(Unknown, &wpclient.Error{Status: 503, RetryAfter: 24 * time.Hour}), trigger: "retry",
			min: 5*time.Hour + 22*time.Minute + 30*time.Second, max: 5*time.Hour + 22*time.Minute + 30*time.Second,
		},
		{
			name: "refused shortly before the lead", rep: one(Failed, &wpclient.Error{Status: 403}), now: slot.Add(-44 * time.Minute), trigger: "retry",
			min: 14*time.Minute + 30*time.Second, max: 14*time.Minute + 30*time.Second,
		},
		{
			name: "never seen", rep: Report{Outcome: Unknown, Err: errors.New("no answer")}, failures: 4, trigger: "retry",
			min: 30 * time.Minute, max: 36 * time.Minute, alarm: "could not be looked at",
		},
		{name: "a refused login is not hammered", rep: one(Failed, &wpclient.Error{Status: 401}), trigger: "retry", min: 30 * time.Minute, max: 30 * time.Minute},
		{name: "no slot known", rep: Report{Outcome: Unknown, Err: errors.New("no answer")}, trigger: "retry", min: time.Minute, max: 72 * time.Second},
		{
			name: "denser before the lead", rep: one(Unknown, nil), failures: 8, now: slot.Add(-40 * time.Minute),
			trigger: "retry", min: 12*time.Minute + 30*time.Second, max: 12*time.Minute + 30*time.Second,
		},
		{name: "too late", rep: one(TooLate, nil), now: slot.Add(-14 * time.Minute), trigger: "watch", min: 14 * time.Minute, max: 14 * time.Minute, alarm: "nothing is booked"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			rep, now := tc.rep, tc.now
			if now.IsZero() {
				now = evening
			}
			job := job
			job.Lead = cmp.Or(tc.lead, job.Lead)
			p := plan{rand: rand.Int64N, failures: tc.failures}
			p.next(&rep, job, clock{now: func() time.Time { return now }, offset: tc.offset}, tc.overdue)
			if d := rep.Next.Sub(now); rep.NextTrigger != tc.trigger || d < tc.min || d > tc.max {
				t.Errorf("got %s in %s, want %s in %s to %s", rep.NextTrigger, d, tc.trigger, tc.min, tc.max)
			}
			if got := strings.Join(rep.Alarms, ";"); tc.alarm == "" && got != "" || !strings.Contains(got, tc.alarm) {
				t.Errorf("got alarms %q, want %q", got, tc.alarm)
			}
		})
	}
}

// TestRetriesUntilTheLead: a site that is down all evening is asked again until
// it answers, and one that stays down is said to once.
func TestRetriesUntilTheLead(t *testing.T) {
	for name, up := range map[string]time.Duration{"comes back": -20 * time.Minute, "stays down": time.Hour} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.keepPub = true
				r.file("010-first.md", first)
				r.want(r.run(), Booked) // and taken out again: the zone is known
				r.site.DeletePost(r.posts("future")[0].ID)
				r.file("020-second.md", "# Second\n\nMore text.\n")
				down := r.site.Inject(fakewp.Fault{Instead: true, Status: 500, Body: "down"})
				time.AfterFunc(time.Until(r.slot().Add(up)), down)
				all := r.follow(r.run(), -time.Second)
				if got, want := len(r.posts("future")), map[string]int{"comes back": 1, "stays down": 0}[name]; got != want {
					t.Errorf("got %d booked, want %d", got, want)
				}
				if got, want := strings.Count(notices(all), "nothing is booked for"), map[string]int{"comes back": 0, "stays down": 1}[name]; got != want {
					t.Errorf("got %d alarms, want %d: %s", got, want, notices(all))
				}
				if len(all) > 60 {
					t.Errorf("%d retries in a night", len(all))
				}
			})
		})
	}
}
