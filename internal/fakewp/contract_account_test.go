package fakewp_test

import (
	"net/http"
	"strings"
	"time"
)

func accountChecks() []check {
	return []check{
		{"a wrong password is no password", func(w *wp) { // B48
			w.create(fields{"slug": "out", "status": "publish"})
			bad := w.by(w.user, "wrong wrong wrong wrong")
			r := bad.get("/wp/v2/posts", "status", "future").fails(http.StatusBadRequest, "rest_invalid_param")
			w.equal("reason", r.str("data.params.status"), "Status is forbidden.")
			w.equal("plain list", bad.get("/wp/v2/posts").slugs(), []string{"out"})
			bad.get("/wp/v2/posts", "context", "edit").fails(http.StatusUnauthorized, "rest_forbidden_context")
			bad.get("/wp/v2/users/me").fails(http.StatusUnauthorized, "rest_not_logged_in")
			bad.post("/wp/v2/posts", fields{"title": "x"}).fails(http.StatusUnauthorized, "rest_cannot_create")
		}},
		{"nobody", func(w *wp) {
			draft := w.create(fields{"status": "draft"}).id()
			soon := w.create(fields{"slug": "soon", "status": "future", "date_gmt": utc(in(time.Hour))})
			anon := w.by("", "")
			anon.get("/wp/v2/posts", "status", "future").fails(http.StatusBadRequest, "rest_invalid_param")
			anon.get("/wp/v2/posts", "status", "publish").is(http.StatusOK)
			anon.get("/wp/v2/posts/"+itoa(draft)).fails(http.StatusUnauthorized, "rest_forbidden")
			anon.post("/wp/v2/posts/"+itoa(draft), fields{"title": "x"}).fails(http.StatusUnauthorized, "rest_cannot_edit")
			anon.post("/wp/v2/posts/"+itoa(draft)+"?_method=DELETE", nil).fails(http.StatusUnauthorized, "rest_cannot_delete")
			anon.page(soon.str("link")).is(http.StatusNotFound)
			// Application passwords are for REST alone.
			w.page(soon.str("link")).is(http.StatusNotFound)
		}},
		{"an application password may have blanks", func(w *wp) {
			p := w.password
			w.by(w.user, p[:4]+" "+p[4:8]+" "+p[8:]).get("/wp/v2/users/me").is(http.StatusOK)
		}},
		{"an author does not see others' scheduled posts", func(w *wp) {
			for _, slug := range []string{"a", "b", "c"} {
				w.create(fields{"slug": slug, "status": "future", "date_gmt": utc(in(time.Hour))})
			}
			a := w.as("author")
			for _, query := range [][]string{
				{"status", "future"},
				{"status", "future", "context", "edit"},
				{"status", "future,publish,draft", "context", "edit", "slug", "a,b,c"},
			} {
				r := a.get("/wp/v2/posts", query...)
				w.equal("rows", r.slugs(), []string{})
				w.equal("total", r.header.Get("X-WP-Total"), "3")
			}
			a.create(fields{"slug": "own", "status": "future", "date_gmt": utc(in(2 * time.Hour))})
			r := a.get("/wp/v2/posts", "status", "future", "context", "edit")
			w.equal("own", r.slugs(), []string{"own"})
			w.equal("total", r.header.Get("X-WP-Total"), "4")
		}},
		{"an author and others' published posts", func(w *wp) {
			w.create(fields{"slug": "out", "status": "publish"})
			a := w.as("author")
			w.equal("view", a.get("/wp/v2/posts").slugs(), []string{"out"})
			// 6.1 shows for editing what may be edited; later, what may be read.
			want := []string{"out"}
			if strings.HasPrefix(w.version, "6.1") {
				want = []string{}
			}
			r := a.get("/wp/v2/posts", "context", "edit")
			w.equal("edit", r.slugs(), want)
			w.equal("total", r.header.Get("X-WP-Total"), "1")
		}},
		{"an author and own posts", func(w *wp) {
			a := w.as("author")
			id := a.create(fields{"slug": "o", "status": "draft"}).id()
			w.equal("commit", a.update(id, fields{"status": "future", "date_gmt": utc(in(time.Hour))}).str("status"), "future")
			w.equal("withdraw", a.update(id, fields{"status": "draft", "date": nil}).str("status"), "draft")
			a.post("/wp/v2/posts/"+itoa(id)+"?_method=DELETE&force=true", nil).is(http.StatusOK)
			other := w.create(fields{"status": "draft"}).id()
			a.post("/wp/v2/posts/"+itoa(other), fields{"title": "x"}).fails(http.StatusForbidden, "rest_cannot_edit")
			a.post("/wp/v2/posts/"+itoa(other)+"?_method=DELETE", nil).fails(http.StatusForbidden, "rest_cannot_delete")
			a.get("/wp/v2/posts/"+itoa(other)).fails(http.StatusForbidden, "rest_forbidden")
			a.get("/wp/v2/posts/"+itoa(other), "context", "edit").fails(http.StatusForbidden, "rest_forbidden_context")
			me := w.get("/wp/v2/users/me").id()
			a.post("/wp/v2/posts", fields{"title": "x", "author": me}).fails(http.StatusForbidden, "rest_cannot_edit_others")
		}},
		{"an author and terms", func(w *wp) { // B42
			a := w.as("author")
			a.post("/wp/v2/tags", fields{"name": "new"}).is(http.StatusCreated)
			a.post("/wp/v2/categories", fields{"name": "new"}).fails(http.StatusForbidden, "rest_cannot_create")
		}},
		{"a contributor may not publish", func(w *wp) { // B36
			c := w.as("contributor")
			at := utc(in(time.Hour))
			c.post("/wp/v2/posts", fields{"title": "x", "status": "future", "date_gmt": at}).
				fails(http.StatusForbidden, "rest_cannot_publish")
			r := c.create(fields{"slug": "p", "status": "pending"})
			w.equal("pending", []string{r.str("status"), r.str("slug")}, []string{"pending", ""})
			c.post("/wp/v2/posts/"+itoa(r.id()), fields{"status": "publish"}).fails(http.StatusForbidden, "rest_cannot_publish")
			// What was live stays out of reach in the trash.
			w.update(r.id(), fields{"status": "publish"})
			w.post("/wp/v2/posts/"+itoa(r.id())+"?_method=DELETE", nil).is(http.StatusOK)
			c.get("/wp/v2/posts/"+itoa(r.id()), "context", "edit").fails(http.StatusForbidden, "rest_forbidden_context")
			c.raw("/wp/v2/media", "image/png", []byte("x")).fails(http.StatusForbidden, "rest_cannot_create")
		}},
		{"a subscriber may not write", func(w *wp) { // B36
			s := w.as("subscriber")
			s.post("/wp/v2/posts", fields{"title": "x"}).fails(http.StatusForbidden, "rest_cannot_create")
			s.get("/wp/v2/posts", "status", "draft").fails(http.StatusBadRequest, "rest_invalid_param")
			s.get("/wp/v2/posts", "context", "edit").fails(http.StatusForbidden, "rest_forbidden_context")
		}},
		{"me and my rights", func(w *wp) {
			r := w.get("/wp/v2/users/me", "context", "edit").is(http.StatusOK)
			w.equal("roles", r.value("roles"), any([]any{"editor"}))
			for _, c := range []string{"publish_posts", "edit_others_posts", "unfiltered_html", "manage_categories", "upload_files"} {
				w.equal(c, r.value("capabilities."+c), any(true))
			}
			w.equal("capabilities in view", w.get("/wp/v2/users/me").value("capabilities"), nil)
			a := w.as("author").get("/wp/v2/users/me", "context", "edit")
			w.equal("publish_posts", a.value("capabilities.publish_posts"), any(true))
			w.equal("edit_others_posts", a.value("capabilities.edit_others_posts"), nil)
		}},
		{"users", func(w *wp) {
			a := w.as("author")
			admin := w.as("administrator")
			w.equal("who published nothing is not listed", w.get("/wp/v2/users", "slug", "author-account").slugs(), []string{})
			a.create(fields{"status": "publish"})
			w.equal("by slug", w.get("/wp/v2/users", "slug", "author-account").slugs(), []string{"author-account"})
			w.equal("search", w.get("/wp/v2/users", "search", "author-acc").slugs(), []string{"author-account"})
			w.equal("administrators see all", admin.get("/wp/v2/users", "search", "administrator-acc").slugs(),
				[]string{"administrator-account"})
			w.get("/wp/v2/users", "context", "edit").fails(http.StatusForbidden, "rest_forbidden_context")
		}},
	}
}
