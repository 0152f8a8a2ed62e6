// Package publish looks at the site, decides, and books one post a slot.
//
// A run goes through eleven steps, and each has its name in the code: lock,
// look, decide, pick, known, prepare, verify, look again, commit, read back,
// consume. The unsafe request, the create, makes only an invisible draft that
// the next run finds; the request that counts is an update of a known id. What
// is not known for certain is never booked.
package publish

import (
	"cmp"
	"context"
	"math/rand/v2"
	"time"

	"github.com/rs/zerolog"

	"morrow/internal/compose"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/wpclient"
)

// Scope narrows or widens what fills a slot.
type Scope struct {
	Category string   // only posts of this category (name or slug)
	Author   string   // only posts of this author (login)
	Types    []string // REST bases besides the job's
	Statuses []string // statuses besides future and publish
}

// Job is what a Publisher works on.
type Job struct {
	Name string
	Site string // the site's name in the configuration
	URL  string // the site's address
	User string // the account's login
	// Type is the post type that the job makes, by its REST base; "posts" when
	// empty.
	Type string
	// Ahead is how many slots to keep booked; at least 1.
	Ahead int
	// Lead is how long before a slot nothing is sent any more.
	Lead time.Duration
	// RunTimeout bounds the wait for the lock, and then the run.
	RunTimeout time.Duration
	Scope      Scope
	// Yield: a booking of ours makes way for a person's post in its window.
	Yield  bool
	Delays Delays
	// Empty is what people are told when the source has no item at all.
	Empty string
	// Times are those of all jobs of the site, this one's included.
	Times []slots.Times
}

// FactsKey is the key under which the journal keeps what is known of a site
// and of the account used on it.
func FactsKey(url, user string) string { return user + "@" + url }

func (j Job) key() string { return FactsKey(j.URL, j.User) }

// Locker takes the site's lock (lock.Locker does).
type Locker interface {
	Acquire(ctx context.Context, wait time.Duration) (release func() error, ok bool, err error)
}

// Source gives items and takes back what was booked (source.Folder does).
type Source interface {
	Entries(ctx context.Context, loc *time.Location) ([]source.Entry, error)
	Consume(ctx context.Context, it source.Item) error
	Restore(ctx context.Context, key string, same func(source.Item) bool) (ok bool, err error)
}

// Options of a Publisher.
type Options struct {
	Job     Job
	Client  *wpclient.Client
	Source  Source
	Compose *compose.Composer // of a dry run: a read-only one
	Journal *journal.Journal  // of a dry run: a read-only one
	Lock    Locker
	Host    string           // this machine's name, for people
	Now     func() time.Time // wall clock; nil means time.Now
	// Rand gives a number from 0 up to n, for the jitter of pauses; nil means
	// math/rand/v2's Int64N.
	Rand   func(n int64) int64
	Logger zerolog.Logger
	// Progress, if not nil, is told each step as it begins.
	Progress func(step string)
}

// Publisher runs one job.
type Publisher struct {
	o     Options
	scope scopeIDs
	facts facts
	plan  plan
}

// New makes a Publisher.
func New(o Options) *Publisher {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Int64N
	}
	o.Job.Ahead = max(o.Job.Ahead, 1)
	o.Job.Type = cmp.Or(o.Job.Type, "posts")
	o.Job.Delays = o.Job.Delays.orDefault()
	o.Job.Empty = cmp.Or(o.Job.Empty, "the queue is empty: put a file into it")
	return &Publisher{o: o, plan: plan{rand: o.Rand}}
}

// Request is one order to run.
type Request struct {
	Run     string // the run's id
	Trigger string
	// DryRun looks, decides and says what it would do: it takes no lock and
	// writes nothing.
	DryRun bool
	// Unblock forgets what the site did to posts in earlier runs, for which
	// nothing more was tried.
	Unblock bool
	// Wait for the lock: 0 tries once, negative waits as long as a run may take.
	Wait time.Duration
}

// Run executes the job once. It always returns a whole Report. A Publisher's
// runs must not overlap.
func (p *Publisher) Run(ctx context.Context, q Request) Report {
	r := p.newRun(q)
	rep := Report{Run: q.Run, Job: p.o.Job.Name, Site: p.o.Job.Site, Trigger: q.Trigger, DryRun: q.DryRun, Started: r.started}
	r.record(ctx, r.journal.StartRun, rep)
	r.locked(ctx, q, &rep)
	rep.Notices, rep.Events = r.notices, r.events
	p.plan.offset = r.clock.offset
	p.plan.next(&rep, p.o.Job, r.clock, r.overdue)
	rep.Elapsed = p.o.Now().Sub(r.started)
	r.record(context.WithoutCancel(ctx), r.journal.EndRun, rep)
	return rep
}

// locked takes the lock and executes the run.
func (r *run) locked(ctx context.Context, q Request, rep *Report) {
	r.begin(stepLock)
	wait := q.Wait
	if wait < 0 {
		wait = r.job.RunTimeout
	}
	release, ok, err := r.lock.Acquire(ctx, wait)
	if err != nil {
		rep.Outcome, rep.Err = Failed, err
		return
	}
	if !ok {
		rep.Outcome = Busy
		return
	}
	defer func() {
		if err := release(); err != nil {
			r.log.Warn().Err(err).Msg("cannot release the lock")
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, r.job.RunTimeout)
	defer cancel()
	r.recallFaults(ctx, q.Unblock)
	rep.Slots, rep.Err = r.execute(ctx)
	r.rememberAsides(context.WithoutCancel(ctx))
	rep.Outcome = worst(rep.Slots)
	if rep.Err != nil {
		rep.Outcome = outcomeOf(rep.Err)
	}
}
