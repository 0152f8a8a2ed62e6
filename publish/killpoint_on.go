//go:build morrow_killpoint

package publish

import (
	"fmt"
	"io"
	"os"
)

// killpoint kills the process, as kill -9 would, at the beginning of the step
// that MORROW_KILL_AT names. At the one that MORROW_WAIT_AT names it waits
// until standard input ends.
func killpoint(s step) {
	if os.Getenv("MORROW_WAIT_AT") == string(s) {
		_, _ = fmt.Fprintln(os.Stderr, "waits at", s)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	if os.Getenv("MORROW_KILL_AT") != string(s) {
		return
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {} // the signal is on its way: go no further
}
