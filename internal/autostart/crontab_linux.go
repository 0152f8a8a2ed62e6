package autostart

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// crontabs finds lines of cron that start the program, in the system's tables,
// in those of people and among the scripts of each hour, day, week and month.
func (m matcher) crontabs(ctx context.Context, root string, found *Found) {
	tables := []string{under(root, "/etc/crontab"), under(root, "/etc/anacrontab")}
	for _, pattern := range []string{"/etc/cron.d/*", "/var/spool/cron/*", "/var/spool/cron/crontabs/*"} {
		files, _ := filepath.Glob(under(root, pattern)) // the pattern is sound
		tables = append(tables, files...)
	}
	for _, file := range tables {
		text, err := os.ReadFile(file)
		if info, statErr := os.Stat(file); statErr == nil && info.IsDir() {
			continue
		}
		switch {
		case errors.Is(err, fs.ErrPermission):
			found.Unread = append(found.Unread, file)
		case err == nil:
			found.Entries = append(found.Entries, m.table(file, string(text))...)
		}
	}
	for _, every := range []string{"hourly", "daily", "weekly", "monthly"} {
		scripts, _ := filepath.Glob(under(root, "/etc/cron."+every+"/*")) // the pattern is sound
		for _, file := range scripts {
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			if yes, detached := m.script(string(text)); yes {
				found.Entries = append(found.Entries, Entry{Kind: "cron." + every, Where: file, Command: file, Detached: detached})
			}
		}
	}
	if _, err := os.ReadDir(under(root, "/var/spool/cron/crontabs")); errors.Is(err, fs.ErrPermission) {
		found.Unread = append(found.Unread, "the crontabs of other users")
		found.Entries = append(found.Entries, m.table("your crontab (crontab -e)", ownCrontab(ctx))...)
	}
}

// table reads a table of cron. Whatever stands before the command (five fields
// or a word like @reboot, in the system's own a user) is no program's name.
func (m matcher) table(where, text string) []Entry {
	var out []Entry
	for line := range strings.Lines(text) {
		line = oneLine(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if yes, detached := m.starts(line); yes {
			out = append(out, Entry{Kind: "crontab", Where: where, Command: line, Detached: detached})
		}
	}
	return out
}

// ownCrontab asks for the table of the user at work, whose file is readable to
// cron alone.
func ownCrontab(ctx context.Context) string {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	text, err := exec.CommandContext(ctx, "crontab", "-l").Output()
	if err != nil { // without a table it says so and fails
		return ""
	}
	return string(text)
}
