//go:build linux

package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// statusLine is a line of `status --json`, as far as it is looked at here.
type statusLine struct {
	Zone   *string      `json:"zone"`
	Slots  []slotStatus `json:"slots"`
	Checks []time.Time  `json:"next_checks"`
	Daemon *holder      `json:"daemon"`
	Lock   *holder      `json:"lock"`
	Queue  []queueEntry `json:"queue"`
	Runs   []pastRun    `json:"runs"`
}

type slotStatus struct {
	Slot  time.Time `json:"slot"`
	State string    `json:"state"`
	Post  *post     `json:"post"`
}

type queueEntry struct {
	Name   string     `json:"name"`
	State  string     `json:"state"`
	Reason string     `json:"reason"`
	Slot   *time.Time `json:"slot"`
}

type pastRun struct {
	Trigger string `json:"trigger"`
	Outcome string `json:"outcome"`
}

// holder is who holds a lock.
type holder struct {
	PID       int       `json:"pid"`
	ParentPID int       `json:"parent_pid"`
	Parent    string    `json:"parent"`
	Host      string    `json:"host"`
	User      string    `json:"user"`
	Started   time.Time `json:"started"`
	Command   string    `json:"command"`
}

func (r *rig) status(args ...string) (s statusLine) {
	r.Helper()
	res := r.run(append([]string{"status", "--json"}, args...)...)
	if res.code != 0 {
		r.Fatalf("status: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
	}
	r.must(json.Unmarshal([]byte(res.stdout), &s))
	return s
}

// Status tells what was last seen without asking the site, and asks it when it
// is told to.
func TestStatus(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("1-first.md", "2-second.md")
		if s := r.status(); s.Zone != nil || len(s.Slots) != 0 || len(s.Queue) != 2 || len(s.Runs) != 0 {
			r.Errorf("before any run: %+v", s)
		}
		s := r.status("--live")
		if len(s.Slots) != 1 || s.Slots[0].State != "free" || !s.Slots[0].Slot.Equal(r.slot) {
			r.Errorf("live: %+v", s)
		}
		r.unwritten()

		r.run("run", "--json").want(r, 0, "booked")
		r.site.ResetRequests(r)
		s = r.status()
		if n := len(r.site.Requests(r)); n != 0 {
			r.Errorf("status asked the site %d times", n)
		}
		if s.Zone == nil || *s.Zone != "UTC+00:00" || len(s.Slots) != 1 || s.Slots[0].State != "taken" || s.Slots[0].Post == nil ||
			s.Slots[0].Post.Status != "future" || s.Lock != nil || s.Daemon != nil || len(s.Checks) == 0 {
			r.Errorf("after a booking: %+v", s)
		}
		if len(s.Runs) != 1 || s.Runs[0].Trigger != "manual" || s.Runs[0].Outcome != "booked" {
			r.Errorf("runs: %+v", s.Runs)
		}
		if len(s.Queue) != 1 || s.Queue[0].Name != "2-second.md" || s.Queue[0].Slot == nil || !s.Queue[0].Slot.Equal(r.slot.AddDate(0, 0, 1)) {
			r.Errorf("queue: %+v", s.Queue)
		}
		r.site.DeletePost(r, r.site.Posts(r)[0].ID)
		if s := r.status("--live"); len(s.Slots) != 1 || s.Slots[0].State != "free" {
			r.Errorf("live, after a person deleted the post: %+v", s)
		}
	})
}

// The queue names each file's fate or fault.
func TestQueue(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.run("run", "--json").want(r, 3, "nothing_to_book")
		r.items("10-tenth.md", "9-ninth.md", "notes.md~")
		r.write("draft.md", "---\ntitle: Not yet\ndraft: true\n---\nText.\n")
		r.write("faulty.md", "---\ntitle: [\n---\nText.\n")
		res := r.run("queue", "--json")
		var q struct {
			Entries []queueEntry `json:"entries"`
		}
		r.must(json.Unmarshal([]byte(res.stdout), &q))
		var got []string
		for _, e := range q.Entries {
			got = append(got, e.Name+" "+e.State)
			if (e.State != "ready") != (e.Reason != "") {
				r.Errorf("%s is %s for the reason %q", e.Name, e.State, e.Reason)
			}
		}
		want := []string{"9-ninth.md ready", "10-tenth.md ready", "draft.md held", "faulty.md faulty", "notes.md~ ignored"}
		if res.code != 0 || !slices.Equal(got, want) {
			r.Errorf("exit code %d, got %q, want %q", res.code, got, want)
		}
		for i, e := range q.Entries[:2] {
			if e.Slot == nil || !e.Slot.Equal(r.slot.AddDate(0, 0, i)) {
				r.Errorf("%s is foretold for %v", e.Name, e.Slot)
			}
		}
	})
}

// Each exit code, from the real site.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		p := r.behind()
		exits := func(code int, args ...string) {
			r.Helper()
			if res := r.run(args...); res.code != code {
				r.Errorf("morrow %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), res.code, code, res.stdout, res.stderr)
			}
		}
		exits(3, "run") // an empty queue
		r.items("first.md")
		exits(0, "run", "--dry-run")
		exits(2, "run", "nightly")
		exits(2, "rum")
		exits(2, "--config", r.path("missing.yaml"), "run")

		p.on(look, func(call, func() *answer) *answer {
			return &answer{status: http.StatusForbidden, header: http.Header{"Content-Type": {"text/html"}}, body: []byte("no")}
		})
		exits(1, "run")
		p.on(look, func(_ call, forward func() *answer) *answer {
			a := forward()
			a.header.Set("X-WP-Total", "7")
			return a
		})
		exits(4, "run")
		p.on(look, nil)

		h := p.holdRequest(create)
		run := r.start("run")
		h.await(run)
		exits(75, "run")
		waiting := r.start("run", "--wait", "1m", "--json")
		h.release()
		if res := run.wait(); res.code != 0 {
			r.Errorf("exit code %d, want 0\n%s%s", res.code, res.stdout, res.stderr)
		}
		waiting.wait().want(r, 0, "already_booked")
		exits(0, "run")
		r.exactlyOne()
	})
}
