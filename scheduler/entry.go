package scheduler

import (
	"maps"
	"time"

	"morrow/internal/slots"

	"github.com/robfig/cron/v3"
)

// entry is a job in service. The Scheduler's mutex guards it.
type entry struct {
	Job
	site *site

	zone  slots.Zone
	known bool         // the zone is
	tick  cron.EntryID // 0 while not armed

	wish  Again
	timer *time.Timer // for the wish

	queued  bool // for a run by trigger
	trigger Trigger
	misses  int // runs in a row that gave no wish to go by
}

// swap puts jobs into service, those of before that are not among them out of
// it, and gives the entries that are new or changed, not armed yet.
func (s *Scheduler) swap(jobs []Job) (fresh []*entry) {
	old := s.byName
	s.byName = make(map[string]*entry, len(jobs))
	s.entries = make([]*entry, 0, len(jobs))
	for _, q := range s.sites {
		q.jobs = nil
	}
	for _, j := range jobs {
		e := old[j.Name]
		switch {
		case e == nil:
			e = &entry{Job: j}
			fresh = append(fresh, e)
		case e.Site != j.Site:
			e = &entry{Job: j, wish: e.wish}
			fresh = append(fresh, e)
		case !e.same(j):
			delete(old, j.Name)
			e.Job = j
			fresh = append(fresh, e)
		default:
			delete(old, j.Name)
			e.Zone = j.Zone
		}
		s.byName[j.Name] = e
		s.entries = append(s.entries, e)
		s.join(e)
	}
	for _, e := range old {
		s.disarm(e) // a wish that is left finds the job gone
	}
	maps.DeleteFunc(s.sites, func(_ string, q *site) bool { return len(q.jobs) == 0 && !q.active })
	return fresh
}

func (s *Scheduler) join(e *entry) {
	q := s.sites[e.Site]
	if q == nil {
		q = &site{}
		s.sites[e.Site] = q
	}
	q.jobs = append(q.jobs, e)
	e.site = q
}

// same says whether j has the times of e's job.
func (e *entry) same(j Job) bool {
	return e.Check == j.Check && e.Publish == j.Publish && e.Lead == j.Lead &&
		maps.Equal(e.Skip.Dates, j.Skip.Dates) && maps.Equal(e.Skip.Weekdays, j.Skip.Weekdays)
}

// admit arms a job and fires it if it is due. While the zone is not known
// nothing can be computed, and a run is what finds it out. A job that waits for
// its tick is fired to watch all the same: the slot may have passed while
// nobody was there to see the post live.
func (s *Scheduler) admit(e *entry, t Trigger) {
	if zone, ok := e.Zone(); ok {
		e.zone, e.known = zone, true
	}
	s.arm(e)
	s.armWish(e)
	if !e.known || due(s.clock.wall(), e.Job, e.zone) {
		s.fire(e, t)
	} else {
		s.fire(e, Watch)
	}
}

// arm sets the job's ticks by its zone, if that is known.
func (s *Scheduler) arm(e *entry) {
	s.disarm(e)
	if !e.known {
		return
	}
	e.tick = s.cron.Schedule(
		&ticks{check: e.Check.In(e.zone.Loc), wall: s.clock.wall},
		cron.FuncJob(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.fire(e, Cron)
		}),
	)
}

func (s *Scheduler) disarm(e *entry) {
	if e.tick != 0 {
		s.cron.Remove(e.tick)
	}
}

// follow arms a job anew if its zone has changed, and says whether it was
// another one before.
func (s *Scheduler) follow(e *entry) (moved bool) {
	zone, ok := e.Zone()
	if !ok || e.known && e.zone.Loc.String() == zone.Loc.String() {
		return false
	}
	moved = e.known
	e.zone, e.known = zone, true
	s.arm(e)
	return moved
}

// armWish sets the timer of a job's wish by the present wall clock.
func (s *Scheduler) armWish(e *entry) {
	if e.timer != nil {
		e.timer.Stop()
	}
	if e.wish.At.IsZero() {
		return
	}
	wish := e.wish
	e.timer = time.AfterFunc(wish.At.Sub(s.clock.wall()), func() { s.grant(e, wish) })
}

func (s *Scheduler) grant(e *entry, wish Again) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case e.wish != wish: // replaced while the timer fired
	case wish.At.After(s.clock.wall()): // the clock was set back meanwhile
		s.armWish(e)
	default:
		e.wish = Again{}
		s.fire(e, wish.Trigger)
	}
}

func (s *Scheduler) next(e *entry) time.Time {
	next := e.wish.At
	if e.known {
		tick := e.Check.Next(s.clock.wall(), e.zone.Loc)
		if next.IsZero() || tick.Before(next) {
			next = tick
		}
		next = next.In(e.zone.Loc)
	}
	return next
}

func (s *Scheduler) announce(e *entry) {
	s.log.Info().Str("job", e.Name).Time("next_run", s.next(e)).Msg("next run")
}
