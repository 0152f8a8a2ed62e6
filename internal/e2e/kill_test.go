//go:build linux

package e2e

import (
	"os"
	"testing"
)

// Whatever step a run is killed at, the next one ends with exactly one
// scheduled post, and nothing else on the site or in the queue; also when
// everything that Morrow keeps was deleted between the two.
func TestKillAtEachStep(t *testing.T) {
	t.Parallel()
	steps := []string{
		"lock", "look", "decide", "pick", "known", "prepare", "verify", "look again", "commit", "read back", "consume",
	}
	for name, deleted := range map[string][]string{
		"all kept":               nil,
		"state deleted":          {"state"},
		"state and lock deleted": {"state", "locks"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, step := range steps {
				t.Run(step, func(t *testing.T) {
					t.Parallel()
					each(t, func(r *rig) {
						r.items("first.md")
						if res := r.launch(r.killed(step)).wait(); res.code != -1 {
							r.Fatalf("the run was not killed: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
						}
						for _, folder := range deleted {
							r.must(os.RemoveAll(r.path(folder)))
						}
						if res := r.run("run"); res.code != 0 {
							r.Errorf("the next run: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
						}
						r.exactlyOne()
					})
				})
			}
		})
	}
}

// A run is killed while it waits for the answer to a write, which the site
// carries out before the next run, or, the request being held up, after the
// kill.
func TestKillWhileAWriteIsAnswered(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]func(p *proxy, k kind) *hold{
		"done before the kill": func(p *proxy, k kind) *hold { return p.holdAnswer(k, 1) },
		"done after the kill":  func(p *proxy, k kind) *hold { return p.holdRequest(k) },
		"never done":           func(p *proxy, k kind) *hold { return p.holdAndCut(k) },
	} {
		for _, k := range []kind{create, commit} {
			t.Run(string(k)+" "+name, func(t *testing.T) {
				t.Parallel()
				each(t, func(r *rig) {
					r.items("first.md")
					p := r.behind()
					h := hold(p, k)
					run := r.start("run")
					h.await(run)
					run.kill()
					h.release()
					p.settle()
					if res := r.run("run"); res.code != 0 {
						r.Errorf("the next run: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
					}
					r.exactlyOne()
				})
			})
		}
	}
}

// A commit that reaches the site only after another run has booked the draft
// changes nothing: it says what is there already.
func TestKilledRunsCommitArrivesAfterTheNextRun(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		h := p.holdRequest(commit)
		run := r.start("run")
		h.await(run)
		run.kill()
		r.run("run", "--json").want(r, 0, "booked")
		h.release()
		p.settle()
		r.exactlyOne()
		r.run("run", "--json").want(r, 0, "already_booked")
		r.exactlyOne()
	})
}

// What kills the runs of these tests is not in the program that people get.
func TestNoKillHookInARelease(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		cmd := r.command("run", "--json")
		cmd.Env = append(cmd.Env, "MORROW_KILL_AT=commit", "MORROW_WAIT_AT=commit")
		r.launch(cmd).wait().want(r, 0, "booked")
		r.exactlyOne()
	})
}

// Whatever step a run is killed at, the command that made its item is not run
// again: what it printed is there for the next run, also when the state is
// gone.
func TestKilledRunKeepsWhatTheCommandPrinted(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"known", "prepare", "verify", "look again", "commit", "read back", "consume"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			each(t, func(r *rig) {
				r.source = `{command: [sh, -c, "echo >> ran; printf '# Made\\n\\nText.\\n'"]}`
				r.configure()
				if res := r.launch(r.killed(step)).wait(); res.code != -1 {
					r.Fatalf("the run was not killed: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
				}
				r.must(os.RemoveAll(r.path("state")))
				if res := r.run("run"); res.code != 0 {
					r.Errorf("the next run: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
				}
				r.scheduled(r.slot)
				if ran, err := os.ReadFile(r.path("ran")); err != nil || string(ran) != "\n" {
					r.Errorf("the command ran %d times, %v", len(ran), err)
				}
				if _, err := os.Stat(r.path("spool", "daily", "done", "made.md")); err != nil {
					r.Error(err)
				}
			})
		})
	}
}
