package lock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

const site = "https://blog.example.com"

// tempDir is a folder that other users reach too. t.TempDir is private, and
// its clean-up fails under Wine 8, which cannot delete the way Go asks it to.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "morrow-lock-test-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func newLocker(t *testing.T, dir string) *Locker {
	t.Helper()
	l, err := New(Options{Dir: dir, Site: site})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// acquire takes the lock, without waiting, until the test ends.
func acquire(t *testing.T, l *Locker) (release func() error) {
	t.Helper()
	release, ok, err := l.Acquire(t.Context(), 0)
	if err != nil || !ok {
		t.Fatalf("Acquire = %v, %v; want the lock", ok, err)
	}
	t.Cleanup(func() {
		if err := release(); err != nil {
			t.Error(err)
		}
	})
	return release
}

func dirOf(l *Locker) string { return filepath.Dir(l.Path()) }

func wantBusy(t *testing.T, l *Locker) {
	t.Helper()
	release, ok, err := l.Acquire(t.Context(), 0)
	if ok {
		_ = release()
	}
	if ok || err != nil {
		t.Fatalf("Acquire = %v, %v; want busy", ok, err)
	}
}

func TestAcquireExcludes(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	l := newLocker(t, dir)
	release := acquire(t, l)
	wantBusy(t, l)
	wantBusy(t, newLocker(t, dir))

	if err := release(); err != nil {
		t.Fatal(err)
	}
	acquire(t, newLocker(t, dir))
	if err := release(); err != nil {
		t.Errorf("second release: %v", err)
	}
	wantBusy(t, l) // a second release frees nobody else's lock
}

func TestAcquireOtherSite(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	acquire(t, newLocker(t, dir))
	other, err := New(Options{Dir: dir, Site: site + "/shop"})
	if err != nil {
		t.Fatal(err)
	}
	acquire(t, other)
}

func TestAcquireWaits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name        string
		wait        time.Duration
		cancelAfter time.Duration // 0: never
		freeAfter   time.Duration // 0: never
		wantOK      bool
		wantErr     error
		atLeast     time.Duration
		atMost      time.Duration
	}{
		{name: "no wait", wait: 0},
		{name: "wait runs out", wait: 30 * time.Second, atLeast: 30 * time.Second, atMost: 30 * time.Second},
		{
			name: "freed in time", wait: 30 * time.Second, freeAfter: 10 * time.Second,
			wantOK: true, atLeast: 10 * time.Second, atMost: 10*time.Second + longestPause,
		},
		{
			name: "negative waits long", wait: -1, freeAfter: 2 * time.Minute,
			wantOK: true, atLeast: 2 * time.Minute, atMost: 2*time.Minute + longestPause,
		},
		{
			name: "cancelled", wait: -1, cancelAfter: time.Minute,
			wantErr: context.Canceled, atLeast: time.Minute, atMost: time.Minute,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := tempDir(t)
			synctest.Test(t, func(t *testing.T) {
				release := acquire(t, newLocker(t, dir))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if tt.cancelAfter > 0 {
					time.AfterFunc(tt.cancelAfter, cancel)
				}
				if tt.freeAfter > 0 {
					time.AfterFunc(tt.freeAfter, func() { _ = release() })
				}
				start := time.Now()
				mine, ok, err := newLocker(t, dir).Acquire(ctx, tt.wait)
				took := time.Since(start)
				if ok {
					defer func() { _ = mine() }()
				}
				if ok != tt.wantOK || !errors.Is(err, tt.wantErr) {
					t.Errorf("Acquire = %v, %v; want %v, %v", ok, err, tt.wantOK, tt.wantErr)
				}
				if took < tt.atLeast || took > tt.atMost {
					t.Errorf("took %v, want %v to %v", took, tt.atLeast, tt.atMost)
				}
			})
		})
	}
}

func TestAcquireCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := newLocker(t, tempDir(t))
	if _, ok, err := l.Acquire(ctx, 0); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("Acquire = %v, %v; want the context's error", ok, err)
	}
}

func TestReleaseNeedsNoContext(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	ctx, cancel := context.WithCancel(t.Context())
	release, ok, err := l.Acquire(ctx, 0)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	cancel()
	if err := release(); err != nil {
		t.Fatal(err)
	}
	acquire(t, l)
}

// A dead network mount hangs system calls: no caller may hang with them.
func TestB76HangingFileSystem(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan string)
		var late atomic.Value
		_, err := within(patience, func() (string, error) { return <-answer, nil }, func(s string) { late.Store(s) })
		if err == nil || !strings.Contains(err.Error(), "lock_dir") {
			t.Errorf("err = %v, want a hint at lock_dir", err)
		}
		answer <- "locked"
		synctest.Wait()
		if got := late.Load(); got != "locked" {
			t.Errorf("late got %v: a lock taken too late would never be freed", got)
		}
	})
}

// Each holder deletes the file before it leaves, so that a waiting process has
// the deleted file open while the next one creates it anew.
func TestB77HolderDeletesFile(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	var holders, twice atomic.Int32
	var group sync.WaitGroup
	stop := time.Now().Add(200 * time.Millisecond)
	for range 8 {
		group.Go(func() {
			for time.Now().Before(stop) {
				f, err := tryLock(t.Context(), l.Path())
				if err != nil || f == nil {
					continue
				}
				if holders.Add(1) > 1 {
					twice.Add(1)
				}
				runtime.Gosched()
				holders.Add(-1)
				_ = os.Remove(l.Path())
				_ = f.Unlock()
			}
		})
	}
	group.Wait()
	if n := twice.Load(); n > 0 {
		t.Errorf("two held the lock at once, %d times", n)
	}
}

func TestB77DeletedFileIsNotNamed(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	f, err := tryLock(t.Context(), l.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Unlock() }()
	want := func(want bool) {
		t.Helper()
		if got, err := isNamed(f, l.Path()); got != want || err != nil {
			t.Errorf("isNamed = %v, %v; want %v", got, err, want)
		}
	}
	want(true)
	if err := os.Remove(l.Path()); err != nil {
		t.Skip("the system keeps an open file: ", err)
	}
	want(false)
	if err := create(l.Path()); err != nil {
		t.Fatal(err)
	}
	want(false)
}

// The note lies beside the lock file, for Windows lets nobody read a locked one.
func TestB78NoteBesideEmptyFile(t *testing.T) {
	t.Parallel()
	started := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	l, err := New(Options{Dir: tempDir(t), Site: site, Now: func() time.Time { return started }})
	if err != nil {
		t.Fatal(err)
	}
	release := acquire(t, l)
	if fi, err := os.Stat(l.Path()); err != nil || fi.Size() != 0 {
		t.Errorf("lock file: %v, %v; want it empty", fi, err)
	}
	got, held, err := l.Holder()
	if err != nil || !held {
		t.Fatalf("Holder = %v, %v; want held", held, err)
	}
	if diff := cmp.Diff(self(started), got); diff != "" {
		t.Errorf("holder (-want +got):\n%s", diff)
	}
	if got.PID != os.Getpid() || got.Command == "" || got.Host == "" {
		t.Errorf("holder %+v does not name this process", got)
	}

	if err := release(); err != nil {
		t.Fatal(err)
	}
	if got, held, err := l.Holder(); held || err != nil || got != (Holder{}) {
		t.Errorf("Holder = %+v, %v, %v; want free", got, held, err)
	}
	if text, err := os.ReadFile(l.note.path); err != nil || len(text) > 0 {
		t.Errorf("note after release: %q, %v; want it empty", text, err)
	}
}

// Asking locks a file, shared, for an instant; nobody may be sent off by it.
func TestHolderDisturbsNobody(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	done := make(chan struct{})
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					_, _, _ = l.Holder()
				}
			}
		})
	}
	for range 50 {
		release, ok, err := l.Acquire(t.Context(), 0)
		if err != nil || !ok {
			t.Errorf("Acquire = %v, %v; want the lock", ok, err)
			break
		}
		if err := release(); err != nil {
			t.Error(err)
		}
	}
	close(done)
	group.Wait()
}

// A dry run asks for the holder and must leave no trace.
func TestAskingWritesNothing(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(tempDir(t), "locks")
	l := newLocker(t, dir)
	if _, held, err := l.Holder(); held || err != nil {
		t.Errorf("Holder = %v, %v; want free", held, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("lock folder: %v; want it not to exist", err)
	}
	acquire(t, l) // which creates it
}
