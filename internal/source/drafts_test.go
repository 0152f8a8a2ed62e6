package source_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"morrow/internal/fakewp"
	"morrow/internal/source"
	"morrow/wpclient"
)

// shop is a site with a category "Ready", asked through a transport.
func shop(t *testing.T, through func(*http.Request)) (*fakewp.Server, *wpclient.Client, int64) {
	t.Helper()
	site := fakewp.New(fakewp.Options{Timezone: "Asia/Seoul", Now: time.Now})
	password := site.AddUser("editor", "editor")
	client, err := wpclient.New(wpclient.Options{
		URL: "https://blog.example.com", User: "editor", Password: password, Now: time.Now,
		Transport: roundTripper(func(q *http.Request) (*http.Response, error) {
			if through != nil {
				through(q)
			}
			return site.RoundTrip(q)
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Discover(t.Context()); err != nil {
		t.Fatal(err)
	}
	return site, client, site.AddTerm("category", "Ready")
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

func TestDraftsJudgesEach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site, client, ready := shop(t, nil)
		tag := site.AddTerm("post_tag", "Ready")
		seoul := time.FixedZone("KST", 9*60*60)
		for _, p := range []fakewp.Post{
			{Title: "Good", Content: "Text."},
			{Content: "Without a title."},
			{Title: "Without a text"},
			{Title: "Dated", Content: "Text.", Date: "2000-01-03 08:00:00"},
			{Title: "By tag", Content: "Text.", Tags: []int64{tag}},
		} {
			if p.Status = "draft"; p.Tags == nil {
				p.Categories = []int64{ready}
			}
			site.InsertPost(p)
		}
		time.Sleep(time.Hour)
		site.InsertPost(fakewp.Post{Status: "draft", Title: "Young", Content: "Text.", Categories: []int64{ready}})
		time.Sleep(time.Minute)

		entries, err := source.NewDrafts(source.DraftsOptions{Client: client, Category: "ready"}).Entries(t.Context(), seoul)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range entries {
			got = append(got, e.Name+" "+string(e.State)+": "+e.Reason)
		}
		want := []string{
			`draft 1 "Good" ready: `, `draft 2 faulty: it has no title`, `draft 3 "Without a text" faulty: it has no text`,
			`draft 4 "Dated" held: it is dated 2000-01-03 08:00, and not taken before`, `draft 6 "Young" held: changed 1m0s ago; taken once it has been left alone for 2m0s`,
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if t.Failed() {
			return
		}
		if it := entries[0].Item; it.Key != "post-1" || it.Post.ID != 1 || !it.NotBefore.IsZero() {
			t.Errorf("got %+v", it)
		}
		entries, err = source.NewDrafts(source.DraftsOptions{Client: client, Tag: "Ready"}).Entries(t.Context(), seoul)
		if err != nil || len(entries) != 1 || entries[0].Item.Post.ID != 5 {
			t.Errorf("by tag got %+v, %v", entries, err)
		}
	})
}

// TestDraftsWantsTheSign: a plugin that shows all drafts hands over none.
func TestDraftsWantsTheSign(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site, client, ready := shop(t, func(q *http.Request) {
			v := q.URL.Query()
			v.Del("categories")
			q.URL.RawQuery = v.Encode()
		})
		site.InsertPost(fakewp.Post{Status: "draft", Title: "Good", Content: "Text.", Categories: []int64{ready}})
		site.InsertPost(fakewp.Post{Status: "draft", Title: "Not ready", Content: "Text."})
		_, err := source.NewDrafts(source.DraftsOptions{Client: client, Category: "Ready"}).Entries(t.Context(), time.UTC)
		if err == nil || !strings.Contains(err.Error(), "does not bear the sign") {
			t.Errorf("got %v", err)
		}
	})
}

func TestDraftsOfAnUnknownSign(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client, _ := shop(t, nil)
		_, err := source.NewDrafts(source.DraftsOptions{Client: client, Tag: "Nope"}).Entries(t.Context(), time.UTC)
		if err == nil || !strings.Contains(err.Error(), `the site has no tag "Nope"`) {
			t.Errorf("got %v", err)
		}
	})
}
