package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"morrow/internal/compose"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/wpclient"
)

// writer is the part of the client that changes the site, or makes it change.
type writer interface {
	Create(ctx context.Context, typ string, f wpclient.Fields) (wpclient.Post, error)
	Update(ctx context.Context, typ string, id int64, f wpclient.Fields, check func() error) (wpclient.Post, error)
	Delete(ctx context.Context, typ string, id int64) error
	Wake(ctx context.Context)
}

// booker fills a free slot with an item; a dry run only rehearses it. An
// errStartOver means that the site has changed: look the item up again.
type booker func(ctx context.Context, s slots.Slot, d compose.Draft, f finding) (SlotReport, error)

// run is one execution of a job.
type run struct {
	job      Job
	client   *wpclient.Client
	write    writer
	source   Source
	maker    maker // nil when the source makes no items
	madeFor  time.Time
	compose  *compose.Composer
	journal  *journal.Journal
	lock     Locker
	book     booker
	scope    *scopeIDs
	memory   *facts
	plan     *plan
	host     string
	log      zerolog.Logger
	progress func(string)

	trigger string
	again   bool // the run before left a slot free, or did not see the site
	started time.Time
	clock   clock
	facts   wpclient.Facts
	zone    slots.Zone
	factsAt time.Time
	filler  filler
	entries []source.Entry
	listed  bool
	// tried are the items that this run is done with, by key: why they were set
	// aside, or "" when they are booked.
	tried      map[string]string
	stuck      map[string]bool  // keys of items whose file could not be moved
	names      map[int64]string // of booked items by post, as the journal knows them
	passedOver bool
	picked     bool
	waited     bool // for files that were changed a moment ago
	early      *early
	notices    []string
	events     []Event

	unsent   map[int64]bool // drafts made by this run that it has sent no commit for
	refusals int            // items that the site did not store
	broken   error          // an internal error of the site at one of them
	tended   bool           // our drafts were looked after
	overdue  bool           // a post of ours is past its slot and not live
	hiding   bool           // the site counts posts that it does not show
}

func (p *Publisher) newRun(q Request) *run {
	o := p.o
	r := &run{
		job: o.Job, client: o.Client, write: o.Client, source: o.Source, compose: o.Compose, journal: o.Journal, lock: o.Lock,
		scope: &p.scope, memory: &p.facts, plan: &p.plan, host: o.Host, log: o.Logger.With().Str("run", q.Run).Str("job", o.Job.Name).Logger(), progress: o.Progress,
		trigger: q.Trigger, again: p.plan.failures > 0, started: o.Now(), clock: clock{now: o.Now, offset: p.plan.offset}, tried: make(map[string]string), stuck: make(map[string]bool), names: make(map[int64]string), unsent: make(map[int64]bool),
	}
	r.book = r.bookPost
	r.maker, _ = o.Source.(maker)
	if q.DryRun && r.maker != nil {
		r.maker = noMaker{}
	}
	if q.DryRun {
		r.write, r.source, r.lock, r.book = noWriter{}, keeper{o.Source}, noLock{}, r.rehearse
	}
	r.filler = filler{job: o.Job.Name, statuses: append([]string{"future", "publish"}, o.Job.Scope.Statuses...), yield: o.Job.Yield}
	for _, t := range o.Job.Times {
		r.filler.jobs = append(r.filler.jobs, t.Job)
	}
	return r
}

// execute looks, decides and fills what is free. The error is for the run as a
// whole; the slots are reported all the same where they are known.
func (r *run) execute(ctx context.Context) ([]SlotReport, error) {
	if err := r.recall(ctx); err != nil {
		return r.blind(ctx, err), err
	}
	if err := r.resolveScope(ctx); err != nil {
		return r.blind(ctx, err), err
	}
	if r.zone.Fixed && r.trigger == triggerManual {
		r.notice("the site's time zone is only an offset, %s, which follows no summer time: choose a city in Settings, General", r.zone.Loc)
	}
	r.begin(stepLook)
	r.foresee(ctx)
	s, err := r.survey(ctx)
	r.catchUp()
	if err != nil {
		return r.blind(ctx, err), err
	}
	r.watch(ctx, r.trigger, s.posts)
	s.posts = r.onlyOne(ctx, s.ahead, s)
	if r.trigger == triggerGuard {
		for _, a := range s.ahead {
			s.posts = r.giveWay(ctx, a, s)
		}
		r.bringBack(ctx)
	}
	r.begin(stepDecide)
	verdicts := r.unhide(ctx, s, decide(r.clock.later(), r.job.Lead, s.ahead, s.posts, r.filler))
	r.remember(ctx, verdicts)
	reports := make([]SlotReport, 0, len(verdicts))
	for _, v := range verdicts {
		if v.state == free && r.onlyWatches() {
			reports = append(reports, SlotReport{
				Slot: v.slot.At, Outcome: NothingToBook, Reason: "free: its check fills it, at its time", Waits: true,
			})
			continue
		}
		reports = append(reports, r.settle(ctx, v))
	}
	return reports, nil
}

// onlyWatches says whether the run sees to what is booked and fills no slot:
// that has its time.
func (r *run) onlyWatches() bool { return r.trigger == triggerWatch && !r.again }

// blind reports the slots of a run that could not see the site. They are known
// as soon as the site's zone is, so that the next run comes in time for them.
func (r *run) blind(ctx context.Context, err error) []SlotReport {
	if r.zone.Loc == nil {
		return nil
	}
	verdicts := unsure(r.upcoming(), err.Error())
	r.remember(ctx, verdicts)
	reports := make([]SlotReport, 0, len(verdicts))
	for _, v := range verdicts {
		reports = append(reports, SlotReport{Slot: v.slot.At, Outcome: outcomeOf(err), Reason: v.reason, err: err})
	}
	return reports
}

// settle does for one slot what its verdict asks for.
func (r *run) settle(ctx context.Context, v verdict) SlotReport {
	rep := SlotReport{Slot: v.slot.At, Reason: v.reason}
	switch v.state {
	case free:
		return r.fill(ctx, v.slot)
	case taken:
		rep.Outcome = AlreadyBooked
		if v.post != nil {
			rep.Post = ref(*v.post)
			if t := compose.Read(*v.post); v.ours {
				rep.Item = r.itemName(*v.post)
				r.takeOut(ctx, t.Item, v)
			}
		}
	case tooLate:
		rep.Outcome = TooLate
	case unknown:
		rep.Outcome = Unknown
	}
	return rep
}

// fill finds an item for a free slot and books it. A faulty item is set aside
// with its reason, and the next is taken.
func (r *run) fill(ctx context.Context, s slots.Slot) SlotReport {
	rep := SlotReport{Slot: s.At}
	if err := r.blocked(s); err != nil {
		return rep.end(err)
	}
	if ok, err := r.mayPublish(ctx); err != nil || !ok {
		if err == nil {
			err = needsPerson("book a post: the account %q has no right to publish posts: give it the role author or editor", r.job.User)
		}
		return rep.end(err)
	}
	restarts, later := 0, make(map[string]string)
	for {
		r.begin(stepPick)
		it, ok, err := r.pick(ctx, s, later)
		if err != nil {
			return rep.end(err)
		}
		if !ok {
			if rep, ok = r.supply(ctx, s, later); !ok {
				return rep
			}
			continue
		}
		r.begin(stepKnown)
		d, f, err := r.known(ctx, it)
		switch {
		case isFault(r.refused(err)):
			r.aside(it, err.Error())
			continue
		case err != nil:
			rep.Item = it.Name
			return rep.end(err)
		case f.fate == held:
			r.aside(it, f.reason)
			continue
		case f.fate == reuse && r.elsewhere(f.draft, s) != "":
			later[it.Key] = r.elsewhere(f.draft, s)
			continue
		case f.fate == settled:
			r.finish(ctx, d, f)
			if f.stands(s) {
				rep.Outcome, rep.Item, rep.Post = AlreadyBooked, it.Name, ref(f.post)
				rep.Reason = f.reason + ", though the site's list of its window does not show it"
				return rep
			}
			continue
		}
		rep, err = r.book(ctx, s, d, f)
		switch {
		case isSiteFault(err):
			r.block(ctx, s, err)
			return rep
		case errors.Is(err, errStartOver) && restarts < 3:
			restarts++
			r.listed = r.listed && it.Post.ID == 0 // a draft that was handed over has changed
		case isFault(err):
			r.aside(it, err.Error())
		default:
			return rep
		}
	}
}

// end gives the report of a slot that an error ended.
func (rep SlotReport) end(err error) SlotReport {
	rep.Outcome, rep.Reason, rep.err = outcomeOf(err), err.Error(), err
	return rep
}

// aside leaves an item alone for the rest of this run, and says so.
func (r *run) aside(it source.Item, reason string) {
	r.tried[it.Key] = reason
	r.notice("%s is set aside: %s", it.Name, reason)
}

func (r *run) notice(format string, args ...any) {
	msg := fmt.Sprintf(format, args...)
	r.notices = append(r.notices, msg)
	r.log.Warn().Str("notice", msg).Msg("notice")
}

// event gives notice of something that people are told of wherever they are.
func (r *run) event(kind EventKind, post int64, format string, args ...any) {
	r.notice(format, args...)
	r.events = append(r.events, Event{kind, post, r.notices[len(r.notices)-1]})
}

// personError is an error that only a person can end.
type personError struct{ msg string }

func (e *personError) Error() string { return e.msg }

func needsPerson(format string, args ...any) error {
	return &personError{fmt.Sprintf(format, args...)}
}

// siteError is something that the site does to posts of ours, so that a further
// try would do harm. A person has to end it.
type siteError struct {
	msg  string
	live bool // it put a post live that was not to be
}

func (e *siteError) Error() string { return e.msg }

func siteFaultf(format string, args ...any) error {
	return &siteError{msg: fmt.Sprintf(format, args...)}
}

func livef(format string, args ...any) error {
	return &siteError{msg: fmt.Sprintf(format, args...), live: true}
}

func isSiteFault(err error) bool {
	var f *siteError
	return errors.As(err, &f)
}

// refused sorts the error of something that the site did not store. A refusal
// that is about the text, by WordPress or by a firewall, is the item's fault, so
// that the next can be taken; several in a row are about the site. An internal
// error may be either, and is remembered for when there is no next.
func (r *run) refused(err error) error {
	var e *wpclient.Error
	if !errors.As(err, &e) || r.refusals >= maxRefusals {
		return err
	}
	switch e.Status {
	case http.StatusForbidden:
		if e.Code != "" {
			return err // the account's rights, not the text
		}
	case http.StatusBadRequest, http.StatusNotAcceptable, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
	case http.StatusInternalServerError:
		r.broken = err
	default:
		return err
	}
	r.refusals++
	return &compose.Fault{Reason: err.Error()}
}

func isFault(err error) bool {
	var f *compose.Fault
	return errors.As(err, &f)
}

// outcomeOf sorts an error: failed is what a person has to mend, unknown what
// a later run can settle.
func outcomeOf(err error) Outcome {
	var person *personError
	var e *wpclient.Error
	switch {
	case errors.As(err, &person), isSiteFault(err), isFault(err):
		return Failed
	case !errors.As(err, &e):
		return Unknown
	}
	switch e.Status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return Unknown
	}
	if e.Status >= 400 && e.Status < 500 {
		return Failed
	}
	return Unknown
}

func ref(p wpclient.Post) *PostRef {
	return &PostRef{ID: p.ID, Status: p.Status, Slug: p.Slug, Link: p.Link}
}
