package journal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// helperEnv makes the test binary play another process, of that name, in the
// journal's folder.
const helperEnv = "MORROW_JOURNAL_TEST_HELPER"

func TestMain(m *testing.M) {
	if name := os.Getenv(helperEnv); name != "" {
		if err := playHelper(name); err != nil {
			_, _ = fmt.Fprintln(os.Stdout, "error:", err)
		}
		return
	}
	m.Run()
}

// playHelper waits for a line, opens the journal and writes helperRuns runs,
// says so, and keeps it open until stdin ends.
func playHelper(name string) error {
	in := bufio.NewReader(os.Stdin)
	if _, err := in.ReadString('\n'); err != nil {
		return err
	}
	ctx := context.Background()
	j, err := Open(ctx, fileName)
	if err != nil {
		return err
	}
	for i := range helperRuns {
		r := aRun(fmt.Sprintf("%s-%d", name, i))
		if err := j.StartRun(ctx, r); err != nil {
			return err
		}
		r.Ended = r.Started
		if err := j.EndRun(ctx, r); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintln(os.Stdout, "written")
	if _, err := in.ReadString(0); err != io.EOF {
		return err
	}
	return j.Close()
}

const helperRuns = 5

type helper struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func helperCommand(t *testing.T, name, path string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Dir = filepath.Dir(path)
	cmd.Env = append(os.Environ(), helperEnv+"="+name)
	cmd.Stderr = os.Stderr
	return cmd
}

// startHelper starts a helper process; it is gone when the test ends.
func startHelper(t *testing.T, cmd *exec.Cmd) *helper {
	t.Helper()
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	h := &helper{cmd, in, bufio.NewReader(out)}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return h
}

func (h *helper) start(t *testing.T) {
	t.Helper()
	_, err := io.WriteString(h.in, "go\n")
	must(t, err)
}

// answer is the helper's word: "written" or an error.
func (h *helper) answer(t *testing.T) string {
	t.Helper()
	line, err := h.out.ReadString('\n')
	must(t, err)
	return strings.TrimSpace(line)
}

// wantWritten waits for the helper's word.
func (h *helper) wantWritten(t *testing.T) {
	t.Helper()
	if got := h.answer(t); got != "written" {
		t.Fatalf("helper: %s", got)
	}
}

// end ends the helper, in order or by force.
func (h *helper) end(t *testing.T, kill bool) {
	t.Helper()
	if kill {
		must(t, h.cmd.Process.Kill())
		_ = h.cmd.Wait() // the kill is its error
		return
	}
	must(t, h.in.Close())
	must(t, h.cmd.Wait())
}

func TestProcessesShareAFile(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"new": "", "damaged": strings.Repeat("junk", 2000)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), fileName)
			if content != "" {
				if runtime.GOOS == "windows" {
					t.Skip("no process can move a file that another has open, so that some go without")
				}
				must(t, os.WriteFile(path, []byte(content), 0o600))
			}
			helpers := make([]*helper, 10)
			for i := range helpers {
				helpers[i] = startHelper(t, helperCommand(t, strconv.Itoa(i), path))
			}
			for _, h := range helpers {
				h.start(t)
			}
			for _, h := range helpers {
				h.wantWritten(t)
			}
			if content != "" {
				return // what was written while the file was replaced may be lost
			}
			runs, err := openAt(t, path).Runs(t.Context(), "", 1000)
			if err != nil || len(runs) != len(helpers)*helperRuns {
				t.Errorf("%d runs, %v; want %d", len(runs), err, len(helpers)*helperRuns)
			}
		})
	}
}

// A dry run reads the newest rows and changes nothing on disk, whatever the
// process that writes does.
func TestReadOnlyLeavesNoTrace(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		end  func(t *testing.T, h *helper)
	}{
		{"while a process has it open", func(*testing.T, *helper) {}},
		{"closed", func(t *testing.T, h *helper) { t.Helper(); h.end(t, false) }},
		{"killed", func(t *testing.T, h *helper) { t.Helper(); h.end(t, true) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := newPath(t)
			h := startHelper(t, helperCommand(t, "x", path))
			h.start(t)
			h.wantWritten(t)
			tt.end(t, h)
			before := snapshot(t, filepath.Dir(path))

			j := openReadOnly(t, path)
			must(t, j.StartRun(t.Context(), aRun("never")))
			if got := runIDs(t, j); got != "x-4 x-3 x-2 x-1 x-0" {
				t.Errorf("runs %q", got)
			}
			must(t, j.Close())
			if diff := cmp.Diff(before, snapshot(t, filepath.Dir(path))); diff != "" {
				t.Errorf("on disk (-before +after):\n%s", diff)
			}
		})
	}
}

type fileState struct {
	Mode    os.FileMode
	ModTime time.Time
	Content string
}

func snapshot(t *testing.T, dir string) map[string]fileState {
	t.Helper()
	files := map[string]fileState{}
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		state := fileState{Mode: fi.Mode(), ModTime: fi.ModTime()}
		if fi.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			state.Content = string(content)
		}
		files[path] = state
		return nil
	}))
	return files
}

// Rows that come after the opening are seen, too.
func TestReadOnlyFollowsTheWriter(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	daemon := startHelper(t, helperCommand(t, "daemon", path))
	daemon.start(t)
	daemon.wantWritten(t)
	j := openReadOnly(t, path)
	manual := startHelper(t, helperCommand(t, "manual", path))
	manual.start(t)
	manual.wantWritten(t)
	if got := runIDs(t, j); !strings.Contains(got, "manual-4") {
		t.Errorf("runs %q", got)
	}
}
