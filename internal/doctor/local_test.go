package doctor_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"morrow/internal/autostart"
	"morrow/internal/doctor"
	"morrow/internal/source"
)

func TestAutostarts(t *testing.T) {
	t.Parallel()
	unit := autostart.Entry{Kind: "systemd unit", Where: "/etc/systemd/system/morrow.service", Command: "morrow serve"}
	cron := autostart.Entry{Kind: "crontab", Where: "/etc/crontab", Command: "morrow run"}
	with := func(e autostart.Entry, change func(*autostart.Entry)) autostart.Entry {
		change(&e)
		return e
	}
	off := with(unit, func(e *autostart.Entry) { e.Off = true })
	tests := []struct {
		name  string
		found autostart.Found
		level doctor.Level
		says  string
		count int
	}{
		{"one", autostart.Found{Entries: []autostart.Entry{unit}}, doctor.OK, "systemd unit /etc/systemd/system/morrow.service", 1},
		{"one, another off", autostart.Found{Entries: []autostart.Entry{cron, off}}, doctor.OK, "crontab /etc/crontab", 1},
		{"two", autostart.Found{Entries: []autostart.Entry{unit, cron}}, doctor.Warn, "2 things start it", 1},
		{"none", autostart.Found{}, doctor.Warn, "nothing starts Morrow", 1},
		{"one that is off", autostart.Found{Entries: []autostart.Entry{off}}, doctor.Warn, "switched off", 1},
		{"twice", autostart.Found{Entries: []autostart.Entry{with(unit, func(e *autostart.Entry) { e.Twice = true })}}, doctor.Warn, "a second one while the first", 1},
		{"detached", autostart.Found{Entries: []autostart.Entry{with(unit, func(e *autostart.Entry) { e.Detached = true })}}, doctor.Warn, "uses `start`", 1},
		{"unread", autostart.Found{Entries: []autostart.Entry{unit}, Unread: []string{"/var/spool/cron"}}, doctor.Warn, "could not look at /var/spool/cron", 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := doctor.Autostarts(tt.found, false)
			last := got[len(got)-1]
			if len(got) != tt.count || last.Level != tt.level || !strings.Contains(last.Meaning, tt.says) || (last.Remedy == "") != (tt.level == doctor.OK) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		dir   string
		level doctor.Level
		says  string
	}{
		"there":         {dir, doctor.OK, dir},
		"to be made":    {filepath.Join(dir, "a", "b"), doctor.OK, "to be made"},
		"below a file":  {filepath.Join(file, "a"), doctor.Fail, "can't write"},
		"a file itself": {file, doctor.Fail, "can't write to " + file},
	} {
		f := doctor.Folder("state_folder", tt.dir, "state_dir: names it")
		if f.Level != tt.level || !strings.Contains(f.Meaning, tt.says) {
			t.Errorf("%s: %+v", name, f)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestQueue(t *testing.T) {
	t.Parallel()
	ready, faulty, held := source.Entry{Name: "a.md", State: source.Ready}, source.Entry{Name: "b.md", State: source.Faulty}, source.Entry{Name: "c.md", State: source.Held}
	for name, tt := range map[string]struct {
		entries []source.Entry
		err     error
		made    bool
		level   doctor.Level
		says    string
	}{
		"ready":          {[]source.Entry{ready, held}, nil, false, doctor.OK, "1 post is ready"},
		"none ready":     {[]source.Entry{held}, nil, false, doctor.Warn, "nothing is ready in here"},
		"made":           {nil, nil, true, doctor.OK, "a command makes"},
		"faulty":         {[]source.Entry{ready, faulty}, nil, false, doctor.Warn, "1 file can't go out as it is: b.md"},
		"can't be read":  {nil, errors.New("open queue: gone"), false, doctor.Fail, "open queue: gone"},
		"many are named": {[]source.Entry{faulty, faulty, faulty, faulty}, nil, false, doctor.Warn, "4 files can't go out as they are: b.md, b.md, b.md and 1 more"},
	} {
		if f := doctor.Queue("here", tt.entries, tt.err, tt.made); f.Level != tt.level || !strings.Contains(f.Meaning, tt.says) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
