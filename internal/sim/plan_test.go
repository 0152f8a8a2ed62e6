package sim

import (
	"math/rand/v2"
	"time"

	"morrow/internal/slots"
)

// plan is what a history is like: drawn once, from its seed.
type plan struct {
	days     int
	begin    time.Duration // after the bubble's birth
	zone     string
	offset   float64
	cronDead bool
	hosts    int
	skew     []time.Duration
	shared   bool // all machines have the same files
	jobs     []job
	stock    int // of items, below which people bring new ones
	journal  bool
	timeout  time.Duration

	storms   float64 // a day
	crashes  float64 // for each step, while it storms
	meddling float64 // a person's actions a day
	sleeps   float64 // a day and machine
	steps    float64 // of a clock, a day and machine
	runs     float64 // by hand, a day and machine

	role  string  // of the account
	yield bool    // bookings make way for people's posts
	scope string  // what fills a slot: "", "category", "author"
	dated float64 // of the items, those with a day or a date
}

// job is one job as all machines have it.
type job struct {
	name           string
	check, publish slots.Schedule
	ahead          int
	lead           time.Duration
}

func newPlan(r *rand.Rand, days int) plan {
	p := plan{
		days: days, begin: time.Duration(r.Int64N(int64(365 * 24 * time.Hour))),
		cronDead: r.IntN(5) == 0, hosts: pick(r, 1, 1, 1, 1, 1, 2, 2, 2, 3), shared: r.IntN(2) == 0,
		stock: pick(r, 6, 6, 6, 6, 6, 6, 6, 1), journal: r.IntN(20) == 0, timeout: pick(r, time.Minute, time.Minute, 20*time.Second),
		storms: pick(r, 0, 0.5, 1, 3), meddling: pick(r, 0, 0.5, 2), crashes: pick(r, 0, 0.03, 0.1),
		sleeps: pick(r, 0, 0, 0.3, 1), steps: pick(r, 0, 0, 0.2), runs: pick(r, 0, 0.1, 0.5),
	}
	p.zone = pick(r, "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Cairo", "Pacific/Apia", "")
	if p.zone == "" {
		p.offset = pick(r, 9, -3.5, 5.75)
	}
	for range p.hosts {
		p.skew = append(p.skew, pick(r, 0, 0, 0, time.Duration(r.Int64N(int64(20*time.Minute)))-10*time.Minute))
	}
	p.jobs = newJobs(r)
	return p
}

// more draws what plans had not at first. It has numbers of its own, so that
// the histories without any of it stay what they were.
func (p *plan) more(r *rand.Rand) {
	p.role = pick(r, "editor", "editor", "editor", "author")
	p.yield = r.IntN(4) == 0
	p.scope = pick(r, "", "", "", "", "category", "author")
	p.dated = pick(r, 0, 0, 0.3, 0.6)
}

func newJobs(r *rand.Rand) []job {
	lead := pick(r, 15*time.Minute, 15*time.Minute, 30*time.Minute)
	times := pick(r,
		[3]string{"0 21 * * *", "0 8 * * *", "1"},
		[3]string{"30 16 * * *", "0 8 * * *", "1"},
		[3]string{"45 23 * * *", "15 0 * * *", "1"},
		[3]string{"0 6,18 * * *", "30 2 * * *", "1"}, // in the gap of summer time
		[3]string{"0 21 * * *", "0 7,19 * * *", "2"},
		[3]string{"10 */6 * * *", "0 8 * * *", "3"},
		[3]string{"30 12 * * *", "0 9 * * 1-5", "2"},
		[3]string{"0 12 * * 1,4", "0 8 * * 2,5", "1"},
		[3]string{"0 12 * * 1,4", "0 8 * * 2,5", "1"},
		[3]string{"0 20 * * 0", "0 9 * * 1", "1"},
		[3]string{"0 20 * * 0", "0 9 * * 1", "1"},
		[3]string{"0 20 1 * *", "0 9 2,12,22 * *", "3"})
	jobs := []job{newJob("daily", times, lead)}
	if r.IntN(8) == 0 {
		jobs = append(jobs, newJob("second", [3]string{"20 20 * * *", "30 13 * * *", "1"}, lead))
	}
	return jobs
}

func newJob(name string, times [3]string, lead time.Duration) job {
	check, err := slots.Parse(times[0])
	must(err)
	publish, err := slots.Parse(times[1])
	must(err)
	return job{name: name, check: check, publish: publish, ahead: int(times[2][0] - '0'), lead: lead}
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// times are the publication times of all jobs.
func (p plan) times() (all []slots.Times) {
	for _, j := range p.jobs {
		all = append(all, slots.Times{Job: j.name, Publish: j.publish})
	}
	return all
}
