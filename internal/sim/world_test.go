package sim

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing/synctest"
	"time"

	"morrow/internal/fakewp"
	"morrow/internal/slots"
	"morrow/publish"
)

const (
	account = "editor"
	oldPost = "An old post" // that everybody leaves alone
)

// world is one history. All that happens in it, happens in its loop: the
// programs under test run beside it, but whatever they do to network and disk
// waits there for its turn.
type world struct {
	seed   uint64
	rng    *rand.Rand
	more   *rand.Rand // for what histories had not at first
	plan   plan
	root   string // of the machines' disks
	tracer *tracer

	site            *fakewp.Server
	zone            slots.Zone
	scope           publish.Scope
	category        int64 // of the scope
	end             time.Time
	hosts           []*host
	processes       []*process
	judge           *judge
	items, requests int // so far

	agenda agenda
	count  int
	bell   chan struct{}

	mu      sync.Mutex
	tickets []*ticket // handed in, not yet looked at

	stormy atomic.Bool
	storm  storm
	calm   time.Time // when the last storm ended
}

// event is something that happens at its time. Of two with one time the first
// that was put down comes first.
type event struct {
	at time.Time
	n  int
	do func()
}

type agenda []event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at.Before(a[j].at) || a[i].at.Equal(a[j].at) && a[i].n < a[j].n
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(event)) }
func (a *agenda) Pop() any {
	old := *a
	e := old[len(old)-1]
	*a = old[:len(old)-1]
	return e
}

// play plays one history in the bubble that it is called in, and says what
// was wrong in it.
func play(seed uint64, days int, root string, trace *tracer) result {
	rng := rand.New(rand.NewPCG(seed, 1))
	w := &world{
		seed: seed, rng: rng, more: rand.New(rand.NewPCG(seed, 2)), plan: newPlan(rng, days),
		root: root, tracer: trace, bell: make(chan struct{}, 1),
	}
	w.plan.more(w.more)
	time.Sleep(w.plan.begin)
	w.build()
	w.end = time.Now().AddDate(0, 0, days)
	w.weather()
	w.people()
	for _, h := range w.hosts {
		w.after(w.upTo(10*time.Minute), h.start)
		h.fate()
	}
	w.run(w.end)
	w.settleDown()
	for _, h := range w.hosts {
		h.stop()
	}
	w.run(time.Now().Add(time.Hour))
	w.judge.final()
	for _, p := range w.processes {
		_ = p.journal.Close()
		p.kill()
	}
	synctest.Wait()
	return result{w.judge.verdict, w.judge.count, w.judge.excused, w.requests}
}

// result is what came of a history.
type result struct {
	*verdict
	runs, excused, requests int
}

func (w *world) build() {
	p := w.plan
	w.site = fakewp.New(fakewp.Options{Timezone: p.zone, GMTOffset: p.offset, CronDead: p.cronDead, Now: time.Now})
	zone, err := slots.NewZone(p.zone, p.offset)
	if err != nil {
		panic(err)
	}
	w.zone = zone
	w.judge = newJudge(w)
	password := w.site.AddUser(account, p.role)
	w.setScope()
	for i := range p.hosts {
		h := &host{w: w, n: i, name: string(rune('A' + i)), password: password, dir: filepath.Join(w.root, string(rune('A'+i)))}
		for _, j := range p.jobs {
			must(os.MkdirAll(filepath.Join(h.queue(j), "done"), 0o755))
		}
		must(os.MkdirAll(filepath.Join(h.dir, "lock"), 0o755))
		h.offset.Store(int64(p.skew[i]))
		w.hosts = append(w.hosts, h)
	}
	for _, j := range p.jobs {
		w.supply(j)
		w.judge.follow(j)
	}
}

// setScope makes what the jobs' scope names. An account shows only those
// others that have published something.
func (w *world) setScope() {
	switch w.plan.scope {
	case "category":
		w.scope.Category, w.category = "News", w.site.AddTerm("category", "News")
	case "author":
		w.scope.Author = "admin"
		old := time.Now().AddDate(0, -1, 0).UTC().Format(time.DateTime)
		w.site.InsertPost(fakewp.Post{Title: oldPost, Status: "publish", DateGMT: old})
		w.judge.person()
	}
}

// settleDown ends all that goes wrong, so that what remains can be held to the
// strictest rule: after a day of looks by all machines.
func (w *world) settleDown() {
	w.say("—", "all faults end")
	w.endStorm()
	w.plan.storms, w.plan.crashes, w.plan.meddling, w.plan.sleeps = 0, 0, 0, 0
	for _, h := range w.hosts {
		h.wake()
		if h.process == nil {
			h.start()
		}
	}
	w.run(time.Now().Add(26 * time.Hour))
	w.judge.settled()
}

// run lets time pass until then.
func (w *world) run(until time.Time) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for !w.judge.over() {
		synctest.Wait() // all programs wait for something
		w.admit()
		now := time.Now()
		next := until
		if len(w.agenda) > 0 && w.agenda[0].at.Before(until) {
			next = w.agenda[0].at
		}
		switch {
		case next.After(now):
			timer.Reset(next.Sub(now))
			select {
			case <-w.bell:
			case <-timer.C:
			}
		case next.Equal(until) && (len(w.agenda) == 0 || !w.agenda[0].at.Before(until)):
			return
		default:
			heap.Pop(&w.agenda).(event).do()
		}
	}
}

// at puts an event down. Its time is off by some nanoseconds, so that it does
// not fall together with a timer of the programs.
func (w *world) at(t time.Time, do func()) {
	w.count++
	heap.Push(&w.agenda, event{t.Truncate(time.Microsecond).Add(time.Duration(1 + w.count%997)), w.count, do})
}

// exactly puts down what comes at its very moment, before all else.
func (w *world) exactly(t time.Time, do func()) { heap.Push(&w.agenda, event{at: t, do: do}) }

func (w *world) after(d time.Duration, do func()) { w.at(time.Now().Add(d), do) }

// chance is true with probability p.
func (w *world) chance(p float64) bool { return w.rng.Float64() < p }

// upTo is a duration below d; short ones are as likely as long ones.
func (w *world) upTo(d time.Duration) time.Duration {
	f := w.rng.Float64()
	return time.Duration(f * f * float64(d))
}

func (w *world) say(who, format string, args ...any) {
	if w.tracer != nil {
		w.tracer.add(w.zone.Loc, who, fmt.Sprintf(format, args...))
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
