package sim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"morrow/internal/fakewp"
)

// people puts down what people do, a part of it in the midst of runs.
func (w *world) people() {
	for day := range w.plan.days {
		for n := w.plan.meddling; w.chance(n); n-- {
			w.at(w.moment(day), func() { w.act() })
		}
	}
}

// supply fills up the queues of a job.
func (w *world) supply(j job) {
	for _, h := range w.hosts {
		waiting := 0
		for _, f := range w.judge.files[h] {
			if f.job.name == j.name && !f.gone && !f.isDated() && w.judge.bookable(h, f) {
				waiting++
			}
		}
		for waiting < w.plan.stock {
			if !w.newItem(j, h).isDated() {
				waiting++
			}
		}
	}
}

// fate puts down what happens to a machine.
func (h *host) fate() {
	w := h.w
	for day := range w.plan.days {
		if w.chance(w.plan.sleeps) {
			w.at(w.moment(day), func() { h.sleep(w.upTo(14*time.Hour) + time.Minute) })
		}
		if w.chance(w.plan.steps) {
			w.at(w.moment(day), func() {
				h.step(w.upTo(pick(w.rng, time.Second, time.Minute, 10*time.Minute, 3*time.Hour)) - w.upTo(pick(w.rng, time.Second, 10*time.Minute)))
				w.after(w.upTo(6*time.Hour), func() { h.step(w.plan.skew[h.n]) })
			})
		}
		if w.chance(w.plan.runs) {
			w.at(w.moment(day), h.byHand)
		}
		if w.plan.journal && w.chance(0.2) {
			w.at(w.moment(day), h.loseState)
		}
		if w.plan.crashes > 0 && w.chance(0.1) {
			w.at(w.moment(day), func() {
				if h.process != nil && h.asleep.Load() == nil {
					h.crash(h.process)
				}
			})
		}
	}
}

// meddle lets a person act at the very moment before a request arrives.
func (w *world) meddle(t *ticket) {
	if !t.writes() && t.post == 0 || !w.chance(w.plan.meddling/40) {
		return
	}
	if p, ok := w.site.Post(t.post); ok && w.chance(0.7) {
		w.personTakes(p)
		w.judge.person()
	} else {
		w.act()
	}
}

// act is one thing that a person does.
func (w *world) act() {
	switch w.rng.IntN(12) {
	case 0, 1:
		w.personPosts()
	case 2:
		w.editFile()
	case 3:
		w.removeFile()
	default:
		if p, ok := w.somePost(); ok {
			w.personTakes(p)
		}
	}
	w.judge.person()
}

// personPosts writes a post of a person's own: for some time, or for the very
// slot, or with the slug of an item.
func (w *world) personPosts() {
	n := w.rng.IntN(1000)
	p := fakewp.Post{Title: fmt.Sprintf("A person's post %d", n), Content: "Hand-made."}
	at := time.Now().Add(time.Duration(w.rng.Int64N(int64(72 * time.Hour))))
	if w.chance(0.5) {
		at = pick(w.rng, w.plan.jobs...).publish.Next(time.Now(), w.zone.Loc)
	}
	switch w.rng.IntN(4) {
	case 0:
		p.Status = "draft"
		p.Slug = fmt.Sprintf("item-%d", 1+w.rng.IntN(w.items))
	case 1:
		p.Status = "publish"
	default:
		p.Status, p.DateGMT = "future", at.UTC().Format(time.DateTime)
	}
	if w.category != 0 && w.more.IntN(2) == 0 {
		p.Categories = []int64{w.category}
	}
	id := w.site.InsertPost(p)
	w.say("☺", "person writes post %d, %s %s %s", id, p.Status, p.DateGMT, p.Slug)
}

// somePost is a post that is likely to matter.
func (w *world) somePost() (fakewp.Post, bool) {
	all := w.site.Posts()
	all = slices.DeleteFunc(all, func(p fakewp.Post) bool { return p.Title == oldPost })
	if len(all) == 0 {
		return fakewp.Post{}, false
	}
	return all[max(0, len(all)-1-w.rng.IntN(4))], true
}

// personTakes does something to a post, whoever made it.
func (w *world) personTakes(p fakewp.Post) {
	if p.Instant().Equal(time.Now().Truncate(time.Second)) {
		return // as a draft it would look like one that floats
	}
	var what string
	did := true
	defer func() {
		now, ok := w.site.Post(p.ID)
		if ok && now.Floats() && p.Floats() {
			now.Date = p.Date // saved as it was
		}
		if !ok || !same(now, p) {
			w.judge.touch(p.ID)
		}
	}()
	switch w.rng.IntN(8) {
	case 0:
		what, did = "trashes", w.site.TrashPost(p.ID)
	case 1:
		what, did = "deletes", w.site.DeletePost(p.ID)
	case 2:
		what = "edits the text of"
		w.site.EditPost(p.ID, func(p *fakewp.Post) { p.Content = strings.Replace(p.Content, "This", "Truly, this", 1) })
	case 3:
		what = "makes a draft of"
		w.site.EditPost(p.ID, func(p *fakewp.Post) { p.Status = "draft" })
	case 4:
		at := time.Now().Add(time.Duration(w.rng.Int64N(int64(48 * time.Hour))))
		what = "moves to " + at.In(w.zone.Loc).Format(time.DateTime)
		w.site.EditPost(p.ID, func(p *fakewp.Post) { p.Status, p.DateGMT = "future", at.UTC().Format(time.DateTime) })
	case 5:
		what = "publishes"
		w.site.EditPost(p.ID, func(p *fakewp.Post) { p.Status, p.DateGMT = "publish", time.Now().UTC().Format(time.DateTime) })
	default:
		copied := w.site.CopyPost(p.ID)
		what = fmt.Sprintf("copies, as %d, ", copied)
		if w.chance(0.5) {
			what += "and schedules the copy of "
			at := w.plan.jobs[0].publish.Next(time.Now(), w.zone.Loc)
			w.site.EditPost(copied, func(p *fakewp.Post) { p.Status, p.DateGMT = "future", at.UTC().Format(time.DateTime) })
		}
	}
	if did {
		w.say("☺", "person %s post %d (%s, %s)", what, p.ID, p.Title, p.Status)
	}
}

// someFile is a file that still waits in a queue.
func (w *world) someFile() (*host, *file) {
	h := pick(w.rng, w.hosts...)
	var waiting []*file
	for _, f := range w.judge.files[h] {
		if _, err := os.Stat(h.path(f)); err == nil && !f.gone {
			waiting = append(waiting, f)
		}
	}
	if len(waiting) == 0 {
		return h, nil
	}
	return h, waiting[min(len(waiting)-1, w.rng.IntN(3))]
}

func (h *host) path(f *file) string { return filepath.Join(h.queue(f.job), f.name) }

func (w *world) editFile() {
	if h, f := w.someFile(); f != nil {
		f.text += "More.\n"
		h.write(f)
		w.judge.edited[f.title] = true
		w.say("☺", "person edits %s on %s", f.name, h.name)
	}
}

func (w *world) removeFile() {
	if h, f := w.someFile(); f != nil {
		must(os.Remove(h.path(f)))
		f.gone = true
		w.say("☺", "person removes %s on %s", f.name, h.name)
	}
}
