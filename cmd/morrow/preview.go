package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"morrow/internal/compose"
	"morrow/internal/config"
	"morrow/internal/source"
)

func (p *program) previewCommand() *cobra.Command {
	var jobName string
	var open bool
	cmd := &cobra.Command{
		Use:   "preview FILE",
		Short: "Print what would be sent of a file, or show in the browser how it will look",
		Args:  oneFile,
		RunE:  func(cmd *cobra.Command, args []string) error { return p.preview(cmd.Context(), args[0], jobName, open) },
	}
	cmd.Flags().StringVar(&jobName, "job", "", "the `job` whose format and post type count, if it can't be told from the file's folder")
	cmd.Flags().BoolVar(&open, "open", false, "open a page of it in the browser; nothing in it runs, and it asks no network")
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc("job", p.completeJobs)
	return cmd
}

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return &usageError{msg: "preview takes one file", hint: "like `morrow preview queue/010-first.md`"}
	}
	return nil
}

// preview shows a file as it would be sent, held or not.
func (p *program) preview(ctx context.Context, path, jobName string, open bool) error {
	job, err := p.jobOf(path, jobName)
	if err != nil {
		return err
	}
	e, err := source.ReadFile(path, job.Type, time.Local)
	if err != nil {
		return err
	}
	if e.Item == nil {
		return fmt.Errorf("%s is %s: %s", e.Name, e.State, e.Reason)
	}
	var address func(path string) string
	if open {
		address = dataAddress
	}
	// A picture that was saved this moment is shown too.
	soon := func() time.Time { return time.Now().Add(time.Minute) }
	d, err := compose.New(compose.Options{Job: job.Name, HTML: job.Format == "html", Now: soon}).Preview(ctx, *e.Item, address)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Name, err)
	}
	if e.State != source.Ready {
		p.warn("%s is %s: %s", e.Name, e.State, e.Reason)
	}
	for _, w := range d.Warnings {
		p.warn("%s: %s", e.Name, w)
	}
	if !open {
		p.say("%s", strings.TrimRight(d.Content, "\n"))
		return nil
	}
	return p.openPage(previewPage(d))
}

// openPage writes a page to a temporary file and opens it.
func (p *program) openPage(page string) error {
	file, err := os.CreateTemp("", "morrow-preview-*.html")
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	_, err = file.WriteString(page)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	p.say("%s", file.Name())
	if err := browser.OpenFile(file.Name()); err != nil {
		return fmt.Errorf("start a browser: %w; open %s by hand", err, file.Name())
	}
	return nil
}

// jobOf is the job that a file is previewed for: the one that is named, else the
// one in whose folder the file lies, else the only one. Without a configuration
// it is a job with its defaults.
func (p *program) jobOf(path, name string) (config.Job, error) {
	cfg, err := p.load(true)
	var none *config.NotFoundError
	switch {
	case errors.As(err, &none) && name == "":
		return config.Job{}, nil
	case err != nil:
		return config.Job{}, err
	case name != "":
		jobs, _, err := choose(cfg, []string{name}, false)
		if err != nil {
			return config.Job{}, err
		}
		return jobs[0], nil
	}
	for _, j := range cfg.Jobs {
		if liesIn(j.Source.Folder, path) {
			return j, nil
		}
	}
	if len(cfg.Jobs) == 1 {
		return cfg.Jobs[0], nil
	}
	return config.Job{}, nil
}

// liesIn says whether a file lies in a folder, or below it.
func liesIn(folder, path string) bool {
	resolved := func(p string) string {
		if abs, err := filepath.Abs(p); err == nil {
			p = abs
		}
		if target, err := filepath.EvalSymlinks(p); err == nil {
			p = target
		}
		return p
	}
	rel, err := filepath.Rel(resolved(folder), resolved(path))
	return err == nil && filepath.IsLocal(rel)
}
