// Package scheduler decides when a job runs. It knows no WordPress.
package scheduler

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"morrow/internal/slots"

	"github.com/robfig/cron/v3"
	"github.com/rs/zerolog"
)

// Trigger says why a run takes place.
type Trigger string

// Triggers.
const (
	Cron   Trigger = "cron"
	Manual Trigger = "manual"
	Start  Trigger = "start"
	Wake   Trigger = "wake"
	Retry  Trigger = "retry"
	Guard  Trigger = "guard"
	Watch  Trigger = "watch"
)

// Again is a wish to run a job once more; a zero At is none.
type Again struct {
	At      time.Time
	Trigger Trigger
}

// Runner runs a job once and says when it wants to be run again. It is the
// scheduler's only view of what a run does.
type Runner interface {
	Run(ctx context.Context, job string, t Trigger) Again
}

// Job is what the scheduler knows of a job. Jobs of one Site queue.
type Job struct {
	Name, Site string
	Check      slots.Schedule
	Publish    slots.Schedule
	Skip       slots.Skip
	Lead       time.Duration
	// Zone is asked at start, after waking and after each run of the site; ok
	// is false while it is not known yet, in which case the job runs at once
	// and the zone is asked again. It must not call the Scheduler.
	Zone func() (z slots.Zone, ok bool)
}

// Options of a Scheduler.
type Options struct {
	Jobs   []Job
	Runner Runner
	// Grace bounds the drain after the context ends; 30 s when 0.
	Grace time.Duration
	// Parallel bounds how many sites have a run at one time; 64 when 0.
	Parallel int
	// Now is the wall clock that decides when a job is due; time.Now when nil.
	Now func() time.Time
	// Recheck are the moments at which the wall clock is compared with the time
	// that timers keep; every 30 s when nil. It is for who knows when clocks are
	// set: a simulation has days to play in which none is.
	Recheck <-chan time.Time
	Logger  zerolog.Logger
}

// Scheduler fires runs.
type Scheduler struct {
	runner   Runner
	grace    time.Duration
	parallel int
	clock    clock
	moments  <-chan time.Time
	log      zerolog.Logger

	mu      sync.Mutex
	state   state
	run     func(job string, t Trigger) Again // the Runner, with the context of runs
	entries []*entry                          // in the order of the configuration
	byName  map[string]*entry                 // the same
	sites   map[string]*site
	cron    *cron.Cron // nil until started
	ready   []*site    // sites with runs to start, in turn
	busy    int        // workers
	workers sync.WaitGroup
}

type state int

const (
	idle state = iota
	running
	stopped
)

// New checks the jobs.
func New(o Options) (*Scheduler, error) {
	if err := check(o.Jobs); err != nil {
		return nil, err
	}
	if o.Grace == 0 {
		o.Grace = 30 * time.Second
	}
	if o.Parallel == 0 {
		o.Parallel = 64
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Scheduler{
		runner:   o.Runner,
		grace:    o.Grace,
		parallel: o.Parallel,
		clock:    clock{now: o.Now},
		moments:  o.Recheck,
		log:      o.Logger,
		byName:   map[string]*entry{},
		sites:    map[string]*site{},
	}
	if o.Recheck == nil {
		s.clock.every = recheckEvery
	}
	s.swap(o.Jobs)
	return s, nil
}

func check(jobs []Job) error {
	names := make(map[string]bool, len(jobs))
	for _, j := range jobs {
		switch {
		case j.Name == "":
			return errors.New("schedule job: it has no name")
		case names[j.Name]:
			return fmt.Errorf("schedule job %s: the name is used twice", j.Name)
		case j.Check.String() == "" || j.Publish.String() == "":
			return fmt.Errorf("schedule job %s: it needs a check and a publish expression", j.Name)
		case j.Lead < 0:
			return fmt.Errorf("schedule job %s: lead %s is negative", j.Name, j.Lead)
		case j.Zone == nil:
			return fmt.Errorf("schedule job %s: it has no zone to ask", j.Name)
		}
		names[j.Name] = true
	}
	return nil
}

// Run fires until ctx ends, then drains: nothing new is fired, runs in flight
// may finish within Grace, then their context is cancelled and awaited; that
// some had to be cancelled is the error. A Scheduler runs once.
func (s *Scheduler) Run(ctx context.Context) error {
	runs, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	err := s.start(func(job string, t Trigger) Again { return s.runner.Run(runs, job, t) })
	if err != nil {
		return err
	}
	recheck := s.moments
	if recheck == nil {
		ticker := time.NewTicker(recheckEvery)
		defer ticker.Stop()
		recheck = ticker.C
	}
	for {
		select {
		case <-recheck:
			s.recheck()
		case <-ctx.Done():
			return s.drain(cancel) //nolint:contextcheck // it waits for what outlives ctx
		}
	}
}

func (s *Scheduler) start(run func(job string, t Trigger) Again) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != idle {
		return errors.New("start scheduler: it was started before")
	}
	s.state, s.run = running, run
	s.log.Info().Int("jobs", len(s.entries)).Msg("scheduler started")
	s.begin(Start)
	return nil
}

// recheck begins anew when the wall clock did not go along with the timers:
// the machine was asleep, or its clock was set.
func (s *Scheduler) recheck() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if off := s.clock.off(); off != 0 {
		s.log.Info().Dur("off", off).Msg("clock was set or machine was asleep")
		s.begin(Wake)
	}
}

// begin arms every job by the present clock and fires those that are due.
func (s *Scheduler) begin(t Trigger) {
	if s.cron != nil {
		s.cron.Stop()
	}
	s.cron = cron.New(cron.WithLocation(time.UTC), cron.WithLogger(cron.DiscardLogger))
	s.clock.set()
	for _, e := range s.entries {
		e.tick = 0 // it went with the old runner
		s.admit(e, t)
	}
	s.cron.Start()
}

// drain stops firing before it waits, so that the wait has an end.
func (s *Scheduler) drain(cancel context.CancelFunc) error {
	s.mu.Lock()
	s.state = stopped
	ticks := s.cron.Stop()
	s.log.Info().Int("runs", s.busy).Msg("scheduler stops")
	s.mu.Unlock()

	ended := make(chan struct{})
	go func() {
		defer close(ended)
		<-ticks.Done()
		s.workers.Wait()
	}()
	grace := time.NewTimer(s.grace)
	defer grace.Stop()
	select {
	case <-ended:
		return nil
	case <-grace.C:
		cancel()
		<-ended
		return fmt.Errorf("stop scheduler: runs took longer than %s and were cancelled", s.grace)
	}
}

// Replace swaps the jobs (a re-read configuration); runs in flight go on. Jobs
// that are new or changed are armed and, if due, run at once. A job that keeps
// its name keeps its wish to run again. On an error the old jobs stay.
func (s *Scheduler) Replace(jobs []Job) error {
	if err := check(jobs); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := s.swap(jobs)
	if s.state != running {
		return nil
	}
	for _, e := range fresh {
		s.admit(e, Start)
	}
	return nil
}

// Next tells when a job runs next as far as is known: at its tick or, if that
// is sooner, at the wish of its last run. It is zero when neither is known.
func (s *Scheduler) Next(job string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.byName[job]
	if e == nil {
		return time.Time{}
	}
	return s.next(e)
}
