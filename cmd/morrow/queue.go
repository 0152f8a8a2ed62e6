package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

func (p *program) queueCommand() *cobra.Command {
	var o viewOptions
	cmd := &cobra.Command{
		Use:               "queue [job…]",
		Short:             "List what waits to be booked, in order, and what does not and why",
		ValidArgsFunction: p.completeJobs,
		RunE: func(cmd *cobra.Command, names []string) error {
			o.names = names
			return p.queue(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.live, "live", false, "ask the sites which slots are free instead of telling what was last seen")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON line per job")
	return cmd
}

// queueLine is a job's queue as `--json` prints it.
type queueLine struct {
	Job     string      `json:"job"`
	Folder  string      `json:"folder"`
	Entries []entryLine `json:"entries"`
	Covers  *string     `json:"covers_until"` // the last slot before the first empty one
	Error   *string     `json:"error"`
}

func (p *program) queue(ctx context.Context, o viewOptions) error {
	cfg, jobs, err := p.jobsToSee(o)
	if err != nil {
		return err
	}
	j := p.openJournal(ctx, cfg, true)
	defer func() { _ = j.Close() }()
	var views []*view
	failed := false
	for _, job := range jobs {
		v, err := p.look(ctx, cfg, j, job, o.live)
		if err != nil {
			return err
		}
		views = append(views, v)
		failed = failed || v.fault != nil
		if !o.json {
			p.sayQueue(v)
			continue
		}
		line := queueLine{
			Job: job.Name, Folder: job.Source.String(), Entries: entryLines(v), Covers: stamp(v.coverage().until),
			Error: message(errors.Join(v.fault, v.liveError())),
		}
		if err := printJSON(p.stdout, line); err != nil {
			return err
		}
	}
	if failed {
		return codeError(exitFailed)
	}
	return seen(views)
}

func (p *program) sayQueue(v *view) {
	p.say("%s: %s", v.job.Name, v.job.Source)
	if err := v.liveError(); err != nil {
		p.say("  error: %s", err)
	}
	switch why := v.notKnown("queue"); {
	case v.fault != nil:
		p.say("  can't be read: %s", v.fault)
	case len(v.queue) == 0 && v.job.Source.Command != nil:
		p.say("  empty")
	case v.job.Source.Folder == "" && v.live == nil:
		p.say("  on the site: `morrow queue --live` asks it")
	case len(v.queue) == 0 && v.job.Source.Folder == "":
		p.say("  empty: give a draft that sign")
	case len(v.queue) == 0:
		p.say("  empty: put a Markdown file into it")
	case why != "":
		p.say("  (the slots are %s)", why)
	}
	for _, f := range v.queue {
		p.say("  %-28s %s", shown(f.Entry.Name), v.fate(f))
		if it := f.Entry.Item; it != nil {
			for _, w := range it.Warnings {
				p.say("  %-28s note: %s", "", w)
			}
		}
	}
	if forecast := v.forecast(); forecast != "" {
		p.say("  %s", forecast)
	}
}

func entryLines(v *view) []entryLine {
	out := make([]entryLine, 0, len(v.queue))
	for _, f := range v.queue {
		out = append(out, v.entryLine(f))
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
