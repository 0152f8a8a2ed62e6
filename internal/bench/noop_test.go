package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"morrow/internal/wptest"
)

const (
	// rounds of one run of each: enough for medians to hold still on a machine
	// with other work to do.
	rounds = 60

	mostOfCurl   = 1.15
	mostOfPython = 0.25
)

// contender is a command that finds out that the slot is filled.
type contender struct {
	name string
	make func() *exec.Cmd
	says string // what its output must contain
	wall []time.Duration
	cpu  []time.Duration
}

// BenchmarkNoop runs `morrow run` on a filled slot, curl with the same GET, and
// a Python script that does the same with the usual means, in turn and each as
// a whole process. It fails where a ratio of the medians breaks its bound.
func BenchmarkNoop(b *testing.B) {
	for _, version := range wptest.Versions() {
		b.Run(version, func(b *testing.B) {
			g := newBlog(b, version)
			all := g.contenders(b)
			g.ResetRequests(b)
			// b.N has no say: a median needs its rounds.
			for range rounds {
				for _, c := range all {
					c.once(b)
				}
			}
			if got, writes := len(g.Requests(b)), g.Writes(b); got != rounds*len(all) || len(writes) > 0 {
				b.Fatalf("%d requests, %d of them writes; want %d and none", got, len(writes), rounds*len(all))
			}
			report(b, all)
		})
	}
}

// contenders books the slot, and learns from a second run which request it is
// that all of them send.
func (g *blog) contenders(b *testing.B) []*contender {
	b.Helper()
	run(b, g.command(b, "run"))
	g.ResetRequests(b)
	run(b, g.command(b, "run"))
	sent := g.Requests(b)
	if len(sent) != 1 {
		b.Fatalf("a run that finds its slot filled sent %d requests, want 1: %v", len(sent), sent)
	}
	url := g.URL + sent[0].Path + "?" + sent[0].Query.Encode()
	python := pythonWithRequests(b)
	date := g.slot.Format("2006-01-02T15:04:05")
	return []*contender{
		{name: "morrow", says: `"outcome":"already_booked"`, make: func() *exec.Cmd { return g.command(b, "run", "--json") }},
		{name: "curl", says: date, make: func() *exec.Cmd {
			return exec.CommandContext(b.Context(), "curl", "--silent", "--fail", "--user", g.User+":"+g.Password,
				"--header", "Accept: application/json", "--header", "Cache-Control: no-cache", url)
		}},
		{name: "python", says: "already booked", make: func() *exec.Cmd {
			cmd := exec.CommandContext(b.Context(), python, "noop.py", filepath.Join(g.dir, "python.lock"), url, date)
			cmd.Env = append(os.Environ(), "WP_USER="+g.User, "WP_PASSWORD="+g.Password)
			return cmd
		}},
	}
}

// pythonWithRequests finds an interpreter that has the module requests. The
// program itself is asked for, since what stands in PATH can be a script that
// looks for it.
func pythonWithRequests(b *testing.B) string {
	b.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		out, err := exec.CommandContext(b.Context(), name, "-c", "import requests, sys; print(sys.executable)").Output()
		if err == nil {
			return strings.TrimSpace(string(out))
		}
	}
	b.Fatal("no python3 has the module requests: install python3-requests")
	return ""
}

func (c *contender) once(b *testing.B) {
	b.Helper()
	cmd := c.make()
	start := time.Now()
	out := run(b, cmd)
	c.wall = append(c.wall, time.Since(start))
	c.cpu = append(c.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if !strings.Contains(out, c.says) {
		b.Fatalf("%s printed %q, want %q in it", c.name, out, c.says)
	}
}

// report prints the medians and their ratios and holds these to their bounds.
func report(b *testing.B, all []*contender) {
	b.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "%d runs of each\n%-14s%10s%10s%10s\n", rounds, "", "median ms", "least ms", "cpu ms")
	for _, c := range all {
		fmt.Fprintf(&table, "%-14s%10.1f%10.1f%10.1f\n", c.name, ms(median(c.wall)), ms(slices.Min(c.wall)), ms(median(c.cpu)))
	}
	b.ReportMetric(0, "ns/op") // it is that of all three
	for i, bound := range []float64{mostOfCurl, mostOfPython} {
		name := "morrow/" + all[i+1].name
		ratio := ms(median(all[0].wall)) / ms(median(all[i+1].wall))
		fmt.Fprintf(&table, "%-14s%10.2f  at most %.2f\n", name, ratio, bound)
		b.ReportMetric(ratio, name)
		if ratio > bound {
			b.Errorf("%s is %.2f, want at most %.2f", name, ratio, bound)
		}
	}
	b.Log(table.String())
}

func median(d []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(d))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }
