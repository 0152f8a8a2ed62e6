//go:build linux

package e2e

import "testing"

// A run that finds its slot filled asks the site once, a booking at most eight
// times; the zone is known from the run before.
func TestRequestsOfARun(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.run("run", "--json").want(r, 3, "nothing_to_book")
		r.items("first.md")
		r.asks(8, func() { r.run("run", "--json").want(r, 0, "booked") })
		r.asks(1, func() { r.run("run", "--json").want(r, 0, "already_booked") })
		r.items("second.md")
		r.asks(1, func() { r.run("run", "--json").want(r, 0, "already_booked") })
		r.asks(1, func() { r.run("run", "--dry-run", "--json").want(r, 0, "already_booked") })
	})
}

// asks wants f to send the site so many requests at most, as the site counts.
func (r *rig) asks(most int, f func()) {
	r.Helper()
	r.site.ResetRequests(r)
	f()
	requests := r.site.Requests(r)
	if len(requests) == 0 || len(requests) > most {
		r.Errorf("%d requests, want at most %d:", len(requests), most)
		for _, q := range requests {
			r.Errorf("  %s %s %v", q.Method, q.Path, q.Query)
		}
	}
}
