package sim

import (
	"fmt"
	"strings"
	"sync"
	"time"
)

// tracer keeps a readable account of a history.
type tracer struct {
	root  string // of the machines' disks, left out
	mu    sync.Mutex
	lines []string
}

func (t *tracer) add(loc *time.Location, who, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, fmt.Sprintf("%s %-2s %s", time.Now().In(loc).Format("02 Jan 15:04:05.000"), who, strings.ReplaceAll(text, t.root, "")))
}

// last gives the last n lines.
func (t *tracer) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines[max(0, len(t.lines)-n):], "\n")
}

// Write takes the programs' log.
func (t *tracer) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, "                           "+strings.TrimSpace(string(b)))
	return len(b), nil
}
