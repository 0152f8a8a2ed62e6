package publish

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
	"morrow/internal/journal"
	"morrow/internal/slots"
)

// Sites whose plugins do things to posts: one try a slot, nothing drained.

// fill puts three items into the queue.
func (r *rig) fill() {
	for _, name := range []string{"a", "b", "c"} {
		r.file(name+".md", "# "+name+"\n\nText of "+name+".\n")
	}
}

// oneTry runs the job many times, each in a process of its own, and checks that
// the site took no more than so many posts and no file was used up.
func (r *rig) oneTry(says string, posts int) {
	r.t.Helper()
	rep := r.run()
	r.want(rep, Failed)
	if got := rep.Slots[0].Reason; !strings.Contains(got, says) {
		r.t.Errorf("got reason %q, which does not say %q", got, says)
	}
	for range 5 {
		time.Sleep(30 * time.Minute)
		r.want(r.run(), Failed)
	}
	if got := len(r.site.Posts()); got != posts {
		r.t.Errorf("the site has %d posts, want %d: %+v", got, posts, r.site.Posts())
	}
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		if !r.inQueue(name) {
			r.t.Errorf("%s was used up", name)
		}
	}
}

func TestPluginMovesDates(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.fill()
		r.site.SetFilter(func(p *fakewp.Post) {
			if p.Status == "future" {
				p.Date, p.DateGMT = "2000-01-05 08:00:00", "2000-01-04 23:00:00"
			}
		})
		r.oneTry("instead of scheduling it for 2000-01-02", 1)
		if future := r.posts("future"); len(future) != 0 {
			t.Errorf("left on another date: %+v", future)
		}
	})
}

func TestPluginChangesDrafts(t *testing.T) {
	for name, tc := range map[string]struct {
		edit  func(*fakewp.Post)
		says  string
		posts int
	}{
		"to pending":   {func(p *fakewp.Post) { p.Status = "pending" }, "did not keep a draft", 0},
		"to published": {func(p *fakewp.Post) { p.Status = "publish" }, "LIVE", 1},
		"dated":        {func(p *fakewp.Post) { p.Date, p.DateGMT = "2000-03-01 08:00:00", "2000-02-29 23:00:00" }, "did not keep a draft", 0},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(_ *testing.T, r *rig) {
				r.fill()
				r.site.SetFilter(tc.edit)
				r.oneTry(tc.says, tc.posts)
			})
		})
	}
}

// TestSiteFaultsAreKeptInMind: a daemon that has no journal remembers them; a
// person unblocks the job; and of a site that publishes at once one post a day
// is the most that it is sent.
func TestSiteFaultsAreKeptInMind(t *testing.T) {
	live := func(p *fakewp.Post) { p.Status = "publish" }
	t.Run("without a journal", func(t *testing.T) {
		bubble(t, func(_ *testing.T, r *rig) {
			_ = r.keep.Close()
			r.keep, r.keepPub = journal.Discard(), true
			r.fill()
			r.site.SetFilter(live)
			r.oneTry("LIVE", 1)
		})
	})
	t.Run("until a person says that it is mended", func(t *testing.T) {
		bubble(t, func(_ *testing.T, r *rig) {
			r.fill()
			r.site.SetFilter(live)
			r.want(r.run(), Failed)
			r.site.SetFilter(nil)
			r.want(r.run(), Failed)
			r.unblock = true
			r.want(r.run(), Booked)
		})
	})
	t.Run("for a day", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			r.fill()
			r.site.SetFilter(live)
			for range 60 {
				r.run()
				time.Sleep(time.Hour)
			}
			if got := len(r.site.Posts()); got != 3 {
				t.Errorf("got %d posts in 60 hours, want one a day", got)
			}
		})
	})
}

// TestListsThatHideOurPosts: what the site confirms and then does not show is
// not tried again with the next file.
func TestListsThatHideOurPosts(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.keepPub = true
		r.fill()
		remove := r.site.Inject(fakewp.Fault{Method: http.MethodGet, Match: func(q *http.Request) bool {
			return strings.HasSuffix(q.URL.Path, "/posts")
		}, Stale: true})
		r.want(r.run(), Unknown)
		for range 5 {
			time.Sleep(30 * time.Minute)
			r.run()
		}
		if future, drafts := r.posts("future"), r.posts("draft"); len(future) != 1 || len(drafts) != 0 {
			t.Errorf("got %d booked and %d drafts, want one booking", len(future), len(drafts))
		}
		remove()
		r.want(r.run(), AlreadyBooked)
	})
}

// TestOwnBookingOutsideTheScope: a scope says which posts of others fill a
// slot; our own booking always does.
func TestOwnBookingOutsideTheScope(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.AddTerm("category", "Tech")
		r.job.Scope.Category = "Tech"
		r.fill()
		r.want(r.run(), Booked)
		r.want(r.run(), AlreadyBooked)
		if future := r.posts("future"); len(future) != 1 {
			t.Errorf("got %d booked, want one", len(future))
		}
	})
}

// TestScopeIsUnambiguous: of two categories of one name nobody knows which.
func TestScopeIsUnambiguous(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.AddTerm("category", "News")
		r.site.AddTerm("category", "News")
		r.job.Scope.Category = "News"
		r.fill()
		rep := r.run()
		r.want(rep, Failed)
		if !strings.Contains(rep.Err.Error(), "give the slug") {
			t.Errorf("got %v", rep.Err)
		}
	})
}

// TestScopeAuthorByLogin: an author is named by the login.
func TestScopeAuthorByLogin(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.job.Scope.Author = "editor"
		r.fill()
		r.want(r.run(), Booked)
	})
}

// TestB69SlugChangedAndFileStays: the journal knows the post of a file that
// could not be moved, whatever became of the post's slug.
func TestB69SlugChangedAndFileStays(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.file("done", "a file where the folder should be")
		r.want(r.run(), Booked)
		r.site.EditPost(r.posts("future")[0].ID, func(p *fakewp.Post) { p.Slug = "a-persons-slug" })
		time.Sleep(24 * time.Hour)
		r.want(r.run(), NothingToBook)
		if n := len(r.site.Posts()); n != 1 {
			t.Errorf("got %d posts, want the one", n)
		}
	})
}

// TestB69SlugAndFileChangedAndFileStays: nor does it help that the file was
// edited, too.
func TestB69SlugAndFileChangedAndFileStays(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.file("done", "a file where the folder should be")
		r.want(r.run(), Booked)
		r.site.EditPost(r.posts("future")[0].ID, func(p *fakewp.Post) { p.Slug = "a-persons-slug" })
		r.file("010-first.md", first+"\nOne more line.\n")
		time.Sleep(24 * time.Hour)
		rep := r.run()
		r.want(rep, NothingToBook)
		if n := len(r.site.Posts()); n != 1 || !strings.Contains(notices([]Report{rep}), "changed after it was booked as post 1") {
			t.Errorf("got %d posts, want the one; notices %q", n, rep.Notices)
		}
	})
}

// TestPluginChangesEveryText: the files are not sent one after the other to a
// site that spoils each.
func TestPluginChangesEveryText(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		for n := range 10 {
			r.file(fmt.Sprintf("%d.md", n), fmt.Sprintf("# %d\n\nText %d.\n", n, n))
		}
		r.site.SetFilter(func(p *fakewp.Post) { p.Content += "<p>Buy!</p>" })
		rep := r.run()
		r.want(rep, Failed)
		if got := rep.Slots[0].Reason; !strings.Contains(got, "a plugin of the site") {
			t.Errorf("got reason %q", got)
		}
		creates := 0
		for _, q := range r.site.Requests() {
			if q.Write() && q.Route == "/wp/v2/posts" {
				creates++
			}
		}
		if creates != maxRefusals+1 || len(r.site.Posts()) != 0 {
			t.Errorf("got %d creates, want %d; %d posts are left", creates, maxRefusals+1, len(r.site.Posts()))
		}
	})
}

// TestZoneChangedBeforeTheBooking: a site that moved to another zone since the last look shows
// it by the draft's dates, before the booking is sent.
func TestZoneChangedBeforeTheBooking(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.want(r.run(), NothingToBook) // learns the zone
		time.Sleep(time.Hour)
		r.site.SetZone("Europe/Berlin")
		r.file("010-first.md", first)
		r.want(r.run(), Unknown)
		time.Sleep(20 * time.Minute) // the draft was made for another slot, that of the old zone
		r.want(r.run(), Booked)
		if got := r.posts("future")[0]; got.Date != "2000-01-01 08:00:00" { // three hours ahead in Berlin
			t.Errorf("booked for %s, want the morning in the new zone", got.Date)
		}
	})
}

// TestCreateAnsweredWithAnother: the post that a mixed-up proxy answers with is
// a person's, and stays.
func TestCreateAnsweredWithAnother(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		id := r.site.InsertPost(fakewp.Post{Status: "draft", Title: "A person's", Slug: "persons", Content: "precious"})
		r.file("010-first.md", first)
		r.mixUp = func(q *http.Request) *http.Request {
			if !isCreate(q) {
				return q
			}
			return r.asRead(q, id)
		}
		rep := r.run()
		if _, ok := r.site.Post(id); !ok {
			t.Fatal("the person's draft was deleted")
		}
		if got := notices([]Report{rep}); !strings.Contains(got, "is another") {
			t.Errorf("got notices %q", got)
		}
	})
}

// TestGreetingOfTwoDays: one text under two names goes out twice, and does not
// hold up the rest.
func TestGreetingOfTwoDays(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Ahead = 3
		for _, name := range []string{"monday", "tuesday", "wednesday"} {
			r.file(name+".md", "---\ntitle: Good morning\n---\nHave a nice day.\n")
		}
		r.file("wednesday.md", "---\ntitle: Another\n---\nText.\n")
		r.run()
		r.trigger = "guard"
		r.run()
		if n := len(r.posts("future")); n < 2 || len(r.posts("draft")) != 0 {
			t.Errorf("got %d booked and drafts %v", n, r.posts("draft"))
		}
	})
}

// TestOneItemTheSiteCantStore: WordPress answers 500 to it for ever.
func TestOneItemTheSiteCantStore(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		can := r.site.Inject(fakewp.Fault{Match: isCreate, Times: 1, Instead: true, Status: 500, Body: `{"code":"db_insert_error","message":"no","data":{"status":500}}`})
		r.file("020-second.md", "# Second\n\nMore text.\n")
		rep := r.run()
		r.want(rep, Booked)
		can()
		r.exactlyOne("020-second.md")
		if got := notices([]Report{rep}); !strings.Contains(got, "010-first.md is set aside") {
			t.Errorf("got notices %q", got)
		}
	})
}

// TestNewTextUnderATrashedName: the trash keeps what a person took out, not what
// comes later under its name.
func TestNewTextUnderATrashedName(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("weekly.md", "# Weekly\n\nIssue one.\n")
		r.want(r.run(), Booked)
		r.site.TrashPost(r.posts("future")[0].ID)
		r.file("weekly.md", "# Weekly\n\nIssue two, all new.\n")
		r.want(r.run(), Booked)
		if future := r.posts("future"); len(future) != 1 || !strings.Contains(future[0].Content, "Issue two") {
			t.Errorf("got %v", future)
		}
	})
}

// TestNothingIsMadeForAHeldItem: an item that is not booked costs the site no
// term and no upload.
func TestNothingIsMadeForAHeldItem(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.InsertPost(fakewp.Post{Status: "publish", Title: "Taken", Slug: "a"})
		r.file("a.md", "---\ntitle: A\ntags: [new]\n---\nText.\n")
		r.want(r.run(), NothingToBook)
		if r.writes() != 0 {
			t.Error("something was written")
		}
	})
}

// TestTermsAreNotMadeForAFilledSlot: a run that books nothing changes nothing.
func TestTermsAreNotMadeForAFilledSlot(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.InsertPost(fakewp.Post{Status: "future", Date: "2000-01-02 08:00:00"})
		r.file("a.md", "---\ntitle: A\ntags: [new]\n---\nText.\n")
		r.want(r.run(), AlreadyBooked)
		if r.writes() != 0 {
			t.Error("something was written")
		}
	})
}

// TestWeeklyFile: a file of the same name each week, with a slug of its own, is
// another item each time.
func TestWeeklyFile(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		week := func(n string) {
			r.file("weekly.md", "---\ntitle: Week "+n+"\nslug: week-"+n+"\n---\nText of week "+n+".\n")
		}
		week("1")
		r.want(r.run(), Booked)
		time.Sleep(24 * time.Hour)
		week("2")
		r.want(r.run(), Booked)
		second := r.posts("future")[0]
		if second.Slug != "week-2" {
			t.Fatalf("got %s booked", second.Slug)
		}
		// A person's post of their own comes beside it, and ours makes way.
		r.job.Yield = true
		r.site.InsertPost(fakewp.Post{Status: "future", Date: "2000-01-03 09:00:00"})
		r.run()
		text, err := os.ReadFile(filepath.Join(r.dir, "weekly.md"))
		if err != nil || !strings.Contains(string(text), "week-2") {
			t.Errorf("got %q, %v back in the queue, want week 2", text, err)
		}
	})
}

// TestLiveAtOnceHaltsTheJob: a site that publishes what is to be a draft gets
// one post, however many slots are kept booked.
func TestLiveAtOnceHaltsTheJob(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.job.Ahead = 3
		r.fill()
		r.site.SetFilter(func(p *fakewp.Post) { p.Status = "publish" })
		r.oneTry("LIVE", 1)
	})
}

// TestForeignDraftIsNotReused: another machine's job is its own, also where its
// file has the name of one of ours.
func TestForeignDraftIsNotReused(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		b := a.second()
		b.job.Name = "evening"
		b.job.Times = []slots.Times{{Job: "evening", Publish: a.job.Times[0].Publish}}
		a.file("intro.md", "# Intro\n\nOf a.\n")
		b.file("intro.md", "# Intro\n\nOf b.\n")
		cut := a.site.Inject(fakewp.Fault{Method: http.MethodGet, Path: "/posts/", Instead: true, Status: 500, Body: "oops"})
		a.want(a.run(), Unknown) // its draft waits
		cut()
		b.want(b.run(), NothingToBook)
		if drafts := a.posts("draft"); len(drafts) != 1 || !strings.Contains(drafts[0].Content, "Of a.") {
			t.Errorf("got drafts %v, want a's alone", drafts)
		}
	})
}
