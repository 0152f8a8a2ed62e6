package sim

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var (
	seedFlag = flag.Uint64("sim.seed", 0, "play this history alone, with its trace")
	daysFlag = flag.Int("sim.days", 20, "days of a history")
)

// TestHistories plays many histories, each another one.
func TestHistories(t *testing.T) {
	t.Parallel()
	if *seedFlag != 0 {
		replay(t, *seedFlag, *daysFlag, true)
		return
	}
	days := int64(20_000)
	if os.Getenv("MORROW_FULL") != "" {
		days = 1_000_000
	}
	if testing.Short() {
		days /= 20
	}
	began, played := time.Now(), atomic.Int64{}
	var seed atomic.Uint64
	const players = 2
	t.Run("players", func(t *testing.T) {
		for n := range players {
			t.Run(fmt.Sprint(n), func(t *testing.T) {
				t.Parallel()
				for played.Add(int64(*daysFlag)) <= days && !t.Failed() {
					replay(t, seed.Add(1), *daysFlag, false)
				}
			})
		}
	})
	t.Logf("%d site-days, %.0f a second", days, float64(days)/time.Since(began).Seconds())
}

// replay plays a history; when it goes wrong, once more for its trace.
func replay(t *testing.T, seed uint64, days int, traced bool) {
	t.Helper()
	t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
		v, trace := once(t, seed, days, traced)
		if v != nil && !traced {
			v, trace = once(t, seed, days, true)
		}
		tail := 60
		if testing.Verbose() {
			tail = 1 << 20
		}
		if v != nil {
			t.Errorf("%s\nplay it again: go test ./internal/sim -run Histories -sim.seed=%d -sim.days=%d -v\n%s", v.what, seed, days, trace.last(tail))
		} else if traced && testing.Verbose() {
			t.Log(trace.last(1 << 20))
		}
	})
}

func once(t *testing.T, seed uint64, days int, traced bool) (v *verdict, trace *tracer) {
	t.Helper()
	if traced {
		trace = &tracer{}
	}
	root, err := os.MkdirTemp("", "morrow-sim-")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(filepath.Clean(root)) }()
	synctest.Test(t, func(*testing.T) { v = play(seed, days, root, trace) })
	return v, trace
}
