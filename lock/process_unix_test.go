//go:build linux || darwin

package lock

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func prepareHelper(action string) {
	if action == "umask" {
		unix.Umask(0o077)
	}
}

func TestUmaskShutsNobodyOut(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(tempDir(t), "locks")
	if got := startHelper(t, "umask", dir).try(t); got != "held" {
		t.Fatal(got)
	}
	l := newLocker(t, dir)
	for path, want := range map[string]os.FileMode{
		dir:         os.ModeDir | os.ModeSticky | 0o777,
		l.Path():    0o666,
		l.held:      0o666,
		l.note.path: 0o666,
	} {
		if fi, err := os.Stat(path); err != nil || fi.Mode() != want {
			t.Errorf("%s: mode %v, %v; want %v", filepath.Base(path), fi.Mode(), err, want)
		}
	}
}

func TestOddLockFileRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]func(path string) error{
		"symbolic link": func(path string) error {
			target := path + ".target"
			if err := os.WriteFile(target, nil, 0o600); err != nil {
				return err
			}
			return os.Symlink(target, path)
		},
		"dangling link": func(path string) error { return os.Symlink(path+".nowhere", path) },
		"pipe":          func(path string) error { return unix.Mkfifo(path, 0o666) },
		"folder":        func(path string) error { return os.Mkdir(path, 0o777) },
	}
	for name, plant := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLocker(t, tempDir(t))
			for _, path := range []string{l.Path(), l.held} {
				if err := plant(path); err != nil {
					t.Fatal(err)
				}
			}
			_, ok, err := l.Acquire(t.Context(), 0)
			if ok || err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("Acquire = %v, %v; want it refused as no regular file", ok, err)
			}
			if _, _, err := l.Holder(); err == nil {
				t.Error("Holder: no error")
			}
			for _, path := range []string{l.Path(), l.held} {
				if _, err := os.Stat(path + ".nowhere"); err == nil {
					t.Error("a file was created through the link")
				}
			}
		})
	}
}

func TestB76LinkToSyncedFolderRefused(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	dropbox, link := filepath.Join(root, "Dropbox"), filepath.Join(root, "innocent")
	if err := os.Mkdir(dropbox, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dropbox, link); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{Dir: link, Site: site}); err == nil || !strings.Contains(err.Error(), "Dropbox") {
		t.Errorf("err = %v, want one that names Dropbox", err)
	}
}

// In a shared folder anybody can give a file of somebody else the note's name.
func TestNoteOverwritesNoOtherFile(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(victim, note string) error{"hard": os.Link, "symbolic": os.Symlink} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLocker(t, tempDir(t))
			victim := filepath.Join(dirOf(l), "victim")
			if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := plant(victim, l.note.path); err != nil {
				t.Fatal(err)
			}
			release := acquire(t, l)
			if err := release(); err != nil {
				t.Fatal(err)
			}
			if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
				t.Errorf("victim reads %q, %v", text, err)
			}
		})
	}
}

// The lock that one user creates holds the other off, and the other way round,
// where the kernel protects files in sticky folders and where it does not.
func TestTwoUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to start a process of another user")
	}
	for _, protection := range []string{"0", "2"} {
		t.Run("protected_regular "+protection, func(t *testing.T) {
			setProtectedRegular(t, protection)
			for _, order := range [][2]string{{"root", "nobody"}, {"nobody", "root"}} {
				t.Run(order[0]+" first", func(t *testing.T) { twoUsers(t, order[0], order[1]) })
			}
		})
	}
}

func twoUsers(t *testing.T, first, second string) {
	t.Helper()
	root := tempDir(t)
	dir := filepath.Join(root, "locks")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	exe := copyExecutable(t, root)
	as := func(name string) *helper {
		return startHelper(t, "umask", dir, func(c *exec.Cmd) {
			c.Path, c.Dir = exe, "/"
			c.SysProcAttr = &syscall.SysProcAttr{Credential: credential(t, name)}
		})
	}
	l := newLocker(t, dir)
	for _, turn := range [][2]string{{first, second}, {second, first}, {first, second}} {
		holder := as(turn[0])
		if got := holder.try(t); got != "held" {
			t.Fatalf("%s: %s, want held", turn[0], got)
		}
		if got := as(turn[1]).try(t); got != "busy" {
			t.Fatalf("%s: %s while %s holds, want busy", turn[1], got, turn[0])
		}
		if h, held, err := l.Holder(); err != nil || !held || h.User != turn[0] || h.PID != holder.cmd.Process.Pid {
			t.Errorf("Holder = %+v, %v, %v; want %s", h, held, err, turn[0])
		}
		holder.kill(t) // leaves its note for the next user to overwrite
	}
}

// setProtectedRegular sets it for the test, one test of the machine at a time.
func setProtectedRegular(t *testing.T, value string) {
	t.Helper()
	f, err := os.OpenFile("/proc/sys/fs/protected_regular", os.O_RDWR, 0)
	if err != nil {
		t.Skip("this system has no such protection, or it cannot be set here: ", err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(string(before)) == value {
		return
	}
	if err := os.WriteFile(f.Name(), []byte(value), 0o644); err != nil {
		t.Skip("cannot set it here: ", err)
	}
	t.Cleanup(func() {
		if err := os.WriteFile(f.Name(), before, 0o644); err != nil {
			t.Errorf("restore %s to %s: %v", f.Name(), before, err)
		}
	})
}

func copyExecutable(t *testing.T, dir string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	from, err := os.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = from.Close() }()
	path := filepath.Join(dir, "helper")
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func credential(t *testing.T, name string) *syscall.Credential {
	t.Helper()
	u, err := user.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]uint32, 2)
	for i, s := range []string{u.Uid, u.Gid} {
		n, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", name, err))
		}
		ids[i] = uint32(n)
	}
	return &syscall.Credential{Uid: ids[0], Gid: ids[1]}
}
