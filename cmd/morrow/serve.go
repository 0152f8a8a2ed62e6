package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/publish"
	"morrow/scheduler"
	"morrow/wpclient"
)

// mendPause is how long after a run that could not even begin (no password, no
// lock folder) the next one is tried: a person has to mend something.
const mendPause = 10 * time.Minute

func (p *program) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "Run all jobs by their schedules until stopped",
		Long: "Run all jobs by their schedules until stopped.\n\n" +
			"SIGTERM or Ctrl-C lets the run in flight end, a second one kills.\n" +
			"SIGHUP reads the configuration again and keeps the old one if the new has a fault.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context()) },
	}
}

func (p *program) serve(ctx context.Context) error {
	// Whoever read its output may go: a write to a closed pipe must not end it.
	signal.Ignore(syscall.SIGPIPE)
	cfg, err := p.load(false)
	if err != nil {
		return err
	}
	if len(cfg.Jobs) == 0 {
		return cfg.Err()
	}
	release, err := p.onlyDaemon(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	log, closeLog := p.serveLog(cfg)
	defer func() { _ = closeLog() }()
	d := &daemon{program: p, log: log, journal: p.openJournal(ctx, cfg, false), zones: map[string]slots.Zone{}}
	defer func() { _ = d.journal.Close() }()
	d.teller = p.newTeller(cfg, d.journal, log)
	defer d.tell(ctx)()
	d.use(ctx, cfg)
	s, err := scheduler.New(scheduler.Options{Jobs: d.jobs(ctx), Runner: d, Now: p.now, Logger: log})
	if err != nil {
		return fmt.Errorf("start the scheduler: %w", err)
	}
	stopReload := d.reloadOnHangup(ctx, s)
	defer stopReload()
	log.Info().Str("version", readBuild().version).Str("config", cfg.Path).Int("pid", os.Getpid()).Msg("configuration read")
	return s.Run(ctx)
}

// onlyDaemon takes the daemon's own lock: two of them with one state folder
// would share a log.
func (p *program) onlyDaemon(ctx context.Context, cfg *config.Config) (release func() error, err error) {
	locker, err := newServeLocker(cfg)
	if err != nil {
		return nil, err
	}
	release, ok, err := locker.Acquire(ctx, 0)
	if err != nil {
		return nil, err
	}
	if !ok {
		h, _, _ := locker.Holder()
		p.complain("`morrow serve` runs already with this configuration: "+holderText(h), "stop it first, or give this one a state_dir of its own")
		return nil, codeError(exitBusy)
	}
	return release, nil
}

// daemon runs what the scheduler fires.
type daemon struct {
	*program
	log     zerolog.Logger
	journal *journal.Journal
	teller  *teller

	mu      sync.Mutex
	cfg     *config.Config
	workers map[string]*worker
	// zones by site and account, as the last runs saw them: the journal may
	// be out of order, and the schedules need a zone all the same.
	zones map[string]slots.Zone
}

// worker is a job and, from its first run on, its Publisher.
type worker struct {
	job       config.Job
	publisher *publish.Publisher
}

// tell sends messages until the function that it gives is called, which sends
// the last ones.
func (d *daemon) tell(ctx context.Context) (stop func()) {
	until, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var serving sync.WaitGroup
	serving.Go(func() { d.teller.notifier.Serve(until) })
	return func() {
		cancel()
		serving.Wait()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingsEnd)
		defer cancel()
		d.teller.pulse.Wait(last)
	}
}

// use takes a configuration into service and tells its faults.
func (d *daemon) use(ctx context.Context, cfg *config.Config) {
	for _, w := range cfg.Warnings {
		d.log.Warn().Str("warning", w).Msg("configuration")
	}
	for _, f := range cfg.Faults {
		d.log.Error().Str(f.Kind, f.Name).Err(f.Err()).Msg("not in service")
	}
	d.teller.use(ctx, cfg)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cfg, d.workers = cfg, make(map[string]*worker, len(cfg.Jobs))
	for _, j := range cfg.Jobs {
		d.workers[j.Name] = &worker{job: j}
	}
}

// jobs are the configuration's jobs as the scheduler knows them.
func (d *daemon) jobs(ctx context.Context) []scheduler.Job {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]scheduler.Job, 0, len(d.cfg.Jobs))
	for _, j := range d.cfg.Jobs {
		site, _ := d.cfg.Site(j.Site)
		check, errCheck := slots.Parse(j.Check)
		times, errPublish := slots.Parse(j.Publish)
		if errCheck != nil || errPublish != nil {
			continue // the configuration was checked by the same parser
		}
		out = append(out, scheduler.Job{
			Name: j.Name, Site: site.Key(), Check: check, Publish: times, Skip: slots.Skip(j.Skip), Lead: j.Lead,
			Zone: func() (slots.Zone, bool) { return d.zone(ctx, site) },
		})
	}
	return out
}

// zone is a site's zone as last seen, by this process or by an earlier one.
func (d *daemon) zone(ctx context.Context, site config.Site) (slots.Zone, bool) {
	key := publish.FactsKey(site.URL, site.User)
	d.mu.Lock()
	defer d.mu.Unlock()
	if z, ok := d.zones[key]; ok {
		return z, true
	}
	z, ok := cachedZone(ctx, d.journal, site)
	if ok {
		d.zones[key] = z
	}
	return z, ok
}

// Run runs a job once; it makes the daemon a scheduler.Runner.
func (d *daemon) Run(ctx context.Context, job string, t scheduler.Trigger) scheduler.Again {
	d.mu.Lock()
	w, cfg := d.workers[job], d.cfg
	d.mu.Unlock()
	if w == nil {
		return scheduler.Again{} // taken out by a re-read configuration
	}
	d.teller.begins(ctx, w.job, string(t))
	r := d.run(ctx, cfg, w, t)
	logReport(d.log, r)
	d.teller.ended(ctx, cfg, w.job, r)
	site, _ := cfg.Site(w.job.Site)
	d.learnZone(ctx, site, r)
	return scheduler.Again{At: r.Next, Trigger: scheduler.Trigger(r.NextTrigger)}
}

// learnZone keeps the zone that a run worked in.
func (d *daemon) learnZone(ctx context.Context, site config.Site, r publish.Report) {
	z, ok := cachedZone(ctx, d.journal, site)
	switch {
	case ok:
	case len(r.Slots) > 0:
		z = zoneOf(r.Slots[0].Slot.Location())
	default:
		return
	}
	key := publish.FactsKey(site.URL, site.User)
	d.mu.Lock()
	_, known := d.zones[key]
	d.zones[key] = z
	d.mu.Unlock()
	if z.Fixed && !known {
		d.log.Warn().Str("site", site.Name).Str("zone", z.Loc.String()).Msg(offsetOnly)
	}
}

func (d *daemon) run(ctx context.Context, cfg *config.Config, w *worker, t scheduler.Trigger) publish.Report {
	id, started := newRunID(d.now()), d.now()
	if w.publisher == nil {
		log := d.log.With().Str("site", w.job.Site).Logger()
		publisher, err := newPublisher(ctx, parts{cfg: cfg, job: w.job, journal: d.journal, log: log})
		if err != nil {
			return publish.Report{
				Run: id, Job: w.job.Name, Site: w.job.Site, Trigger: string(t), Outcome: publish.Failed,
				Started: started, Elapsed: d.now().Sub(started), Err: err,
				Next: d.now().Add(mendPause), NextTrigger: string(scheduler.Retry),
			}
		}
		w.publisher = publisher
	}
	r := w.publisher.Run(ctx, publish.Request{Run: id, Trigger: string(t), Wait: -1})
	var refused *wpclient.Error
	if errors.As(r.Err, &refused) && refused.Status == http.StatusUnauthorized {
		w.publisher = nil // the password may be another one by the next run: read it again then
	}
	return r
}

// reloadOnHangup re-reads the configuration whenever SIGHUP comes, until the
// function that it gives is called.
func (d *daemon) reloadOnHangup(ctx context.Context, s *scheduler.Scheduler) (stop func()) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-hangup:
				d.reload(ctx, s)
			}
		}
	}()
	return func() {
		signal.Stop(hangup)
		close(done)
		<-ended
	}
}

// reload takes a new configuration into service if nothing at all is wrong
// with it: a typing error must not take a job that works out of service.
func (d *daemon) reload(ctx context.Context, s *scheduler.Scheduler) {
	cfg, err := d.load(false)
	if err == nil {
		err = cfg.Err()
	}
	if err != nil {
		d.log.Error().Err(err).Msg("configuration kept: the new one has faults")
		d.teller.faults(ctx, err)
		return
	}
	d.mu.Lock()
	old := d.cfg
	d.mu.Unlock()
	if cfg.StateDir != old.StateDir || cfg.Log != old.Log {
		d.log.Warn().Msg("state_dir and log change at the next start only")
	}
	d.use(ctx, cfg)
	if err := s.Replace(d.jobs(ctx)); err != nil {
		d.log.Error().Err(err).Msg("configuration kept: the new one has faults")
		d.use(ctx, old)
		return
	}
	d.log.Info().Int("jobs", len(cfg.Jobs)).Msg("configuration read again")
}
