// Command morrow books tomorrow's post on a WordPress site, exactly once.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"morrow/internal/config"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// The first signal ends the context; from then on a second one kills.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit codes.
const (
	exitOK      = 0
	exitFailed  = 1
	exitUsage   = 2
	exitNothing = 3
	exitUnknown = 4
	exitBusy    = 75 // EX_TEMPFAIL of sysexits.h
)

// program is what all commands share: the global flags, the streams, and what
// the machine says of time and environment.
type program struct {
	stdout, stderr io.Writer
	env            func(string) (string, bool)
	now            func() time.Time

	configFlag string
	levelFlag  string
	formatFlag string
}

// run executes one command line and gives the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdout: stdout, stderr: stderr, env: os.LookupEnv, now: time.Now}
	root := p.root() //nolint:contextcheck // cobra hands the context on
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return p.exit(root.ExecuteContext(ctx))
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "morrow",
		Short:         "Books tomorrow's post on a WordPress site, exactly once",
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
	}
	flags := root.PersistentFlags()
	flags.StringVar(&p.configFlag, "config", "", "configuration `file` (else $MORROW_CONFIG, the user's, the system's)")
	flags.StringVar(&p.levelFlag, "log-level", "", "what is logged: debug, info, warn or error")
	flags.StringVar(&p.formatFlag, "log-format", "", "how the log looks on stderr: text or json")
	for flag, words := range map[string][]string{"log-level": {"debug", "info", "warn", "error"}, "log-format": {"text", "json"}} {
		// It fails only for a flag that is not there.
		_ = root.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := "`" + cmd.CommandPath() + " --help` lists the flags"
		if strings.Contains(err.Error(), "duration") {
			hint = "a duration is a number and a unit, like 5s or 2m"
		}
		return &usageError{msg: err.Error(), hint: hint}
	})
	root.AddCommand(p.initCommand(), p.runCommand(), p.serveCommand(), p.statusCommand(), p.queueCommand(), p.previewCommand(), p.doctorCommand(), p.notifyCommand(), p.demoCommand(), p.versionCommand())
	return root
}

func unknownCommand(cmd *cobra.Command, name string) error {
	known := make([]string, 0, len(cmd.Commands()))
	for _, c := range cmd.Commands() {
		known = append(known, c.Name())
	}
	hint := "the commands are " + strings.Join(known, ", ")
	if near := config.Nearest(name, known); near != "" {
		hint = "did you mean `morrow " + near + "`?"
	}
	return &usageError{msg: fmt.Sprintf("there is no command %q", name), hint: hint}
}

// usageError is a fault of the command line or of the configuration.
type usageError struct{ msg, hint string }

func (e *usageError) Error() string { return e.msg }

// codeError ends a command whose output has said already what happened.
type codeError int

func (e codeError) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// exit says what ended the command and gives its exit code.
func (p *program) exit(err error) int {
	var code codeError
	var usage *usageError
	var bad *config.Error
	var none *config.NotFoundError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		p.complain(usage.msg, usage.hint)
		return exitUsage
	case errors.As(err, &bad):
		var hints []string
		for _, problem := range bad.Problems {
			p.complain(problem.String(), "")
			if !slices.Contains(hints, problem.Hint) {
				hints = append(hints, problem.Hint)
			}
		}
		for _, hint := range hints {
			p.complain("", hint)
		}
		return exitUsage
	case errors.As(err, &none):
		p.complain(none.Error(), "`morrow init` asks a few questions and writes one; `morrow demo` needs none")
		return exitUsage
	default:
		p.complain(err.Error(), "")
		return exitFailed
	}
}

// complain writes an error line and a hint line; either may be empty.
func (p *program) complain(msg, hint string) {
	if msg != "" {
		_, _ = fmt.Fprintln(p.stderr, "error: "+visible(msg))
	}
	if hint != "" {
		_, _ = fmt.Fprintln(p.stderr, "hint: "+visible(hint))
	}
}

// warn tells a person of something that stops nothing.
func (p *program) warn(format string, args ...any) {
	_, _ = fmt.Fprintln(p.stderr, "warning: "+visible(fmt.Sprintf(format, args...)))
}

// say writes a line of a result.
func (p *program) say(format string, args ...any) {
	_, _ = fmt.Fprintln(p.stdout, visible(fmt.Sprintf(format, args...)))
}
