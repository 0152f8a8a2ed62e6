//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience bounds every wait for a process or for the proxy.
const patience = 90 * time.Second

// process is one run of the program.
type process struct {
	rig            *rig
	cmd            *exec.Cmd
	stdout, stderr buffer
	ended          chan struct{}
}

// result is what became of a process.
type result struct {
	code           int // -1 if a signal ended it
	stdout, stderr string
	lines          []line
}

// line is a line of `run --json`.
type line struct {
	Outcome string     `json:"outcome"`
	DryRun  bool       `json:"dry_run"`
	Slots   []slotLine `json:"slots"`
	Error   *string    `json:"error"`
}

type slotLine struct {
	Slot    time.Time `json:"slot"`
	Outcome string    `json:"outcome"`
	Item    string    `json:"item"`
	Reason  string    `json:"reason"`
	Post    *post     `json:"post"`
}

type post struct {
	Status string `json:"status"`
	Slug   string `json:"slug"`
}

// buffer can be read while a process writes to it.
type buffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// command is the plain program with the rig's configuration.
func (r *rig) command(args ...string) *exec.Cmd { return r.commandOf(programs.plain, args...) }

// killed is `morrow run` that is killed at the beginning of a step.
func (r *rig) killed(step string) *exec.Cmd {
	cmd := r.commandOf(programs.killable, "run")
	cmd.Env = append(cmd.Env, "MORROW_KILL_AT="+step)
	return cmd
}

// held starts `morrow run --json`, which stands still at the beginning of a
// step, as its stderr says, until goOn is called.
func (r *rig) held(step string) (p *process, goOn func()) {
	r.Helper()
	cmd := r.commandOf(programs.killable, "run", "--json")
	cmd.Env = append(cmd.Env, "MORROW_WAIT_AT="+step)
	in, err := cmd.StdinPipe()
	r.must(err)
	return r.launch(cmd), func() { r.must(in.Close()) }
}

func (r *rig) commandOf(program func() (string, error), args ...string) *exec.Cmd {
	r.Helper()
	path, err := program()
	r.must(err)
	cmd := exec.Command(path, args...) //nolint:noctx // ended by launch
	cmd.Dir = "/"
	cmd.Env = []string{"MORROW_CONFIG=" + r.path("config.yaml"), "PW=" + r.password, "HOME=" + r.dir, "PATH=" + os.Getenv("PATH")}
	if r.as != nil {
		r.as(cmd)
	}
	return cmd
}

// launch starts a command, which is killed when the test ends.
func (r *rig) launch(cmd *exec.Cmd) *process {
	r.Helper()
	p := &process{rig: r, cmd: cmd, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &p.stdout, &p.stderr
	r.must(cmd.Start())
	go func() {
		defer close(p.ended)
		_ = cmd.Wait() // its state tells
	}()
	r.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-p.ended
	})
	return p
}

func (r *rig) start(args ...string) *process { r.Helper(); return r.launch(r.command(args...)) }

// run runs the program to its end.
func (r *rig) run(args ...string) result { r.Helper(); return r.start(args...).wait() }

// says waits for a word on the process's stderr.
func (p *process) says(word string) {
	p.rig.Helper()
	p.rig.until("the process to say "+word, func() bool {
		select {
		case <-p.ended:
			p.rig.Fatalf("the process ended without saying %q: %s%s", word, &p.stdout, &p.stderr)
		default:
		}
		return strings.Contains(p.stderr.String(), word)
	})
}

// wait gives what became of the process. Whatever it said is free of the
// password.
func (p *process) wait() result {
	p.rig.Helper()
	return p.within(patience)
}

// within is wait for a process that may take this long.
func (p *process) within(d time.Duration) result {
	p.rig.Helper()
	timeout := time.NewTimer(d)
	defer timeout.Stop()
	select {
	case <-p.ended:
	case <-timeout.C:
		p.rig.Fatalf("%q runs for %s\nstdout: %s\nstderr: %s", p.cmd.Args, d, &p.stdout, &p.stderr)
	}
	res := result{code: p.cmd.ProcessState.ExitCode(), stdout: p.stdout.String(), stderr: p.stderr.String()}
	if p.rig.leaks(res.stdout + res.stderr) {
		p.rig.Errorf("the password stands in the output\nstdout: %s\nstderr: %s", res.stdout, res.stderr)
	}
	for text := range strings.Lines(res.stdout) {
		var l line
		if strings.HasPrefix(text, "{") {
			p.rig.must(json.Unmarshal([]byte(text), &l))
			res.lines = append(res.lines, l)
		}
	}
	return res
}

func (p *process) signal(s syscall.Signal) {
	p.rig.Helper()
	p.rig.must(p.cmd.Process.Signal(s))
}

// stop is kill -STOP. It waits until the process stands: on a busy machine it
// runs on for a while.
func (p *process) stop() {
	p.rig.Helper()
	p.signal(syscall.SIGSTOP)
	p.rig.until("the process to stand still", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
		p.rig.must(err)
		_, state, _ := strings.Cut(string(stat), ") ")
		return strings.HasPrefix(state, "T")
	})
}

// kill is kill -9.
func (p *process) kill() {
	p.rig.Helper()
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.rig.Fatal(err)
	}
	if res := p.wait(); res.code != -1 {
		p.rig.Fatalf("the process was not killed: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
	}
}

// want holds the result to an exit code and the outcome of its only job.
func (res result) want(r *rig, code int, outcome string) slotLine {
	r.Helper()
	if res.code != code || len(res.lines) != 1 || res.lines[0].Outcome != outcome {
		r.Fatalf("got exit code %d, want %d and %s\nstdout: %s\nstderr: %s", res.code, code, outcome, res.stdout, res.stderr)
	}
	if len(res.lines[0].Slots) == 0 {
		return slotLine{}
	}
	return res.lines[0].Slots[0]
}

// together starts n processes of the program at one instant: each has been
// loaded as a shell that waits for the same pipe to close.
func (r *rig) together(n int, args ...string) []*process {
	r.Helper()
	gate, opener, err := os.Pipe()
	r.must(err)
	procs := make([]*process, n)
	for i := range procs {
		cmd := r.command(args...)
		cmd.Args = append([]string{"sh", "-c", `read -r line; exec "$0" "$@"`, cmd.Path}, args...)
		cmd.Path, err = exec.LookPath("sh")
		r.must(err)
		cmd.Stdin = gate
		procs[i] = r.launch(cmd)
	}
	r.must(gate.Close())
	r.must(opener.Close())
	return procs
}
