package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"morrow/internal/config"
)

func TestLoggerPartsLevels(t *testing.T) {
	t.Parallel()
	var stderr, file bytes.Buffer
	log := newLogger(leveled{&stderr, zerolog.ErrorLevel}, &leveled{&file, zerolog.InfoLevel})
	log.Debug().Msg("one")
	log.Info().Msg("two")
	log.Error().Msg("three")
	if got := stderr.String(); strings.Contains(got, "two") || !strings.Contains(got, "three") {
		t.Errorf("stderr has %q, want only errors", got)
	}
	if got := file.String(); strings.Contains(got, "one") || !strings.Contains(got, "two") || !strings.Contains(got, "three") {
		t.Errorf("the file has %q, want infos and errors", got)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestB84FullDiskIsToldOnce: a log that can't be written stops nothing.
func TestB84FullDiskIsToldOnce(t *testing.T) {
	t.Parallel()
	told := 0
	f := &forgiving{Writer: fullDisk{}, warn: func(string, ...any) { told++ }}
	for range 3 {
		if n, err := f.Write([]byte("line")); n != 4 || err != nil {
			t.Errorf("Write = %d, %v; want it to seem written", n, err)
		}
	}
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}

// TestPruneRunLogs: only logs of manual runs go, and only old ones.
func TestPruneRunLogs(t *testing.T) {
	t.Parallel()
	cfg := &config.Config{StateDir: t.TempDir()}
	if err := os.Mkdir(logDir(cfg), 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)
	old := runLogName(newRunID(now.AddDate(0, 0, -31)))
	stay := []string{
		runLogName(newRunID(now.AddDate(0, 0, -29))), runLogName(newRunID(now)),
		"serve.log", "run-1.log", "run-20200101.log", strings.TrimPrefix(old, "run-"), old + ".gz",
	}
	for _, name := range append(stay, old) {
		if err := os.WriteFile(filepath.Join(logDir(cfg), name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pruneRunLogs(cfg, now)
	entries, err := os.ReadDir(logDir(cfg))
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	slices.Sort(stay)
	if diff := cmp.Diff(stay, left); diff != "" {
		t.Errorf("what stays (-want +got):\n%s", diff)
	}
	pruneRunLogs(&config.Config{StateDir: filepath.Join(cfg.StateDir, "none")}, now)
}

func TestProgressWritesOverItself(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &progress{w: &out}
	p.job("daily")("look")
	p.job("daily")("pick up")
	p.clear()
	want := "\rdaily: look…\rdaily: pick up…\r" + strings.Repeat(" ", len([]rune("daily: pick up…"))) + "\r"
	if got := out.String(); got != want {
		t.Errorf("progress wrote %q, want %q", got, want)
	}
	if newProgress(&out) != nil {
		t.Error("a pipe shows progress")
	}
}
