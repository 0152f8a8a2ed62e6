package publish

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// TestOneCreateARun: a create whose answer is lost is not sent again; what
// became of it, a look tells.
func TestOneCreateARun(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		creates := 0
		r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, CutAfter: true})
		r.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool {
			if isCreate(q) {
				creates++
			}
			return false
		}})
		r.want(r.run(), Booked)
		if creates != 1 {
			t.Errorf("%d creates were sent, want 1", creates)
		}
	})
}

// TestDraftOfADeadMachine: another machine makes a draft of the item between
// this one's look-up and its create, and dies: the lower draft is booked.
func TestDraftOfADeadMachine(t *testing.T) {
	bubble(t, func(_ *testing.T, a *rig) {
		b := a.second()
		a.file("010-first.md", first)
		b.file("010-first.md", first)
		begun := false
		a.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool {
			if isCreate(q) && !begun {
				begun = true
				dead := a.site.Inject(fakewp.Fault{Method: http.MethodGet, Path: "/posts/", Instead: true, Status: 500, Body: "oops"})
				b.want(b.run(), Unknown)
				dead()
			}
			return false
		}})
		a.want(a.run(), Booked)
		a.exactlyOne("010-first.md")
		if p, _ := a.site.Post(1); p.Status != "future" || p.Slug != "first" {
			t.Errorf("got %+v, want the dead machine's draft booked", p)
		}
	})
}

// TestReadBackHoldsTheSite: a site that does something else with the commit
// than was asked for is not called booked.
func TestReadBackHoldsTheSite(t *testing.T) {
	for _, tc := range []struct {
		name, says string
		act        func(*fakewp.Post)
	}{
		{"published at once", "is LIVE already", func(p *fakewp.Post) { p.Status, p.Date = "publish", "2000-01-01 12:00:00" }},
		{"an hour later", "there it is left", func(p *fakewp.Post) { p.Date = "2000-01-02 09:00:00" }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.file("010-first.md", first)
				r.onStep = func(step string) {
					if step == "read back" {
						r.site.EditPost(r.posts("future")[0].ID, tc.act)
					}
				}
				rep := r.run()
				r.want(rep, Failed)
				if got := rep.Slots[0].Reason; !strings.Contains(got, tc.says) {
					t.Errorf("got reason %q, want %q in it", got, tc.says)
				}
				if drafts := r.posts("draft"); len(drafts) != 0 {
					t.Errorf("%v was taken back, though a person may have moved it", drafts)
				}
			})
		})
	}
}

// TestSurplusDraftTakenByAPerson: a person begins to write in a surplus draft
// just before it is removed.
func TestSurplusDraftTakenByAPerson(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, Twice: 1})
		edited := int64(0)
		r.site.Inject(fakewp.Fault{Method: http.MethodGet, Path: "/posts/", Match: func(q *http.Request) bool {
			if drafts := r.posts("draft"); len(r.posts("future")) == 1 && len(drafts) == 1 && edited == 0 {
				if edited = drafts[0].ID; strings.HasSuffix(q.URL.Path, fmt.Sprint("/", edited)) {
					r.site.EditPost(edited, func(p *fakewp.Post) { p.Content += "<p>More.</p>" })
				}
			}
			return false
		}})
		r.want(r.run(), Booked)
		if p, ok := r.site.Post(edited); !ok || !strings.Contains(p.Content, "More.") {
			t.Errorf("got %+v (there: %t), want the person's draft", p, ok)
		}
	})
}

// TestTrashedItem: what a person put in the trash is not posted again, though
// its file is in the queue once more.
func TestTrashedItem(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		r.site.TrashPost(r.posts("future")[0].ID)
		r.file("010-first.md", first)
		rep := r.run()
		r.want(rep, NothingToBook)
		if r.inQueue("010-first.md") || !strings.Contains(notices([]Report{rep}), "put in the trash") {
			t.Errorf("got notices %q, file in the queue: %t", rep.Notices, r.inQueue("010-first.md"))
		}
	})
}

// locked is a lock that somebody else holds.
type locked struct{}

func (locked) Acquire(context.Context, time.Duration) (func() error, bool, error) {
	return nil, false, nil
}

func TestBusy(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.lock = locked{}
		r.want(r.run(), Busy)
		if n := len(r.site.Requests()); n != 0 {
			t.Errorf("%d requests were made without the lock", n)
		}
		r.dry = true // asks for no lock
		r.want(r.run(), WouldBook)
	})
}

func TestRunIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.job.RunTimeout = 2 * time.Minute
		r.site.Inject(fakewp.Fault{DelayAfter: 50 * time.Second})
		rep := r.run()
		r.want(rep, Unknown)
		if rep.Elapsed > r.job.RunTimeout {
			t.Errorf("the run took %s, longer than %s", rep.Elapsed, r.job.RunTimeout)
		}
	})
}

func TestDryRunLeavesTheQueueAlone(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		if err := os.Rename(filepath.Join(r.dir, "done", "010-first.md"), filepath.Join(r.dir, "010-first.md")); err != nil {
			t.Fatal(err)
		}
		if err := r.keep.Close(); err != nil { // lest it says that the slot is settled
			t.Fatal(err)
		}
		r.dry = true
		r.want(r.run(), AlreadyBooked)
		if !r.inQueue("010-first.md") {
			t.Error("a dry run took the file out of the queue")
		}
	})
}

// TestLaggingLists: a site whose lists lag behind its writes is asked again
// when they have caught up.
func TestLaggingLists(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.keepPub = true
		r.file("010-first.md", first)
		caughtUp := r.site.Inject(fakewp.Fault{Method: http.MethodGet, Stale: true})
		r.want(r.run(), Unknown)
		caughtUp()
		r.want(r.run(), Booked)
		r.exactlyOne("010-first.md")
	})
}
