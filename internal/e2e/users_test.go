//go:build linux

package e2e

import (
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"morrow/internal/wptest"
	"morrow/lock"
)

// Root and another user, each with folders of their own but one machine's lock
// folder, exclude each other, also where the kernel keeps root from creating
// files over others' in a sticky folder. A note names who holds the lock, and
// the lock of a killed holder is free at once.
//
// Not parallel to other tests: a setting of the machine waits for its end.
func TestTwoUsersExcludeEachOther(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to start a process of another user")
	}
	protectRegular(t)
	for _, names := range [][2]string{{"root", "nobody"}, {"nobody", "root"}} {
		t.Run(names[0]+" first", func(t *testing.T) {
			wptest.Each(t, func(t *testing.T, s *wptest.Site) {
				first, second := newRig(t, s), newRig(t, s)
				p := first.behind()
				first.owner(names[0])
				second.url, second.slot = first.url, first.slot
				second.owner(names[1])
				t.Cleanup(func() { removeLock(t, first.url) })
				excludeEachOther(t, p, first, second, names[0])
			})
		})
	}
}

func excludeEachOther(t *testing.T, p *proxy, first, second *rig, holderName string) {
	t.Helper()
	first.items("first.md")
	second.items("second.md")
	h := p.holdAnswer(create, 1)
	began := time.Now()
	run := first.start("run")
	h.await(run)

	second.run("run", "--json").want(second, 75, "busy")
	res := second.run("run")
	if want := "held by process " + strconv.Itoa(run.cmd.Process.Pid) + " ("; res.code != 75 || !strings.Contains(res.stdout, want) {
		t.Errorf("exit code %d; want 75 and %q in\n%s%s", res.code, want, res.stdout, res.stderr)
	}
	status := second.status()
	host, err := os.Hostname()
	second.must(err)
	switch got := status.Lock; {
	case got == nil:
		t.Errorf("status names no holder: %+v", status)
	case got.PID != run.cmd.Process.Pid, got.ParentPID != os.Getpid(), got.Parent == "", got.Host != host, got.User != holderName,
		got.Started.Before(began.Add(-time.Second)), got.Started.After(time.Now()), got.Command != strings.Join(run.cmd.Args, " "):
		t.Errorf("status names the holder %+v, which is process %d of %s", *got, run.cmd.Process.Pid, holderName)
	}

	run.kill()
	if res := second.run("run"); res.code != 0 {
		t.Errorf("with the holder killed: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
	}
	h.release()
	p.settle()
	second.queued()
	second.done("second.md")
	first.run("run", "--json").want(first, 0, "already_booked")
	future := 0
	for _, post := range first.site.Posts(t) {
		if post.Status == "future" {
			future++
		}
	}
	if future != 1 {
		t.Errorf("%d posts are scheduled, want 1", future)
	}
}

// owner gives the rig and what it starts to a user, who shares the machine's
// own lock folder.
func (r *rig) owner(name string) {
	r.Helper()
	u, err := user.Lookup(name)
	r.must(err)
	uid, err := strconv.Atoi(u.Uid)
	r.must(err)
	gid, err := strconv.Atoi(u.Gid)
	r.must(err)
	for _, path := range []string{r.dir, r.path("queue")} {
		r.must(os.Chown(path, uid, gid))
	}
	r.as = func(cmd *exec.Cmd) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	r.lockDir = ""
	r.configure()
}

// removeLock removes a site's files from the machine's lock folder: the site
// is gone for good.
func removeLock(t *testing.T, url string) {
	t.Helper()
	l, err := lock.New(lock.Options{Site: url})
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(strings.TrimSuffix(l.Path(), ".lock") + ".*")
	if err != nil || len(names) == 0 {
		t.Errorf("no lock files %s: %v", l.Path(), err)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
}

// protectRegular sets fs.protected_regular to 2 for the test, one test of the
// machine at a time.
func protectRegular(t *testing.T) {
	t.Helper()
	f, err := os.OpenFile("/proc/sys/fs/protected_regular", os.O_RDWR, 0)
	if err != nil {
		t.Log("fs.protected_regular stays as it is: ", err)
		return
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("2"); err != nil {
		t.Log("fs.protected_regular stays as it is: ", err)
		return
	}
	t.Cleanup(func() {
		if err := os.WriteFile(f.Name(), before, 0o644); err != nil {
			t.Errorf("restore %s to %s: %v", f.Name(), before, err)
		}
	})
}
