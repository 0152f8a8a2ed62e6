//go:build linux

package e2e

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// margin is how far the lead of a near slot is off: long enough for a run to
// come to its commit on a busy machine, short enough to wait for.
const margin = 20 * time.Second

// near puts the slot at a full minute, and the lead so that it begins a margin
// from now. It gives the moment when that has surely begun.
func (r *rig) near(timeout time.Duration) (begun time.Time) {
	floor := 2*timeout + time.Minute
	r.slot = time.Now().UTC().Add(floor + margin).Truncate(time.Minute).Add(time.Minute)
	lead := (time.Until(r.slot) - margin).Truncate(time.Millisecond)
	r.siteKeys = fmt.Sprintf("timeout: %s", timeout)
	r.jobKeys = fmt.Sprintf("lead: %s", lead)
	r.configure()
	return r.slot.Add(-lead).Add(100 * time.Millisecond)
}

// waitFor waits until the wall clock says so: timers go by another one.
func waitFor(at time.Time) {
	for at.After(time.Now().Round(0)) {
		<-time.After(at.Sub(time.Now().Round(0)))
	}
}

// tooLate wants a run that ended without a commit of its own in time: nothing
// is scheduled or public, and the item waits as a draft.
func (r *rig) tooLate(res result) {
	r.Helper()
	s := res.want(r, 3, "too_late")
	if !strings.Contains(s.Reason, "less than") && !strings.Contains(s.Reason, "nearer than") {
		r.Errorf("the reason is %q, and does not say that the slot is too near", s.Reason)
	}
	posts := r.site.Posts(r)
	if len(posts) != 1 || posts[0].Status != "draft" {
		r.Errorf("the site holds %+v, want one draft", posts)
	}
	r.queued("first.md")
}

// commits wants so many commits to have been sent.
func (p *proxy) commits(want int) {
	p.rig.Helper()
	if got := p.count(commit); got != want {
		p.rig.Errorf("%d commits were sent, want %d", got, want)
	}
}

// A run that stands still between its last look and its commit sends none when
// it goes on within the lead, though the look is fresh enough.
func TestRunHeldBeforeItsCommitSendsNoneWithinTheLead(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		lead := r.near(margin)
		h := p.holdAnswer(create, 1)
		run, goOn := r.held("commit")
		h.await(run)
		waitFor(lead.Add(-8 * time.Second))
		h.release()
		run.says("waits at commit")
		waitFor(lead)
		goOn()
		r.tooLate(run.wait())
		p.commits(0)
	})
}

// The same past the slot itself, when a commit would be public at once.
func TestRunHeldBeforeItsCommitSendsNonePastTheSlot(t *testing.T) {
	t.Parallel()
	if os.Getenv("MORROW_FULL") == "" {
		t.Skip("takes minutes: make full runs it")
	}
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		r.near(5 * time.Second)
		run, goOn := r.held("commit")
		run.says("waits at commit")
		waitFor(r.slot)
		goOn()
		run.wait().want(r, 3, "too_late")
		p.commits(0)
	})
}

// A process that is stopped while it waits for its last look sends no commit
// when it goes on within the lead, though the answer came in time.
func TestStoppedRunCommitsNothingWithinTheLead(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		lead := r.near(5 * time.Second)
		h := p.holdAnswer(look, 2)
		run := r.start("run", "--json")
		h.await(run)
		run.stop()
		h.release()
		waitFor(lead)
		run.signal(syscall.SIGCONT)
		r.tooLate(run.wait())
		p.commits(0)
	})
}

// The answer of the last look comes when the lead has begun.
func TestSlowLookCommitsNothingWithinTheLead(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		lead := r.near(2 * margin)
		h := p.holdAnswer(look, 2)
		run := r.start("run", "--json")
		h.await(run)
		waitFor(lead)
		h.release()
		r.tooLate(run.wait())
		p.commits(0)
	})
}

// A commit whose answer is lost when the lead has begun is not sent again.
func TestLostCommitIsNotSentAgainWithinTheLead(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		lead := r.near(2 * margin)
		h := p.holdAndCut(commit)
		run := r.start("run", "--json")
		h.await(run)
		waitFor(lead)
		h.release()
		r.tooLate(run.wait())
		p.commits(1)
	})
}

// With the slot far off, a commit that is lost again and again is sent three
// times a run at most, each time after a new look.
func TestBoundOnCommits(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		var looks []int
		p.on(commit, func(call, func() *answer) *answer {
			looks = append(looks, p.count(look))
			return nil
		})
		r.run("run", "--json").want(r, 4, "unknown")
		// One look for the run, then one before each commit and one after it.
		if got := fmt.Sprint(looks); got != "[2 4 6]" {
			r.Errorf("commits were sent after %s looks, want [2 4 6]", got)
		}
		p.on(commit, nil)
		r.run("run", "--json").want(r, 0, "booked")
		r.exactlyOne()
		p.commits(4)
	})
}

// What was seen more than ten seconds ago is looked at again before a commit.
func TestOldLookIsRepeatedBeforeTheCommit(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		h := p.holdAnswer(reading, 1) // of the draft, beside the second look
		run := r.start("run", "--json")
		h.await(run)
		r.until("the second look", func() bool { return p.count(look) == 2 })
		waitFor(time.Now().Add(12 * time.Second))
		h.release()
		run.wait().want(r, 0, "booked")
		r.exactlyOne()
		if looks, commits := p.count(look), p.count(commit); looks != 4 || commits != 1 {
			r.Errorf("%d looks and %d commits, want 4 (one at first, two before the commit, one after it) and 1", looks, commits)
		}
	})
}
