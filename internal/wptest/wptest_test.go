package wptest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/wptest"
)

// reply is an answer of WordPress, whatever route it came from.
type reply struct {
	Status int // of HTTP
	Total  string
	Body   []byte
}

// post is what these tests read of a post or of an error.
type post struct {
	ID       int    `json:"id"`
	Status   string `json:"status"`
	Slug     string `json:"slug"`
	Date     string `json:"date"`
	DateGMT  string `json:"date_gmt"`
	Modified string `json:"modified"`
	Code     string `json:"code"`
}

// call sends one REST request; route is below /wp/v2.
func call(t *testing.T, s *wptest.Site, method, route, user, password string, in any) reply {
	t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/wp-json/wp/v2"+route, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(user, password)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{Status: resp.StatusCode, Total: resp.Header.Get("X-WP-Total"), Body: raw}
}

func (r reply) decode(t *testing.T, out any) {
	t.Helper()
	if err := json.Unmarshal(r.Body, out); err != nil {
		t.Fatalf("HTTP %d, %v: %.300s", r.Status, err, r.Body)
	}
}

// write posts as the site's editor.
func write(t *testing.T, s *wptest.Site, route string, in any) post {
	t.Helper()
	var p post
	call(t, s, http.MethodPost, route, s.User, s.Password, in).decode(t, &p)
	return p
}

type fields = map[string]any

// The facts that Morrow's protocol stands on.
func TestFacts(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		tomorrow := time.Now().UTC().Add(24 * time.Hour).Format("2006-01-02T15:04:05")

		t.Run("a post created twice is two posts", func(t *testing.T) {
			first := write(t, s, "/posts", fields{"title": "Twice", "status": "future", "date_gmt": tomorrow})
			second := write(t, s, "/posts", fields{"title": "Twice", "status": "future", "date_gmt": tomorrow})
			if first.ID == second.ID || first.Slug != "twice" || second.Slug != "twice-2" {
				t.Errorf("got %+v and %+v", first, second)
			}
		})

		t.Run("future with a past date is published at once", func(t *testing.T) {
			got := write(t, s, "/posts", fields{"title": "Past", "status": "future", "date_gmt": "2020-01-02T03:04:05"})
			if got.Status != "publish" {
				t.Errorf("status = %q, want publish", got.Status)
			}
		})

		t.Run("commit and withdraw repeat on one post", func(t *testing.T) {
			draft := write(t, s, "/posts", fields{"title": "Draft", "slug": "d", "status": "draft"})
			route := fmt.Sprintf("/posts/%d", draft.ID)
			commit := fields{"status": "future", "date_gmt": tomorrow}
			first, second := write(t, s, route, commit), write(t, s, route, commit)
			want := post{ID: draft.ID, Status: "future", Slug: "d", DateGMT: tomorrow}
			for _, got := range []post{first, second} {
				got.Date, got.Modified = "", ""
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("commit (-want +got):\n%s", diff)
				}
			}
			floating := write(t, s, route, fields{"status": "draft", "date": nil})
			if floating.Status != "draft" || floating.Date != floating.Modified {
				t.Errorf("withdrawn post does not float: %+v", floating)
			}
		})

		t.Run("a wrong password is an anonymous list", func(t *testing.T) {
			plain := call(t, s, http.MethodGet, "/posts", s.User, "wrong", nil)
			if plain.Status != http.StatusOK {
				t.Errorf("plain list: HTTP %d, want 200", plain.Status)
			}
			scheduled := call(t, s, http.MethodGet, "/posts?status=future", s.User, "wrong", nil)
			var refusal post
			scheduled.decode(t, &refusal)
			if scheduled.Status != http.StatusBadRequest || refusal.Code != "rest_invalid_param" {
				t.Errorf("scheduled list: HTTP %d %q, want 400 rest_invalid_param", scheduled.Status, refusal.Code)
			}
		})

		t.Run("an author's list hides others' scheduled posts and counts them", func(t *testing.T) {
			password := s.AddUser(t, "jane", "author")
			got := call(t, s, http.MethodGet, "/posts?status=future&context=edit", "jane", password, nil)
			if string(got.Body) != "[]" || got.Total == "0" || got.Total == "" {
				t.Errorf("got %.100s with X-WP-Total %q, want [] and a total above 0", got.Body, got.Total)
			}
		})
	})
}

func TestPosts(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetZone(t, "Asia/Seoul")
		s.AddUser(t, "jane", "author")
		slot := time.Now().UTC().Truncate(time.Second).Add(30 * time.Hour)
		local := slot.In(time.FixedZone("KST", 9*60*60)).Format("2006-01-02 15:04:05")

		id := s.InsertPost(t, wptest.Post{
			Title: `"A" \ & b`, Content: "<p>x</p>", Excerpt: "e", Slug: "a", Status: "future", Author: "jane", Date: slot,
		})
		want := wptest.Post{
			ID: id, Type: "post", Status: "future", Slug: "a", Title: `"A" \ &amp; b`, Content: "<p>x</p>", Excerpt: "e",
			Author: "jane", Date: slot, Local: local,
		}
		check := func(what string) {
			t.Helper()
			got := s.Posts(t)
			for i := range got {
				got[i].Modified = ""
			}
			if diff := cmp.Diff([]wptest.Post{want}, got); diff != "" {
				t.Fatalf("after %s (-want +got):\n%s", what, diff)
			}
		}
		check("InsertPost")

		s.EditPost(t, "editor", wptest.Post{ID: id, Title: "New"})
		want.Title = "New"
		check("EditPost")

		past := time.Now().UTC().Truncate(time.Second).Add(-time.Hour)
		s.MovePost(t, id, past)
		want.Date = past
		want.Local = past.In(time.FixedZone("KST", 9*60*60)).Format("2006-01-02 15:04:05")
		check("MovePost")

		s.RunCron(t)
		want.Status = "publish"
		check("RunCron")

		s.TrashPost(t, id)
		want.Status, want.Slug = "trash", "a__trashed"
		check("TrashPost")

		s.DeletePost(t, id)
		if got := s.Posts(t); len(got) != 0 {
			t.Errorf("after DeletePost: %v", got)
		}
		if got := s.Requests(t); len(got) != 0 {
			t.Errorf("the helpers' own requests are recorded: %v", got)
		}

		draft := s.InsertPost(t, wptest.Post{Title: "floats"})
		if got := s.Posts(t); len(got) != 1 || got[0].ID != draft || !got[0].Date.IsZero() {
			t.Errorf("draft = %+v, want it without date", got)
		}
	})
}

func TestUnschedule(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		id := s.InsertPost(t, wptest.Post{Title: "missed", Status: "future", Date: time.Now().Add(time.Hour)})
		s.Unschedule(t, id)
		s.MovePost(t, id, time.Now().Add(-time.Hour))
		s.RunCron(t)
		if got := s.Posts(t)[0].Status; got != "future" {
			t.Errorf("status = %q, want future: a missed schedule", got)
		}
	})
}

func TestRequests(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		call(t, s, http.MethodGet, "/posts?per_page=5", s.User, s.Password, nil)
		write(t, s, "/posts", fields{"title": "x"})
		want := []wptest.Request{
			{Method: "GET", Path: "/wp-json/wp/v2/posts", Query: url.Values{"per_page": {"5"}}},
			{Method: "POST", Path: "/wp-json/wp/v2/posts", Query: url.Values{}, Body: `{"title":"x"}`},
		}
		if diff := cmp.Diff(want, s.Requests(t)); diff != "" {
			t.Errorf("Requests (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(want[1:], s.Writes(t)); diff != "" {
			t.Errorf("Writes (-want +got):\n%s", diff)
		}
		s.ResetRequests(t)
		if got := s.Requests(t); len(got) != 0 {
			t.Errorf("after ResetRequests: %v", got)
		}
	})
}

func TestSettings(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		index := func() (got struct {
			Name   string `json:"name"`
			Zone   string `json:"timezone_string"`
			Offset any    `json:"gmt_offset"`
		},
		) {
			t.Helper()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/?rest_route=/", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
				t.Fatal(err)
			}
			return got
		}
		s.SetZone(t, "America/New_York")
		if got := index(); got.Zone != "America/New_York" {
			t.Errorf("after SetZone: %+v", got)
		}
		s.SetOffset(t, 5.75)
		if got := index(); got.Zone != "" || got.Offset != "5.75" && got.Offset != 5.75 {
			t.Errorf("after SetOffset: %+v", got)
		}
		s.SetPlainPermalinks(t)
		if got := call(t, s, http.MethodGet, "/posts", s.User, s.Password, nil); json.Valid(got.Body) {
			t.Errorf("plain permalinks: /wp-json answers JSON: %.100s", got.Body)
		}
		if got := index(); got.Name != "Test" {
			t.Errorf("plain permalinks: ?rest_route= answers %+v", got)
		}
	})
}

// Two sites of one version share nothing.
func TestSitesAreApart(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		other := wptest.New(t, s.Version)
		write(t, s, "/posts", fields{"title": "here"})
		if got := other.Posts(t); len(got) != 0 {
			t.Errorf("the other site has %v", got)
		}
		if got := other.Requests(t); len(got) != 0 {
			t.Errorf("the other site recorded %v", got)
		}
	})
}
