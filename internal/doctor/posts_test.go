package doctor_test

import (
	"testing"
	"time"

	"morrow/internal/doctor"
	"morrow/internal/fakewp"
	"morrow/internal/markup"
	"morrow/wpclient"
)

// Where a post begins to be overdue, and a draft to be left over.
func TestEdgesOfTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	ours := post(t, markup.Marker{Job: "daily", Item: "a", Text: "x", Host: "here"})
	draft := func(age time.Duration, change func(*wpclient.Post)) []wpclient.Post {
		p := wpclient.Post{
			ID: 1, Status: "draft", Content: ours, ModifiedGMT: now.Add(-age),
			Date: now.Format("2006-01-02T15:04:05"), Modified: now.Format("2006-01-02T15:04:05"),
		}
		if change != nil {
			change(&p)
		}
		return []wpclient.Post{p}
	}
	future := func(status string, age time.Duration) []wpclient.Post {
		return []wpclient.Post{{ID: 1, Status: status, DateGMT: now.Add(-age)}}
	}
	for name, tt := range map[string]struct {
		got  doctor.Finding
		want doctor.Level
	}{
		"due a moment ago":           {doctor.Cron(future("future", 5*time.Minute), now), doctor.OK},
		"due long ago":               {doctor.Cron(future("future", 11*time.Minute), now), doctor.Warn},
		"published":                  {doctor.Cron(future("publish", time.Hour), now), doctor.OK},
		"a run may be at work on it": {doctor.Leftovers(draft(30*time.Minute, nil), now), doctor.OK},
		"left over":                  {doctor.Leftovers(draft(61*time.Minute, nil), now), doctor.Warn},
		"taken out by a person": {doctor.Leftovers(draft(48*time.Hour, func(p *wpclient.Post) {
			p.Date = "2026-12-24T08:00:00"
		}), now), doctor.OK},
		"a person's": {doctor.Leftovers(draft(48*time.Hour, func(p *wpclient.Post) { p.Content = "I like morrow" }), now), doctor.OK},
		"no clock":   {doctor.Clock(time.Time{}, now), doctor.Warn},
	} {
		if tt.got.Level != tt.want {
			t.Errorf("%s: %+v", name, tt.got)
		}
	}
}

// A text that is no application password goes to no other interface either.
func TestLoginPasswordGoesNowhereElse(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]int{"correct horse": 0, "xxxx xxxx xxxx xxxx xxxx xxxx": 1} {
		v := newVisit(fakewp.Options{})
		v.options.Client.Password = password
		doctor.Site(t.Context(), v.options)
		asked := 0
		for _, r := range v.site.Requests() {
			if r.Route == "/xmlrpc.php" {
				asked++
			}
		}
		if asked != want {
			t.Errorf("%q: XML-RPC was asked %d times, want %d", password, asked, want)
		}
	}
}

// A site whose front page is no WordPress's is examined by its api:.
func TestSiteByAPI(t *testing.T) {
	t.Parallel()
	v := newVisit(fakewp.Options{Prefix: "/blog"})
	v.options.Client.API = "https://blog.example.com/blog/wp-json/"
	v.options.Client.URL = "https://blog.example.com/shop"
	v.site.Inject(fakewp.Fault{Path: "/shop", Instead: true, Status: 404, Body: "<p>nothing</p>"})
	found := doctor.Site(t.Context(), v.options)
	if found[1].Check != "rest_api" || found[2].Check != "login" || found[2].Level != doctor.OK {
		t.Errorf("%+v", found)
	}
}
