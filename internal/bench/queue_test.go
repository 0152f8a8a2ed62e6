package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/wptest"
)

const (
	smallQueue, largeQueue = 10, 10_000
	queueRounds            = 7

	// mostOfSmall is what a dry run with the large queue may cost, against one
	// with the small; mostFirst what it may cost more when nothing of the queue is
	// remembered yet.
	mostOfSmall = 3.0
	mostFirst   = time.Second
)

// BenchmarkQueue runs `morrow run --dry-run` with a small and a large queue in
// turn, as whole processes, and holds the large one to its bounds.
func BenchmarkQueue(b *testing.B) {
	for _, version := range wptest.Versions() {
		b.Run(version, func(b *testing.B) {
			small, large := newQueue(b, version, smallQueue), newQueue(b, version, largeQueue)
			var first, again, few []time.Duration
			for range queueRounds {
				few = append(few, small.dryRun(b))
				large.forget(b)
				first = append(first, large.dryRun(b))
				again = append(again, large.dryRun(b))
			}
			b.ReportMetric(0, "ns/op") // it is that of all three
			ratio, more := ms(median(again))/ms(median(few)), median(first)-median(few)
			b.ReportMetric(ratio, "again/small")
			b.ReportMetric(ms(more), "first-small-ms")
			b.Logf("%d files %.1f ms; %d files at first %.1f ms, again %.1f ms", smallQueue, ms(median(few)), largeQueue, ms(median(first)), ms(median(again)))
			if ratio > mostOfSmall {
				b.Errorf("again it takes %.2f times as long, want at most %.2f", ratio, mostOfSmall)
			}
			if more > mostFirst {
				b.Errorf("at first it takes %v more, want at most %v", more, mostFirst)
			}
		})
	}
}

// newQueue is a blog with so many files in its queue, and a run behind it that
// has learnt what the site tells of itself.
func newQueue(b *testing.B, version string, files int) *blog {
	b.Helper()
	g := newBlog(b, version)
	old := time.Now().Add(-time.Hour)
	for i := range files - 1 {
		path := filepath.Join(g.dir, "queue", fmt.Sprintf("post-%05d.md", i))
		write(b, path, fmt.Sprintf("---\ntitle: Post %d\ntags: [a, b]\n---\n\n%s", i, strings.Repeat("A *line* of text.\n\n", 50)))
		if err := os.Chtimes(path, old, old); err != nil {
			b.Fatal(err)
		}
	}
	run(b, g.command(b, "status", "--live"))
	return g
}

// dryRun is how long a dry run takes.
func (g *blog) dryRun(b *testing.B) time.Duration {
	b.Helper()
	cmd := g.command(b, "run", "--dry-run")
	cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+g.cache())
	start := time.Now()
	out := run(b, cmd)
	took := time.Since(start)
	if !strings.Contains(out, "would be booked") {
		b.Fatalf("it printed %q", out)
	}
	return took
}

func (g *blog) cache() string { return filepath.Join(g.dir, "cache") }

// forget takes away what an earlier run has kept of the queue.
func (g *blog) forget(b *testing.B) {
	b.Helper()
	if err := os.RemoveAll(g.cache()); err != nil {
		b.Fatal(err)
	}
}
