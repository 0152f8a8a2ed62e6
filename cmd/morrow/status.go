package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/lock"
	"morrow/publish"
)

const (
	// lastRuns is how many past runs status lists, checksAhead how many ticks.
	lastRuns    = 5
	checksAhead = 3
)

func (p *program) statusCommand() *cobra.Command {
	var o viewOptions
	cmd := &cobra.Command{
		Use:               "status [job…]",
		Short:             "Show slots, bookings, next checks, the queue's forecast and the last runs",
		ValidArgsFunction: p.completeJobs,
		RunE: func(cmd *cobra.Command, names []string) error {
			o.names = names
			return p.status(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.live, "live", false, "ask the sites now instead of telling what was last seen")
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON line per job")
	return cmd
}

// statusLine is a job's status as `--json` prints it.
type statusLine struct {
	Job    string           `json:"job"`
	Site   string           `json:"site"`
	URL    string           `json:"url"`
	Live   bool             `json:"live"`
	Zone   *string          `json:"zone"`
	Slots  []statusSlotLine `json:"slots"`
	Checks []string         `json:"next_checks"`
	Daemon *lock.Holder     `json:"daemon"` // who holds the daemon's lock
	Lock   *lock.Holder     `json:"lock"`   // who holds the site's lock
	Queue  []entryLine      `json:"queue"`
	Covers *string          `json:"covers_until"` // the last slot before the first empty one
	Runs   []statusRunLine  `json:"runs"`
	Error  *string          `json:"error"`
}

type statusSlotLine struct {
	Slot   string           `json:"slot"`
	State  string           `json:"state"` // taken, free, unknown, too_late
	Item   string           `json:"item"`
	Reason string           `json:"reason"`
	Post   *publish.PostRef `json:"post"`
	Seen   *string          `json:"seen"`
}

type statusRunLine struct {
	Run     string  `json:"run"`
	Trigger string  `json:"trigger"`
	Started *string `json:"started"`
	Ended   *string `json:"ended"` // null while it runs, or if it was killed
	Outcome string  `json:"outcome"`
	Reason  string  `json:"reason"`
}

func (p *program) status(ctx context.Context, o viewOptions) error {
	cfg, jobs, err := p.jobsToSee(o)
	if err != nil {
		return err
	}
	j := p.openJournal(ctx, cfg, true)
	defer func() { _ = j.Close() }()
	daemon := p.daemonHolder(cfg)
	if !o.json {
		p.sayDaemon(daemon)
	}
	var views []*view
	for _, job := range jobs {
		v, err := p.look(ctx, cfg, j, job, o.live)
		if err != nil {
			return err
		}
		views = append(views, v)
		line, err := p.statusOf(ctx, cfg, j, v)
		if err != nil {
			return err
		}
		line.Daemon = daemon
		if !o.json {
			p.sayStatus(v, line)
		} else if err := printJSON(p.stdout, line); err != nil {
			return err
		}
	}
	return seen(views)
}

func (p *program) daemonHolder(cfg *config.Config) *lock.Holder {
	locker, err := newServeLocker(cfg)
	if err != nil {
		return nil
	}
	return holderOf(locker)
}

func holderOf(l *lock.Locker) *lock.Holder {
	if h, held, err := l.Holder(); err == nil && held {
		return &h
	}
	return nil
}

// statusOf gathers a job's status.
func (p *program) statusOf(ctx context.Context, cfg *config.Config, j *journal.Journal, v *view) (statusLine, error) {
	line := statusLine{
		Job: v.job.Name, Site: v.site.Name, URL: v.site.URL, Live: v.live != nil,
		Slots: v.slotLines(), Queue: entryLines(v), Covers: stamp(v.coverage().until), Checks: []string{}, Runs: []statusRunLine{}, Error: message(v.fault),
	}
	if err := v.liveError(); err != nil {
		line.Error = message(err)
	}
	if locker, err := newLocker(cfg, v.site); err == nil {
		line.Lock = holderOf(locker)
	}
	if v.known {
		name := v.zone.Loc.String()
		line.Zone = &name
		line.Checks = nextChecks(v.job.Check, p.now(), v.zone.Loc)
	}
	runs, err := j.Runs(ctx, v.job.Name, lastRuns)
	if err != nil {
		return line, fmt.Errorf("read journal: %w", err)
	}
	for _, r := range runs {
		line.Runs = append(line.Runs, statusRunLine{r.ID, r.Trigger, stamp(r.Started), stamp(r.Ended), r.Outcome, r.Reason})
	}
	return line, nil
}

// nextChecks are the next ticks of a job: what its expression comes to.
func nextChecks(spec string, now time.Time, loc *time.Location) []string {
	out := []string{}
	check, err := slots.Parse(spec)
	if err != nil {
		return out // the configuration was checked by the same parser
	}
	for t := check.Next(now, loc); len(out) < checksAhead && !t.IsZero(); t = check.Next(t, loc) {
		out = append(out, t.Format(time.RFC3339))
	}
	return out
}

// slotLines are the slots to keep booked, as last seen.
func (v *view) slotLines() []statusSlotLine {
	out := []statusSlotLine{}
	for _, s := range v.upcoming[:min(v.job.Ahead, len(v.upcoming))] {
		l := statusSlotLine{Slot: s.At.Format(time.RFC3339), State: "unknown", Reason: "not looked at yet"}
		if b, ok := v.bookings[s.At.Unix()]; ok {
			l.State, l.Item, l.Reason, l.Seen = b.State, b.Item, b.Reason, stamp(b.Seen)
			if b.PostID != 0 {
				l.Post = &publish.PostRef{ID: b.PostID, Status: b.Status, Slug: b.Slug, Link: b.Link}
			}
		}
		out = append(out, l)
	}
	return out
}

// ask asks a job's site by a dry run.
func (p *program) ask(ctx context.Context, cfg *config.Config, j *journal.Journal, job config.Job) publish.Report {
	log := newLogger(p.stderrLog(cfg.Log, p.quietly(cfg.Log)), nil)
	publisher, err := newPublisher(ctx, parts{cfg: cfg, job: job, journal: j, dryRun: true, log: log})
	if err != nil {
		return publish.Report{Job: job.Name, Outcome: publish.Failed, Err: err}
	}
	return publisher.Run(ctx, publish.Request{Run: newRunID(p.now()), Trigger: manual, DryRun: true})
}

func (p *program) sayDaemon(h *lock.Holder) {
	if h == nil {
		p.say("daemon: not running; `morrow serve` starts it")
		return
	}
	p.say("daemon: %s", holderText(*h))
}

func (p *program) sayStatus(v *view, l statusLine) {
	told := reasons{}
	p.say("\n%s on %s (%s)", l.Job, l.Site, l.URL)
	if l.Error != nil {
		told[*l.Error] = true
		p.say("  error       %s", *l.Error)
	}
	if why := v.notKnown("status"); why != "" {
		p.say("  slots       %s", why)
	}
	if v.zone.Fixed {
		p.say("  note        %s", offsetOnly)
	}
	for i := 0; i < len(l.Slots); {
		s := l.Slots[i]
		n := alike(l.Slots[i:], func(a, b statusSlotLine) bool {
			return a.State == b.State && a.Reason == b.Reason && a.Item+b.Item == "" && a.Post == nil && b.Post == nil
		})
		p.say("  slot        %s%s: %s", inZone(s.Slot, v.zone.Loc), more(n), slotText(s)+told.add(s.Reason))
		if s.Post != nil {
			p.say("              %s", address(*s.Post))
		}
		i += n
	}
	for i, c := range l.Checks {
		if i == 0 && l.Daemon == nil {
			p.say("  checks      none before `morrow serve` runs; its first ones would be")
		}
		p.say("  next check  %s", inZone(c, v.zone.Loc))
	}
	if l.Lock != nil {
		p.say("  lock        held by %s", holderText(*l.Lock))
	}
	p.say("  queue       %s", queueText(v))
	if forecast := v.forecast(); forecast != "" {
		p.say("  forecast    %s", forecast)
	}
	for _, f := range v.queue {
		if a, ok := v.aside(f.Entry); ok {
			p.say("  set aside   %s: %s", shown(a.Name), a.Reason)
		}
	}
	for _, r := range l.Runs {
		p.say("  run         %s", runText(r, v.zone.Loc)+told.add(r.Reason))
	}
}

func slotText(s statusSlotLine) string {
	text := strings.ReplaceAll(s.State, "_", " ")
	if s.Item != "" {
		text += ", " + shown(s.Item)
	}
	return text
}

// reasons are those that a screen has given already.
type reasons map[string]bool

// add gives a reason in brackets; one that stands above is only pointed to.
func (r reasons) add(reason string) string {
	switch {
	case reason == "":
		return ""
	case r[reason]:
		return " (reason as above)"
	}
	r[reason] = true
	return " (" + reason + ")"
}

func queueText(v *view) string {
	if v.job.Source.Folder == "" && v.live == nil {
		return v.job.Source.String() + "; `morrow queue --live` asks the site"
	}
	count := map[source.State]int{}
	var next publish.Forecast
	for _, f := range v.queue {
		count[f.Entry.State]++
		if !f.Slot.IsZero() && (next.Slot.IsZero() || f.Slot.Before(next.Slot)) {
			next = f
		}
	}
	text := fmt.Sprintf("%d ready, %d held, %d faulty, %d ignored",
		count[source.Ready], count[source.Held], count[source.Faulty], count[source.Ignored])
	if !next.Slot.IsZero() {
		text += fmt.Sprintf("; next %s for %s", shown(next.Entry.Name), wall(next.Slot))
	}
	return text
}

func runText(r statusRunLine, loc *time.Location) string {
	outcome := outcomeText(publish.Outcome(r.Outcome))
	if r.Ended == nil {
		outcome = "under way, or killed"
	}
	return fmt.Sprintf("%s, %s: %s", inZone(*r.Started, loc), r.Trigger, outcome)
}

// inZone writes an RFC 3339 moment as people do.
func inZone(text string, loc *time.Location) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return wall(t.In(loc))
}
