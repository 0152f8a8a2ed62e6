package wpclient

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestListSendsWholeQuery(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: saysJSON(200, "["+postJSON(t, 12, nil)+"]", "X-WP-Total", "1", "Date", "Tue, 01 Dec 2026 12:00:00 GMT")}
	at := time.Date(2026, 12, 1, 12, 0, 1, 0, time.UTC)
	c := newClient(t, inMemory{rec}, func(o *Options) { o.Now = func() time.Time { return at } })
	seoul := time.FixedZone("KST", 9*3600)
	got, err := c.List(t.Context(), Query{
		After: time.Date(2027, 1, 5, 0, 0, 0, 0, seoul), Before: time.Date(2027, 1, 6, 0, 0, 0, 0, seoul),
		Statuses: []string{"future", "publish"}, Slugs: []string{"post-12", "a-2"}, Search: "morrow", Categories: []int64{3, 4}, Author: 9,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := List{
		Posts: []Post{{
			ID: 12, Type: "post", Status: "future",
			Date: "2027-01-05T08:00:00", DateGMT: time.Date(2027, 1, 4, 23, 0, 0, 0, time.UTC),
			Modified: "2026-12-01T10:00:00", ModifiedGMT: time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC),
			Slug: "post-12", Link: site + "/?p=12", Title: "Ttl & more", Content: "<p>Text</p>",
			Author: 2, Categories: []int64{1}, Tags: []int64{},
		}},
		Total: 1, Date: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), At: at,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("list (-want +got):\n%s", d)
	}
	req := rec.seen[0]
	if req.Method != http.MethodGet || req.URL.Path != rootPath+"wp/v2/posts" {
		t.Errorf("asked %s %s", req.Method, req.URL.Path)
	}
	wantQuery := url.Values{
		"_": {"7"}, "_fields": {postFields}, "context": {"edit"}, "per_page": {"100"}, "orderby": {"id"}, "order": {"asc"},
		"after": {"2027-01-04T15:00:00Z"}, "before": {"2027-01-05T15:00:00Z"},
		"status": {"future,publish"}, "slug": {"post-12,a-2"}, "search": {"morrow"}, "categories": {"3,4"}, "author": {"9"},
	}
	if d := cmp.Diff(wantQuery, req.URL.Query()); d != "" {
		t.Errorf("query (-want +got):\n%s", d)
	}
	if u, p, ok := req.BasicAuth(); !ok || u != user || p != password {
		t.Errorf("login sent: %q, %v", u, ok)
	}
	if got := req.Header.Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control %q", got)
	}
}

// B13: without status WordPress lists published posts only, so what comes
// back must be of the statuses that were asked for.
func TestB13ForeignStatusIsNotVerified(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newClient(t, inMemory{saysJSON(200, "["+postJSON(t, 1, map[string]any{"status": "draft"})+"]", "X-WP-Total", "1")})
		_, err := c.List(t.Context(), Query{Statuses: []string{"future"}})
		contains(t, err, `status "draft" was not asked for`)
		if _, err = c.List(t.Context(), Query{Statuses: []string{"any"}}); err != nil {
			t.Error(err)
		}
	})
}

// paged serves n posts; total writes the header for a page.
func paged(t *testing.T, n int, total func(page int) string) *recorder {
	t.Helper()
	return &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
		page := 1
		if p := r.URL.Query().Get("page"); p != "" {
			page, _ = strconv.Atoi(p)
		}
		first, last := (page-1)*size+1, min(page*size, n)
		if page > 1 && first > n {
			saysJSON(400, wpErr(400, "rest_post_invalid_page_number", "no such page"))(w, r)
			return
		}
		var h []string
		if v := total(page); v != "" {
			h = []string{"X-WP-Total", v}
		}
		saysJSON(200, postsJSON(t, first, last), h...)(w, r)
	})}
}

// B16, B17, B21: a list is read until it is complete, whatever the paging
// headers say, at 100 a page.
func TestB16B17B21Paging(t *testing.T) {
	t.Parallel()
	always := func(s string) func(int) string { return func(int) string { return s } }
	for _, tt := range []struct {
		name                   string
		posts                  int
		total                  func(int) string
		rows, wantTotal, pages int
	}{
		{"none", 0, always("0"), 0, 0, 1},
		{"one page", 41, always("41"), 41, 41, 1},
		{"full page with total", 100, always("100"), 100, 100, 1},
		{"two pages", 130, always("130"), 130, 130, 2},
		{"none, no header", 0, always(""), 0, -1, 1},
		{"no header, short page", 130, always(""), 130, -1, 3},
		{"no header, full last page", 200, always(""), 200, -1, 3},
		{"header always 1", 130, always("1"), 130, -1, 3},
		{"header always 0", 30, always("0"), 30, -1, 2},
		{"header always 1, full last page", 100, always("1"), 100, -1, 2},
		{"header is no number", 3, always("many"), 3, -1, 2},
		{"hidden posts", 3, always("75"), 3, 75, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := paged(t, tt.posts, tt.total)
			got, err := newClient(t, inMemory{rec}).List(t.Context(), Query{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Posts) != tt.rows || got.Total != tt.wantTotal || rec.count() != tt.pages {
				t.Errorf("got %d rows, total %d, %d pages; want %d, %d, %d", len(got.Posts), got.Total, rec.count(), tt.rows, tt.wantTotal, tt.pages)
			}
		})
	}
}

// A plugin caps all lists at ten rows (pre_get_posts), whatever per_page says.
func TestPagesCappedByAPlugin(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		headers         []string
		past            http.HandlerFunc // after the last page
		total, requests int
	}{
		{"counted", []string{"X-WP-Total", "25", "X-WP-TotalPages", "3"}, nil, 25, 3},
		{"not counted", nil, saysJSON(200, "[]"), -1, 4},
		{"not counted, no_found_rows", []string{"X-WP-Total", "0", "X-WP-TotalPages", "0"}, saysJSON(200, "[]", "X-WP-Total", "0"), -1, 4},
		{"not counted, an error at the end", nil, saysJSON(400, wpErr(400, "rest_post_invalid_page_number", "no such page")), -1, 4},
		{"too many pages", []string{"X-WP-Total", "25", "X-WP-TotalPages", "9"}, saysJSON(400, wpErr(400, "rest_post_invalid_page_number", "no such page")), 25, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				page, err := strconv.Atoi(r.URL.Query().Get("page"))
				if err != nil {
					page = 1
				}
				if page > 3 {
					tt.past(w, r)
					return
				}
				saysJSON(200, postsJSON(t, page*10-9, min(page*10, 25)), tt.headers...)(w, r)
			})}
			got, err := newClient(t, inMemory{rec}).List(t.Context(), Query{})
			if err != nil || len(got.Posts) != 25 || got.Total != tt.total || rec.count() != tt.requests {
				t.Errorf("got %d rows, total %d, %d requests, %v; want 25, %d, %d", len(got.Posts), got.Total, rec.count(), err, tt.total, tt.requests)
			}
		})
	}
}

// A plugin that filters lists gives other rows than those that were asked for.
func TestForeignRowsAreNotVerified(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		query  Query
		change map[string]any
		says   string // empty for a row that fits
	}{
		{"type", Query{}, map[string]any{"type": "product"}, "1 is a product, not a post"},
		{"type of pages", Query{Type: "pages"}, map[string]any{"type": "post"}, "1 is a post, not a page"},
		{"pages", Query{Type: "pages"}, map[string]any{"type": "page"}, ""},
		{"a type of the site's own", Query{Type: "products"}, map[string]any{"type": "product"}, ""},
		{"slug", Query{Slugs: []string{"a", "a-2"}}, map[string]any{"slug": "b"}, `slug "b" was not asked for`},
		{"one of the slugs", Query{Slugs: []string{"a", "a-2"}}, map[string]any{"slug": "a-2"}, ""},
		{"a slug as it is stored", Query{Slugs: []string{"가-나"}}, map[string]any{"slug": "%ea%b0%80-%eb%82%98"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				_, err := newClient(t, inMemory{saysJSON(200, "["+postJSON(t, 1, tt.change)+"]", "X-WP-Total", "1")}).List(t.Context(), tt.query)
				if tt.says == "" && err != nil {
					t.Error(err)
				} else if tt.says != "" {
					contains(t, err, tt.says)
				}
			})
		})
	}
}

func TestHiddenPostsDoNotShortenPaging(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := "[" + postJSON(t, 1, nil) + "]"
		if r.URL.Query().Get("page") == "2" {
			body = "[" + postJSON(t, 2, nil) + "]"
		}
		saysJSON(200, body, "X-WP-Total", "150")(w, r)
	})}
	got, err := newClient(t, inMemory{rec}).List(t.Context(), Query{})
	if err != nil || len(got.Posts) != 2 || got.Hidden() != 148 {
		t.Errorf("got %d rows, %d hidden, %v; want 2, 148", len(got.Posts), got.Hidden(), err)
	}
}

func TestListChangedWhileRead(t *testing.T) {
	t.Parallel()
	t.Run("once", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			reads := 0
			rec := paged(t, 130, func(int) string {
				reads++
				if reads == 2 {
					return "131"
				}
				return "130"
			})
			got, err := newClient(t, inMemory{rec}).List(t.Context(), Query{})
			if err != nil || len(got.Posts) != 130 || rec.count() != 4 {
				t.Errorf("got %d rows after %d requests, %v; want 130 after 4", len(got.Posts), rec.count(), err)
			}
		})
	})
	t.Run("always", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			_, err := newClient(t, inMemory{paged(t, 130, func(page int) string { return strconv.Itoa(129 + page) })}).List(t.Context(), Query{})
			contains(t, err, "the list changed while it was read: 130 entries, then 131")
		})
	})
}

// A shifted page repeats rows; a server that ignores page repeats them all.
func TestRepeatedRows(t *testing.T) {
	t.Parallel()
	t.Run("some", func(t *testing.T) {
		t.Parallel()
		h := func(w http.ResponseWriter, r *http.Request) {
			body := postsJSON(t, 1, 100)
			if r.URL.Query().Get("page") == "2" {
				body = postsJSON(t, 100, 120)
			}
			saysJSON(200, body, "X-WP-Total", "121")(w, r)
		}
		got, err := newClient(t, inMemory{http.HandlerFunc(h)}).List(t.Context(), Query{})
		if err != nil || len(got.Posts) != 120 || got.Hidden() != 1 {
			t.Errorf("got %d rows, %d hidden, %v; want 120, 1", len(got.Posts), got.Hidden(), err)
		}
	})
	t.Run("all", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			_, err := newClient(t, inMemory{saysJSON(200, postsJSON(t, 1, 100))}).List(t.Context(), Query{})
			contains(t, err, "page 2 repeats what came before")
		})
	})
}

// B17: that one 400 means the end only while paging.
func TestB17InvalidPageOnFirstPage(t *testing.T) {
	t.Parallel()
	c := newClient(t, inMemory{saysJSON(400, wpErr(400, "rest_post_invalid_page_number", "no such page"))})
	_, err := c.List(t.Context(), Query{})
	contains(t, err, "400 rest_post_invalid_page_number")
}

func TestLimitReadsOnePage(t *testing.T) {
	t.Parallel()
	rec := paged(t, 130, func(int) string { return "130" })
	got, err := newClient(t, inMemory{rec}).List(t.Context(), Query{Limit: 1, OrderBy: "date", Order: "desc"})
	if err != nil || len(got.Posts) != 1 || got.Total != 130 || rec.count() != 1 {
		t.Errorf("got %d rows of %d in %d requests, %v", len(got.Posts), got.Total, rec.count(), err)
	}
	if _, err := newClient(t, inMemory{rec}).List(t.Context(), Query{Limit: 500}); err != nil {
		t.Error(err)
	}
	if q := rec.seen[1].URL.Query(); q.Get("per_page") != "100" {
		t.Errorf("asked for %s a page, which WordPress refuses", q.Get("per_page"))
	}
	if q := rec.seen[0].URL.Query(); q.Get("orderby") != "date" || q.Get("order") != "desc" || q.Get("per_page") != "1" {
		t.Errorf("query %v", q)
	}
}

// B24: other post types have their own route, and lack fields that posts have.
func TestB24OtherTypes(t *testing.T) {
	t.Parallel()
	page := postJSON(t, 5, map[string]any{"type": "page", "excerpt": nil, "categories": nil, "tags": nil, "content": nil})
	rec := &recorder{next: saysJSON(200, "["+page+"]", "X-WP-Total", "1")}
	got, err := newClient(t, inMemory{rec}).List(t.Context(), Query{Type: "pages"})
	if err != nil || len(got.Posts) != 1 || got.Posts[0].Type != "page" {
		t.Fatalf("got %+v, %v", got, err)
	}
	if p := rec.seen[0].URL.Path; p != rootPath+"wp/v2/pages" {
		t.Errorf("asked %s", p)
	}
}

func TestReadOnePost(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: saysJSON(200, postJSON(t, 12, nil))}
	p, err := newClient(t, inMemory{rec}).Read(t.Context(), "posts", 12)
	if err != nil || p.ID != 12 {
		t.Fatalf("got %+v, %v", p, err)
	}
	if got := rec.seen[0].URL.Path; got != rootPath+"wp/v2/posts/12" {
		t.Errorf("asked %s", got)
	}
	t.Run("gone", func(t *testing.T) {
		t.Parallel()
		_, err := newClient(t, inMemory{saysJSON(404, wpErr(404, "rest_post_invalid_id", "Invalid post ID."))}).Read(t.Context(), "posts", 12)
		if e := asError(t, err); e.Status != 404 || e.Code != "rest_post_invalid_id" || !e.Refused {
			t.Errorf("got %+v", e)
		}
	})
	t.Run("another", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			_, err := newClient(t, inMemory{saysJSON(200, postJSON(t, 13, nil))}).Read(t.Context(), "posts", 12)
			contains(t, err, "read posts/12", "the answer is about post 13")
		})
	})
}

func BenchmarkList(b *testing.B) {
	c, err := New(Options{URL: site, API: root, User: user, Password: password, Transport: inMemory{saysJSON(200, postsJSON(b, 1, 75), "X-WP-Total", "75")}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.List(b.Context(), Query{}); err != nil {
			b.Fatal(fmt.Errorf("list: %w", err))
		}
	}
}
