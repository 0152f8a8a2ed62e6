//go:build linux

package e2e

import (
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"
)

// mishap is something that befalls a run at one of its calls.
type mishap struct {
	name string
	// kind and nth are of the call that it strikes; an empty kind means any.
	kind kind
	nth  int
	deal func(v *victim, forward func() *answer) *answer
}

// victim is a run and where its calls go.
type victim struct {
	*process
	proxy *proxy
}

const (
	// impatient is a short time-out, yet one that a busy machine keeps.
	impatient = 3 * time.Second
	// tardy is what a run that is impatient does not wait for.
	tardy = impatient + 300*time.Millisecond
)

func after(d time.Duration) { <-time.After(d) }

// later delivers a call when the run has gone on without it.
func (v *victim) later(d time.Duration, forward func() *answer) {
	v.proxy.flight.Go(func() {
		after(d)
		forward()
	})
}

// hit sends a signal to the run, which may have ended meanwhile.
func (v *victim) hit(s syscall.Signal) { _ = v.cmd.Process.Signal(s) }

// faults are what a network and a gateway do to a call.
func faults(r *rand.Rand) mishap {
	d := tardy + time.Duration(r.Int64N(int64(2*time.Second)))
	soon := time.Duration(r.Int64N(int64(impatient)))
	return []mishap{
		{name: "cut before", deal: func(*victim, func() *answer) *answer { return nil }},
		{name: "cut after", deal: func(_ *victim, forward func() *answer) *answer {
			forward()
			return nil
		}},
		{name: "answered late", deal: func(_ *victim, forward func() *answer) *answer {
			a := forward()
			after(d)
			return a
		}},
		{name: "delivered late", deal: func(_ *victim, forward func() *answer) *answer {
			after(d)
			return forward()
		}},
		{name: "502 after success", deal: func(_ *victim, forward func() *answer) *answer {
			forward()
			return &answer{
				status: http.StatusBadGateway, header: http.Header{"Content-Type": {"text/html"}},
				body: []byte("<html><h1>502 Bad Gateway</h1></html>"),
			}
		}},
		{name: "cut in the answer", deal: func(_ *victim, forward func() *answer) *answer {
			a := forward()
			if a != nil { // the length that it announces stays
				a.body = a.body[:len(a.body)/2]
			}
			return a
		}},
		{name: "truncated", deal: func(_ *victim, forward func() *answer) *answer {
			a := forward()
			if a != nil {
				a.header.Del("Content-Length")
				a.body = a.body[:len(a.body)/2]
			}
			return a
		}},
		{name: "delivered twice at once", deal: func(v *victim, forward func() *answer) *answer {
			v.later(0, forward)
			return forward()
		}},
		{name: "delivered again later", deal: func(v *victim, forward func() *answer) *answer {
			v.later(soon, forward)
			return forward()
		}},
	}[r.IntN(9)].somewhere(r)
}

// kills are the ways in which a run dies of kill -9 at a call.
func kills(r *rand.Rand) mishap {
	soon := time.Duration(r.Int64N(int64(impatient)))
	moment := time.Duration(r.Int64N(int64(30 * time.Millisecond)))
	return []mishap{
		{name: "killed, call lost", deal: func(v *victim, _ func() *answer) *answer {
			v.hit(syscall.SIGKILL)
			return nil
		}},
		{name: "killed, call under way", deal: func(v *victim, forward func() *answer) *answer {
			v.hit(syscall.SIGKILL)
			return forward()
		}},
		{name: "killed, call delivered late", deal: func(v *victim, forward func() *answer) *answer {
			v.hit(syscall.SIGKILL)
			v.later(soon, forward)
			return nil
		}},
		{name: "killed, answer lost", deal: func(v *victim, forward func() *answer) *answer {
			a := forward()
			v.hit(syscall.SIGKILL)
			return a
		}},
		{name: "killed soon after the answer", deal: func(v *victim, forward func() *answer) *answer {
			a := forward()
			time.AfterFunc(moment, func() { v.hit(syscall.SIGKILL) })
			return a
		}},
	}[r.IntN(5)].somewhere(r)
}

// stops let a run stand still at a call for a while, as a laptop does that is
// shut and opened.
func stops(r *rand.Rand) mishap {
	d := time.Duration(r.Int64N(int64(impatient + 2*time.Second)))
	halt := func(v *victim) {
		v.hit(syscall.SIGSTOP)
		time.AfterFunc(d, func() { v.hit(syscall.SIGCONT) })
	}
	return []mishap{
		{name: "stopped, call under way", deal: func(v *victim, forward func() *answer) *answer {
			halt(v)
			return forward()
		}},
		{name: "stopped, call answered", deal: func(v *victim, forward func() *answer) *answer {
			a := forward()
			halt(v)
			return a
		}},
		{name: "stopped, call delivered on waking", deal: func(v *victim, forward func() *answer) *answer {
			halt(v)
			after(d)
			return forward()
		}},
	}[r.IntN(3)].somewhere(r)
}

const stateDeleted = "state deleted"

// amnesia deletes everything that a run keeps, while it runs.
func amnesia(r *rand.Rand) mishap {
	return mishap{name: stateDeleted, nth: 1 + r.IntN(10), deal: func(v *victim, forward func() *answer) *answer {
		_ = os.RemoveAll(v.rig.path("state")) // fails if the run makes a file meanwhile: half of it is gone
		return forward()
	}}
}

// somewhere draws the call that the mishap strikes: any of a run's, or one of
// the two that count.
func (m mishap) somewhere(r *rand.Rand) mishap {
	switch r.IntN(4) {
	case 0:
		m.kind, m.nth = create, 1
	case 1:
		m.kind, m.nth = commit, 1+r.IntN(2)
	default:
		m.nth = 1 + r.IntN(14)
	}
	return m
}

// beset starts a run that mishaps befall, and tells of each that struck.
func (r *rig) beset(p *proxy, ms []mishap, struck func(mishap)) *process {
	r.Helper()
	v := &victim{proxy: p}
	var mu sync.Mutex
	seen := map[kind]int{}
	strikes := func(c call) (m mishap, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		seen[c.kind]++
		seen[""]++
		for i, m := range ms {
			if (m.kind == c.kind || m.kind == "") && m.nth == seen[m.kind] {
				ms = append(ms[:i:i], ms[i+1:]...)
				return m, true
			}
		}
		return mishap{}, false
	}
	started := make(chan struct{})
	p.onAny(func(c call, forward func() *answer) *answer {
		<-started
		m, ok := strikes(c)
		if !ok {
			return forward()
		}
		m.kind, m.nth = c.kind, c.nth
		struck(m)
		return m.deal(v, forward)
	})
	v.process = r.start("run")
	close(started)
	return v.process
}
