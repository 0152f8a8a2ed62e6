package main

import (
	"context"

	"github.com/spf13/cobra"
)

func (p *program) queueCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "List what waits to be booked, in order, and what does not and why",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.queue(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON line per job")
	return cmd
}

// queueLine is a job's queue as `--json` prints it.
type queueLine struct {
	Job     string      `json:"job"`
	Folder  string      `json:"folder"`
	Entries []entryLine `json:"entries"`
	Error   *string     `json:"error"`
}

func (p *program) queue(ctx context.Context, asJSON bool) error {
	cfg, err := p.loadForReading()
	if err != nil {
		return err
	}
	j := p.openJournal(ctx, cfg, true)
	defer func() { _ = j.Close() }()
	failed := false
	for _, job := range cfg.Jobs {
		v, err := p.look(ctx, cfg, j, job, nil)
		if err != nil {
			return err
		}
		failed = failed || v.fault != nil
		if !asJSON {
			p.sayQueue(v)
			continue
		}
		line := queueLine{Job: job.Name, Folder: job.Source.Folder, Entries: entryLines(v), Error: message(v.fault)}
		if err := printJSON(p.stdout, line); err != nil {
			return err
		}
	}
	if failed {
		return codeError(exitFailed)
	}
	return nil
}

func (p *program) sayQueue(v *view) {
	p.say("%s: %s", v.job.Name, v.job.Source.Folder)
	switch {
	case v.fault != nil:
		p.say("  can't be read: %s", v.fault)
	case len(v.queue) == 0:
		p.say("  empty: put a Markdown file into it")
	}
	if !v.known && v.fault == nil {
		p.say("  (the site was not asked yet, so its slots are not known; `morrow run --dry-run` asks it)")
	}
	for _, f := range v.queue {
		l := newEntryLine(f)
		p.say("  %-28s %s", l.Name, l.text(f))
		for _, w := range l.Warnings {
			p.say("  %-28s note: %s", "", w)
		}
	}
}

func entryLines(v *view) []entryLine {
	out := make([]entryLine, 0, len(v.queue))
	for _, f := range v.queue {
		out = append(out, newEntryLine(f))
	}
	return out
}

// message is an error's text for a JSON line; nil for none.
func message(err error) *string {
	if err == nil {
		return nil
	}
	text := err.Error()
	return &text
}
