package sim

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

//nolint:gochecknoglobals // flags of the test binary
var (
	seedFlag  = flag.Uint64("sim.seed", 0, "play this history alone, with its trace")
	firstFlag = flag.Uint64("sim.after", 0, "play the histories after this one")
	daysFlag  = flag.Int("sim.days", 40, "days of a history")
)

// longest bounds how long histories are played, but for MORROW_FULL: a machine
// that has other things to do plays fewer, and says so.
const longest = 12 * time.Minute

// TestMain lets the heap grow: a history is short and makes a lot of garbage.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// TestHistories plays many histories, each another one.
func TestHistories(t *testing.T) {
	t.Parallel()
	if *seedFlag != 0 {
		(&score{}).replay(t, *seedFlag, *daysFlag, true)
		return
	}
	days, end := int64(20_000), time.Now().Add(longest) // some 100 a second on one processor
	if os.Getenv("MORROW_FULL") != "" {
		days, end = 1_000_000, time.Now().AddDate(1, 0, 0)
	}
	if testing.Short() {
		days /= 10
	}
	var s score
	t.Run("players", func(t *testing.T) {
		for n := range runtime.GOMAXPROCS(0) {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				for !t.Failed() && time.Now().Before(end) && s.begun.Add(int64(*daysFlag)) <= days {
					s.replay(t, *firstFlag+s.seed.Add(1), *daysFlag, false)
				}
			})
		}
	})
	if played := s.days.Load(); played < days && !t.Failed() && !testing.Short() {
		fmt.Fprintf(os.Stderr, "this machine is busy: %d of %d site-days were played in %s\n", played, days, longest)
	}
	t.Logf("%d site-days of %d, %d runs, %d requests, %d twins that nobody could see", s.days.Load(), days, s.runs.Load(), s.requests.Load(), s.excused.Load())
}

// TestOldFailures plays again what once went wrong.
func TestOldFailures(t *testing.T) {
	t.Parallel()
	if *seedFlag != 0 {
		t.Skip("another history is asked for")
	}
	for _, old := range []struct {
		seed uint64
		days int
		what string
	}{
		{6, 40, "a slow clock watched its slot too late"},
		{20, 40, "a late post was out of sight when the next slot was days away"},
		{30, 40, "a person moved a booking that was being withdrawn"},
		{52, 40, "a machine slept when all was over"},
		{14, 40, "two machines withdrew a booking that a person had edited"},
		{1519, 40, "a person made a draft of a booking in the very second of its date"},
		{1567, 40, "a daemon that had lost its state saw the site first when its slot had passed"},
	} {
		var s score
		t.Run(old.what, func(t *testing.T) { s.replay(t, old.seed, old.days, false) })
	}
}

// TestHistoriesRepeat: a history follows from its seed alone.
func TestHistoriesRepeat(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{3, 4, 11, 1017} {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			_, a := once(t, seed, 5, true)
			_, b := once(t, seed, 5, true)
			if diff := cmp.Diff(a.lines, b.lines); diff != "" {
				t.Errorf("two plays differ:\n%.3000s", diff)
			}
		})
	}
}

// score sums up what was played.
type score struct {
	seed                          atomic.Uint64
	begun                         atomic.Int64 // days, of histories that were begun
	days, runs, requests, excused atomic.Int64
}

// replay plays a history; when it goes wrong, once more for its trace.
func (s *score) replay(t *testing.T, seed uint64, days int, traced bool) {
	t.Helper()
	t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
		r, trace := once(t, seed, days, traced)
		s.days.Add(int64(days))
		s.runs.Add(int64(r.runs))
		s.requests.Add(int64(r.requests))
		s.excused.Add(int64(r.excused))
		if r.verdict != nil && !traced {
			r, trace = once(t, seed, days, true)
		}
		lines := 60
		if testing.Verbose() {
			lines = 1 << 20
		}
		if r.verdict != nil {
			t.Errorf("%s\nplay it again: go test ./internal/sim -run Histories -sim.seed=%d -sim.days=%d -v\n%s", r.what, seed, days, trace.last(lines))
		} else if traced && testing.Verbose() {
			t.Log(trace.last(lines))
		}
	})
}

func once(t *testing.T, seed uint64, days int, traced bool) (r result, trace *tracer) {
	t.Helper()
	root := disks(t)
	if traced {
		trace = &tracer{root: root}
	}
	synctest.Test(t, func(*testing.T) { r = play(seed, days, root, trace) })
	return r, trace
}

// disks is a folder for the machines' disks, in memory where the system has
// such a place: a history syncs thousands of files, and none has to outlive it.
func disks(t *testing.T) string {
	t.Helper()
	root, err := os.MkdirTemp("/dev/shm", "morrow-sim-") //nolint:usetesting // t.TempDir is on a disk
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	return root
}
