package scheduler

import (
	"time"

	"morrow/internal/slots"
)

// due says whether a job has to run now because no tick is left before the
// lead of its next slot. It needs no record of past ticks: a tick that was
// missed counts only if a slot would go empty for it.
func due(now time.Time, j Job, z slots.Zone) bool {
	calendar := slots.Calendar{Zone: z, Jobs: []slots.Times{{Job: j.Name, Publish: j.Publish, Skip: j.Skip}}}
	next := calendar.Upcoming(j.Name, now, 1)
	if len(next) == 0 {
		return false
	}
	tick := j.Check.Next(now, z.Loc)
	return !tick.Before(next[0].At.Add(-j.Lead))
}
