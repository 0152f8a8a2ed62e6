package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// mayTouchOpenFile skips the test where the system lets nobody delete or rename
// a file that is open.
func mayTouchOpenFile(t *testing.T, err error) {
	t.Helper()
	if err != nil && runtime.GOOS == "windows" {
		t.Skip("an open file stays where it is: ", err)
	}
	must(t, err)
}

func TestDeletedWhileOpen(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(path string) error{
		"the file":   os.Remove,
		"the folder": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
		"all but the file": func(path string) error {
			return errors.Join(os.Remove(path+"-wal"), os.Remove(path+"-shm"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			path := newPath(t)
			j := openAt(t, path)
			must(t, j.StartRun(ctx, aRun("a")))
			mayTouchOpenFile(t, remove(path))
			must(t, j.EndRun(ctx, aRun("b")))
			if name == "all but the file" {
				return // the rows go where nobody looks, but no run breaks
			}
			if got := runIDs(t, openAt(t, path)); got != "b" {
				t.Errorf("another process sees runs %q, want b", got)
			}
		})
	}
}

func TestDeletedAndBegunAnewByAnother(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := newPath(t)
	daemon := openAt(t, path)
	must(t, daemon.StartRun(ctx, aRun("lost")))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		mayTouchOpenFile(t, os.Remove(path+suffix))
	}
	manual := openAt(t, path)
	must(t, manual.StartRun(ctx, aRun("manual")))
	must(t, daemon.StartRun(ctx, aRun("daemon")))
	must(t, manual.StartRun(ctx, aRun("z")))
	if got := runIDs(t, openAt(t, path)); got != "z manual daemon" {
		t.Errorf("runs %q", got)
	}
}

func TestCorruptFile(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"junk":            func([]byte) []byte { return bytes.Repeat([]byte("junk"), 5000) },
		"short junk":      func([]byte) []byte { return []byte("junk") },
		"an HTML page":    func([]byte) []byte { return bytes.Repeat([]byte("<html>"), 100) },
		"NUL bytes":       func(b []byte) []byte { return make([]byte, len(b)) },
		"cut":             func(b []byte) []byte { return b[:len(b)/2] },
		"tables lost":     func(b []byte) []byte { return append(b[:4096:4096], make([]byte, len(b)-4096)...) },
		"schema page bad": func(b []byte) []byte { copy(b[100:], bytes.Repeat([]byte{0xff}, 3000)); return b },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			path := newPath(t)
			j := openAt(t, path)
			must(t, j.StartRun(ctx, aRun("old")))
			must(t, j.Close())
			content, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, damage(content), 0o600))

			j = openAt(t, path)
			must(t, j.EndRun(ctx, aRun("new")))
			if got := runIDs(t, j); got != "new" {
				t.Errorf("runs %q, want the new one alone", got)
			}
			aside, err := filepath.Glob(path + ".corrupt-*[0-9]")
			must(t, err)
			if name == "NUL bytes" {
				return // SQLite takes these for an empty file
			}
			if len(aside) != 1 || !strings.Contains(j.Notice(), aside[0]) {
				t.Errorf("moved aside: %v; notice %q", aside, j.Notice())
			}
		})
	}
}

// damage is SQLite's error for a damaged file.
func damage(t *testing.T) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "junk")
	must(t, os.WriteFile(path, bytes.Repeat([]byte("junk"), 5000), 0o600))
	_, err := OpenReadOnly(t.Context(), path)
	if err == nil {
		t.Fatal("no error for a damaged file, read-only")
	}
	return err
}

// Who comes second to a damaged file leaves the first one's new file alone.
func TestDamagedFileIsMovedOnce(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := newPath(t)
	second := openAt(t, path)
	mayTouchOpenFile(t, os.Rename(path, path+".corrupt-by-the-first"))
	first := openAt(t, path)
	must(t, first.StartRun(ctx, aRun("a")))
	must(t, second.repair(damage(t)))
	if got := runIDs(t, second); got != "a" || second.Notice() != "" {
		t.Errorf("runs %q, notice %q; want the first one's file", got, second.Notice())
	}
}

// While one process creates the file, others wait.
func TestOpenWaitsForTheCreator(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), fileName)
	creator, err := openDB(readWriteDSN(path))
	must(t, err)
	defer func() { must(t, creator.Close()) }()
	tx, err := creator.BeginTx(t.Context(), nil)
	must(t, err)
	_, err = tx.ExecContext(t.Context(), "CREATE TABLE other (x)")
	must(t, err)
	opened := make(chan error, 1)
	go func() {
		j, err := Open(t.Context(), path)
		if err == nil {
			err = j.Close()
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		t.Errorf("Open did not wait: %v", err)
		must(t, tx.Rollback())
	case <-time.After(100 * time.Millisecond):
		must(t, tx.Commit())
		must(t, <-opened)
	}
}

// TestLeave: the WAL stays for the next process, but never grows beyond bounds.
func TestLeave(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := newPath(t)
	j := openAt(t, path)
	must(t, j.StartRun(ctx, aRun("a")))
	must(t, j.Leave())
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("the WAL of one run: %v, want it left as it is", err)
	}
	must(t, j.StartRun(ctx, aRun("b")))
	next := openAt(t, path)
	if got := runIDs(t, next); got != "a" {
		t.Errorf("the next process sees runs %q, want a", got)
	}
	must(t, errors.Join(j.Close(), next.Close()))

	j = openAt(t, path)
	large := aRun("large")
	large.Reason = strings.Repeat("a", leftBytes)
	must(t, j.StartRun(ctx, large))
	must(t, j.EndRun(ctx, large))
	must(t, j.Leave())
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a large WAL is left (%v), want it brought into the file", err)
	}
	must(t, Discard().Leave())
}
