package publish

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
	"morrow/internal/slots"
)

// untilSlot lets time pass to some while after the slot.
func (r *rig) untilSlot(after time.Duration) { time.Sleep(time.Until(r.slot().Add(after))) }

// follow runs the job as its own wishes say, until the time is up.
func (r *rig) follow(rep Report, until time.Duration) (all []Report) {
	r.t.Helper()
	for !rep.Next.IsZero() && rep.Next.Before(r.slot().Add(until)) {
		time.Sleep(time.Until(rep.Next))
		r.trigger = rep.NextTrigger
		rep = r.run()
		all = append(all, rep)
	}
	return all
}

func notices(rs []Report) string {
	var b strings.Builder
	for _, r := range rs {
		b.WriteString(strings.Join(append(r.Notices, r.Alarms...), "\n") + "\n")
	}
	return b.String()
}

// TestMissedSchedule: with WP-Cron dead, a post is public within three minutes
// of its slot, once.
func TestMissedSchedule(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.keepPub = true
		r.site.SetCronDead(true)
		r.file("010-first.md", first)
		rep := r.run()
		r.want(rep, Booked)
		all := r.follow(rep, 3*time.Minute)
		if live := r.posts("publish"); len(live) != 1 || !live[0].Instant().Equal(r.slot()) {
			t.Errorf("got %v live, want one, dated its slot", live)
		}
		if got := notices(all); strings.Count(got, "missed its slot") != 1 {
			t.Errorf("got notices %q", got)
		}
		if !slices.ContainsFunc(r.site.Requests(), func(q fakewp.Request) bool { return strings.Contains(q.Route, "wp-cron.php") }) {
			t.Error("WP-Cron was not woken")
		}
	})
}

// TestMissedScheduleOfAWeeklyJob: the slot that is watched lies days before the
// windows that are looked at.
func TestMissedScheduleOfAWeeklyJob(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		weekly, err := slots.Parse("0 8 * * 0") // the rig's slot is on a Sunday
		if err != nil {
			t.Fatal(err)
		}
		r.job.Times[0].Publish = weekly
		r.keepPub = true
		r.site.SetCronDead(true)
		r.file("010-first.md", first)
		rep := r.run()
		r.want(rep, Booked)
		r.follow(rep, 3*time.Minute)
		if live := r.posts("publish"); len(live) != 1 || !live[0].Instant().Equal(r.slot()) {
			t.Errorf("got %v live, want one, dated its slot", live)
		}
	})
}

// TestCronIsWoken: a WP-Cron that nobody visits is woken at the slot.
func TestCronIsWoken(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.keepPub = true
		r.file("010-first.md", first)
		rep := r.run()
		all := r.follow(rep, time.Minute)
		if live := r.posts("publish"); len(live) != 1 {
			t.Errorf("got %v live, want one", live)
		}
		if got := notices(all); strings.Contains(got, "missed") {
			t.Errorf("got notices %q", got)
		}
	})
}

// TestAsleepOverTheSlot: a machine that wakes days later still sees the post
// live.
func TestAsleepOverTheSlot(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.SetCronDead(true)
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		r.untilSlot(5 * 24 * time.Hour)
		r.trigger = "wake"
		r.run()
		if live := r.posts("publish"); len(live) != 1 || !live[0].Instant().Equal(r.slot()) {
			t.Errorf("got %v live, want one, dated its slot", live)
		}
	})
}

// TestTakenOutByAPerson: what a person made of a booking before its slot is
// respected at the slot.
func TestTakenOutByAPerson(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.keepPub = true
		r.site.SetCronDead(true)
		r.file("010-first.md", first)
		rep := r.run()
		id := r.posts("future")[0].ID
		r.untilSlot(-time.Minute)
		r.site.EditPost(id, func(p *fakewp.Post) { p.Status = "draft" })
		r.follow(rep, 10*time.Minute)
		if p, _ := r.site.Post(id); p.Status != "draft" {
			t.Errorf("got status %s, want the person's draft", p.Status)
		}
	})
}

// TestTakenOutAtTheLastMoment: a person takes a post out while the watch is on
// its way to publish it.
func TestTakenOutAtTheLastMoment(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.SetCronDead(true)
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		id := r.posts("future")[0].ID
		r.untilSlot(5 * time.Minute)
		r.site.Inject(fakewp.Fault{Method: http.MethodGet, Path: fmt.Sprintf("/posts/%d", id), Match: func(*http.Request) bool {
			r.site.EditPost(id, func(p *fakewp.Post) { p.Status = "draft" })
			return false
		}})
		r.trigger = "watch"
		rep := r.run()
		if p, _ := r.site.Post(id); p.Status != "draft" {
			t.Errorf("got status %s, want the person's draft", p.Status)
		}
		if got := notices([]Report{rep}); !strings.Contains(got, "a person decided so") {
			t.Errorf("got notices %q", got)
		}
	})
}

func TestDryRunDoesNotWake(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.SetCronDead(true)
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		writes := r.writes()
		r.untilSlot(time.Hour)
		r.dry = true
		r.run()
		for _, q := range r.site.Requests() {
			if strings.Contains(q.Route, "wp-cron") {
				t.Errorf("a dry run woke WP-Cron: %+v", q)
			}
		}
		if r.writes() != writes {
			t.Error("a dry run wrote")
		}
	})
}

// TestWatchLeavesFreeSlotsFree: what comes after the slot waits for its check,
// unless a check has failed and is being repeated.
func TestWatchLeavesFreeSlotsFree(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.keepPub = true
		r.trigger = "watch"
		r.file("010-first.md", first)
		rep := r.run()
		r.want(rep, NothingToBook)
		if !rep.Next.IsZero() || r.writes() != 0 {
			t.Errorf("got %+v", rep)
		}
		remove := r.site.Inject(fakewp.Fault{Instead: true, Status: 500, Body: "down"})
		r.trigger = "cron"
		r.want(r.run(), Unknown)
		remove()
		r.trigger = "watch"
		r.want(r.run(), Booked)
	})
}
