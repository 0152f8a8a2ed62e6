package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/publish"
	"morrow/scheduler"
)

// TestDaemonTriesAgainWithoutPassword: a password that can't be read now (a
// locked keyring, a missing file) must not cost the slot.
func TestDaemonTriesAgainWithoutPassword(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "config.yaml")
	const text = `
sites: [{name: blog, url: "http://127.0.0.1:1", user: editor, password_file: missing}]
jobs: [{name: daily, site: blog, check: "@daily", publish: "0 8 * * *", source: {folder: queue}}]
state_dir: state
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path, config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 30, 21, 0, 0, 0, time.UTC)
	d := &daemon{
		program: &program{now: func() time.Time { return now }}, log: zerolog.Nop(),
		journal: journal.Discard(), zones: map[string]slots.Zone{},
	}
	d.use(t.Context(), cfg)
	want := scheduler.Again{At: now.Add(mendPause), Trigger: scheduler.Retry}
	if diff := cmp.Diff(want, d.Run(t.Context(), "daily", scheduler.Cron)); diff != "" {
		t.Errorf("next run (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(scheduler.Again{}, d.Run(t.Context(), "gone", scheduler.Cron)); diff != "" {
		t.Errorf("a job that was taken out (-want +got):\n%s", diff)
	}
}

// TestDaemonLearnsAFixedZone without a journal: it still is one that follows no
// summer time.
func TestDaemonLearnsAFixedZone(t *testing.T) {
	t.Parallel()
	offset, err := slots.NewZone("", 2)
	if err != nil {
		t.Fatal(err)
	}
	city, err := slots.NewZone("Asia/Seoul", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []slots.Zone{offset, city, {Loc: time.UTC}} {
		d := &daemon{log: zerolog.Nop(), journal: journal.Discard(), zones: map[string]slots.Zone{}}
		site := config.Site{URL: "https://blog.example.com", User: "editor"}
		d.learnZone(t.Context(), site, publish.Report{Slots: []publish.SlotReport{{Slot: time.Now().In(want.Loc)}}})
		if got, ok := d.zone(t.Context(), site); !ok || got != want {
			t.Errorf("zone = %v, %v; want %v", got, ok, want)
		}
	}
}
