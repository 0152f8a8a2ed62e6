package lock

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode"
)

// noteLimit bounds what is read and written of a note, in bytes.
const noteLimit = 4 << 10

// Holder describes the process that holds a lock. It informs people only.
type Holder struct {
	PID       int       `json:"pid"`
	ParentPID int       `json:"parent_pid"`
	Parent    string    `json:"parent"` // the parent's program name, if known
	Host      string    `json:"host"`
	User      string    `json:"user"`
	Started   time.Time `json:"started"`
	Command   string    `json:"command"`
}

func self(now time.Time) Holder {
	host, _ := os.Hostname()
	parent := os.Getppid()
	return Holder{
		PID:       os.Getpid(),
		ParentPID: parent,
		Parent:    programName(parent),
		Host:      host,
		User:      userName(),
		Started:   now,
		Command:   printable(strings.Join(os.Args, " ")),
	}
}

// note is the file in which a holder introduces itself. Every user's process
// writes to the same file, so whoever creates it opens it to all. Its faults
// are nobody's concern: without it the holder is unknown, and no more.
type note struct{ path string }

func (n note) write(h Holder) {
	text, err := json.Marshal(h)
	if err != nil || len(text) > noteLimit {
		return
	}
	n.put(text)
}

func (n note) clear() { n.put(nil) }

func (n note) put(text []byte) {
	f, err := os.OpenFile(n.path, os.O_WRONLY|safeFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if text == nil {
			return
		}
		f, err = createShared(n.path)
	}
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	if fi, err := f.Stat(); err != nil || !isPlain(fi) {
		return
	}
	if f.Truncate(0) == nil {
		_, _ = f.Write(text)
	}
}

func (n note) read() (h Holder) {
	f, err := os.OpenFile(n.path, os.O_RDONLY|safeFlags, 0)
	if err != nil {
		return Holder{}
	}
	defer func() { _ = f.Close() }()
	if fi, err := f.Stat(); err != nil || !isPlain(fi) {
		return Holder{}
	}
	text, err := io.ReadAll(io.LimitReader(f, noteLimit))
	if err != nil || json.Unmarshal(text, &h) != nil {
		return Holder{}
	}
	// Anybody may have written it, and it ends up on a terminal.
	for _, s := range []*string{&h.Parent, &h.Host, &h.User, &h.Command} {
		*s = printable(*s)
	}
	return h
}

// holder is what the note says of the holder of the lock at path, if it can be
// believed: a killed holder leaves its note behind for the next one.
func (n note) holder(path string) Holder {
	h := n.read()
	if pid, ok := kernelHolder(path); ok {
		if pid != h.PID {
			return Holder{PID: pid}
		}
		return h
	}
	// Another container's pids mean nothing here.
	if host, _ := os.Hostname(); h.Host == host && !alive(h.PID) {
		return Holder{}
	}
	return h
}

func printable(s string) string {
	const limit = 300
	clean := func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}
	runes := []rune(strings.Map(clean, s))
	return string(runes[:min(len(runes), limit)])
}
