package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// progress shows a person who waits what is being done, in one line that is
// written over. Its nil pointer shows nothing.
type progress struct {
	w     io.Writer
	mu    sync.Mutex
	width int
}

// newProgress makes one where a person sits at the other end, else nil.
func newProgress(w io.Writer) *progress {
	if !isTerminal(w) {
		return nil
	}
	return &progress{w: w}
}

// job gives the function that tells the steps of one job.
func (p *progress) job(name string) func(step string) {
	if p == nil {
		return nil
	}
	return func(step string) { p.show(name + ": " + step + "…") }
}

// clear takes the line away, so that a result can stand in its place.
func (p *progress) clear() {
	if p != nil {
		p.show("")
	}
}

func (p *progress) show(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// Blanks instead of a control sequence: every console knows them.
	width := len([]rune(text))
	pad := strings.Repeat(" ", max(0, p.width-width))
	_, _ = fmt.Fprint(p.w, "\r"+text+pad)
	if text == "" {
		_, _ = fmt.Fprint(p.w, "\r")
	}
	p.width = width
}
