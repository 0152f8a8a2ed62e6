package lock

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func writeNote(t *testing.T, l *Locker, h Holder) {
	t.Helper()
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.note.path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestB79LeftoverNoteDecidesNothing(t *testing.T) {
	t.Parallel()
	ours := self(time.Now())
	container := ours
	container.PID = 1
	for name, left := range map[string]Holder{"our own pid": ours, "pid 1": container} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLocker(t, tempDir(t))
			writeNote(t, l, left)
			if _, held, err := l.Holder(); held || err != nil {
				t.Errorf("Holder = %v, %v; want free", held, err)
			}
			acquire(t, l)
		})
	}
}

func TestNoteOfAnotherProcess(t *testing.T) {
	t.Parallel()
	here := self(time.Now())
	dead, elsewhere := here, here
	dead.PID = 1 << 30
	elsewhere.Host, elsewhere.PID = "container", 1<<30
	tests := []struct {
		name string
		left Holder
		want Holder
	}{
		{"dead", dead, Holder{}},
		{"no process", Holder{}, Holder{}},
		{"another host's pid", elsewhere, elsewhere},
		{"alive", here, here},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := newLocker(t, tempDir(t))
			writeNote(t, l, tt.left)
			// A path without a lock: the kernel has nothing to say.
			if diff := cmp.Diff(tt.want, l.note.holder(l.Path())); diff != "" {
				t.Errorf("holder (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoteIsNotTrusted(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	h := self(time.Now())
	h.Command, h.User = "\x1b[2Jmorrow\n", strings.Repeat("x", 2000)
	writeNote(t, l, h)
	got := l.note.read()
	if got.Command != "?[2Jmorrow?" || len(got.User) != 300 {
		t.Errorf("command %q, user of %d bytes", got.Command, len(got.User))
	}
	for _, text := range []string{"", "{", "[]", "\x00", `{"pid":"1"}`, strings.Repeat("[", 1<<20)} {
		if err := os.WriteFile(l.note.path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := l.note.read(); got != (Holder{}) {
			t.Errorf("note %.10q read as %+v", text, got)
		}
	}
}

func TestUnwritableNoteFailsNothing(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	if err := os.Mkdir(l.note.path, 0o755); err != nil {
		t.Fatal(err)
	}
	release := acquire(t, l)
	if h, held, err := l.Holder(); !held || err != nil || h.Command != "" {
		t.Errorf("Holder = %+v, %v, %v; want held by an unknown process", h, held, err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
}
