package publish

import (
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// pages are the site's pages in a status.
func (r *rig) pages(status string) (found []fakewp.Post) {
	for _, p := range r.site.Posts() {
		if p.Type == "page" && p.Status == status {
			found = append(found, p)
		}
	}
	return found
}

// TestOtherPostType: every step of a booking, of the guard and of the watch is
// about the job's type of post.
func TestOtherPostType(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Type = "pages"
		r.file("010-first.md", first)
		r.site.InsertPost(fakewp.Post{Status: "future", Title: "A post", Slug: "first", Date: "2000-01-02 08:00:00"})
		r.keepPub = true
		r.site.SetCronDead(true)
		rep := r.run()
		r.want(rep, Booked)
		if got := r.pages("future"); len(got) != 1 || !got[0].Instant().Equal(r.slot()) || got[0].Slug != "first" {
			t.Errorf("got the pages %+v", got)
		}
		r.want(r.run(), AlreadyBooked)
		r.follow(rep, 5*time.Minute)
		if got := r.pages("publish"); len(got) != 1 {
			t.Errorf("the page is not live: %+v", r.pages("future"))
		}
		for _, q := range r.site.Requests() {
			if strings.HasPrefix(q.Route, "/wp/v2/posts") {
				t.Errorf("asked %s %s", q.Method, q.Route)
			}
		}
	})
}

func TestWithdrawnPageIsFoundAgain(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Type, r.job.Yield = "pages", true
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		r.site.InsertPost(fakewp.Post{Type: "page", Status: "future", Title: "Mine", Date: "2000-01-02 08:00:00"})
		r.trigger = triggerGuard
		r.want(r.run(), AlreadyBooked)
		if got := r.pages("draft"); len(got) != 1 {
			t.Errorf("the booking did not make way: %+v", got)
		}
		if !r.inQueue("010-first.md") {
			t.Error("its file is not back in the queue")
		}
	})
}

// TestTypeNamedTwice: a post that two lists show is one.
func TestTypeNamedTwice(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.job.Scope.Types = []string{"pages", "posts", "pages"}
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		r.want(r.run(), AlreadyBooked)
		r.exactlyOne("010-first.md")
	})
}

func TestRightOfTheType(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.login, r.job.Type = "author", "pages"
		r.file("010-first.md", first)
		rep := r.run()
		r.want(rep, Failed)
		if !strings.Contains(rep.Err.Error(), "check user, password, role") || r.writes() > 0 {
			t.Errorf("got %v, %d writes", rep.Err, r.writes())
		}
	})
}
