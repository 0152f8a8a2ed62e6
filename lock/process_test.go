package lock

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// helperEnv makes the test binary play another process: "action dir".
const helperEnv = "MORROW_LOCK_TEST_HELPER"

func TestMain(m *testing.M) {
	if action, dir, ok := strings.Cut(os.Getenv(helperEnv), " "); ok {
		if err := playHelper(action, dir); err != nil {
			say("error:", err)
		}
		return
	}
	m.Run()
}

// playHelper waits for a line on stdin, tries the lock, says what came of it,
// and holds what it got until stdin ends.
func playHelper(action, dir string) error {
	in := bufio.NewReader(os.Stdin)
	if action == "idle" {
		_, err := in.ReadString(0)
		return ignoreEOF(err)
	}
	prepareHelper(action)
	if _, err := in.ReadString('\n'); err != nil {
		return err
	}
	l, err := New(Options{Dir: dir, Site: site})
	if err != nil {
		return err
	}
	release, ok, err := l.Acquire(context.Background(), 0)
	if err != nil {
		return err
	}
	if !ok {
		say("busy")
		return nil
	}
	if action == "parent" {
		child := exec.CommandContext(context.Background(), os.Args[0])
		child.Env = []string{helperEnv + "=idle " + dir}
		child.Stdin = os.Stdin
		if err := child.Start(); err != nil {
			return err
		}
		say("held", child.Process.Pid)
	} else {
		say("held")
	}
	if _, err := in.ReadString(0); ignoreEOF(err) != nil {
		return err
	}
	return release()
}

func say(words ...any) { _, _ = fmt.Fprintln(os.Stdout, words...) }

func ignoreEOF(err error) error {
	if err == io.EOF { //nolint:errorlint // a Reader's own EOF
		return nil
	}
	return err
}

type helper struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startHelper starts a helper process; it is gone when the test ends.
func startHelper(t *testing.T, action, dir string, options ...func(*exec.Cmd)) *helper {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), helperEnv+"="+action+" "+dir)
	cmd.Stderr = os.Stderr
	for _, option := range options {
		option(cmd)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h := &helper{cmd, in, bufio.NewReader(out)}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return h
}

// try lets the helper go and gives its answer: "held", "busy" or an error.
func (h *helper) try(t *testing.T) string {
	t.Helper()
	h.start(t)
	return h.answer(t)
}

func (h *helper) start(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(h.in, "go\n"); err != nil {
		t.Fatal(err)
	}
}

func (h *helper) answer(t *testing.T) string {
	t.Helper()
	line, err := h.out.ReadString('\n')
	if err != nil {
		t.Fatalf("read helper's answer: %v", err)
	}
	return strings.TrimSpace(line)
}

func (h *helper) kill(t *testing.T) {
	t.Helper()
	if err := h.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = h.cmd.Wait() // the kill is its error
}

func TestProcessesStartAtOnce(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	helpers := make([]*helper, 20)
	for i := range helpers {
		helpers[i] = startHelper(t, "hold", dir)
	}
	for _, h := range helpers {
		h.start(t)
	}
	count := map[string]int{}
	for _, h := range helpers {
		count[h.answer(t)]++
	}
	if count["held"] != 1 || count["busy"] != 19 {
		t.Errorf("answers %v, want one held and 19 busy", count)
	}
}

func TestKilledHolderFreesAtOnce(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	h := startHelper(t, "hold", dirOf(l))
	if got := h.try(t); got != "held" {
		t.Fatal(got)
	}
	wantBusy(t, l)
	holder, held, err := l.Holder()
	if err != nil || !held || holder.PID != h.cmd.Process.Pid || holder.ParentPID != os.Getpid() {
		t.Errorf("Holder = %+v, %v, %v; want process %d, child of this one", holder, held, err, h.cmd.Process.Pid)
	}
	if time.Since(holder.Started).Abs() > time.Minute {
		t.Errorf("started %v, want now", holder.Started)
	}
	h.kill(t)
	acquire(t, l)
}

func TestChildInheritsNoLock(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	h := startHelper(t, "parent", dirOf(l))
	pid, ok := strings.CutPrefix(h.try(t), "held ")
	child, err := strconv.Atoi(pid)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	h.kill(t)
	if !alive(child) {
		t.Fatal("the child ended with its parent, so that this test proves nothing")
	}
	acquire(t, l)
}
