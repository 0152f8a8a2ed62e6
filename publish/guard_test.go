package publish

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
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

// TestSlowSiteThatHidesPosts: an account that may not see others' posts asks
// for the exact window besides; on a slow site the look is not too old for that.
func TestSlowSiteThatHidesPosts(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.login = "author"
		r.file("010-first.md", first)
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(24 * time.Hour).Format(time.DateTime)})
		r.site.Inject(fakewp.Fault{DelayBefore: 12 * time.Second})
		r.want(r.run(), Booked)
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

// disguise makes a booking look like a person's post until it is undone.
func (r *rig) disguise(id int64) (undo func()) {
	r.t.Helper()
	was, _ := r.site.Post(id)
	r.site.EditPost(id, func(p *fakewp.Post) { p.Content, p.Slug = "Text.", "of-a-person" })
	return func() { r.site.EditPost(id, func(p *fakewp.Post) { p.Content, p.Slug = was.Content, was.Slug }) }
}

// itemTwice makes two bookings of one item, in two slots.
func itemTwice(t *testing.T, a *rig) (b *rig, low, high int64) {
	t.Helper()
	a.job.Ahead = 2
	b = a.second()
	a.file("010-first.md", first)
	b.file("010-first.md", first)
	a.run()
	low = a.posts("future")[0].ID
	undo := a.disguise(low)
	b.run()
	undo()
	future := a.posts("future")
	if len(future) != 2 {
		t.Fatalf("got %v, want the item in two slots to begin with", future)
	}
	a.trigger, b.trigger = "guard", "guard"
	return b, low, future[1].ID
}

// TestOneItemInTwoSlots: two machines booked one item for two mornings. The
// later post goes, and the item is not booked again.
func TestOneItemInTwoSlots(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		b, low, _ := itemTwice(t, a)
		a.run()
		if future := a.posts("future"); len(future) != 1 || future[0].ID != low {
			t.Errorf("got %v, want post %d alone", future, low)
		}
		time.Sleep(time.Hour)
		b.run()
		a.run()
		if future := a.posts("future"); len(future) != 1 || len(a.posts("draft")) != 0 || a.inQueue("010-first.md") || b.inQueue("010-first.md") {
			t.Errorf("got %v and drafts %v, in the queues: %t, %t", future, a.posts("draft"), a.inQueue("010-first.md"), b.inQueue("010-first.md"))
		}
	})
}

// TestReadBackSeesTheItemElsewhere: the machine that books second finds out by
// itself, in the run that booked.
func TestReadBackSeesTheItemElsewhere(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		a.job.Ahead = 3 // the third slot: what a look at it alone shows reaches not as far as the first
		b := a.second()
		a.file("010-first.md", first)
		b.file("010-first.md", first)
		a.run()
		low := a.posts("future")[0].ID
		a.site.InsertPost(fakewp.Post{Status: "future", DateGMT: a.slot().Add(24 * time.Hour).Format(time.DateTime)})
		undo := a.disguise(low)
		b.onStep = func(step string) {
			if step == string(stepCommit) {
				undo()
			}
		}
		b.run()
		if future := a.posts("future"); len(future) != 2 || !slices.ContainsFunc(future, func(p fakewp.Post) bool { return p.ID == low }) {
			t.Errorf("got %v, want post %d and the person's", future, low)
		}
	})
}

// TestPublicItemIsNotBookedAgain: of an item that is public no booking stands,
// though its id be the lower one.
func TestPublicItemIsNotBookedAgain(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		_, _, high := itemTwice(t, a)
		a.site.EditPost(high, func(p *fakewp.Post) { p.Status, p.Date = "publish", "2000-01-01 12:00:00" })
		a.run()
		if future := a.posts("future"); len(future) != 0 {
			t.Errorf("got %v beside the public post of the item", future)
		}
	})
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

// TestStaleLookWithdrawsNothing: what was seen some time ago a person may have
// settled since. The next look sees to it.
func TestStaleLookWithdrawsNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		id := r.posts("future")[0].ID
		r.twin(id)
		r.twin(id)
		r.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool { return q.Method == http.MethodPost }, Times: 1, DelayAfter: 30 * time.Second})
		r.trigger = "guard"
		rep := r.run()
		if n := len(r.posts("future")); n != 2 {
			t.Errorf("got %d bookings, want one of three withdrawn", n)
		}
		if got := notices([]Report{rep}); !strings.Contains(got, "look is too old") {
			t.Errorf("got notices %q", got)
		}
		r.run()
		if future := r.posts("future"); len(future) != 1 || future[0].ID != id {
			t.Errorf("got %v, want post %d alone", future, id)
		}
	})
}

// twin makes another booking like that of the id, as a late create and commit do.
func (r *rig) twin(id int64) {
	r.t.Helper()
	p, _ := r.site.Post(id)
	p.ID = r.site.InsertPost(fakewp.Post{Status: "future", Date: p.Date, Title: p.Title, Content: p.Content})
	r.site.EditPost(p.ID, func(q *fakewp.Post) {
		q.Content = strings.Replace(q.Content, fmt.Sprintf("id=%d", id), fmt.Sprintf("id=%d", p.ID), 1)
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
		lower := r.site.Inject(fakewp.Fault{Match: bySlug, Hidden: []int64{1}})
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
		if p := r.posts("future")[0]; p.Slug != "first" {
			t.Errorf("the booking keeps the slug %q", p.Slug)
		}
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

func bySlug(q *http.Request) bool {
	return q.URL.Query().Has("slug[]") || q.URL.Query().Has("slug")
}

// TestDraftOnItsWayElsewhere: a draft whose commit into another slot may arrive
// yet is not booked for a while; the next item is.
func TestDraftOnItsWayElsewhere(t *testing.T) {
	lost := func(r *rig) {
		r.job.Ahead = 2
		r.file("010-first.md", first)
		heal := r.site.Inject(fakewp.Fault{Match: isUpdate, CutBefore: true})
		r.run() // leaves a draft for the first slot
		heal()
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Format(time.DateTime)})
	}
	t.Run("the next item goes first", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			lost(r)
			r.file("020-second.md", "# Second\n\nMore text.\n")
			r.run()
			if future := r.posts("future"); len(future) != 2 || future[1].Slug != "second" {
				t.Errorf("got %v, want the second item booked", future)
			}
		})
	})
	t.Run("alone it waits for as long as lead", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			lost(r)
			rep := r.run()
			r.want(rep, NothingToBook)
			if got := rep.Slots[1].Reason; !strings.Contains(got, "on its way into the slot Sun 2 Jan 08:00 until") {
				t.Errorf("got reason %q", got)
			}
			time.Sleep(r.job.Lead)
			r.run()
			if future := r.posts("future"); len(future) != 2 || future[0].Slug != "first" {
				t.Errorf("got %v, want the item booked", future)
			}
		})
	})
	t.Run("it is no reason to leave a slot empty", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			lost(r)
			r.job.Lead = 22 * time.Hour // that of the second slot begins 22 h after noon
			r.run()
			if future := r.posts("future"); len(future) != 2 {
				t.Errorf("got %v, want the item booked", future)
			}
		})
	})
}

func isUpdate(q *http.Request) bool {
	return q.Method == http.MethodPost && !isCreate(q)
}
