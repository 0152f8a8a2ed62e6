//go:build linux

package e2e

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"morrow/internal/wptest"
)

// Whatever is no complete, verified answer books nothing, and the message
// names the cause. Once the site is well again the next run books.
func TestNothingButAVerifiedAnswerBooks(t *testing.T) {
	t.Parallel()
	page := func(status int, title string) detour {
		return func(call, func() *answer) *answer {
			return &answer{
				status: status, header: http.Header{"Content-Type": {"text/html"}},
				body: []byte("<html><title>" + title + "</title></html>"),
			}
		}
	}
	with := func(name, value string) detour {
		return func(_ call, forward func() *answer) *answer {
			a := forward()
			a.header.Set(name, value)
			return a
		}
	}
	for name, tt := range map[string]struct {
		list detour
		code int
		says []string
	}{
		"500":           {page(500, "It broke"), 4, []string{"500", "It broke"}},
		"an HTML page":  {page(200, "Welcome"), 4, []string{"web page", "Welcome"}},
		"Age":           {with("Age", "30"), 4, []string{"Age: 30"}},
		"X-Cache":       {with("X-Cache", "HIT"), 4, []string{"X-Cache: HIT"}},
		"more in total": {with("X-WP-Total", "7"), 4, []string{"7 posts"}},
		"403 page":      {page(403, "Blocked"), 1, []string{"403", "Blocked"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(r *rig) {
				r.items("first.md")
				p := r.behind()
				p.on(look, tt.list)
				closed(r, tt.code, tt.says...)
				p.on(look, nil)
				r.run("run", "--json").want(r, 0, "booked")
				r.exactlyOne()
			})
		})
	}
}

// closed wants a run that books nothing and says why.
func closed(r *rig, code int, says ...string) {
	r.Helper()
	res := r.run("run", "--json")
	s := res.want(r, code, map[int]string{1: "failed", 4: "unknown"}[code])
	reason := s.Reason
	if res.lines[0].Error != nil {
		reason += "\n" + *res.lines[0].Error
	}
	for _, want := range says {
		if !strings.Contains(reason, want) {
			r.Errorf("the reason does not say %q, but: %s", want, reason)
		}
	}
	r.unwritten()
	r.scheduled()
	r.queued("first.md")
	r.done()
}

// A wrong password is named, at the first run and when it was right before,
// and stands nowhere. That it does not is checked of every output and every
// file of all these tests.
func TestWrongPasswordBooksNothing(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		right := r.password
		r.items("first.md")
		r.password = "wrong wrong wrong wrong"
		closed(r, 1, "password")
		if r.run("status", "--live").code != 1 {
			r.Error("status --live takes the wrong password")
		}

		r.password = right
		r.must(os.Remove(r.path("queue", "first.md")))
		r.run("run", "--json").want(r, 3, "nothing_to_book") // what the site said of zone and rights is known now
		r.items("first.md")
		r.password = "wrong wrong wrong wrong"
		closed(r, 1, "password")
		r.noLeak()

		r.password = right
		r.run("run", "--json").want(r, 0, "booked")
		r.exactlyOne()
	})
}

// An author account does not see others' scheduled posts: that one is there
// fills the slot, and that it can't be seen is the reason given.
func TestAnotherAuthorsPostFillsTheSlot(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.site.InsertPost(r, wptest.Post{Status: "future", Title: "The editor's", Date: r.slot})
		r.user, r.password = "anna", r.site.AddUser(r, "anna", "author")
		r.configure()
		r.items("first.md")
		s := r.run("run", "--json").want(r, 0, "already_booked")
		if !strings.Contains(s.Reason, "may not see") {
			r.Errorf("the reason is %q", s.Reason)
		}
		r.unwritten()
		r.scheduled(r.slot)
		r.queued("first.md")
	})
}
