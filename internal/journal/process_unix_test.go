//go:build linux || darwin

package journal

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Where nothing can be written Open says so, instead of a journal that can be
// read only.
func TestOpenWithoutTheRightToWrite(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("needs root, to start a process of another user")
	}
	root, err := os.MkdirTemp("", "morrow-journal-test-") //nolint:usetesting // t.TempDir is private
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	must(t, os.Chmod(root, 0o755))
	exe := filepath.Join(root, "helper")
	copyExecutable(t, exe)
	path := filepath.Join(root, fileName)

	for _, name := range []string{"no file", "a file of another user"} {
		const nobody = 65534
		cmd := helperCommand(t, "x", path)
		cmd.Path = exe
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		h := startHelper(t, cmd)
		h.start(t)
		if got := h.answer(t); !strings.HasPrefix(got, "error: open journal ") {
			t.Errorf("%s: %q, want an error of Open", name, got)
		}
		must(t, openAt(t, path).StartRun(t.Context(), aRun("a")))
	}
}

func copyExecutable(t *testing.T, path string) {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	from, err := os.Open(exe)
	must(t, err)
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	must(t, err)
	_, err = io.Copy(to, from)
	must(t, err)
	must(t, to.Close())
}

// To open a named pipe is to wait for somebody at its other end.
func TestNoRegularFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(context.Context, string) (*Journal, error){"read and write": Open, "read": OpenReadOnly} {
		ended := make(chan error, 1)
		go func() {
			_, err := open(t.Context(), path)
			ended <- err
		}()
		select {
		case err := <-ended:
			if err == nil || !strings.Contains(err.Error(), "no regular file") {
				t.Errorf("%s: error %v", name, err)
			}
		case <-time.After(20 * time.Second):
			t.Errorf("%s: it hangs", name)
		}
	}
}
