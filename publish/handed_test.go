package publish

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// hand makes drafts that bear the sign, one hour old.
func (r *rig) hand(titles ...string) (ids []int64) {
	r.t.Helper()
	r.sign = "Ready"
	category := r.site.AddTerm("category", r.sign)
	for _, title := range titles {
		ids = append(ids, r.site.InsertPost(fakewp.Post{
			Status: "draft", Title: title, Content: "<!-- wp:paragraph -->\n<p>" + title + " &amp; more.</p>\n<!-- /wp:paragraph -->", Categories: []int64{category},
		}))
	}
	time.Sleep(time.Hour)
	return ids
}

func TestBooksAHandedDraft(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		ids := r.hand("Older", "Younger")
		r.site.InsertPost(fakewp.Post{Status: "draft", Title: "Nobody's business", Content: "Text."})
		r.want(r.run(), Booked)
		future := r.posts("future")
		if len(future) != 1 || future[0].ID != ids[0] || !future[0].Instant().Equal(r.slot()) {
			t.Fatalf("got %v, want draft %d booked", future, ids[0])
		}
		if n := len(r.site.Posts()); n != 3 {
			t.Errorf("got %d posts, want the three", n)
		}
		r.want(r.run(), AlreadyBooked)
		r.trigger = "guard"
		r.want(r.run(), AlreadyBooked)
		time.Sleep(24 * time.Hour)
		r.trigger = "cron"
		r.want(r.run(), Booked)
		time.Sleep(24 * time.Hour)
		rep := r.run()
		r.want(rep, NothingToBook)
		if drafts := r.posts("draft"); len(drafts) != 1 {
			t.Errorf("got drafts %v, want the one without the sign", drafts)
		}
	})
}

// TestHandedDraftChangesUnderUs: a person goes on writing between our readings;
// what is booked is what they wrote.
func TestHandedDraftChangesUnderUs(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		id := r.hand("Older")[0]
		r.onStep = func(step string) {
			if step == string(stepLookAgain) {
				r.onStep = nil
				r.site.EditPost(id, func(p *fakewp.Post) { p.Content += "<p>One more.</p>" })
			}
		}
		r.want(r.run(), NothingToBook) // it is being written
		time.Sleep(5 * time.Minute)
		r.want(r.run(), Booked)
		if p, _ := r.site.Post(id); p.Status != "future" || !strings.Contains(p.Content, "One more.") {
			t.Errorf("got %+v", p)
		}
	})
}

// TestHandedDraftWithdrawn: with yield it makes way for a person's post, and is
// a draft with the sign again.
func TestHandedDraftWithdrawn(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		id := r.hand("Older")[0]
		r.job.Yield = true
		r.want(r.run(), Booked)
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(time.Hour).Format(time.DateTime)})
		r.trigger = "guard"
		r.want(r.run(), AlreadyBooked)
		if p, _ := r.site.Post(id); p.Status != "draft" {
			t.Fatalf("got %+v, want it withdrawn", p)
		}
		time.Sleep(24 * time.Hour)
		r.want(r.run(), Booked)
		if p, _ := r.site.Post(id); p.Status != "future" {
			t.Errorf("got %+v, want it booked for the next morning", p)
		}
	})
}

// TestHandedDraftTakenOut: a person turns the booking into a draft that keeps
// its date. It is theirs until they hand it over again.
func TestHandedDraftTakenOut(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		id := r.hand("Older")[0]
		r.want(r.run(), Booked)
		r.site.EditPost(id, func(p *fakewp.Post) { p.Status = "draft" })
		time.Sleep(10 * time.Minute)
		rep := r.run()
		r.want(rep, NothingToBook)
		if got := rep.Slots[0].Reason; !strings.Contains(got, "immediately") {
			t.Errorf("got reason %q", got)
		}
		// Nor is it when the person has written over the marker.
		r.site.EditPost(id, func(p *fakewp.Post) { p.Content = "All new." })
		time.Sleep(10 * time.Minute)
		r.want(r.run(), NothingToBook)
	})
}

// TestHandedDraftRefused: a firewall that refuses one text does not keep the
// next from its turn.
func TestHandedDraftRefused(t *testing.T) {
	for name, fault := range map[string]fakewp.Fault{
		"by a firewall":  {Instead: true, Status: 403, Body: "<html>blocked</html>"},
		"by WordPress":   {Instead: true, Status: 400, Header: http.Header{"Content-Type": {"application/json"}}, Body: `{"code":"rest_invalid_param","message":"no","data":{"status":400}}`},
		"with a failure": {Instead: true, Status: 500, Body: "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				ids := r.hand("Older", "Younger")
				fault.Match = func(q *http.Request) bool {
					return q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, fmt.Sprintf("/posts/%d", ids[0]))
				}
				r.site.Inject(fault)
				r.want(r.run(), Booked)
				if p, _ := r.site.Post(ids[1]); p.Status != "future" {
					t.Errorf("got %+v, want the younger one booked", p)
				}
			})
		})
	}
}

// TestHandedDraftAndItsDouble: two drafts of one text are two, and neither is
// deleted as the other's surplus.
func TestHandedDraftAndItsDouble(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Ahead = 2
		r.hand("Same", "Same")
		r.want(r.run(), Booked)
		r.trigger = "guard"
		r.want(r.run(), AlreadyBooked)
		time.Sleep(time.Hour)
		r.want(r.run(), AlreadyBooked)
		if n := len(r.posts("future")); n != 2 {
			t.Errorf("got %d booked, want both", n)
		}
	})
}

// TestHandedDraftIsNoSurplus: a draft of the same text as the one that is booked
// was booked before, too.
func TestHandedDraftIsNoSurplus(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Ahead = 2
		ids := r.hand("Same", "Same")
		r.want(r.run(), Booked)
		for _, id := range ids {
			r.site.EditPost(id, func(p *fakewp.Post) { p.Status, p.Date = "draft", r.now().UTC().Add(9*time.Hour).Format(time.DateTime) })
		}
		time.Sleep(time.Hour)
		r.job.Ahead = 1
		r.want(r.run(), Booked)
		if n := len(r.posts("draft")); n != 1 {
			t.Errorf("got %d drafts, want the second of the two", n)
		}
	})
}

// TestHandedDraftOfTwoMachines: both are at the same draft, for two slots.
func TestHandedDraftOfTwoMachines(t *testing.T) {
	bubble(t, func(t *testing.T, a *rig) {
		a.hand("One", "Two", "Three")
		a.job.Ahead = 2
		b := a.second()
		both(a, b)
		both(a, b)
		a.trigger, b.trigger = "guard", "guard"
		time.Sleep(time.Minute)
		both(a, b)
		if future := a.posts("future"); len(future) != 2 || future[0].DateGMT == future[1].DateGMT {
			t.Errorf("got %v, want one booking for each morning", future)
		}
		if n := len(a.site.Posts()); n != 3 {
			t.Errorf("got %d posts, want the three", n)
		}
	})
}

// TestHandedDraftNeedsUnfilteredHTML: else WordPress could strip a person's text.
func TestHandedDraftNeedsUnfilteredHTML(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.login = "author"
		r.hand("Older")
		r.site.EditPost(r.posts("draft")[0].ID, func(p *fakewp.Post) { p.Author = 3 }) // else it could not see it
		time.Sleep(time.Hour)
		rep := r.run()
		r.want(rep, Failed)
		if r.writes() != 0 || !strings.Contains(rep.Slots[0].Reason, "unfiltered_html") {
			t.Errorf("got %d writes, reason %q", r.writes(), rep.Slots[0].Reason)
		}
	})
}

// TestSignIsRenamed: what the sign means is asked each time.
func TestSignIsRenamed(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.keepPub = true
		first, _ := r.site.Post(r.hand("Older")[0])
		category := first.Categories[0]
		r.want(r.run(), Booked)
		time.Sleep(24 * time.Hour)
		idea := r.site.InsertPost(fakewp.Post{Status: "draft", Title: "Only an idea", Content: "Text.", Categories: []int64{category}})
		r.site.RenameTerm(category, "Ideas")
		r.site.AddTerm("category", "Ready")
		time.Sleep(time.Hour)
		r.want(r.run(), NothingToBook)
		if p, _ := r.site.Post(idea); p.Status != "draft" {
			t.Errorf("got %+v, want it left alone", p)
		}
	})
}
