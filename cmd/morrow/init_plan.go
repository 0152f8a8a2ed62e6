package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"morrow/internal/doctor"
	"morrow/internal/keyring"
)

// queue asks for the folder.
func (w *wizard) queue(ctx context.Context) error {
	usual := ""
	if home, err := os.UserHomeDir(); err == nil {
		usual = filepath.Join(home, "morrow", "queue")
	}
	w.say("\nPosts are Markdown files in a folder, taken in the order of their names.")
	for {
		text, err := w.answer(ctx, &w.o.folder, "folder", "Folder", usual)
		if err != nil {
			return err
		}
		dir, err := filepath.Abs(homely(text))
		if err != nil {
			return fmt.Errorf("find folder: %w", err)
		}
		if f := doctor.Folder("folder", dir, ""); f.Level != doctor.OK {
			if err := w.again(f.Meaning, "choose another folder"); err != nil {
				return err
			}
			continue
		}
		w.plan.folder = dir
		return nil
	}
}

// homely puts the home folder in for a tilde, which no shell does here.
func homely(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	home, err := os.UserHomeDir()
	if !ok || err != nil || rest != "" && !os.IsPathSeparator(rest[0]) {
		return path
	}
	return filepath.Join(home, rest)
}

// times asks when posts go live and when to look.
func (w *wizard) times(ctx context.Context) error {
	w.say("\nTimes are those of the site (%s).", cmp.Or(w.facts.Timezone, "its offset from UTC"))
	for _, q := range []struct {
		dst                           *string
		flag                          *string
		name, question, usual, reason string
	}{
		{&w.plan.publish, &w.o.publish, "publish", "When shall posts go live, each day", "08:00", ""},
		{&w.plan.check, &w.o.check, "check", "When shall Morrow look, for the slots to come", "21:00", ""},
	} {
		for *q.dst == "" {
			text, err := w.answer(ctx, q.flag, q.name, q.question, q.usual)
			if err != nil {
				return err
			}
			spec, err := clockOrCron(text)
			if err == nil {
				*q.dst = spec
				break
			}
			if err := w.again(err.Error(), "a time looks like 08:00, a cron expression like 0 8 * * 1-5"); err != nil {
				return err
			}
		}
	}
	return w.slotsAhead(ctx)
}

// clockOrCron reads a time of day as a cron expression, and checks one.
func clockOrCron(text string) (string, error) {
	hour, minute, ok := strings.Cut(text, ":")
	h, errH := strconv.Atoi(hour)
	m, errM := strconv.Atoi(minute)
	if ok && errH == nil && errM == nil {
		if h < 0 || h > 23 || m < 0 || m > 59 || len(minute) != 2 {
			return "", fmt.Errorf("%q is no time of a day", text)
		}
		return fmt.Sprintf("%d %d * * *", m, h), nil
	}
	return text, checkCron(text)
}

const (
	usualAhead  = 1
	sleepyAhead = 3 // a machine that is off over a weekend misses no slot
)

func (w *wizard) slotsAhead(ctx context.Context) error {
	for w.o.ahead != "" {
		n, err := strconv.Atoi(w.o.ahead)
		if err == nil && n >= 1 && n <= 100 {
			w.plan.ahead = n
			return nil
		}
		if err := w.again(fmt.Sprintf("--ahead wants a number from 1 to 100, got %q", w.o.ahead), ""); err != nil {
			return err
		}
		w.o.ahead = ""
	}
	asleep := sleeps()
	if !w.o.yes {
		var err error
		if asleep, err = w.confirm(ctx, "Is this machine asleep or switched off at times?", asleep); err != nil {
			return err
		}
	}
	w.plan.ahead = usualAhead
	if asleep {
		w.plan.ahead = sleepyAhead
	}
	return nil
}

// sleeps guesses whether this machine is switched off at times: servers run
// Linux and have no battery.
func sleeps() bool {
	batteries, _ := filepath.Glob("/sys/class/power_supply/BAT*") // the pattern is sound
	return runtime.GOOS != "linux" || len(batteries) > 0
}

// store asks where the password is kept.
func (w *wizard) store(ctx context.Context) error {
	if w.known != nil {
		return nil
	}
	closed := "" // why the keyring is
	if err := keyring.Available(); err != nil {
		closed = err.Error()
	}
	switch w.o.store {
	case "file":
		return nil
	case "keyring":
		if closed != "" {
			return fmt.Errorf("use the keyring: %s; --store file keeps the password in a file that only you can read", closed)
		}
		w.plan.keyring = true
		return nil
	case "":
	default:
		return &usageError{msg: fmt.Sprintf("--store wants keyring or file, got %q", w.o.store), hint: "file is a file that only you can read"}
	}
	if closed != "" || w.o.yes {
		w.plan.keyring = closed == ""
		return nil
	}
	w.say("\nThe system's keyring is open to you alone, while you are logged in. A service, which runs")
	w.say("as another user or before anybody logs in, can't read it: choose the file then.")
	way, err := w.choose(ctx, "Where shall the password be kept?", "in the system's keyring", "in a file beside the configuration that only you can read")
	w.plan.keyring = way == 1
	return err
}
