package main

import (
	"time"

	"morrow/internal/config"
	"morrow/internal/slots"
)

// coincidenceYears is how far ahead jobs are compared.
const coincidenceYears = 1

// checkCron says whether a cron expression can be used.
func checkCron(spec string) error {
	_, err := slots.Parse(spec)
	return err
}

// coincide makes the test whether two jobs of one site, as configured, ever
// publish at one instant of the year after now.
func coincide(now time.Time) func(a, b config.Job) bool {
	return func(a, b config.Job) bool {
		x, errX := slots.Parse(a.Publish)
		y, errY := slots.Parse(b.Publish)
		if errX != nil || errY != nil {
			return false
		}
		// Wall-clock times are the same in any zone, so UTC stands for all.
		end := now.AddDate(coincidenceYears, 0, 0)
		for t := now.UTC(); ; {
			// Each schedule leaps to the other's next instant, so that a dense
			// one costs no more than a sparse one.
			t = x.Next(t, time.UTC)
			if t.IsZero() || t.After(end) {
				return false
			}
			other := y.Next(t.Add(-time.Second), time.UTC)
			switch {
			case other.IsZero():
				return false
			case other.Equal(t) && !skips(a.Skip, t) && !skips(b.Skip, t):
				return true
			case other.After(t):
				t = other.Add(-time.Second)
			}
		}
	}
}

// leastAhead makes the test how many slots a job must look ahead so that each
// is farther off than its lead when it comes into view: one more than the most
// slots that lie within a lead after another.
func leastAhead(now time.Time) func(config.Job) int {
	return func(j config.Job) int {
		schedule, err := slots.Parse(j.Publish)
		if err != nil {
			return 1
		}
		// The times of a day are the same on each of its days, so that few
		// days show them all.
		const days, fewest, most = 32, 40, 2 * 24 * 60
		var within []time.Time
		least := 1
		t := schedule.Next(now.UTC(), time.UTC)
		for n := 0; !t.IsZero() && n < most && (n < fewest || t.Before(now.AddDate(0, 0, days))); n++ {
			if !skips(j.Skip, t) {
				for len(within) > 0 && t.Sub(within[0]) > j.Lead {
					within = within[1:]
				}
				within = append(within, t)
				least = max(least, len(within))
			}
			t = schedule.Next(t, time.UTC)
		}
		return least
	}
}

func skips(s config.Skip, t time.Time) bool {
	return s.Weekdays[t.Weekday()] || s.Dates[t.Format(time.DateOnly)]
}
