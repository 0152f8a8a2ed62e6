package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/lock"
	"morrow/publish"
)

// sitesAtOnce bounds how many sites one `run` works on at the same time.
const sitesAtOnce = 8

const manual = "manual"

func (p *program) runCommand() *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [job…]",
		Short: "Run jobs once, this moment: look at the site and book what is free",
		Example: "  morrow run --dry-run     what would be booked, and why\n" +
			"  morrow run daily         book the next free slot of the job daily",
		ValidArgsFunction: p.completeJobs,
		RunE:              func(cmd *cobra.Command, names []string) error { return p.runJobs(cmd.Context(), names, o) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.all, "all", false, "run all jobs")
	flags.BoolVar(&o.dryRun, "dry-run", false, "only say what would be done, and change nothing")
	flags.DurationVar(&o.wait, "wait", 0, "how long to wait for a run that is at work on the same site, like 30s")
	flags.BoolVar(&o.unblock, "unblock", false, "try again where Morrow stopped because the site moved or published its posts")
	flags.BoolVar(&o.json, "json", false, "print one JSON line per job")
	return cmd
}

type runOptions struct {
	all, dryRun, json, unblock bool
	wait                       time.Duration
}

// batch is what the jobs of one command share.
type batch struct {
	*program
	runOptions
	cfg      *config.Config
	journal  *journal.Journal
	progress *progress
	teller   *teller

	mu      sync.Mutex
	reports []publish.Report
}

func (p *program) runJobs(ctx context.Context, names []string, o runOptions) error {
	if o.wait < 0 {
		return &usageError{msg: "--wait can't be negative", hint: "give a duration like 30s"}
	}
	cfg, err := p.load(false)
	if err != nil {
		return err
	}
	jobs, faults, err := choose(cfg, names, o.all)
	if err != nil {
		return err
	}
	for _, w := range cfg.Warnings {
		p.warn("%s", w)
	}
	for _, f := range cfg.Faults {
		if f.Kind != "job" || !slices.ContainsFunc(faults, func(g config.Fault) bool { return g.Name == f.Name }) {
			p.warn("%s", f)
		}
	}
	b := &batch{program: p, runOptions: o, cfg: cfg, progress: newProgress(p.stderr)}
	b.journal = p.openJournal(ctx, cfg, o.dryRun)
	defer func() { _ = b.journal.Leave() }()
	if !o.dryRun {
		b.teller = p.newTeller(cfg, b.journal, newLogger(p.stderrLog(cfg.Log, p.quietly(cfg.Log)), nil))
		b.teller.faults(ctx, cfg.Err())
		defer b.teller.close(ctx)
		var beside sync.WaitGroup // while the site is thinking
		beside.Go(func() { pruneRunLogs(cfg, p.now()) })
		defer beside.Wait()
	}
	if err := b.runAll(ctx, jobs, faults); err != nil {
		return err
	}
	if code := exitCode(b.reports); code != exitOK {
		return codeError(code)
	}
	return nil
}

// choose finds the jobs that are meant; faulty ones among them are given
// apart. It is an error when none of them can be run.
func choose(cfg *config.Config, names []string, all bool) ([]config.Job, []config.Fault, error) {
	var known []string
	for _, j := range cfg.Jobs {
		known = append(known, j.Name)
	}
	var faulty []config.Fault
	for _, f := range cfg.Faults {
		if f.Kind == "job" {
			faulty = append(faulty, f)
			known = append(known, f.Name)
		}
	}
	switch {
	case all && len(names) > 0:
		return nil, nil, &usageError{msg: "--all and names of jobs exclude each other", hint: "give one of the two"}
	case !all && len(names) == 0 && len(known) > 1:
		return nil, nil, &usageError{msg: "there are several jobs: " + strings.Join(known, ", "), hint: "name those to run, or give --all"}
	case len(names) == 0:
		names = known
	}
	var jobs []config.Job
	var faults []config.Fault
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue
		}
		if j, ok := cfg.Job(name); ok {
			jobs = append(jobs, j)
			continue
		}
		at := slices.IndexFunc(faulty, func(f config.Fault) bool { return f.Name == name })
		if at < 0 {
			return nil, nil, &usageError{msg: fmt.Sprintf("there is no job %q", name), hint: jobHint(name, known)}
		}
		faults = append(faults, faulty[at])
	}
	if len(jobs) == 0 {
		return nil, nil, cfg.Err()
	}
	return jobs, faults, nil
}

func jobHint(name string, known []string) string {
	if near := config.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "the jobs are " + strings.Join(known, ", ")
}

// completeJobs offers the jobs that are not named yet to a shell.
func (p *program) completeJobs(_ *cobra.Command, named []string, _ string) ([]string, cobra.ShellCompDirective) {
	cfg, err := p.load(true)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, j := range cfg.Jobs {
		if !slices.Contains(named, j.Name) {
			names = append(names, j.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// runAll runs the jobs of one site one after the other, several sites at once.
func (b *batch) runAll(ctx context.Context, jobs []config.Job, faults []config.Fault) error {
	for _, f := range faults {
		err := b.report(publish.Report{
			Run: newRunID(b.now()), Job: f.Name, Trigger: manual, DryRun: b.dryRun, Outcome: publish.Failed, Err: f.Err(),
		})
		if err != nil {
			return err
		}
	}
	var g errgroup.Group
	g.SetLimit(sitesAtOnce)
	for _, siteJobs := range bySite(b.cfg, jobs) {
		g.Go(func() error {
			for _, j := range siteJobs {
				if err := b.report(b.runOne(ctx, j)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// bySite parts jobs by the site they work on, in order.
func bySite(cfg *config.Config, jobs []config.Job) [][]config.Job {
	var out [][]config.Job
	index := map[string]int{}
	for _, j := range jobs {
		site, _ := cfg.Site(j.Site)
		i, ok := index[site.Key()]
		if !ok {
			i = len(out)
			index[site.Key()] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], j)
	}
	return out
}

// runOne runs one job, its log in a file of its own.
func (b *batch) runOne(ctx context.Context, job config.Job) publish.Report {
	id := newRunID(b.now())
	log, done := b.logger(id)
	defer done()
	started := b.now()
	log.Info().Str("run", id).Str("job", job.Name).Int("pid", os.Getpid()).Str("version", readBuild().version).Msg("started")
	b.teller.begins(ctx, job, manual)
	var r publish.Report
	publisher, err := newPublisher(ctx, parts{
		cfg: b.cfg, job: job, journal: b.journal, dryRun: b.dryRun, log: log, progress: b.progress.job(job.Name),
	})
	if err != nil {
		r = publish.Report{
			Run: id, Job: job.Name, Site: job.Site, Trigger: manual, DryRun: b.dryRun,
			Outcome: publish.Failed, Started: started, Elapsed: b.now().Sub(started), Err: err,
		}
	} else {
		r = publisher.Run(ctx, publish.Request{Run: id, Trigger: manual, DryRun: b.dryRun, Unblock: b.unblock, Wait: b.wait})
	}
	if b.dryRun || r.Outcome == publish.Busy {
		r.Notices = append(r.Notices, b.holder(job)...)
	}
	if r.Outcome == publish.NothingToBook {
		r.Notices = append(r.Notices, "the queue is "+job.Source.String()+"; `morrow queue` lists it")
	}
	logReport(log, r)
	b.teller.ended(ctx, b.cfg, job, r)
	return r
}

// logger is the log of one run. A dry run writes no file.
func (b *batch) logger(id string) (zerolog.Logger, func()) {
	if b.dryRun {
		return newLogger(b.stderrLog(b.cfg.Log, b.quietly(b.cfg.Log)), nil), func() {}
	}
	return b.runLog(b.cfg, id)
}

// holder says who holds the lock of a job's site, if somebody does.
func (b *batch) holder(job config.Job) []string {
	site, _ := b.cfg.Site(job.Site)
	locker, err := newLocker(b.cfg, site)
	if err != nil {
		return []string{"a run would fail: " + err.Error()}
	}
	h, held, err := locker.Holder()
	switch {
	case err != nil:
		return []string{err.Error()}
	case held:
		return []string{"the site's lock is held by " + holderText(h)}
	}
	return nil
}

func holderText(h lock.Holder) string {
	if h.PID == 0 {
		return "another process, which left no note of itself"
	}
	text := fmt.Sprintf("process %d", h.PID)
	if h.Command != "" {
		text += fmt.Sprintf(" (%s) of %s on %s since %s", h.Command, h.User, h.Host, wall(h.Started.Local()))
	}
	return text
}

// report keeps a run's report and prints it.
func (b *batch) report(r publish.Report) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reports = append(b.reports, r)
	b.progress.clear()
	if b.json {
		return printJSON(b.stdout, newReportLine(r))
	}
	_, err := fmt.Fprint(b.stdout, visible(reportText(r)))
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// runIDTime is the form of the moment in a run's id.
const runIDTime = "20060102T150405Z"

// newRunID names a run: its moment, so that names sort, and some chance, so
// that no two processes share one.
func newRunID(now time.Time) string {
	var chance [4]byte
	_, _ = rand.Read(chance[:]) // never fails
	return now.UTC().Format(runIDTime) + "-" + hex.EncodeToString(chance[:])
}

// asUsage turns what keeps a configuration from being read into a fault of
// usage.
func asUsage(err error) error {
	var bad *config.Error
	var none *config.NotFoundError
	if errors.As(err, &bad) || errors.As(err, &none) {
		return err
	}
	return &usageError{msg: err.Error(), hint: "name the configuration file by --config or " + config.PathVariable}
}
