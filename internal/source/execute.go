package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// drain is how long a command's output is waited for once the command has
// ended or was killed: what it left behind may keep the pipe open.
const drain = 2 * time.Second

var errSilent = errors.New("it printed nothing")

// run runs the command and gives what it printed.
func (c *Command) run(ctx context.Context, slot time.Time) ([]byte, error) {
	if c.o.Timeout > 0 {
		var done context.CancelFunc
		ctx, done = context.WithTimeoutCause(ctx, c.o.Timeout, fmt.Errorf("not done within %v, so it was killed with all it had started", c.o.Timeout))
		defer done()
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, c.o.Argv[0], c.o.Argv[1:]...) //nolint:gosec // the configuration names it, by design
	out := capped{limit: maxFile, full: func() { stop(errTooLarge) }}
	var said tail
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.o.Dir, &out, &said, drain
	cmd.Env = append(slices.Clone(c.o.Env), "MORROW_JOB="+c.o.Job, "MORROW_SLOT="+slot.Format(time.RFC3339))
	err := runTree(cmd)
	switch {
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, and left something behind
		err = nil
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	if err == nil && len(bytes.TrimSpace(out.kept.Bytes())) == 0 {
		err = errSilent
	}
	if why := said.lines(); err != nil && why != "" {
		err = fmt.Errorf("%w; it said: %s", err, why)
	}
	if err != nil {
		return nil, err
	}
	return out.kept.Bytes(), nil
}
