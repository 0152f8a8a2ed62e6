package sim

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"morrow/internal/fakewp"
	"morrow/publish"
)

// judge holds a history to what is promised. It knows what people did and what
// arrived at the site, and reads posts by their titles alone.
type judge struct {
	w     *world
	posts map[int64]*known
	asOf  int // the site's count of changes that posts goes by
	files map[*host][]*file
	// edited items have a text on one machine that they have not on another.
	edited map[string]bool

	personAt  time.Time // when a person last did something
	deniedTo  time.Time // until then the site asked to be left alone
	lagging   int       // faults that show an old site
	runs      map[*process]*ran
	guarded   time.Time // begin of the last run that ended well, undisturbed
	guardEnds time.Time // and its end
	excused   int
	count     int // of runs

	mu      sync.Mutex
	verdict *verdict
}

// verdict is what was found to be wrong.
type verdict struct{ what string }

// known is a post as last seen.
type known struct {
	fakewp.Post
	ours    bool
	touched time.Time // when a person last had a hand in it
	came    time.Time // into its present place: status or date
}

// ran is a run under way.
type ran struct {
	p       *process
	job     string
	trigger string
	began   time.Time
	faulty  bool
}

func newJudge(w *world) *judge {
	return &judge{w: w, posts: make(map[int64]*known), files: make(map[*host][]*file), edited: make(map[string]bool), runs: make(map[*process]*ran)}
}

// fail notes the first violation, which ends the history.
func (j *judge) fail(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.verdict == nil {
		j.verdict = &verdict{fmt.Sprintf(format, args...)}
		j.w.say("!", "VIOLATION: %s", j.verdict.what)
	}
}

func (j *judge) over() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.verdict != nil
}

// wrote compares the site with what it was before a request arrived.
func (j *judge) wrote(t *ticket) {
	seen := make(map[int64]bool)
	for _, p := range j.look() {
		seen[p.ID] = true
		old := j.posts[p.ID]
		switch {
		case old == nil:
			j.posts[p.ID] = &known{Post: p, ours: true, came: time.Now()}
			j.w.say(t.p.h.name, "   post %d is made: %s, %s", p.ID, p.Title, p.Status)
		case !same(old.Post, p):
			j.changed(t, old, p)
		}
	}
	for id, old := range j.posts {
		if !seen[id] {
			if j.theirs(t, old) {
				j.fail("host %s deleted post %d (%s), which a person made or took", t.p.h.name, id, old.Title)
			}
			j.w.say(t.p.h.name, "   post %d is deleted: %s", id, old.Title)
			delete(j.posts, id)
		}
	}
	j.itemsOnce()
}

// theirs says whether a post was a person's when the request was sent. A hand
// that comes in between a look and the request that follows is nobody's fault,
// nor is one that a lagging site does not show.
func (j *judge) theirs(t *ticket, k *known) bool {
	grace := 15 * time.Second
	if j.w.stormy.Load() || time.Since(j.w.calm) < 2*time.Minute {
		grace = 2 * time.Minute
	}
	return !k.ours || !k.touched.IsZero() && (t.sent.Sub(k.touched) > grace || k.touched.Before(t.saw))
}

// changed judges a change of a post that came with a request.
func (j *judge) changed(t *ticket, old *known, p fakewp.Post) {
	if _, f := t.update(); f.Status == "future" && p.Status == "future" && p.ID == t.post {
		j.inTime(t, p)
		j.onDay(t, p)
	}
	cron := old.Status == "future" && p.Status == "publish" && !p.Instant().After(time.Now())
	alone := p
	alone.Status = old.Status
	if cron && strings.HasPrefix(p.Slug, old.Slug) {
		alone.Slug = old.Slug // WordPress's own doing, where two have one slug
	}
	unchanged := cron && same(old.Post, alone)
	if j.theirs(t, old) && !unchanged && !j.withdrawn(old, p) {
		j.fail("host %s changed post %d (%s), which a person made or took: %s", t.p.h.name, p.ID, old.Title, difference(old.Post, p))
	}
	j.w.say(t.p.h.name, "   post %d %s", p.ID, difference(old.Post, p))
	if old.Status != p.Status || old.DateGMT != p.DateGMT {
		old.came = time.Now()
	}
	if !cron && !j.theirs(t, old) {
		old.touched = time.Time{} // what the person did came too late
	}
	old.Post = p
}

// inTime: a commit is sent before the lead. By how much the site's clock is known
// late depends on how long its answer takes.
func (j *judge) inTime(t *ticket, p fakewp.Post) {
	if left, lead := p.Instant().Sub(t.sent), j.w.plan.jobs[0].lead; left < lead-90*time.Second {
		j.fail("host %s sent a commit of post %d to a slot that was %s away", t.p.h.name, p.ID, left)
	}
}

// onDay: an item is booked for its day alone, and not before its date.
func (j *judge) onDay(t *ticket, p fakewp.Post) {
	at := p.Instant().In(j.w.zone.Loc)
	for _, f := range j.files[t.p.h] {
		if f.title == p.Title && !f.mayFill(at) {
			j.fail("host %s booked %s for %s, which is not its day", t.p.h.name, f.name, at)
		}
	}
}

// withdrawn is what the rule of one booking a slot does to a booking of ours,
// edited or not, and to one that another machine has withdrawn a moment before.
func (j *judge) withdrawn(old *known, p fakewp.Post) bool {
	return old.ours && (old.Status == "future" || old.Status == "draft" && old.Floats() && p.Floats()) && p.Status == "draft" && p.Content == old.Content && p.Title == old.Title
}

// person takes note of what a person did to the site.
func (j *judge) person() {
	j.personAt = time.Now()
	seen := make(map[int64]bool)
	for _, p := range j.look() {
		seen[p.ID] = true
		old := j.posts[p.ID]
		switch {
		case old == nil:
			j.posts[p.ID] = &known{Post: p, came: time.Now()}
		case !same(old.Post, p):
			old.Post, old.came = p, time.Now()
		}
	}
	for id := range j.posts {
		if !seen[id] {
			delete(j.posts, id)
		}
	}
}

// look is the site as it is.
func (j *judge) look() []fakewp.Post {
	j.asOf = j.w.site.Changes()
	return j.w.site.Posts()
}

func (j *judge) touch(id int64) {
	if k := j.posts[id]; k != nil {
		k.touched = time.Now()
	}
}

// refresh takes note of what WordPress published by itself.
func (j *judge) refresh() {
	if j.asOf == j.w.site.Changes() {
		return
	}
	for _, p := range j.look() {
		if k := j.posts[p.ID]; k != nil && !same(k.Post, p) {
			k.Post = p
		}
	}
}

// itemsOnce: no item is public twice.
func (j *judge) itemsOnce() {
	public := make(map[string]int64)
	for _, k := range j.sorted() {
		if !k.ours || !k.touched.IsZero() || k.Status != "publish" {
			continue
		}
		if other, ok := public[k.Title]; ok {
			j.fail("%s is public twice: posts %d and %d", k.Title, other, k.ID)
		}
		public[k.Title] = k.ID
	}
}

func (j *judge) sorted() (all []*known) {
	for _, k := range j.posts {
		all = append(all, k)
	}
	slices.SortFunc(all, func(a, b *known) int { return int(a.ID - b.ID) })
	return all
}

// scheduled are the untouched posts of ours that wait for a slot.
func (j *judge) scheduled(job string, at time.Time) (all []*known) {
	for _, k := range j.sorted() {
		if k.ours && k.touched.IsZero() && k.Status == "future" && k.Instant().Equal(at) && strings.Contains(k.Content, job) {
			all = append(all, k)
		}
	}
	return all
}

func (j *judge) begin(r *ran) {
	j.runs[r.p] = r
	j.count++
	j.w.say(r.p.h.name, "%s RUN of %s begins (%s)", r.p, r.job, r.trigger)
}

func (j *judge) crashed(p *process) { delete(j.runs, p) }

// faulty notes that something went wrong with a run of the process.
func (j *judge) faulty(p *process) {
	if r := j.runs[p]; r != nil {
		r.faulty = true
	}
}

// denied: the site asked to be left alone.
func (j *judge) denied(wait time.Duration) {
	if to := time.Now().Add(wait + wait/4 + time.Minute); to.After(j.deniedTo) {
		j.deniedTo = to
	}
}

// ended looks at what a run has left: after one that saw the site as it is, no
// slot has two.
func (j *judge) ended(r *ran, rep publish.Report) {
	delete(j.runs, r.p)
	j.w.say(r.p.h.name, "%s run of %s ends: %s%s next %s (%s)", r.p, r.job, rep.Outcome, slotLines(rep), rep.Next.In(j.w.zone.Loc).Format("02 15:04:05"), rep.NextTrigger)
	if took := time.Since(r.began); took > 31*time.Minute && r.p.h.good.Before(r.began) && !r.p.h.good.IsZero() {
		j.fail("a run of %s on host %s took %s", r.job, r.p.h.name, took)
	}
	if r.faulty || j.lagging > 0 || rep.Err != nil || rep.Outcome == publish.Unknown || rep.Outcome == publish.Failed || rep.Outcome == publish.Busy {
		return
	}
	for _, jb := range j.w.plan.jobs {
		if jb.name != r.job {
			continue
		}
		at := time.Now()
		for range jb.ahead {
			at = jb.publish.Next(at, j.w.zone.Loc)
			all := j.scheduled(jb.name, at)
			if len(all) > 1 && all[0].came.Before(r.began) && all[1].came.Before(r.began) && time.Until(at) > 2*time.Minute {
				j.fail("after an undisturbed run of %s on host %s there are %d posts of ours for %s: %d and %d", r.job, r.p.h.name, len(all), at, all[0].ID, all[1].ID)
			}
		}
		j.guarded, j.guardEnds = r.began, time.Now()
	}
}

func slotLines(rep publish.Report) string {
	var b strings.Builder
	for _, s := range rep.Slots {
		fmt.Fprintf(&b, " [%s %s %s: %s]", s.Slot.Format("02 15:04"), s.Outcome, s.Item, reason(s.Reason))
	}
	if rep.Err != nil {
		fmt.Fprintf(&b, " (%s)", reason(rep.Err.Error()))
	}
	for _, n := range rep.Notices {
		fmt.Fprintf(&b, " {%s}", n)
	}
	return b.String()
}

// reason is a reason as the trace shows it. When a run's time is over, each of
// its parallel requests says so at one instant: which of them is quoted is chance.
func reason(s string) string {
	for _, end := range []string{"context deadline exceeded", "stopped before the answer came"} {
		if strings.Contains(s, end) {
			return "the run's time is over"
		}
	}
	return s
}

func same(a, b fakewp.Post) bool {
	return a.Status == b.Status && a.Title == b.Title && a.Content == b.Content && a.Excerpt == b.Excerpt && a.Slug == b.Slug &&
		a.DateGMT == b.DateGMT && a.Date == b.Date && a.Author == b.Author && slices.Equal(a.Categories, b.Categories) && slices.Equal(a.Tags, b.Tags)
}

func difference(a, b fakewp.Post) string {
	var parts []string
	for _, f := range []struct{ name, a, b string }{
		{"status", a.Status, b.Status},
		{"date", a.Date, b.Date},
		{"date_gmt", a.DateGMT, b.DateGMT},
		{"title", a.Title, b.Title},
		{"slug", a.Slug, b.Slug},
		{"content", a.Content, b.Content},
	} {
		if f.a != f.b {
			parts = append(parts, fmt.Sprintf("%s: %s → %s", f.name, brief(f.a), brief(f.b)))
		}
	}
	return strings.Join(parts, ", ")
}

// brief is a text as the trace shows it: of a content only what its marker says.
func brief(s string) string {
	if _, marker, ok := strings.Cut(s, `"morrow":"`); ok {
		s, _, _ = strings.Cut(marker, `"`)
	}
	return fmt.Sprintf("%.110q", s)
}
