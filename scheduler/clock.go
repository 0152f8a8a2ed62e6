package scheduler

import (
	"time"

	"github.com/robfig/cron/v3"
)

const (
	recheckEvery = 30 * time.Second
	// tolerance is how far wall clock and timers may part unnoticed. A tick may
	// be off by as much, which no lead depends on.
	tolerance = 5 * time.Second
)

// clock is the wall clock, and the measure of whether it goes along with the
// monotonic one that timers run on.
type clock struct {
	now   func() time.Time
	every time.Duration // between two calls of off; 0 when they come at any time
	// Readings of both clocks at one moment, and of the latter when last asked.
	setWall, setMono, asked time.Time
}

// wall is the time that decides, without the monotonic reading by which times
// would be compared.
func (c *clock) wall() time.Time { return c.now().Round(0) }

// set makes this moment the one that off measures from.
func (c *clock) set() {
	c.setWall, c.setMono = c.wall(), time.Now()
	c.asked = c.setMono
}

// off tells by how much wall time has left the timers' time since set, or by
// how much the question itself comes late, as it does after sleep where timers
// count sleep, too. It is zero while that is tolerable.
func (c *clock) off() time.Duration {
	mono := time.Now()
	late := mono.Sub(c.asked) - c.every
	c.asked = mono
	off := c.wall().Sub(c.setWall) - mono.Sub(c.setMono)
	switch {
	case off.Abs() > tolerance:
		return off
	case c.every > 0 && late > tolerance:
		return late
	default:
		return 0
	}
}

// ticks are a job's ticks in the form that robfig's runner takes. The runner
// goes by time.Now and the job by the wall clock of the options, so what is
// handed over is how long it is until the next tick.
type ticks struct {
	check cron.Schedule
	wall  func() time.Time
	last  time.Time
}

func (t *ticks) Next(runner time.Time) time.Time {
	wall := t.wall()
	from := wall
	// A timer that fires a moment early must not lead to the same tick again.
	if t.last.After(from) {
		from = t.last
	}
	t.last = t.check.Next(from)
	return runner.Add(t.last.Sub(wall))
}
