package main

import (
	"context"
	"fmt"
	"time"

	"morrow/internal/compose"
	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/publish"
)

const (
	// forecastSlots bounds how many slots a forecast looks ahead.
	forecastSlots = 60
	// offsetOnly is what people should know of a site without a named zone.
	offsetOnly = "the site's zone is only an offset and follows no summer time; choose a city in the site's settings"
)

// view is what is known of a job.
type view struct {
	job  config.Job
	site config.Site
	zone slots.Zone
	// known is false while the site's zone is not, and with it the slots.
	known    bool
	upcoming []slots.Slot
	bookings map[int64]journal.Booking // by the slot's Unix time
	queue    []publish.Forecast
	// fault says why the queue can't be read.
	fault error
}

// look gathers a job's view from the journal, the queue and, where the site
// was asked just now, what it said.
func (p *program) look(ctx context.Context, cfg *config.Config, j *journal.Journal, job config.Job, live *publish.Report) (*view, error) {
	site, _ := cfg.Site(job.Site)
	v := &view{job: job, site: site, bookings: map[int64]journal.Booking{}}
	v.zone, v.known = cachedZone(ctx, j, site)
	if live != nil && len(live.Slots) > 0 {
		v.zone, v.known = slots.Zone{Loc: live.Slots[0].Slot.Location()}, true
	}
	if !v.known {
		v.zone = slots.Zone{Loc: time.Local}
	}
	var entries []source.Entry
	entries, v.fault = newFolder(job).Entries(ctx, v.zone.Loc)
	if v.known {
		if err := v.foresee(ctx, cfg, j, p.now(), len(entries)); err != nil {
			return nil, err
		}
	}
	if live != nil {
		v.learn(*live, p.now())
	}
	v.queue = publish.Plan(v.free(), entries)
	return v, nil
}

// foresee finds the slots ahead and what the journal knows of them.
func (v *view) foresee(ctx context.Context, cfg *config.Config, j *journal.Journal, now time.Time, items int) error {
	times, err := siteTimes(cfg, v.job)
	if err != nil {
		return err
	}
	n := max(v.job.Ahead, min(v.job.Ahead+items, forecastSlots))
	v.upcoming = slots.Calendar{Zone: v.zone, Jobs: times}.Upcoming(v.job.Name, now, n)
	if len(v.upcoming) == 0 {
		return nil
	}
	last := v.upcoming[len(v.upcoming)-1].At
	seen, err := j.Bookings(ctx, publish.FactsKey(v.site.URL, v.site.User), v.job.Name, now, last.Add(time.Second))
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	for _, b := range seen {
		v.bookings[b.Slot.Unix()] = b
	}
	return nil
}

// learn puts what the site said just now over what was known before.
func (v *view) learn(live publish.Report, now time.Time) {
	for _, s := range live.Slots {
		b := journal.Booking{Slot: s.Slot, State: slotState(s.Outcome), Item: s.Item, Reason: s.Reason, Seen: now}
		if s.Post != nil {
			b.PostID, b.Status, b.Slug, b.Link = s.Post.ID, s.Post.Status, s.Post.Slug, s.Post.Link
		}
		v.bookings[s.Slot.Unix()] = b
	}
}

// slotState says of a slot what the journal would.
func slotState(o publish.Outcome) string {
	switch o {
	case publish.AlreadyBooked, publish.Booked:
		return "taken"
	case publish.WouldBook, publish.NothingToBook:
		return "free"
	case publish.TooLate:
		return "too_late"
	case publish.Unknown, publish.Failed, publish.Busy:
	}
	return "unknown"
}

// free are the slots that nobody is known to fill.
func (v *view) free() []slots.Slot {
	var out []slots.Slot
	for _, s := range v.upcoming {
		if b, ok := v.bookings[s.At.Unix()]; !ok || b.State == "free" {
			out = append(out, s)
		}
	}
	return out
}

// entryLine is one entry of a queue as `--json` prints it.
type entryLine struct {
	Name     string       `json:"name"`
	State    source.State `json:"state"`
	Reason   string       `json:"reason"`
	Title    string       `json:"title"`
	Slug     string       `json:"slug"`
	Slot     *string      `json:"slot"` // where it would go, RFC 3339
	Warnings []string     `json:"warnings"`
}

func newEntryLine(f publish.Forecast) entryLine {
	l := entryLine{Name: f.Entry.Name, State: f.Entry.State, Reason: f.Entry.Reason, Warnings: []string{}}
	if it := f.Entry.Item; it != nil {
		l.Title = it.Title
		l.Warnings = append(l.Warnings, it.Warnings...)
		l.Slug = compose.Slug(*it)
	}
	if !f.Slot.IsZero() {
		l.Slot = stamp(f.Slot)
	}
	return l
}

// text is the entry's fate in words.
func (l entryLine) text(f publish.Forecast) string {
	switch {
	case l.State != source.Ready:
		return string(l.State) + ": " + l.Reason
	case f.Slot.IsZero():
		return "waits; no slot in sight for it"
	default:
		return "would go out " + wall(f.Slot)
	}
}

// stamp is a moment for a JSON line; nil for none.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.Format(time.RFC3339)
	return &text
}
