package journal

import (
	"testing"
	"time"
)

// BenchmarkRun is what a run costs that finds its slot filled: open, read the
// site's facts, record start and end; then the process ends, so that nothing is
// closed.
func BenchmarkRun(b *testing.B) {
	path := b.TempDir() + "/journal.db"
	ctx := b.Context()
	// Keeps the file in use, so that closing is cheap; it is not measured.
	daemon, err := Open(ctx, path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = daemon.Close() }()
	if err := daemon.SaveFacts(ctx, "blog", []byte(`{"zone":"Asia/Seoul"}`), time.Now()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := benchmarkedRun(b, path); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkedRun(b *testing.B, path string) error {
	b.Helper()
	ctx := b.Context()
	j, err := Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() {
		b.StopTimer()
		_ = j.Close()
		b.StartTimer()
	}()
	r := aRun("a")
	if err := j.StartRun(ctx, r); err != nil {
		return err
	}
	if _, _, err := j.Facts(ctx, "blog"); err != nil {
		return err
	}
	r.Ended = r.Started
	return j.EndRun(ctx, r)
}
