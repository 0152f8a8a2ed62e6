//go:build morrow_killpoint

package publish

import "os"

// killpoint kills the process, as kill -9 would, at the beginning of the step
// that MORROW_KILL_AT names.
func killpoint(s step) {
	if os.Getenv("MORROW_KILL_AT") != string(s) {
		return
	}
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {} // the signal is on its way: go no further
}
