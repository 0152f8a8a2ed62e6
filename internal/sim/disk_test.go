package sim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var errDisk = errors.New("permission denied")

// step does a move on disk when its turn has come: whole, not at all, or as a
// process leaves it that dies in between.
func (d disk) step(ctx context.Context, what string, move func() error) error {
	o, err := d.p.hand(&ticket{key: "disk " + what, disk: what, ctx: ctx})
	if err != nil {
		return err
	}
	if o.half {
		d.half(what)
	} else if err := move(); err != nil {
		return err
	}
	return d.p.moved(ctx, what)
}

// half is a move that got as far as the name that it reserves.
func (d disk) half(what string) {
	name, ok := strings.CutPrefix(what, "consume ")
	if !ok {
		return
	}
	f, err := os.OpenFile(filepath.Join(d.dir, "done", name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		_ = f.Close()
	}
}

// moved gives the process an occasion to die after a move.
func (p *process) moved(ctx context.Context, what string) error {
	_, err := p.hand(&ticket{key: "disk moved " + what, disk: "moved", ctx: ctx})
	return err
}

// move decides what becomes of a move on disk.
func (w *world) move(t *ticket) {
	h := t.p.h
	if t.disk != "moved" {
		w.say(h.name, "%s %s", t.p, t.key)
	}
	if !w.stormy.Load() {
		t.done <- outcome{}
		return
	}
	switch {
	case t.disk == "moved" && w.chance(w.plan.crashes):
		h.crash(t.p)
	case t.disk == "moved":
		t.done <- outcome{}
	case w.chance(2 * w.plan.crashes):
		if w.chance(0.5) {
			h.crash(t.p)
			return
		}
		w.say(h.name, "   dies in the middle")
		t.done <- outcome{half: true}
		h.crashSoon(t.p)
	case w.chance(0.05):
		w.say(h.name, "   refused by the disk")
		w.judge.faulty(t.p)
		t.done <- outcome{err: errDisk}
	default:
		t.done <- outcome{}
	}
}

// crashSoon crashes a process once it has done what it was allowed to.
func (h *host) crashSoon(p *process) {
	h.w.after(0, func() {
		if p.dead.Err() == nil {
			h.crash(p)
		}
	})
}

// file is an item as a person has put it into a queue.
type file struct {
	job   job
	n     int
	name  string
	title string
	text  string
	born  time.Time // its last change
	day   string    // the only one whose slot it may fill; "" for any
	from  time.Time // no slot before
	gone  bool      // a person removed it
}

// newItem puts a new item into the queue of a machine, or of all that share
// their files.
func (w *world) newItem(j job, at *host) *file {
	w.items++
	n := w.items
	f := file{job: j, n: n, name: fmt.Sprintf("%03d-item-%d.md", n, n), title: fmt.Sprintf("Item %d", n), born: time.Now()}
	f.text = fmt.Sprintf("---\ntitle: Item %d\n%s---\nThis is item %d.\n", n, w.date(&f), n)
	hosts := w.hosts
	if !w.plan.shared {
		hosts = []*host{at}
	}
	for _, h := range hosts {
		g := f
		w.judge.files[h] = append(w.judge.files[h], &g)
		h.write(&g)
	}
	return &f
}

// date gives an item a day or a date, perhaps, and the line that says so.
func (w *world) date(f *file) string {
	if w.more.Float64() >= w.plan.dated {
		return ""
	}
	at := time.Now().In(w.zone.Loc).Add(time.Duration(w.more.Int64N(int64(6 * 24 * time.Hour))))
	if w.more.IntN(2) == 0 {
		f.day = at.Format(time.DateOnly)
		return "publish_on: " + f.day + "\n"
	}
	f.from = at.Truncate(time.Minute)
	return "date: " + f.from.Format(time.RFC3339) + "\n"
}

func (f *file) isDated() bool { return f.day != "" || !f.from.IsZero() }

// mayFill says whether an item may be posted at an instant.
func (f *file) mayFill(at time.Time) bool {
	return (f.day == "" || f.day == at.Format(time.DateOnly)) && !f.from.After(at)
}

// write stores a file as a person's editor does, with the machine's time.
func (h *host) write(f *file) {
	path := filepath.Join(h.queue(f.job), f.name)
	must(os.WriteFile(path, []byte(f.text), 0o600))
	at := h.wall()
	must(os.Chtimes(path, at, at))
	f.born = time.Now()
}
