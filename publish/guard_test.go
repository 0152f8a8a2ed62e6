package publish

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// both runs two machines at the same instant.
func both(a, b *rig) {
	var wg sync.WaitGroup
	wg.Go(func() { a.run() })
	wg.Go(func() { b.run() })
	wg.Wait()
}

func (r *rig) inQueue(name string) bool {
	_, err := os.Stat(filepath.Join(r.dir, name))
	return err == nil
}

func isCreate(q *http.Request) bool {
	return q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/posts")
}

func TestB28TwoMachinesOneItem(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		b := a.second()
		a.file("010-first.md", first)
		b.file("010-first.md", first)
		both(a, b)
		both(a, b)
		if future := a.posts("future"); len(future) != 1 || len(a.posts("draft")) != 0 {
			t.Errorf("got booked %v and drafts %v, want one booking", future, a.posts("draft"))
		}
		time.Sleep(24 * time.Hour)
		a.want(a.run(), NothingToBook)
		b.want(b.run(), NothingToBook)
		if live := a.posts("publish"); len(live) != 1 || a.inQueue("010-first.md") || b.inQueue("010-first.md") {
			t.Errorf("got %v live, want one, and both queues empty", live)
		}
	})
}

func TestB28TwoMachinesTwoItems(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		b := a.second()
		a.file("010-first.md", first)
		b.file("020-second.md", "# Second\n\nMore text.\n")
		both(a, b)
		future := a.posts("future")
		if len(future) != 1 {
			t.Fatalf("got %v, want one booking", future)
		}
		if a.inQueue("010-first.md") == (future[0].Slug == "first") || b.inQueue("020-second.md") == (future[0].Slug == "second") {
			t.Errorf("%s is booked; in the queues: first %t, second %t", future[0].Slug, a.inQueue("010-first.md"), b.inQueue("020-second.md"))
		}
	})
}

// TestLateTwin: a commit that arrives when another machine has booked makes a
// twin; the next look withdraws the higher id, whoever made it, and its item
// comes back to its queue.
func TestLateTwin(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		b, id := twins(t, a)
		a.want(a.run(), AlreadyBooked)
		if future := a.posts("future"); len(future) != 1 || future[0].ID != id {
			t.Errorf("got %v, want post %d alone", future, id)
		}
		if b.inQueue("020-second.md") {
			t.Fatal("b's file is back before b ran")
		}
		b.run()
		if !b.inQueue("020-second.md") {
			t.Error("b's item did not come back to its queue")
		}
		time.Sleep(24 * time.Hour)
		b.want(b.run(), Booked)
		if drafts := b.posts("draft"); len(drafts) != 0 {
			t.Errorf("drafts left over: %v", drafts)
		}
	})
}

// TestMovedBookingIsThePersons: a booking that a person moved to another
// slot's instant is no twin.
func TestMovedBookingIsThePersons(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Ahead = 2
		r.file("a.md", "# A\n\nText.\n")
		r.file("b.md", "# B\n\nText.\n")
		r.want(r.run(), Booked)
		second := r.posts("future")[1].ID
		r.site.EditPost(second, func(p *fakewp.Post) { p.Date = "2000-01-02 08:00:00" })
		r.trigger = "guard"
		r.run()
		if p, _ := r.site.Post(second); p.Status != "future" || p.Date != "2000-01-02 08:00:00" {
			t.Errorf("the moved booking was changed: %+v", p)
		}
	})
}

// TestCreateDeliveredLate: a draft that comes into being after its item was
// booked is removed by the guard.
func TestCreateDeliveredLate(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, Late: 5 * time.Minute})
		r.run()
		r.want(r.run(), Booked)
		time.Sleep(10 * time.Minute)
		r.site.Settle()
		if n := len(r.posts("draft")); n != 1 {
			t.Fatalf("got %d late drafts, want one to begin with", n)
		}
		r.trigger = "guard"
		r.run()
		r.exactlyOne("010-first.md")
	})
}

func TestYield(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Yield = true
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		person := r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(time.Hour).Format(time.DateTime)})
		r.want(r.run(), AlreadyBooked)
		if future := r.posts("future"); len(future) != 1 || future[0].ID != person {
			t.Errorf("got %v, want the person's post alone", future)
		}
		if !r.inQueue("010-first.md") {
			t.Error("the item did not come back to the queue")
		}
	})
}

// TestGivesWayToHidden: an account that may not see others' posts withdraws its
// booking beside an older hidden one.
func TestGivesWayToHidden(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		b := a.second()
		b.login = "author"
		a.file("010-first.md", first)
		b.file("020-second.md", "# Second\n\nMore text.\n")
		a.want(a.run(), Booked)
		id := a.posts("future")[0].ID
		a.site.EditPost(id, func(p *fakewp.Post) { p.Date = "2000-01-20 08:00:00" })
		b.want(b.run(), Booked)
		a.site.EditPost(id, func(p *fakewp.Post) { p.Date = "2000-01-02 08:00:00" })
		b.trigger = "guard"
		b.want(b.run(), AlreadyBooked)
		if future := b.posts("future"); len(future) != 1 || future[0].ID != id {
			t.Errorf("got %v, want post %d alone", future, id)
		}
	})
}

func TestEmptiedSlotIsFilled(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("a.md", "# A\n\nText.\n")
		r.file("b.md", "# B\n\nText.\n")
		r.want(r.run(), Booked)
		r.site.TrashPost(r.posts("future")[0].ID)
		r.trigger = "guard"
		r.want(r.run(), Booked)
		if future := r.posts("future"); len(future) != 1 || future[0].Slug != "b" {
			t.Errorf("got %v, want the next item", future)
		}
	})
}

// twins makes two bookings of one slot, as a late commit would: a's, which has
// the lower id, and b's, whose item is the second.
func twins(t *testing.T, a *rig) (b *rig, id int64) {
	t.Helper()
	b = a.second()
	a.file("010-first.md", first)
	b.file("020-second.md", "# Second\n\nMore text.\n")
	a.want(a.run(), Booked)
	id = a.posts("future")[0].ID
	// A person moves a's booking away while b books, and back.
	a.site.EditPost(id, func(p *fakewp.Post) { p.Date = "2000-01-20 08:00:00" })
	b.want(b.run(), Booked)
	a.site.EditPost(id, func(p *fakewp.Post) { p.Date = "2000-01-02 08:00:00" })
	if n := len(a.posts("future")); n != 2 {
		t.Fatalf("got %d bookings, want twins to begin with", n)
	}
	a.trigger, b.trigger = "guard", "guard"
	return b, id
}

// TestNoWithdrawalNearTheSlot: a withdrawal that arrives after the slot would
// take a live post offline.
func TestNoWithdrawalNearTheSlot(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		twins(t, a)
		a.untilSlot(-30 * time.Second)
		rep := a.run()
		if n := len(a.posts("future")); n != 2 {
			t.Errorf("got %d bookings, want both left", n)
		}
		if got := notices([]Report{rep}); !strings.Contains(got, "too near") {
			t.Errorf("got notices %q", got)
		}
	})
}

func TestDryRunWithdrawsNothing(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		twins(t, a)
		a.dry = true
		a.run()
		if n := len(a.posts("future")); n != 2 {
			t.Errorf("got %d bookings, want both left", n)
		}
	})
}

// TestEditedDraftIsThePersons: a person went on writing in the draft of a
// withdrawn booking; its file does not come back.
func TestEditedDraftIsThePersons(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		b, _ := twins(t, a)
		a.want(a.run(), AlreadyBooked)
		a.site.EditPost(a.posts("draft")[0].ID, func(p *fakewp.Post) { p.Content += "<p>More.</p>" })
		b.run()
		if b.inQueue("020-second.md") {
			t.Error("the file came back to its queue")
		}
	})
}

// TestStaysBesideHidden: beside a younger post that the account may not see,
// ours stays.
func TestStaysBesideHidden(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.login = "author"
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		id := r.posts("future")[0].ID
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(time.Hour).Format(time.DateTime)})
		r.trigger = "guard"
		r.want(r.run(), AlreadyBooked)
		if p, _ := r.site.Post(id); p.Status != "future" {
			t.Errorf("got status %s, want our booking left", p.Status)
		}
	})
}

// TestLateDraftOfAPublicItem: a create arrives a day late, when its item is
// public and the next slot has another booking.
func TestLateDraftOfAPublicItem(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, Late: 26 * time.Hour})
		r.run()
		r.want(r.run(), Booked)
		r.untilSlot(time.Hour)
		r.file("020-second.md", "# Second\n\nMore text.\n")
		r.want(r.run(), Booked)
		r.untilSlot(20 * time.Hour)
		r.site.Settle()
		if n := len(r.posts("draft")); n != 1 {
			t.Fatalf("got %d late drafts, want one to begin with", n)
		}
		r.trigger = "guard"
		r.want(r.run(), AlreadyBooked)
		if drafts := r.posts("draft"); len(drafts) != 0 || r.inQueue("010-first.md") {
			t.Errorf("got drafts %v, file in the queue: %t", drafts, r.inQueue("010-first.md"))
		}
	})
}

// TestCopyOfADraftIsThePersons: a copy of a draft that is not booked yet bears
// the draft's marker. It is not taken for a second draft of ours.
func TestCopyOfADraftIsThePersons(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		var copied int64
		r.onStep = func(step string) {
			if step == "look again" {
				copied = r.site.CopyPost(r.posts("draft")[0].ID)
			}
		}
		r.want(r.run(), Booked)
		if _, ok := r.site.Post(copied); !ok {
			t.Error("the person's copy was deleted")
		}
	})
}

// TestLowerDraftIsSpared: beside a fresh booking a lower draft of the item stays,
// since another machine may be committing it: were it deleted, and the booking
// withdrawn as the higher twin, the item would be gone. It goes later.
func TestLowerDraftIsSpared(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, SlugGap: true, Twice: 1, CutAfter: true})
		// The first of two drafts is hidden from the look-up, as if it came late.
		lower := r.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool { return q.URL.Query().Has("slug[]") || q.URL.Query().Has("slug") }, Hidden: []int64{1}})
		r.run()
		lower()
		if len(r.posts("future")) == 0 {
			r.run()
		}
		future := r.posts("future")
		if len(future) != 1 {
			t.Fatalf("got booked %v, want one", future)
		}
		if _, ok := r.site.Post(1); future[0].ID != 1 && !ok {
			t.Error("the lower draft was deleted beside a fresh booking")
		}
		time.Sleep(time.Hour)
		r.trigger = "guard"
		r.run()
		r.exactlyOne("010-first.md")
	})
}

// TestManyDraftsOfOneItem: the suffix of a fourth draft is none that a look-up
// of the slug asks for.
func TestManyDraftsOfOneItem(t *testing.T) {
	t.Run("at once", func(t *testing.T) {
		bubble(t, func(_ *testing.T, r *rig) {
			r.file("010-first.md", first)
			r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, Twice: 3})
			r.want(r.run(), Booked)
			r.exactlyOne("010-first.md")
		})
	})
	t.Run("found by the guard", func(t *testing.T) {
		bubble(t, func(_ *testing.T, r *rig) {
			r.file("010-first.md", first)
			r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, Twice: 3})
			lost := r.site.Inject(fakewp.Fault{Match: isDelete, CutBefore: true})
			r.want(r.run(), Booked)
			lost()
			r.trigger = "guard"
			r.run()
			r.exactlyOne("010-first.md")
		})
	})
}

func isDelete(q *http.Request) bool { return q.URL.Query().Get("_method") == http.MethodDelete }
