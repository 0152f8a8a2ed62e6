package scheduler

import (
	"fmt"
	"runtime/debug"
	"time"
)

// site is the queue of the jobs that share a site. It stands in the
// Scheduler's ready list, or a worker has it, while it is active.
type site struct {
	jobs   []*entry
	queue  []*entry
	active bool
}

// fire queues a run of a job, unless one waits already. One that waits only to
// watch becomes one that fills too.
func (s *Scheduler) fire(e *entry, t Trigger) {
	if e.queued && e.trigger == Watch {
		e.trigger = t
	}
	if s.state != running || e.queued {
		return
	}
	e.queued, e.trigger = true, t
	q := e.site
	q.queue = append(q.queue, e)
	if q.active {
		return
	}
	q.active = true
	s.ready = append(s.ready, q)
	if s.busy < s.parallel {
		s.busy++
		s.workers.Go(s.work)
	}
}

// work runs what is queued: one job of a site, then one of the next.
func (s *Scheduler) work() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.state == running && len(s.ready) > 0 {
		q := s.ready[0]
		s.ready = s.ready[1:]
		e := q.queue[0]
		q.queue = q.queue[1:]
		e.queued = false
		if s.byName[e.Name] == e { // else taken out while it waited
			s.runOne(e)
		}
		if len(q.queue) > 0 {
			s.ready = append(s.ready, q)
		} else {
			q.active = false
		}
	}
	s.busy--
}

// runOne runs a job without the mutex, which it is called with.
func (s *Scheduler) runOne(e *entry) {
	trigger := s.take(e)
	s.mu.Unlock()
	again, ok := s.guarded(e.Name, trigger)
	s.mu.Lock()
	if s.state == running {
		s.settle(e, trigger, again, ok)
	}
}

// take gives the trigger of a run that begins. The run grants the wish whose
// time has come, too, be its timer first or last to fire.
func (s *Scheduler) take(e *entry) Trigger {
	if wish := e.wish; !wish.At.IsZero() && !wish.At.After(s.clock.wall()) {
		e.wish = Again{}
		if e.trigger == Watch {
			return wish.Trigger
		}
	}
	return e.trigger
}

// guarded runs a job; a panic ends the run and nothing else.
func (s *Scheduler) guarded(job string, t Trigger) (again Again, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error().Str("job", job).Str("trigger", string(t)).
				Str("panic", fmt.Sprint(r)).Bytes("stack", debug.Stack()).Msg("run panicked")
		}
	}()
	return s.run(job, t), true
}

// settle takes up what a run of a job has left: its wish, and the zone of its
// site. ok is false after a panic.
func (s *Scheduler) settle(ran *entry, trigger Trigger, again Again, ok bool) {
	for _, e := range ran.site.jobs {
		if s.follow(e) && e != ran && due(s.clock.wall(), e.Job, e.zone) {
			s.fire(e, Wake)
		}
	}
	e := s.byName[ran.Name] // a new configuration may have replaced it
	if e == nil {
		return
	}
	now := s.clock.wall()
	if ok {
		e.wish = again.after(now)
	}
	if ok && e.known {
		e.misses = 0
	} else if retry := now.Add(pause(e.misses)); e.wish.At.IsZero() || retry.Before(e.wish.At) {
		e.misses++
		e.wish = Again{At: retry, Trigger: Retry}
	}
	s.armWish(e)
	if trigger == Watch && e.known && due(now, e.Job, e.zone) {
		s.fire(e, Retry) // a slot has passed, and no tick is left before the next
		return
	}
	s.announce(e)
}

// after is the wish, but not sooner than a second from now: a Runner that asks
// for the past each time would run without a pause.
func (a Again) after(now time.Time) Again {
	if soonest := now.Add(time.Second); !a.At.IsZero() && a.At.Before(soonest) {
		a.At = soonest
	}
	a.At = a.At.Round(0)
	return a
}

// pause is how long a job waits that has missed n times in a row to say when
// it wants to run again, or whose zone nobody knows yet.
func pause(n int) time.Duration {
	pauses := [...]time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute}
	return pauses[min(n, len(pauses)-1)]
}
