package fakewp_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

func listChecks() []check {
	return []check{
		{"a list without status shows what is published", func(w *wp) { // B13
			w.create(fields{"slug": "soon", "status": "future", "date_gmt": utc(in(time.Hour))})
			w.create(fields{"slug": "out", "status": "publish"})
			w.create(fields{"slug": "draft", "status": "draft"})
			w.equal("slugs", w.get("/wp/v2/posts").slugs(), []string{"out"})
			w.equal("future", w.get("/wp/v2/posts", "status", "future").slugs(), []string{"soon"})
			w.equal("any", len(w.get("/wp/v2/posts", "status", "any").slugs()), 3)
		}},
		{"after and before are exclusive on the site's clock", func(w *wp) {
			at := in(48 * time.Hour)
			w.create(fields{"slug": "slot", "status": "future", "date_gmt": utc(at)})
			find := func(param string, value string) int {
				return len(w.get("/wp/v2/posts", "status", "future", param, value).slugs())
			}
			for _, tt := range []struct {
				param, value string
				want         int
			}{
				{"after", seoul(at), 0},
				{"after", seoul(at.Add(-time.Second)), 1},
				{"before", seoul(at), 0},
				{"before", seoul(at.Add(time.Second)), 1},
				{"after", utc(at) + "Z", 0},
				{"after", utc(at.Add(-time.Second)) + "Z", 1},
				{"before", utc(at) + "+00:00", 0},
				{"before", utc(at.Add(time.Second)) + "+00:00", 1},
				{"after", utc(at.Add(-5*time.Hour-time.Second)) + "-05:00", 1},
				{"after", utc(at.Add(-5*time.Hour)) + "-05:00", 0},
			} {
				w.equal(tt.param+" "+tt.value, find(tt.param, tt.value), tt.want)
			}
		}},
		{"an unescaped plus is a bad date", func(w *wp) {
			w.page(w.root+"/wp/v2/posts?after=2027-01-01T00:00:00+09:00").fails(http.StatusBadRequest, "rest_invalid_param")
		}},
		{"a date without time is a bad bound", func(w *wp) {
			r := w.get("/wp/v2/posts", "before", "2027-01-01").fails(http.StatusBadRequest, "rest_invalid_param")
			w.equal("message", r.str("data.params.before"), "Invalid date.")
		}},
		{"paging", paging},
		{"the default order is the date, latest first", func(w *wp) { // B16
			for i := range 3 {
				w.create(fields{"slug": fmt.Sprint("n", i), "status": "future", "date_gmt": utc(in(time.Duration(i+1) * time.Hour))})
			}
			w.equal("default", w.get("/wp/v2/posts", "status", "future").slugs(), []string{"n2", "n1", "n0"})
			w.equal("id", w.get("/wp/v2/posts", "status", "future", "orderby", "id", "order", "asc", "per_page", "1").slugs(),
				[]string{"n0"})
			w.equal("slug", w.get("/wp/v2/posts", "status", "future", "orderby", "slug").slugs(), []string{"n2", "n1", "n0"})
			w.equal("date", w.get("/wp/v2/posts", "status", "future", "order", "asc").slugs(), []string{"n0", "n1", "n2"})
			w.get("/wp/v2/posts", "orderby", "bogus").fails(http.StatusBadRequest, "rest_invalid_param")
		}},
		{"one look-up finds slugs in every status", func(w *wp) {
			gone := w.create(fields{"slug": "b", "status": "draft"}).id()
			w.send(w.request(http.MethodDelete, w.root+"/wp/v2/posts/"+itoa(gone), http.NoBody)).is(http.StatusOK)
			w.create(fields{"slug": "a", "status": "publish"})
			w.create(fields{"slug": "a", "status": "future", "date_gmt": utc(in(time.Hour))})
			w.create(fields{"slug": "c", "status": "private"})
			w.create(fields{"slug": "d", "status": "pending"})
			r := w.get("/wp/v2/posts", "slug", "a,a-2,b__trashed,c,d", "context", "edit",
				"status", "publish,future,draft,pending,private,trash", "orderby", "id", "order", "asc")
			w.equal("slugs", r.slugs(), []string{"b__trashed", "a", "a-2", "c", "d"})
			w.equal("total", r.header.Get("X-WP-Total"), "5")
		}},
		{"search finds the marker in drafts", func(w *wp) {
			w.create(fields{"slug": "ours", "status": "draft", "content": `<!-- wp:paragraph {"metadata":{"morrow":"v1 job=daily"}} -->` +
				"\n<p>Text</p>\n<!-- /wp:paragraph -->"})
			w.create(fields{"slug": "other", "status": "draft", "content": "Nothing"})
			w.equal("morrow", w.get("/wp/v2/posts", "status", "draft", "search", "morrow").slugs(), []string{"ours"})
			w.equal("case", w.get("/wp/v2/posts", "status", "draft", "search", "MORROW text").slugs(), []string{"ours"})
			w.equal("none", w.get("/wp/v2/posts", "status", "draft", "search", "morrow absent").slugs(), []string{})
		}},
		{"_fields takes nested names", func(w *wp) {
			id := w.create(fields{"slug": "f", "status": "draft", "content": "Body"}).id()
			r := w.get("/wp/v2/posts", "status", "draft", "context", "edit", "_fields", "id,content.raw,bogus")
			w.equal("rows", r.body, []any{fields{"id": float64(id), "content": fields{"raw": "Body"}}})
			w.equal("view has no raw", w.get("/wp/v2/posts", "status", "draft", "_fields", "content.raw").value("0.content.raw"), nil)
		}},
		{"categories and author narrow a list", func(w *wp) {
			cat := w.post("/wp/v2/categories", fields{"name": "News"}).is(http.StatusCreated).id()
			w.create(fields{"slug": "in", "status": "publish", "categories": []int{cat}})
			w.create(fields{"slug": "out", "status": "publish"})
			w.equal("category", w.get("/wp/v2/posts", "categories", itoa(cat)).slugs(), []string{"in"})
			w.equal("not the category", w.get("/wp/v2/posts", "categories_exclude", itoa(cat)).slugs(), []string{"out"})
			me := w.get("/wp/v2/users/me").id()
			w.equal("author", len(w.get("/wp/v2/posts", "author", itoa(me)).slugs()), 2)
			w.equal("nobody", len(w.get("/wp/v2/posts", "author", "9999").slugs()), 0)
		}},
		{"pages are a type of their own", func(w *wp) { // B24
			w.post("/wp/v2/pages", fields{"title": "P", "slug": "p", "status": "future", "date_gmt": utc(in(time.Hour))}).
				is(http.StatusCreated)
			w.equal("posts", w.get("/wp/v2/posts", "status", "future").slugs(), []string{})
			w.equal("pages", w.get("/wp/v2/pages", "status", "future").slugs(), []string{"p"})
		}},
		{"the index tells zone and name", func(w *wp) {
			r := w.get("/", "_fields", "name,home,url,timezone_string,gmt_offset,namespaces,authentication").is(http.StatusOK)
			w.equal("zone", r.value("timezone_string"), any("Asia/Seoul"))
			w.equal("home", r.value("home"), any(w.home))
			w.equal("gmt_offset", fmt.Sprint(r.value("gmt_offset")), "9")
			if r.value("authentication.application-passwords") == nil || !strings.Contains(r.text, `wp\/v2`) && !strings.Contains(r.text, "wp/v2") {
				w.Errorf("index lacks something: %s", r.text)
			}
		}},
		{"the front page links the REST root", func(w *wp) { // B52
			r := w.page(w.home + "/")
			w.equal("link", r.header.Get("Link"), "<"+w.home+`/wp-json/>; rel="https://api.w.org/"`)
		}},
		{"plain permalinks", func(w *wp) { // B52
			w.plain()
			r := w.page(w.home + "/")
			w.equal("link", r.header.Get("Link"), "<"+w.home+`/index.php?rest_route=/>; rel="https://api.w.org/"`)
			w.root = w.home + "/index.php?rest_route="
			w.create(fields{"slug": "x", "status": "publish"})
			got := w.get("/wp/v2/posts")
			w.equal("slugs", got.slugs(), []string{"x"})
			w.equal("link", got.str("0.link"), w.home+"/?p="+fmt.Sprint(got.value("0.id")))
		}},
		{"an unknown route", func(w *wp) {
			w.get("/wp/v2/nothing").fails(http.StatusNotFound, "rest_no_route")
			w.get("/wp/v2/posts/999999").fails(http.StatusNotFound, "rest_post_invalid_id")
		}},
		{"the Date header is the site's clock", func(w *wp) {
			at, err := http.ParseTime(w.get("/wp/v2/posts").header.Get("Date"))
			if err != nil || time.Since(at).Abs() > time.Minute {
				w.Errorf("Date %v, %v", at, err)
			}
		}},
	}
}

func paging(w *wp) { // B17
	for i := range 5 {
		w.create(fields{"slug": fmt.Sprint("n", i), "status": "publish", "date_gmt": utc(in(-time.Duration(i+1) * time.Hour))})
	}
	r := w.get("/wp/v2/posts", "per_page", "2", "page", "3")
	w.equal("last page", r.slugs(), []string{"n4"})
	w.equal("total", r.header.Get("X-WP-Total"), "5")
	w.equal("pages", r.header.Get("X-WP-TotalPages"), "3")
	w.get("/wp/v2/posts", "per_page", "2", "page", "4").fails(http.StatusBadRequest, "rest_post_invalid_page_number")
	w.get("/wp/v2/posts", "per_page", "101").fails(http.StatusBadRequest, "rest_invalid_param")
	w.get("/wp/v2/posts", "per_page", "0").fails(http.StatusBadRequest, "rest_invalid_param")
	// Nothing found is no error on any page.
	r = w.get("/wp/v2/posts", "status", "future", "page", "4").is(http.StatusOK)
	w.equal("empty", r.slugs(), []string{})
	w.equal("empty total", r.header.Get("X-WP-Total"), "0")
	w.equal("offset", w.get("/wp/v2/posts", "offset", "4").slugs(), []string{"n4"})
	w.equal("list syntax", len(w.page(w.root+"/wp/v2/posts?status[]=publish&slug[]=n1&"+url.Values{"slug[]": {"n2"}}.Encode()).slugs()), 2)
}
