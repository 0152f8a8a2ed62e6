package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/rs/zerolog"
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
