package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"morrow/internal/config"
	"morrow/wpclient"
)

// initOptions are the answers that stand on the command line.
type initOptions struct {
	url, user, name, folder, check, publish, ahead, store string
	passwordStdin, allowHTTP, add, yes, noBrowser         bool
}

func (p *program) initCommand() *cobra.Command {
	var o initOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Ask for site, account and folder, prove them, and write the configuration",
		Long: "Ask for site, account and folder, prove them against the site, and write the configuration.\n" +
			"Nothing is written before the last question, and nothing on the site. Every answer can be a flag.",
		Example: "  morrow init\n" +
			"  morrow init --yes --url blog.example.com --user editor --password-stdin < password.txt",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.setUp(cmd.Context(), cmd.InOrStdin(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.url, "url", "", "the site's address, as the browser shows it")
	f.StringVar(&o.user, "user", "", "the login that Morrow posts as")
	f.BoolVar(&o.passwordStdin, "password-stdin", false, "read the application password, one line, from standard input")
	f.BoolVar(&o.allowHTTP, "allow-http", false, "accept that the password travels unencrypted")
	f.StringVar(&o.folder, "folder", "", "the `folder` of your posts")
	f.StringVar(&o.publish, "publish", "", "when posts go live: a `time` like 08:00, or a cron expression")
	f.StringVar(&o.check, "check", "", "when to look: a `time` like 21:00, or a cron expression")
	f.StringVar(&o.ahead, "ahead", "", "how many `slots` to keep booked, 1 to 100")
	f.StringVar(&o.store, "store", "", "where the password is kept: keyring or file")
	f.StringVar(&o.name, "name", "", "what the site is called in the configuration")
	f.BoolVar(&o.add, "add", false, "add a job to the configuration that is there")
	f.BoolVar(&o.noBrowser, "no-browser", false, "open no page")
	f.BoolVar(&o.yes, "yes", false, "ask nothing: take the usual answer where no flag gives another")
	return cmd
}

// wizard is what has been answered and proved so far.
type wizard struct {
	*program
	*asker
	o initOptions

	path string         // of the configuration
	old  *config.Config // to which a job is added; nil for a new one

	place wpclient.Place
	known *config.Site // the site, where old has it
	// login is how the site is asked, its password included.
	login wpclient.Options
	facts wpclient.Facts
	plan  plan
}

func (p *program) setUp(ctx context.Context, stdin io.Reader, o initOptions) error {
	w := &wizard{program: p, asker: newAsker(stdin, p.stdout), o: o}
	if o.passwordStdin {
		text, err := awaited(ctx, w.line)
		if err != nil {
			return err
		}
		w.login.Password = text
		if w.terminal == nil {
			w.o.yes = true // nobody is there to be asked
		}
	}
	for _, step := range []func(context.Context) error{
		w.where, w.address, w.account, w.queue, w.times, w.store, w.write, w.prove,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// answer takes what a flag says, once; then the usual answer, or a person's.
func (w *wizard) answer(ctx context.Context, flag *string, name, question, usual string) (string, error) {
	if given := *flag; given != "" {
		*flag = ""
		return given, nil
	}
	if w.o.yes {
		if usual == "" {
			return "", &usageError{msg: "--yes asks nothing, and --" + name + " is not given", hint: "give --" + name + ", or leave --yes out"}
		}
		return usual, nil
	}
	return w.prompt(ctx, question, usual)
}

// again tells what is wrong with an answer and, where a person sits, lets it be
// given anew.
func (w *wizard) again(msg, hint string) error {
	if w.o.yes {
		return &usageError{msg: msg, hint: hint}
	}
	w.say("  ✗ %s", msg)
	if hint != "" {
		w.say("    %s", hint)
	}
	return nil
}

// where finds out where the configuration goes, and never over another one.
func (w *wizard) where(ctx context.Context) error {
	found, err := config.Find(w.configFlag, w.env)
	var none *config.NotFoundError
	switch {
	case err == nil:
		return w.exists(ctx, found)
	case errors.As(err, &none):
		w.path = none.Looked[0]
	default:
		env, _ := w.env(config.PathVariable)
		path, absErr := filepath.Abs(cmp.Or(w.configFlag, env))
		if absErr != nil || !errors.Is(err, os.ErrNotExist) {
			return asUsage(err)
		}
		w.path = path
	}
	w.say("This sets Morrow up, and writes nothing before the last question. Ctrl-C stops it.\n")
	return nil
}

// exists lets a person choose what becomes of a configuration that is there.
func (w *wizard) exists(ctx context.Context, found string) error {
	w.say("There is a configuration already: %s", found)
	w.path = found
	way := 1
	if !w.o.add {
		if w.o.yes {
			return &usageError{msg: "nothing is written over " + found, hint: "--add adds a job to it; --config names another file"}
		}
		var err error
		if way, err = w.choose(ctx, "What shall be done?", "add a job to it", "write another file", "leave it as it is"); err != nil {
			return err
		}
	}
	switch way {
	case 1:
		w.configFlag = found
		cfg, err := w.load(false)
		if err != nil {
			return err
		}
		w.old = cfg
		return nil
	case 2:
		path, err := w.prompt(ctx, "Which file", filepath.Join(filepath.Dir(found), "another.yaml"))
		if err != nil {
			return err
		}
		w.configFlag = homely(path)
		return w.where(ctx)
	}
	return codeError(exitOK)
}
