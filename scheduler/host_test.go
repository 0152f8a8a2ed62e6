package scheduler

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"morrow/internal/slots"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type ran struct {
	at   time.Time
	text string
}

// host is a machine in a bubble: its clock can be set, it can sleep, and it
// notes what the scheduler runs.
type host struct {
	t   *testing.T
	out bytes.Buffer // the log
	*Scheduler
	cancel context.CancelFunc
	done   chan error

	mu    sync.Mutex
	ahead time.Duration // how far its clock is ahead of the bubble's
	ran   []ran
	// run, if not nil, is what a run does.
	run func(ctx context.Context, job string, t Trigger) Again
	// watching notes runs to watch too. Without it they leave no trace: they
	// are not noted, and repeat the job's last wish.
	watching bool
	wishes   map[string]Again
}

// onHost runs f in a bubble, on a host whose clock shows wall at its begin.
func onHost(t *testing.T, wall string, f func(h *host)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &host{t: t, wishes: map[string]Again{}}
		h.set(mustTime(t, wall))
		f(h)
		if h.cancel != nil {
			h.stop()
		}
	})
}

func (h *host) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Now().Add(h.ahead)
}

// set sets the clock. For timers that do not count it, sleep is no different.
func (h *host) set(wall time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ahead = time.Until(wall)
}

// until lets time pass up to the moment when the clock shows wall.
func (h *host) until(wall string) {
	h.t.Helper()
	d := mustTime(h.t, wall).Sub(h.now().Round(0))
	if d < 0 {
		h.t.Fatalf("%s is past", wall)
	}
	time.Sleep(d)
	synctest.Wait()
}

// Run makes the host a Runner.
func (h *host) Run(ctx context.Context, job string, t Trigger) Again {
	at := h.now()
	h.mu.Lock()
	if t == Watch && !h.watching {
		defer h.mu.Unlock()
		return h.wishes[job]
	}
	h.ran = append(h.ran, ran{at, at.UTC().Format("02T15:04:05 ") + job + " " + string(t)})
	h.mu.Unlock()
	if h.run == nil {
		return Again{}
	}
	again := h.run(ctx, job, t)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.wishes[job] = again
	return again
}

// took gives the runs since it was last asked, those of one instant sorted.
func (h *host) took() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	slices.SortFunc(h.ran, func(a, b ran) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.text, b.text)) })
	var list []string
	for _, r := range h.ran {
		list = append(list, r.text)
	}
	h.ran = nil
	return list
}

// wish gives a job the wish to guard at a time.
func (h *host) wish(job, at string) {
	h.Scheduler.mu.Lock()
	defer h.Scheduler.mu.Unlock()
	e := h.byName[job]
	e.wish = Again{At: mustTime(h.t, at), Trigger: Guard}
	h.armWish(e)
}

func (h *host) wantRuns(want ...string) {
	h.t.Helper()
	if d := gocmp.Diff(want, h.took()); d != "" {
		h.t.Error("runs (-want +got):\n" + d)
	}
}

func (h *host) start(jobs ...Job) {
	h.startWith(Options{Jobs: jobs})
}

func (h *host) startWith(o Options) {
	h.t.Helper()
	o.Runner, o.Now, o.Logger = h, h.now, zerolog.New(&h.out)
	s, err := New(o)
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(h.t.Context())
	h.Scheduler, h.cancel, h.done = s, cancel, make(chan error, 1)
	go func() { h.done <- s.Run(ctx) }()
	synctest.Wait()
}

func (h *host) stop() {
	h.t.Helper()
	h.cancel()
	h.cancel = nil
	if err := <-h.done; err != nil {
		h.t.Error(err)
	}
}

// job checks at 21:00 and publishes at 08:00 UTC on a site of its own.
func (h *host) job(name string, edits ...func(*Job)) Job {
	j := Job{
		Name: name, Site: name, Lead: 15 * time.Minute,
		Check:   mustParse(h.t, "0 21 * * *"),
		Publish: mustParse(h.t, "0 8 * * *"),
		Zone:    known(slots.Zone{Loc: time.UTC}),
	}
	for _, edit := range edits {
		edit(&j)
	}
	return j
}

func known(z slots.Zone) func() (slots.Zone, bool) {
	return func() (slots.Zone, bool) { return z, true }
}

func onSite(site string) func(*Job) { return func(j *Job) { j.Site = site } }

func checks(t *testing.T, spec string) func(*Job) {
	t.Helper()
	return func(j *Job) { j.Check = mustParse(t, spec) }
}

func publishes(t *testing.T, spec string) func(*Job) {
	t.Helper()
	return func(j *Job) { j.Publish = mustParse(t, spec) }
}

func mustParse(t testing.TB, spec string) slots.Schedule {
	t.Helper()
	s, err := slots.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustZone(t testing.TB, name string) slots.Zone {
	t.Helper()
	z, err := slots.NewZone(name, 0)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func mustTime(t testing.TB, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
