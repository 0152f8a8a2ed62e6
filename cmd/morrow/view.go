package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"morrow/internal/compose"
	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/publish"
	"morrow/wpclient"
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
	asides   map[string]journal.Aside // by the entry's name
	// fault says why the queue can't be read.
	fault error
	// live is what the site said just now; nil if it was not asked.
	live *publish.Report
}

// viewOptions are those of the commands that only look.
type viewOptions struct {
	names      []string // of jobs; none means all
	live, json bool
}

// jobsToSee loads the configuration for a command that only looks and tells
// what is wrong with parts of it.
func (p *program) jobsToSee(o viewOptions) (*config.Config, []config.Job, error) {
	cfg, err := p.load(!o.live)
	if err != nil {
		return nil, nil, err
	}
	jobs, _, err := choose(cfg, o.names, len(o.names) == 0)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range cfg.Faults {
		p.warn("%s", f)
	}
	return cfg, jobs, nil
}

// seen tells by an exit code whether the sites that were asked said all. That
// a queue is empty or a slot too near is no fault of a look.
func seen(views []*view) error {
	var asked []publish.Report
	for _, v := range views {
		if v.live != nil {
			asked = append(asked, *v.live)
		}
	}
	if code := exitCode(asked); code == exitFailed || code == exitUnknown {
		return codeError(code)
	}
	return nil
}

// look gathers a job's view from the journal, the queue and, if it is asked
// live, the site.
func (p *program) look(ctx context.Context, cfg *config.Config, j *journal.Journal, job config.Job, live bool) (*view, error) {
	site, _ := cfg.Site(job.Site)
	v := &view{job: job, site: site, bookings: map[int64]journal.Booking{}}
	v.zone, v.known = cachedZone(ctx, j, site)
	if live {
		r := p.ask(ctx, cfg, j, job)
		v.live = &r
		if len(r.Slots) > 0 {
			v.zone, v.known = zoneOf(r.Slots[0].Slot.Location()), true
		}
	}
	if !v.known {
		v.zone = slots.Zone{Loc: time.Local}
	}
	var entries []source.Entry
	var err error
	entries, v.fault = p.entries(ctx, j, v, live)
	if v.known {
		if err := v.foresee(ctx, cfg, j, p.now(), len(entries)); err != nil {
			return nil, err
		}
	}
	if v.live != nil {
		v.learn(*v.live, p.now())
	}
	if v.asides, err = asides(ctx, j, site, job); err != nil {
		return nil, err
	}
	v.queue = v.plan(entries)
	return v, nil
}

// entries reads a job's queue; drafts are on the site, and asked for when it is.
func (p *program) entries(ctx context.Context, j *journal.Journal, v *view, live bool) ([]source.Entry, error) {
	var client *wpclient.Client
	if v.job.Source.Folder == "" {
		if !live {
			return nil, nil
		}
		var err error
		if client, err = newClient(ctx, v.site, zerolog.Nop()); err != nil {
			return nil, err
		}
		defer client.Close()
		facts, _, ok := publish.CachedFacts(ctx, j, publish.FactsKey(v.site.URL, v.site.User))
		if !ok || client.Use(facts) != nil {
			if _, err := client.Discover(ctx); err != nil {
				return nil, err
			}
		}
	}
	return newSource(v.job, client, nil).Entries(ctx, v.zone.Loc)
}

// asides are what the last run set aside, by name.
func asides(ctx context.Context, j *journal.Journal, site config.Site, job config.Job) (map[string]journal.Aside, error) {
	list, err := j.Asides(ctx, publish.FactsKey(site.URL, site.User), job.Name)
	if err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	out := make(map[string]journal.Aside, len(list))
	for _, a := range list {
		out[a.Name] = a
	}
	return out, nil
}

// plan foretells the entries' slots. What the last run set aside most likely
// gets none.
func (v *view) plan(entries []source.Entry) []publish.Forecast {
	likely := slices.Clone(entries)
	for i := range likely {
		if _, ok := v.asides[likely[i].Name]; ok {
			likely[i].Item = nil
		}
	}
	out := publish.Plan(v.free(), likely)
	for i := range out {
		out[i].Entry = entries[i]
	}
	return out
}

// aside is what the last run said of an entry that is ready.
func (v *view) aside(e source.Entry) (journal.Aside, bool) {
	a, ok := v.asides[e.Name]
	return a, ok && e.State == source.Ready
}

// notKnown says why the slots are not known, if they are not.
func (v *view) notKnown(command string) string {
	switch {
	case v.known:
		return ""
	case v.live != nil && v.live.Err != nil:
		return "not known: the site could not be asked"
	}
	return "not known before the first `morrow run` or `morrow serve`; `morrow " + command + " --live` asks the site now"
}

// liveError is what kept a site that was asked from saying all.
func (v *view) liveError() error {
	if v.live == nil {
		return nil
	}
	return v.live.Err
}

// foresee finds the slots ahead and what the journal knows of them.
func (v *view) foresee(ctx context.Context, cfg *config.Config, j *journal.Journal, now time.Time, items int) error {
	times, err := siteTimes(cfg, v.job)
	if err != nil {
		return err
	}
	n := max(v.job.Ahead, min(v.job.Ahead+items+1, forecastSlots)) // one more than they fill
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
		if v.isFree(s) {
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
	Aside    *string      `json:"aside"` // why the last run set it aside
}

func (v *view) entryLine(f publish.Forecast) entryLine {
	l := entryLine{Name: f.Entry.Name, State: f.Entry.State, Reason: f.Entry.Reason, Warnings: []string{}}
	if it := f.Entry.Item; it != nil {
		l.Title = it.Title
		l.Warnings = append(l.Warnings, it.Warnings...)
		l.Slug = compose.Slug(*it)
	}
	if !f.Slot.IsZero() {
		l.Slot = stamp(f.Slot)
	}
	if a, ok := v.aside(f.Entry); ok {
		l.Aside = &a.Reason
	}
	return l
}

// fate is what becomes of an entry, in words.
func (v *view) fate(f publish.Forecast) string {
	a, aside := v.aside(f.Entry)
	switch {
	case f.Entry.State != source.Ready:
		return string(f.Entry.State) + ": " + f.Entry.Reason
	case aside:
		return fmt.Sprintf("set aside by the run of %s: %s", wall(a.Seen.In(v.zone.Loc)), a.Reason)
	case !v.known:
		return "ready; slot not known yet"
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
