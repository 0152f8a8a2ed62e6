package sim

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"morrow/internal/fakewp"
)

// storm is a time in which things go wrong with requests.
type storm struct {
	until  time.Time
	rate   float64 // of requests hit
	outage bool    // nothing gets through
	denied bool    // the site wants a person
}

// weather puts down when it storms: most of a day nothing happens, so storms
// gather where something does.
func (w *world) weather() {
	for day := range w.plan.days {
		for n := w.plan.storms; w.chance(n); n-- {
			w.at(w.moment(day), func() { w.beginStorm() })
		}
	}
}

// moment is a time on a day near which something happens.
func (w *world) moment(day int) time.Time {
	midnight := w.end.AddDate(0, 0, day-w.plan.days)
	j := pick(w.rng, w.plan.jobs...)
	at := midnight.Add(time.Duration(w.rng.Int64N(int64(24 * time.Hour))))
	slot := j.publish.Next(midnight, w.zone.Loc)
	switch w.rng.IntN(6) {
	case 0, 1:
		at = j.check.Next(midnight, w.zone.Loc)
	case 2:
		at = slot.Add(-j.lead - 5*time.Minute)
	case 3:
		at = slot.Add(-j.lead)
	case 4:
		at = slot
	}
	at = at.Add(w.upTo(3*time.Minute) - w.upTo(10*time.Minute))
	if at.Before(midnight) {
		return midnight
	}
	return at
}

func (w *world) beginStorm() {
	length := w.upTo(pick(w.rng, 3*time.Minute, 20*time.Minute, 3*time.Hour, 14*time.Hour))
	w.storm = storm{
		until: time.Now().Add(length), rate: pick(w.rng, 0.1, 0.3, 0.8),
		outage: w.chance(0.2), denied: w.chance(0.05),
	}
	w.stormy.Store(true)
	w.say("~", "storm for %s, %+v", length.Round(time.Second), w.storm.rate)
	until := w.storm.until
	w.after(length, func() {
		if until.Equal(w.storm.until) { // else another began meanwhile
			w.endStorm()
		}
	})
}

func (w *world) endStorm() {
	if w.stormy.Load() {
		w.say("~", "calm")
		w.stormy.Store(false)
		w.storm, w.calm = storm{}, time.Now()
	}
}

// fate is what becomes of a request.
type fate struct {
	name    string
	arrives []time.Duration // after it was sent, each time it arrives
	answer  time.Duration   // when something comes back
	err     error           // instead of an answer
	instead *answer         // of the site's
	spoil   func(*answer)
	crash   int // 1 before it leaves, 2 when it has arrived
}

// route decides what becomes of a request, and puts that down.
func (w *world) route(t *ticket) {
	h := t.p.h
	if h.asleep.Load() != nil {
		h.parked = append(h.parked, t)
		return
	}
	if t.ctx.Err() != nil || t.p.dead.Err() != nil {
		return
	}
	dial := t.req == nil
	f := w.fate(t, dial)
	if !dial {
		w.say(h.name, "%s %s%s", t.p, t, f.name)
	}
	if f.name != "" {
		w.judge.faulty(t.p)
	}
	if t.post != 0 {
		t.saw = t.p.saw[t.post]
	}
	if f.crash == 1 {
		h.crash(t.p)
		return
	}
	for i, d := range f.arrives {
		if !dial {
			w.after(d, func() {
				w.meddle(t)
				w.deliver(t)
				if f.crash == 2 && i == 0 && t.p.dead.Err() == nil {
					h.crash(t.p)
				}
			})
		}
	}
	w.after(f.answer, func() { w.reply(t, f) })
}

func (w *world) reply(t *ticket, f fate) {
	if h := t.p.h; t.req != nil && h.process == t.p && w.chance(w.plan.sleeps/100) {
		h.sleep(w.upTo(pick(w.rng, 2*time.Minute, time.Hour, 14*time.Hour)) + time.Second) // in the midst of a run
	}
	if f.err != nil || t.req == nil {
		t.done <- outcome{err: f.err}
		return
	}
	a := f.instead
	if a == nil {
		c := *t.res
		a = &c
	}
	if f.spoil != nil {
		f.spoil(a)
	}
	if t.post != 0 && !t.writes() && f.instead == nil && f.spoil == nil && t.ctx.Err() == nil && w.judge.lagging == 0 && w.calm.Before(t.sent) {
		t.p.saw[t.post] = t.came
	}
	t.done <- outcome{answer: a}
}

func (w *world) fate(t *ticket, dial bool) fate {
	trip := 20*time.Millisecond + w.upTo(2*time.Second)
	f := fate{arrives: []time.Duration{trip / 2}, answer: trip}
	if !w.stormy.Load() {
		return f
	}
	if w.chance(w.plan.crashes) {
		f.crash, f.name = 1+w.rng.IntN(2), "  << CRASH"
		return f
	}
	switch {
	case dial && (w.storm.outage || w.chance(w.storm.rate/4)):
		return fate{name: "  << refused", err: errDial, answer: trip}
	case dial:
		f.answer = w.upTo(10 * time.Second)
		if w.chance(w.storm.rate / 4) {
			f.answer = w.upTo(70 * time.Second)
		}
		return f
	case w.storm.outage:
		return fate{name: "  << outage", err: errCut, answer: trip}
	case w.storm.denied:
		return fate{name: "  << denied", instead: w.page(pick(w.rng, 401, 403)), answer: trip}
	case w.chance(w.storm.rate):
		return w.bad(t, f)
	}
	return f
}

// bad is one of the ways in which a request can go wrong.
func (w *world) bad(t *ticket, f fate) fate {
	late := w.lateness(t)
	switch w.rng.IntN(14) {
	case 0:
		return fate{name: "  << cut before", err: errCut, answer: f.answer}
	case 1, 2:
		return fate{name: "  << cut after", arrives: f.arrives, err: errCut, answer: f.answer}
	case 3, 4:
		return fate{name: "  << cut, late by " + late.String(), arrives: []time.Duration{late}, err: errCut, answer: f.answer}
	case 5:
		return fate{name: "  << slow, late by " + late.String(), arrives: []time.Duration{late}, answer: late + f.answer}
	case 6:
		slow := w.upTo(90 * time.Second)
		return fate{name: "  << answer after " + slow.String(), arrives: f.arrives, answer: f.answer + slow}
	case 7, 8:
		return fate{name: "  << again after " + late.String(), arrives: []time.Duration{f.arrives[0], f.arrives[0] + late}, answer: f.answer}
	case 9:
		f.name, f.arrives, f.instead = "  << something else answers", nil, w.page(pick(w.rng, 500, 502, 503, 429, 200, 404, 301))
	case 10:
		f.name, f.instead = "  << done, and something else answers", w.page(pick(w.rng, 500, 502, 504, 200))
	case 11:
		f.name, f.spoil = "  << answer breaks off", func(a *answer) { a.cut = true }
	case 12:
		f.name, f.spoil = "  << junk around the answer", func(a *answer) { a.body = append([]byte("<b>Notice</b>: x "), a.body...) }
	case 13:
		w.lag()
		f.name = "  << and reads lag"
	}
	return f
}

// page is what a proxy answers.
func (w *world) page(status int) *answer {
	a := &answer{status: status, header: http.Header{"Content-Type": {"text/html"}, "Date": {time.Now().UTC().Format(http.TimeFormat)}}, body: []byte("<html><title>Sorry</title></html>")}
	switch status {
	case 301:
		a.header.Set("Location", "https://elsewhere.example.com/")
	case 503, 429:
		if w.chance(0.5) {
			wait := w.rng.IntN(900)
			a.header.Set("Retry-After", strconv.Itoa(wait))
			w.judge.denied(time.Duration(wait) * time.Second)
		}
	case 401, 403:
		w.judge.denied(36 * time.Minute)
	}
	return a
}

// lag lets reads be answered for a while from the site as it is now: by a
// replica that lags without a sign, or a cache that shows what it does.
func (w *world) lag() {
	f := fakewp.Fault{Method: http.MethodGet, Stale: true}
	length := w.upTo(25 * time.Second)
	if w.chance(0.5) {
		f, length = fakewp.CacheHit(), w.upTo(10*time.Minute)
	}
	remove := w.site.Inject(f)
	w.judge.lagging++
	w.after(length, func() {
		remove()
		w.judge.lagging--
		w.calm = time.Now()
	})
}

// lateness is how late a request may arrive. A create may be late by days; what
// changes a known post may not outlast the checks made before it was sent.
func (w *world) lateness(t *ticket) time.Duration {
	if !t.writes() {
		return w.upTo(2 * time.Minute)
	}
	id, f := t.update()
	if id == 0 {
		return w.upTo(pick(w.rng, 2*time.Minute, 10*time.Minute, 72*time.Hour))
	}
	limit := 5 * time.Minute
	if f.Status == "future" {
		limit = w.plan.jobs[0].lead - 4*time.Minute
	} else if p, ok := w.site.Post(id); ok && p.Status == "future" {
		limit = min(limit, max(0, time.Until(p.Instant())-5*time.Second))
	}
	return w.upTo(limit)
}

// fields are those of a write that matter here.
type fields struct {
	Status string `json:"status"`
	Title  string `json:"title"`
}

// update tells what a write does to a known post; id is 0 for a new one.
func (t *ticket) update() (id int64, f fields) {
	_ = json.Unmarshal(t.body, &f)
	return t.post, f
}
