package sim

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"morrow/internal/compose"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/lock"
	"morrow/publish"
	"morrow/scheduler"
	"morrow/wpclient"
)

const siteURL = "https://blog.example.com"

// host is a machine: its disk, its clock, and the daemon on it.
type host struct {
	w        *world
	n        int
	name     string
	dir      string
	password string
	started  int // processes so far

	process *process // the daemon; nil while it is down
	parked  []*ticket
	good    time.Time // since when it is up, awake and its clock untouched; zero while it is not

	offset atomic.Int64 // of its clock, in ns
	slept  atomic.Int64 // how much of a sleep its timers have yet to make up for, in ns
	asleep atomic.Pointer[chan struct{}]
}

func (h *host) queue(j job) string { return filepath.Join(h.dir, j.name) }

// wall is the machine's clock.
func (h *host) wall() time.Time {
	return time.Now().Round(0).Add(time.Duration(h.offset.Load()))
}

// timerWall is the clock as the scheduler sees it. While a machine sleeps its
// timers stand still, but those of the bubble can't: so the clock is set back
// by what the sleep will take, and forward again at its end.
func (h *host) timerWall() time.Time { return h.wall().Add(-time.Duration(h.slept.Load())) }

// process is one process of Morrow on a machine.
type process struct {
	h    *host
	n    int
	dead context.Context //nolint:containedctx // it is the process's life
	kill context.CancelFunc
	stop context.CancelFunc

	began   time.Time
	recheck chan time.Time // the daemon's moments to look at its clock

	saw     map[int64]time.Time // posts as the site answered
	journal *journal.Journal
	jobs    map[string]*publish.Publisher

	mu     sync.Mutex
	zone   *slots.Zone
	learnt time.Time // when it learnt the zone, and with it its slots
	last   map[string]scheduler.Again
}

func (h *host) newProcess() *process {
	h.started++
	p := &process{
		h: h, n: h.started, jobs: make(map[string]*publish.Publisher), last: make(map[string]scheduler.Again), saw: make(map[int64]time.Time),
		began: time.Now(), recheck: make(chan time.Time, 1),
	}
	p.dead, p.kill = context.WithCancel(context.Background())
	h.w.processes = append(h.w.processes, p)
	p.journal = journal.Discard()
	if h.w.plan.journal {
		j, err := journal.Open(p.dead, filepath.Join(h.dir, "journal.db"))
		must(err)
		p.journal = j
	}
	for _, j := range h.w.plan.jobs {
		p.jobs[j.name] = p.publisher(j)
	}
	return p
}

// now is the clock as a run sees it: it does not go on while the machine sleeps.
func (p *process) now() time.Time {
	for {
		c := p.h.asleep.Load()
		if c == nil || p.dead.Err() != nil {
			return p.h.wall()
		}
		select {
		case <-*c:
		case <-p.dead.Done():
		}
	}
}

// chance is the programs' jitter: a number that depends on nothing but the
// history, the machine and the moment, since goroutines ask in any order.
func (p *process) chance(n int64) int64 {
	f := fnv.New64a()
	b := strconv.AppendUint(make([]byte, 0, 80), p.h.w.seed, 10)
	for _, v := range [...]int64{int64(p.h.n), time.Now().UnixNano(), n} {
		b = strconv.AppendInt(append(b, ' '), v, 10)
	}
	_, _ = f.Write(b)
	return int64(f.Sum64()>>1) % n
}

func (p *process) log() zerolog.Logger {
	if p.h.w.tracer != nil {
		return zerolog.New(p.h.w.tracer).Level(zerolog.ErrorLevel)
	}
	return zerolog.New(alarmed{p}).Level(zerolog.ErrorLevel)
}

// alarmed hears of what the programs call an error: only a panic is.
type alarmed struct{ p *process }

func (a alarmed) Write(b []byte) (int, error) {
	a.p.h.w.judge.fail("host %s logs an error: %s", a.p.h.name, b)
	return len(b), nil
}

func (p *process) publisher(j job) *publish.Publisher {
	w := p.h.w
	client, err := wpclient.New(wpclient.Options{
		URL: siteURL, User: account, Password: p.h.password, Timeout: w.plan.timeout,
		Transport: network{p}, Now: p.now, Rand: p.chance, Logger: zerolog.Nop(),
	})
	must(err)
	locker, err := lock.New(lock.Options{Dir: filepath.Join(p.h.dir, "lock"), Site: siteURL, Now: p.h.wall})
	must(err)
	return publish.New(publish.Options{
		Job: publish.Job{
			Name: j.name, Site: "blog", URL: siteURL, User: account, Ahead: j.ahead, Lead: j.lead, Scope: w.scope, Yield: w.plan.yield,
			RunTimeout: 15 * time.Minute, Times: w.plan.times(),
		},
		Client: client, Source: disk{source.NewFolder(source.FolderOptions{Dir: p.h.queue(j), Now: p.h.wall}), p, p.h.queue(j)},
		Compose: compose.New(compose.Options{Client: client, Job: j.name, Host: p.h.name}),
		Journal: p.journal, Lock: locker, Host: p.h.name, Now: p.now, Rand: p.chance, Logger: p.log(),
	})
}

// start starts the daemon, as cmd does.
func (h *host) start() {
	if h.process != nil {
		return
	}
	h.w.say(h.name, "daemon starts")
	p := h.newProcess()
	var jobs []scheduler.Job
	for _, j := range h.w.plan.jobs {
		jobs = append(jobs, scheduler.Job{
			Name: j.name, Site: siteURL, Check: j.check, Publish: j.publish, Lead: j.lead, Zone: p.knownZone,
		})
	}
	s, err := scheduler.New(scheduler.Options{Jobs: jobs, Runner: p, Now: h.timerWall, Recheck: p.recheck, Logger: p.log()})
	must(err)
	ctx, stop := context.WithCancel(p.dead)
	p.stop = stop
	go func() { _ = s.Run(ctx) }()
	h.process, h.good = p, time.Now()
}

// Run makes the process a scheduler.Runner.
func (p *process) Run(ctx context.Context, job string, t scheduler.Trigger) scheduler.Again {
	p.mu.Lock()
	last := p.last[job]
	p.mu.Unlock()
	if p.h.asleep.Load() != nil {
		return last // no process runs: its wish stays as it is
	}
	again := p.run(ctx, job, string(t), -1)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[job] = again
	return again
}

func (p *process) run(ctx context.Context, job, trigger string, wait time.Duration) scheduler.Again {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.dead, cancel)() //nolint:contextcheck // the end of the process ends the run
	r := &ran{p: p, job: job, trigger: trigger, began: time.Now()}
	p.tell(job+" begin", func() { p.h.w.judge.begin(r) })
	rep := p.jobs[job].Run(ctx, publish.Request{Run: fmt.Sprintf("%s%d-%d", p.h.name, p.n, time.Now().UnixNano()), Trigger: trigger, Wait: wait})
	p.learnZone(rep)
	p.tell(job+" end", func() { p.h.w.judge.ended(r, rep) })
	return scheduler.Again{At: rep.Next, Trigger: scheduler.Trigger(rep.NextTrigger)}
}

// knownZone and learnZone do what the daemon of cmd does.
func (p *process) knownZone() (slots.Zone, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.zone == nil {
		if _, z, ok := publish.CachedFacts(p.dead, p.journal, publish.FactsKey(siteURL, account)); ok {
			p.zone, p.learnt = &z, time.Now()
		}
	}
	if p.zone == nil {
		return slots.Zone{}, false
	}
	return *p.zone, true
}

func (p *process) learnZone(rep publish.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.zone == nil && len(rep.Slots) > 0 {
		p.zone, p.learnt = &slots.Zone{Loc: rep.Slots[0].Slot.Location()}, time.Now()
	}
}

// knew says whether the process knew its slots at a moment.
func (p *process) knew(at time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.zone != nil && p.learnt.Before(at)
}

// byHand is a person's `morrow run` beside the daemon.
func (h *host) byHand() {
	if h.asleep.Load() != nil {
		return
	}
	p := h.newProcess()
	j := pick(h.w.rng, h.w.plan.jobs...)
	h.w.say(h.name, "a person runs %s by hand (process %d)", j.name, p.n)
	go func() {
		p.run(p.dead, j.name, "manual", 30*time.Second)
		_ = p.journal.Close()
		p.kill()
	}()
}

// crash kills a process: nothing more of it reaches disk or network.
func (h *host) crash(p *process) {
	h.w.say(h.name, "CRASH of process %d", p.n)
	_ = p.journal.Close()
	p.kill()
	h.w.judge.crashed(p)
	if h.process != p {
		return
	}
	h.process, h.good = nil, time.Time{}
	again := h.w.upTo(20 * time.Hour)
	if h.w.chance(0.7) { // by its supervisor
		again = time.Second + h.w.upTo(time.Minute)
	}
	h.w.after(again, h.start)
}

// stop ends the daemon in good order.
func (h *host) stop() {
	if h.process != nil {
		h.w.say(h.name, "daemon stops")
		h.process.stop()
		h.process, h.good = nil, time.Time{}
	}
}

// clockSet lets the daemon look at its clock when it is next to do so. It does
// every half a minute; the looks that find nothing are left out.
func (h *host) clockSet() {
	p := h.process
	if p == nil {
		return
	}
	const every = 30 * time.Second
	h.w.exactly(p.began.Add(time.Since(p.began).Truncate(every)+every), func() {
		select {
		case p.recheck <- time.Now():
		default: // the daemon has ended
		}
	})
}

// sleep is a closed lid.
func (h *host) sleep(d time.Duration) {
	if h.process == nil || h.asleep.Load() != nil {
		return
	}
	h.w.say(h.name, "falls asleep for %s", d.Round(time.Second))
	c := make(chan struct{})
	h.slept.Store(int64(d))
	h.asleep.Store(&c)
	h.good = time.Time{}
	h.clockSet()
	h.w.after(d, h.wake)
}

func (h *host) wake() {
	c := h.asleep.Load()
	if c == nil {
		return
	}
	h.w.say(h.name, "wakes up")
	h.slept.Store(0)
	h.asleep.Store(nil)
	close(*c)
	h.clockSet()
	if h.process != nil {
		h.good = time.Now()
	}
	for _, t := range h.parked {
		h.w.route(t)
	}
	h.parked = nil
}

// step sets the machine's clock.
func (h *host) step(offset time.Duration) {
	h.w.say(h.name, "clock is set %s ahead of true time", offset.Round(time.Second))
	h.offset.Store(int64(offset))
	h.clockSet()
	if h.process != nil && h.asleep.Load() == nil {
		h.good = time.Now()
	}
}

// loseState deletes the state folder.
func (h *host) loseState() {
	h.w.say(h.name, "state folder is deleted")
	for _, f := range []string{"journal.db", "journal.db-wal", "journal.db-shm"} {
		_ = os.Remove(filepath.Join(h.dir, f))
	}
}
