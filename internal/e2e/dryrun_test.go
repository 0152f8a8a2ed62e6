//go:build linux

package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree gives of everything in the rig's folders its mode, its time of change
// and a hash of its content.
func (r *rig) tree() map[string]string {
	r.Helper()
	out := map[string]string{}
	r.must(filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var text []byte
		if !d.IsDir() {
			text, err = os.ReadFile(path)
		}
		out[path] = fmt.Sprintf("%s %s %x", info.Mode(), info.ModTime(), sha256.Sum256(text))
		return err
	}))
	return out
}

// A dry run says of each slot what would become of it, and why, and leaves no
// trace on the site or on the disk: without a state folder, with one, and
// while another run holds the lock, whose process it names.
func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("1-first.md", "2-second.md")
		r.jobKeys = "ahead: 3"
		p := r.behind()
		rehearse := func() {
			r.Helper()
			before := r.tree()
			res := r.run("run", "--dry-run", "--json")
			if diff := cmp.Diff(before, r.tree()); diff != "" {
				r.Errorf("the dry run changed files (-before +after):\n%s", diff)
			}
			r.unwritten()
			res.want(r, 3, "nothing_to_book")
			if !res.lines[0].DryRun || len(res.lines[0].Slots) != 3 {
				r.Fatalf("got %s", res.stdout)
			}
			for i, want := range []struct{ outcome, item, reason string }{
				{"would_book", "1-first.md", `"first"`},
				{"would_book", "2-second.md", `"second"`},
				{"nothing_to_book", "", "queue"},
			} {
				got := res.lines[0].Slots[i]
				if !got.Slot.Equal(r.slot.AddDate(0, 0, i)) || got.Outcome != want.outcome || got.Item != want.item ||
					!strings.Contains(got.Reason, want.reason) {
					r.Errorf("slot %d: got %+v, want %+v", i, got, want)
				}
			}
		}
		rehearse()
		r.must(os.Mkdir(r.path("state"), 0o700))
		rehearse()

		h := p.holdRequest(create) // nothing else is under way then
		run := r.start("run")
		h.await(run)
		rehearse()
		before := r.tree()
		res := r.run("run", "--dry-run")
		if diff := cmp.Diff(before, r.tree()); diff != "" {
			r.Errorf("the dry run changed files (-before +after):\n%s", diff)
		}
		holder := fmt.Sprintf("held by process %d (", run.cmd.Process.Pid)
		for _, want := range []string{holder, "1-first.md", "2-second.md", "would be booked", r.slot.Format("Mon 2 Jan 2006 15:04 MST")} {
			if !strings.Contains(res.stdout, want) {
				r.Errorf("the dry run does not say %q, but:\n%s", want, res.stdout)
			}
		}
		h.release()
		if res := run.wait(); res.code != 3 {
			r.Errorf("the run beside it: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
		}
		r.scheduled(r.slot, r.slot.AddDate(0, 0, 1))
		r.queued()
		r.done("1-first.md", "2-second.md")
	})
}

// With the slot filled it says so, by whom.
func TestDryRunOfAFilledSlot(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		r.run("run", "--json").want(r, 0, "booked")
		r.items("second.md")
		r.site.ResetRequests(r)
		before := r.tree()
		s := r.run("run", "--dry-run", "--json").want(r, 0, "already_booked")
		if diff := cmp.Diff(before, r.tree()); diff != "" {
			r.Errorf("the dry run changed files (-before +after):\n%s", diff)
		}
		r.unwritten()
		if !s.Slot.Equal(r.slot) || s.Post == nil || s.Post.Slug != "first" || !strings.Contains(s.Reason, "Morrow's own booking") {
			r.Errorf("got %+v", s)
		}
	})
}
