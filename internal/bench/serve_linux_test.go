package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"morrow/internal/wptest"
)

const (
	mostResidentKiB  = 30 << 10
	mostAnonymousKiB = 12 << 10
)

// BenchmarkServe measures the memory of a daemon with one site that has made a
// run and waits for the next. It fails where a bound is broken.
func BenchmarkServe(b *testing.B) {
	g := newBlog(b, wptest.Versions()[0])
	cmd := g.command(b, "serve")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			b.Errorf("serve: %v\n%s", err, stderr.String())
		}
	}()
	g.awaitRun(b)
	memory := settled(b, cmd.Process.Pid)
	b.ReportMetric(0, "ns/op")
	for name, bound := range map[string]int{"Rss": mostResidentKiB, "Anonymous": mostAnonymousKiB} {
		b.ReportMetric(float64(memory[name])/1024, name+"-MiB")
		b.Logf("%-10s %5.1f MiB, at most %d", name, float64(memory[name])/1024, bound>>10)
		if memory[name] > bound {
			b.Errorf("%s is %d KiB, want at most %d", name, memory[name], bound)
		}
	}
}

// awaitRun waits until the daemon has made its first run, a booking.
func (g *blog) awaitRun(b *testing.B) {
	b.Helper()
	log := filepath.Join(g.dir, "state", "logs", "serve.log")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		text, err := os.ReadFile(log)
		if strings.Contains(string(text), `"outcome":"booked"`) {
			return
		}
		if time.Now().After(deadline) {
			b.Fatalf("no booking within a minute (%v); the log: %s", err, text)
		}
	}
}

// settled waits until the process has held the same memory for ten seconds, and
// gives the lines of its smaps_rollup in KiB.
func settled(b *testing.B, pid int) map[string]int {
	b.Helper()
	const still = 10 * time.Second
	last, since := rollup(b, pid), time.Now()
	for deadline := since.Add(2 * time.Minute); time.Since(since) < still; time.Sleep(time.Second) {
		if now := rollup(b, pid); now["Rss"] != last["Rss"] || now["Anonymous"] != last["Anonymous"] {
			last, since = now, time.Now()
		}
		if time.Now().After(deadline) {
			b.Fatalf("the memory does not settle: %v", last)
		}
	}
	return last
}

// rollup reads the sums of a process's mappings, see proc_pid_smaps(5).
func rollup(b *testing.B, pid int) map[string]int {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		b.Fatal(err)
	}
	sums := map[string]int{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		if kib, ok := strings.CutSuffix(strings.TrimSpace(value), " kB"); ok {
			if sums[name], err = strconv.Atoi(kib); err != nil {
				b.Fatal(err)
			}
		}
	}
	return sums
}
