package sim

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"morrow/internal/slots"
)

// appointment is a slot that is to come, and what is known of it.
type appointment struct {
	job   job
	slot  slots.Slot
	ready map[string]bool // machine and item that could fill it when the last quarter of an hour began
}

const quarter = 15 * time.Minute

// follow judges each slot of a job in turn.
func (j *judge) follow(jb job) { j.next(jb, time.Now()) }

func (j *judge) next(jb job, from time.Time) {
	upcoming := slots.Calendar{Zone: j.w.zone, Jobs: j.w.plan.times()}.Upcoming(jb.name, from, 1)
	if len(upcoming) == 0 {
		return
	}
	a := &appointment{job: jb, slot: upcoming[0]}
	lead := a.slot.At.Add(-jb.lead - j.fastest())
	j.w.at(lead.Add(-quarter), func() { a.ready = j.able(a, 0) })
	j.w.at(lead, func() { a.ready = j.still(a) })
	j.w.at(a.slot.At.Add(-jb.lead+2*time.Minute), func() { j.filled(a) })
	j.w.at(a.slot.At, func() {
		j.atSlot(a)
		j.w.after(j.w.upTo(12*time.Hour), func() { j.w.supply(a.job) })
		j.next(jb, a.slot.At)
	})
}

// fastest is how far the fastest clock goes ahead: for a lead the later of two
// clocks counts.
func (j *judge) fastest() (most time.Duration) {
	for _, s := range j.w.plan.skew {
		most = max(most, s)
	}
	return most + time.Minute
}

// able lists which machine could fill the slot with which item, and could have
// for so long.
func (j *judge) able(a *appointment, long time.Duration) map[string]bool {
	ready := make(map[string]bool)
	if j.w.stormy.Load() || time.Since(j.w.calm) < long || time.Now().Before(j.deniedTo) || j.lagging > 0 {
		return ready
	}
	for _, h := range j.w.hosts {
		if h.good.IsZero() || time.Since(h.good) < long || time.Duration(h.offset.Load()) > j.fastest() || time.Duration(h.offset.Load()) < -30*time.Minute {
			continue
		}
		for _, f := range j.files[h] {
			if f.job.name == a.job.name && !f.gone && f.mayFill(a.slot.At) && time.Since(f.born) > time.Minute && !j.edited[f.title] && j.bookable(h, f) {
				ready[h.name+f.name] = true
			}
		}
	}
	return ready
}

// bookable: the file waits in the queue, and on the site there is nothing of
// it but drafts of ours that nobody touched.
func (j *judge) bookable(h *host, f *file) bool {
	slug := strings.TrimSuffix(f.name[len("000-"):], ".md")
	for _, k := range j.posts {
		if k.Title != f.title && !strings.HasPrefix(k.Slug, slug) {
			continue
		}
		if !k.ours || !k.touched.IsZero() || k.Status != "draft" || !k.Floats() {
			return false
		}
	}
	_, err := os.Stat(h.path(f))
	return err == nil
}

// still is what was possible a quarter of an hour ago and is still.
func (j *judge) still(a *appointment) map[string]bool {
	now := j.able(a, quarter)
	for key := range now {
		if !a.ready[key] {
			delete(now, key)
		}
	}
	return now
}

// filled: a slot that could be filled is.
func (j *judge) filled(a *appointment) {
	begin := a.slot.At.Add(-a.job.lead - j.fastest() - quarter)
	if len(a.ready) == 0 || j.personAt.After(begin) {
		return
	}
	j.refresh()
	for _, k := range j.posts {
		if (k.Status == "future" || k.Status == "publish") && a.slot.Window.Contains(k.Instant()) && j.fills(a, k) {
			return
		}
	}
	j.fail("nothing is booked for the slot %s of %s, though %d items could be", a.slot.At, a.job.name, len(a.ready))
}

// fills says whether a post in the window of a slot may be what fills it.
func (j *judge) fills(a *appointment, k *known) bool {
	switch {
	case k.ours && k.touched.IsZero():
		return strings.Contains(k.Content, a.job.name)
	case k.ours:
		return true
	case j.w.plan.scope == "category":
		return slices.Contains(k.Categories, j.w.category)
	case j.w.plan.scope == "author":
		return k.Author == 1
	}
	return true
}

// atSlot: at its instant a slot has one post of ours, unless nobody could look
// any more after the second had come.
func (j *judge) atSlot(a *appointment) {
	all := j.scheduled(a.job.name, a.slot.At)
	if len(all) > 1 {
		last := all[0].came
		for _, k := range all {
			if k.came.After(last) {
				last = k.came
			}
		}
		if j.guarded.After(last) && a.slot.At.Sub(j.guardEnds) > time.Minute {
			j.fail("the slot %s has %d posts of ours: %d and %d", a.slot.At, len(all), all[0].ID, all[1].ID)
		}
		j.excused++
		j.w.say("!", "excused twins for %s: nobody looked after the second had come", a.slot.At)
		for _, k := range all[1:] {
			k.touched = time.Now()
		}
	}
	for _, k := range all {
		j.w.at(a.slot.At.Add(3*time.Minute+10*time.Second), func() { j.live(a, k.ID) })
	}
}

// live: three minutes after its slot, or after somebody woke up, a booking is
// public. A storm at the slot may delay that by a retry's pause, and one before
// it where a daemon does not know its slots yet: then it asks every ten minutes.
func (j *judge) live(a *appointment, id int64) {
	j.refresh()
	k := j.posts[id]
	if k == nil || k.Status != "future" || !k.touched.IsZero() || !k.Instant().Equal(a.slot.At) {
		return
	}
	for _, h := range j.w.hosts {
		patience, before := 3*time.Minute+5*time.Second, time.Minute
		if h.process != nil && !h.process.knew(a.slot.At) {
			before = 11 * time.Minute
		}
		if !j.w.calm.Before(a.slot.At.Add(-before)) || j.deniedTo.After(a.slot.At) {
			patience = 45 * time.Minute
		}
		calm := !j.w.stormy.Load() && time.Since(j.w.calm) > patience && time.Now().After(j.deniedTo) && j.lagging == 0
		if !h.good.IsZero() && time.Since(h.good) > patience && calm && time.Duration(h.offset.Load()).Abs() < 50*time.Minute {
			j.fail("post %d was booked for %s and is not live, though host %s is up since %s", id, a.slot.At, h.name, h.good)
			return
		}
	}
	j.w.after(time.Minute, func() { j.live(a, id) })
}

// settled is the strictest rule, for when all is quiet again.
func (j *judge) settled() {
	j.refresh()
	count := make(map[string]int64)
	for _, k := range j.sorted() {
		if !k.ours || !k.touched.IsZero() || k.Status != "future" {
			continue
		}
		for _, jb := range j.w.plan.jobs {
			key := jb.name + k.DateGMT
			if !strings.Contains(k.Content, jb.name) {
				continue
			}
			if other, ok := count[key]; ok {
				j.fail("when all was quiet again, posts %d and %d were both scheduled for %s", other, k.ID, k.DateGMT)
			}
			count[key] = k.ID
		}
	}
	j.itemsOnce()
	j.disks()
}

// final: every run has ended.
func (j *judge) final() {
	for p, r := range j.runs {
		j.fail("a run of %s on %s that began at %s never ended", r.job, p, r.began)
	}
	j.disks()
}

// disks: no file of a queue is lost or altered.
func (j *judge) disks() {
	for h, files := range j.files {
		for _, f := range files {
			if !f.gone && !h.has(f) {
				j.fail("host %s: %s is lost or altered", h.name, f.name)
			}
		}
	}
}

// has finds a file in the queue or in done/, under its name or a number.
func (h *host) has(f *file) bool {
	done := filepath.Join(h.queue(f.job), "done")
	for _, path := range []string{h.path(f), filepath.Join(done, f.name)} {
		if text, err := os.ReadFile(path); err == nil && string(text) == f.text {
			return true
		}
	}
	names, _ := filepath.Glob(filepath.Join(done, strings.TrimSuffix(f.name, ".md")+"*.md"))
	names2, _ := filepath.Glob(filepath.Join(h.queue(f.job), strings.TrimSuffix(f.name, ".md")+"-*.md"))
	for _, name := range append(names, names2...) {
		if text, err := os.ReadFile(name); err == nil && string(text) == f.text {
			return true
		}
	}
	return false
}
