package publish

import (
	"net/http"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// TestMissingTotal: without a total, only an account from which WordPress hides
// nothing knows that a list is whole.
func TestMissingTotal(t *testing.T) {
	for login, outcome := range map[string]Outcome{"editor": Booked, "author": Unknown} {
		t.Run(login, func(t *testing.T) {
			bubble(t, func(_ *testing.T, r *rig) {
				r.login = login
				r.file("010-first.md", first)
				r.site.Inject(fakewp.NoTotals())
				r.want(r.run(), outcome)
			})
		})
	}
}

// TestHiddenPostUnanswered: somewhere around the window is a post that the
// account may not see, and the site does not say whether it is in it.
func TestHiddenPostUnanswered(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.login = "author"
		r.file("010-first.md", first)
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(20 * time.Hour).Format(time.DateTime)})
		windows := func(q *http.Request) bool { return q.URL.Query().Has("after") }
		r.site.Inject(fakewp.Fault{Match: windows, Skip: 1, Times: 4, Instead: true, Status: 500, Body: "oops"})
		r.want(r.run(), Unknown)
		if r.writes() != 0 {
			t.Error("something was written")
		}
	})
}
