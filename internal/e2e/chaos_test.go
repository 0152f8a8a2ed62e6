//go:build linux

package e2e

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"morrow/internal/wptest"
)

var seedFlag = flag.Uint64("chaos.seed", 1, "what the chaos tests draw their mishaps from") //nolint:gochecknoglobals // a flag

// stretch is how many mishaps befall one site.
const stretch = 20

// Whatever step a run is killed at, or stands still at for a while, the next
// ones book each slot once, and leave nothing behind. Every now and then
// everything they keep is deleted.
func TestChaosOfKills(t *testing.T) {
	t.Parallel()
	chaos(t, 1, time.Minute, amount(6, 200), func(h *history) int {
		ms := []mishap{kills(h.Rand)}
		if h.IntN(4) == 0 {
			ms = append(ms, stops(h.Rand))
		}
		killed, _ := h.round([][]mishap{ms})
		return killed
	})
}

// The same whatever becomes of their requests and of the answers.
func TestChaosOfTheNetwork(t *testing.T) {
	t.Parallel()
	chaos(t, 1, impatient, amount(6, 200), func(h *history) int {
		ms := []mishap{faults(h.Rand)}
		if h.IntN(4) == 0 {
			ms = append(ms, faults(h.Rand))
		}
		_, struck := h.round([][]mishap{ms})
		return struck
	})
}

// The same with two machines that look after one site, each with a queue, a
// state and a lock of its own, and start at the same moment. On every other
// site their queues are in contrary order, so that they reach for different
// items.
func TestChaosOfTwoHosts(t *testing.T) {
	t.Parallel()
	chaos(t, 2, impatient, amount(4, 100), func(h *history) int {
		both := make([][]mishap, 2)
		for i := range both {
			if draw := []func(*rand.Rand) mishap{nil, kills, stops, faults}[h.IntN(4)]; draw != nil {
				both[i] = append(both[i], draw(h.Rand))
			}
		}
		h.round(both)
		return 1
	})
}

// amount is how much of something a test does: little, or all of it in the
// long run.
func amount(little, all int) int {
	if os.Getenv("MORROW_FULL") != "" {
		return all
	}
	return little
}

// chaos plays histories on sites of every version until the rounds have given
// as much as is wanted.
func chaos(t *testing.T, hosts int, timeout time.Duration, want int, round func(h *history) int) {
	t.Helper()
	for _, version := range wptest.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			for n := 0; n*stretch < want; n++ {
				t.Run(strconv.Itoa(n), func(t *testing.T) {
					t.Parallel()
					h := newHistory(newRig(t, wptest.New(t, version)), hosts, timeout, n%2 == 0)
					part := min(stretch, want-n*stretch)
					for got := 0; got < part; got += round(h) {
						if h.rounds == 4*stretch {
							t.Fatalf("%d rounds gave %d mishaps, want %d", h.rounds, got, part)
						}
					}
					h.end()
				})
			}
		})
	}
}

// history is what happens to one site and the machines that look after it. Each
// round one slot more is to be booked.
type history struct {
	*rand.Rand
	hosts    []*rig
	proxy    map[*rig]*proxy
	contrary bool // the order of the second host's queue
	rounds   int

	mu    sync.Mutex
	trace []string
	tally map[string]int
}

// spare is how many items more than slots there are: a twin would find one.
const spare = 3

func newHistory(r *rig, hosts int, timeout time.Duration, contrary bool) *history {
	r.Helper()
	name := fnv.New64a()
	_, _ = name.Write([]byte(r.Name()))
	h := &history{
		Rand:  rand.New(rand.NewPCG(*seedFlag, name.Sum64())),
		proxy: map[*rig]*proxy{}, contrary: contrary, tally: map[string]int{},
	}
	for i := range hosts {
		host := r
		if i > 0 {
			host = newRig(r.T, r.site)
			host.slot = r.slot
		}
		host.siteKeys = fmt.Sprintf("timeout: %s", timeout)
		h.hosts = append(h.hosts, host)
		h.proxy[host] = host.behind()
		for n := range spare {
			h.queue(i, n)
		}
	}
	started := time.Now()
	r.Cleanup(func() {
		r.Logf("%d rounds in %s: %v", h.rounds, time.Since(started).Round(time.Second), h.tally)
		if r.Failed() || h.tally["slugs with a suffix"] > 0 {
			r.Logf("again: go test ./internal/e2e -run '^%s$' -chaos.seed=%d\n%s",
				strings.ReplaceAll(r.Name(), "/", "$/^"), *seedFlag, strings.Join(h.trace, "\n"))
		}
	})
	return h
}

// itemOf is an item's name, which is its slug.
func itemOf(n int) string { return fmt.Sprintf("item-%03d", n) }

// fileOf is the name of an item's file at a host.
func (h *history) fileOf(host, n int) string {
	place := n
	if h.contrary && host == 1 {
		place = 999 - n
	}
	return fmt.Sprintf("%03d-%s.md", place, itemOf(n))
}

func (h *history) queue(host, n int) {
	h.hosts[host].write(h.fileOf(host, n), fmt.Sprintf("# %s\n\nSome *text* & more.\n", itemOf(n)))
}

// tell counts something, and keeps a line about it unless that is empty.
func (h *history) tell(what, format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tally[what]++
	if format == "" {
		return
	}
	h.trace = append(h.trace, fmt.Sprintf("round %d: ", h.rounds)+fmt.Sprintf(format, args...))
}

func (h *history) told(what string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tally[what]
}

// round lets all hosts run at once, each with its mishaps, and gives how many
// runs were killed and how many mishaps struck.
func (h *history) round(ms [][]mishap) (killed, struck int) {
	h.hosts[0].Helper()
	h.rounds++
	before := h.told("mishaps")
	for i, host := range h.hosts {
		h.queue(i, h.rounds+spare-1)
		host.jobKeys = fmt.Sprintf("ahead: %d", h.rounds)
		host.configure()
		if h.IntN(2) == 0 {
			ms[i] = append(ms[i], amnesia(h.Rand))
		}
	}
	runs := make([]*process, len(h.hosts))
	for _, i := range h.Perm(len(h.hosts)) {
		if len(h.hosts) > 1 && h.IntN(2) == 0 {
			after(time.Duration(h.Int64N(int64(300 * time.Millisecond))))
		}
		runs[i] = h.hosts[i].beset(h.proxy[h.hosts[i]], ms[i], func(m mishap) {
			h.tell(m.name, "host %d: %s at %s %d", i, m.name, m.kind, m.nth)
			if m.name != stateDeleted {
				h.tell("mishaps", "")
			}
		})
	}
	for i, run := range runs {
		res := run.within(10 * patience) // it may have many slots to fill
		h.tell(fmt.Sprintf("exit code %d", res.code), "host %d: exit code %d %s", i, res.code, strings.TrimSpace(res.stdout))
		if strings.Contains(res.stdout+res.stderr, "one too many") {
			h.tell("withdrew", "")
		}
		switch res.code {
		case -1:
			killed++
		case 0, 1, 3, 4:
		default:
			h.hosts[i].Errorf("exit code %d\n%s%s", res.code, res.stdout, res.stderr)
		}
	}
	h.look()
	return killed, h.told("mishaps") - before
}

// look wants that nothing is public, and that one machine alone never makes
// twins, not even such as nobody sees.
func (h *history) look() {
	r := h.hosts[0]
	r.Helper()
	at := map[time.Time]int{}
	for _, p := range r.site.Posts(r) {
		switch p.Status {
		case "future":
			if at[p.Date]++; at[p.Date] == 1 {
				continue
			}
			h.tell("twins", "twin: post %d %s %s", p.ID, p.Date, p.Slug)
			if len(h.hosts) == 1 {
				r.Errorf("round %d: twins for %s", h.rounds, p.Date)
			}
		case "draft":
		default:
			r.Errorf("round %d: post %d %q is %s", h.rounds, p.ID, p.Slug, p.Status)
		}
	}
}

// end gives every item a slot. One run of each host, and the guard's, later
// each slot has one post, and nothing else is left on the site or in a queue.
func (h *history) end() {
	r := h.hosts[0]
	r.Helper()
	total := h.rounds + spare
	for _, host := range h.hosts {
		h.proxy[host].onAny(nil)
		h.proxy[host].settle()
	}
	for i, host := range h.hosts {
		host.siteKeys = "timeout: 60s" // the machine may be busy
		host.jobKeys = fmt.Sprintf("ahead: %d", total)
		host.configure()
		res := host.start("run").within(10 * patience) // it may have many slots to fill
		h.tell("last runs", "host %d: last run: exit code %d %s", i, res.code, strings.TrimSpace(res.stdout))
	}
	// What a run leaves alone while another machine may be at it, it takes up now.
	r.site.Age(r, 48*time.Hour)
	for _, host := range h.hosts {
		host.guard(total)
	}
	want, items := make([]time.Time, total), make([]string, total)
	for n := range total {
		want[n], items[n] = r.slot.AddDate(0, 0, n), itemOf(n)
	}
	r.scheduled(want...)
	var titles []string
	for _, p := range r.site.Posts(r) {
		titles = append(titles, p.Title)
		if p.Slug != p.Title { // a run died before it could send the slug again
			h.tell("slugs with a suffix", "post %d has the slug %s", p.ID, p.Slug)
		}
	}
	slices.Sort(titles)
	if !slices.Equal(titles, items) {
		r.Errorf("the site holds %q, want each item once", titles)
	}
	for i, host := range h.hosts {
		var files []string
		for n := range total {
			files = append(files, h.fileOf(i, n))
		}
		slices.Sort(files)
		host.queued()
		host.done(files...)
	}
}

// guard lets a daemon come to a run of the guard, which is due 5 minutes before
// the lead begins.
func (r *rig) guard(ahead int) {
	r.Helper()
	for margin := 5 * time.Second; ; margin *= 2 {
		at := time.Now().Add(margin)
		r.jobKeys = fmt.Sprintf("ahead: %d\n    lead: %s", ahead, r.slot.Sub(at.Add(5*time.Minute)).Truncate(time.Millisecond))
		r.configure()
		d := r.serve()
		d.says("run ended")
		inTime := time.Now().Before(at)
		if inTime {
			d.guards()
		}
		d.shutDown()
		if inTime {
			return
		}
		if margin > patience {
			r.Fatalf("the first run took longer than %s:\n%s", margin, &d.stderr)
		}
	}
}

// guards waits until the guard has run.
func (p *process) guards() {
	p.rig.Helper()
	p.rig.until("a run of the guard", func() bool {
		for text := range strings.Lines(p.stderr.String()) {
			if strings.Contains(text, "run ended") && strings.Contains(text, "trigger=guard") {
				return true
			}
		}
		return false
	})
}
