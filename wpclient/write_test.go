package wpclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFieldsAsSent(t *testing.T) {
	t.Parallel()
	seoul := time.FixedZone("KST", 9*3600)
	for _, tt := range []struct {
		name string
		f    Fields
		want string
	}{
		{"nothing", Fields{}, `{}`},
		{"all", Fields{
			Status: new("future"), DateGMT: new(time.Date(2027, 1, 5, 8, 0, 0, 0, seoul)), Slug: new("a"), Title: new("가"),
			Content: new("<!-- wp:paragraph -->"), Excerpt: new(""), Author: new(int64(2)), Categories: new([]int64{1}), Tags: new([]int64(nil)), FeaturedMedia: new(int64(0)),
		}, `{"status":"future","date_gmt":"2027-01-04T23:00:00","slug":"a","title":"가","content":"<!-- wp:paragraph -->","excerpt":"","author":2,"categories":[1],"tags":[],"featured_media":0}`},
		{"extra", Fields{Slug: new("a"), Extra: map[string]any{"sticky": true, "genre": []int64{3}, "meta": map[string]any{"k": "v"}}}, `{"slug":"a","sticky":true,"genre":[3],"meta":{"k":"v"}}`},
		{"float", Fields{Status: new("draft"), ClearDate: true}, `{"status":"draft","date":null}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := &recorder{next: saysJSON(201, postJSON(t, 12, nil))}
			p, err := newClient(t, inMemory{rec}).Create(t.Context(), "posts", tt.f)
			if err != nil || p.ID != 12 {
				t.Fatalf("got %+v, %v", p, err)
			}
			var got, want any
			if err := errors.Join(json.Unmarshal([]byte(rec.body[0]), &got), json.Unmarshal([]byte(tt.want), &want)); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("body (-want +got):\n%s", d)
			}
		})
	}
}

// TestExtraFieldsAreAskedFor: a write's answer bears what was sent beside the
// usual, and nothing that was not.
func TestExtraFieldsAreAskedFor(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: saysJSON(201, postJSON(t, 12, map[string]any{"sticky": true, "format": "aside", "other": 1}))}
	sent := map[string]any{"sticky": true, "format": "aside", "genre": []int64{3}}
	p, err := newClient(t, inMemory{rec}).Create(t.Context(), "posts", Fields{Extra: sent})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]any{"sticky": true, "format": "aside"}, p.Extra); d != "" {
		t.Errorf("extra (-want +got):\n%s", d)
	}
	if got := rec.seen[0].URL.Query().Get("_fields"); !strings.HasSuffix(got, ",format,genre,sticky") {
		t.Errorf("asked for %s", got)
	}
}

// TestExtraFieldsAreNoBackDoor: what decides when and as what a post goes out
// can't be among them.
func TestExtraFieldsAreNoBackDoor(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"status", "date", "date_gmt", "slug", "content", "title", "author", "id", "password", "_method"} {
		rec := &recorder{next: saysJSON(201, postJSON(t, 12, nil))}
		_, err := newClient(t, inMemory{rec}).Create(t.Context(), "posts", Fields{Extra: map[string]any{key: "x"}})
		if err == nil || len(rec.body) > 0 {
			t.Errorf("%s was sent: %v", key, err)
		}
	}
}

// noted keeps each request as the transport gets it.
type noted struct {
	http.RoundTripper
	seen []*http.Request
}

func (n *noted) RoundTrip(r *http.Request) (*http.Response, error) {
	n.seen = append(n.seen, r)
	return n.RoundTripper.RoundTrip(r)
}

// Every write is one POST with a JSON body of known length, and nothing by
// which net/http could send it again.
func TestWritesAsSent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, answer, path, method, force string
		write                             func(c *Client) error
	}{
		{"create", postJSON(t, 12, nil), "posts", "", "", func(c *Client) error { _, err := c.Create(t.Context(), "posts", Fields{}); return err }},
		{"update", postJSON(t, 12, nil), "posts/12", "", "", func(c *Client) error {
			_, err := c.Update(t.Context(), "posts", 12, Fields{}, nil)
			return err
		}},
		{"trash", `{"id":12,"status":"trash"}`, "posts/12", "DELETE", "", func(c *Client) error { return c.Trash(t.Context(), "posts", 12) }},
		{"delete", `{"deleted":true}`, "pages/12", "DELETE", "true", func(c *Client) error { return c.Delete(t.Context(), "pages", 12) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := &recorder{next: saysJSON(200, tt.answer)}
			n := &noted{RoundTripper: inMemory{rec}}
			if err := tt.write(newClient(t, n)); err != nil {
				t.Fatal(err)
			}
			if len(n.seen) != 1 {
				t.Fatalf("sent %d times", len(n.seen))
			}
			r := n.seen[0]
			q := r.URL.Query()
			if r.Method != http.MethodPost || r.URL.Path != rootPath+"wp/v2/"+tt.path || q.Get("_method") != tt.method || q.Get("force") != tt.force || q.Get("_fields") == "" {
				t.Errorf("sent %s %s", r.Method, r.URL)
			}
			if r.Header.Get("Content-Type") != "application/json" || r.ContentLength != int64(len(rec.body[0])) {
				t.Errorf("type %q, length %d of %d", r.Header.Get("Content-Type"), r.ContentLength, len(rec.body[0]))
			}
			if r.GetBody != nil || r.Header["Idempotency-Key"] != nil || r.Header["X-Idempotency-Key"] != nil {
				t.Error("net/http may send this again")
			}
		})
	}
}

// B26: a success whose answer isn't whole leaves the outcome unknown.
func TestB26HalfAnswersToWrites(t *testing.T) {
	t.Parallel()
	whole := postJSON(t, 12, nil)
	update := func(c *Client) error {
		_, err := c.Update(t.Context(), "posts", 12, Fields{}, nil)
		return err
	}
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		write   func(c *Client) error
		want    string
	}{
		{"cut", saysJSON(200, whole[:40]), update, "cut off or broken"},
		{"page", says(200, "text/html", "<title>Log in</title>"), update, `"Log in"`},
		{"notice before", saysJSON(200, "<b>Deprecated</b>: x"+whole), update, "text before its JSON"},
		{"empty", saysJSON(200, ""), update, "the answer is empty"},
		{"no content", saysJSON(204, whole), update, "204"},
		{"accepted for later", saysJSON(202, whole), update, "202"},
		{"no content.raw", saysJSON(200, postJSON(t, 12, map[string]any{"content": nil})), update, "content.raw missing"},
		{"another post", saysJSON(200, postJSON(t, 13, nil)), update, "the answer is about post 13"},
		{"not in the trash", saysJSON(200, `{"id":12,"status":"draft"}`), func(c *Client) error { return c.Trash(t.Context(), "posts", 12) }, `status is "draft", not trash`},
		{"not deleted", saysJSON(200, `{"deleted":false}`), func(c *Client) error { return c.Delete(t.Context(), "posts", 12) }, "does not say that the post is deleted"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := &recorder{next: tt.handler}
			err := tt.write(newClient(t, inMemory{rec}))
			contains(t, err, tt.want)
			if e := asError(t, err); e.Known() || rec.count() != 1 {
				t.Errorf("known %v after %d requests; want unknown after 1", e.Known(), rec.count())
			}
		})
	}
}

// B36, B53, B54: what a refused write says.
func TestB36B53B54RefusedWrites(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		refused bool
		want    []string
	}{
		{"B36 contributor", saysJSON(403, wpErr(403, "rest_cannot_publish", "Sorry, you are not allowed to publish posts in this post type.")), true, []string{"create posts: 403 rest_cannot_publish: Sorry", "role author or higher"}},
		{"B36 subscriber", saysJSON(403, wpErr(403, "rest_cannot_create", "Sorry.")), true, []string{"check its role"}},
		{"B35 media type", saysJSON(400, wpErr(400, "empty_content", "Content, title, and excerpt are empty.")), true, []string{"400 empty_content"}},
		{"B53 firewall", says(406, "text/html", "<title>Not Acceptable!</title>"), false, []string{`406: a web page instead of JSON: "Not Acceptable!"`, "firewall", "code samples"}},
		{"B54 rate limit", says(429, "text/html", "", "Retry-After", "120"), false, []string{"429", "(retry after 2m0s)", "limits how often"}},
		{"too large", says(413, "text/html", "<h1>413</h1>"), false, []string{"no request of this size"}},
		{"5xx from WordPress", saysJSON(500, wpErr(500, "db_insert_error", "Could not insert post into the database.")), false, []string{"500 db_insert_error", "error log"}},
		{"no route", saysJSON(404, wpErr(404, "rest_no_route", "No route.")), true, []string{"no such route"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := newClient(t, inMemory{tt.handler}).Create(t.Context(), "posts", Fields{Title: new("x")})
			contains(t, err, tt.want...)
			if e := asError(t, err); e.Refused != tt.refused || e.Unsent {
				t.Errorf("refused %v, want %v", e.Refused, tt.refused)
			}
		})
	}
}

// B35: what JSON can't bear unaltered never leaves.
func TestB35InvalidText(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: saysJSON(201, postJSON(t, 12, nil))}
	c := newClient(t, inMemory{rec})
	for _, f := range []Fields{
		{Title: new("caf\xe9")},
		{Content: new("\xed\xa0\x80")}, // a lone surrogate
		{Excerpt: new("\xff\xfe")},
		{DateGMT: new(time.Time{}), ClearDate: true},
	} {
		_, err := c.Create(t.Context(), "posts", f)
		if e := asError(t, err); !e.Unsent {
			t.Errorf("%+v: %v", f, err)
		}
	}
	_, err := c.CreateTerm(t.Context(), "tags", "caf\xe9", 0)
	contains(t, err, "not valid UTF-8")
	if rec.count() != 0 {
		t.Errorf("%d requests left", rec.count())
	}
}

// B39: an existing term is used, whatever its case; names are decoded.
func TestB39TermExists(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			saysJSON(400, `{"code":"term_exists","message":"exists","data":{"status":400,"term_id":5},"additional_data":[5]}`)(w, r)
		case r.URL.Path == rootPath+"wp/v2/tags/5":
			saysJSON(200, `{"id":5,"name":"R &amp; D","slug":"r-d"}`)(w, r)
		default:
			http.NotFound(w, r)
		}
	})}
	got, err := newClient(t, inMemory{rec}).CreateTerm(t.Context(), "tags", "r & d", 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Term{ID: 5, Name: "R & D", Slug: "r-d"}, got); d != "" {
		t.Error(d)
	}
	if rec.body[0] != `{"name":"r \u0026 d"}` {
		t.Errorf("sent %s", rec.body[0])
	}
}

func TestCreateTerm(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: saysJSON(201, `{"id":6,"name":"News","slug":"news","parent":3}`)}
	got, err := newClient(t, inMemory{rec}).CreateTerm(t.Context(), "categories", "News", 3)
	if d := cmp.Diff(Term{ID: 6, Name: "News", Slug: "news", Parent: 3}, got); d != "" || err != nil || rec.count() != 1 || rec.body[0] != `{"name":"News","parent":3}` {
		t.Errorf("%v after %d requests, %s\n%s", err, rec.count(), rec.body, d)
	}
	// B41: a tag that is too long is WordPress's own 500, once.
	rec = &recorder{next: saysJSON(500, wpErr(500, "db_insert_error", "Could not insert term into the database."))}
	_, err = newClient(t, inMemory{rec}).CreateTerm(t.Context(), "tags", strings.Repeat("x", 250), 0)
	contains(t, err, "create term of tags: 500 db_insert_error")
	if rec.count() != 1 {
		t.Errorf("sent %d times", rec.count())
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	for search, want := range map[string]string{"": "", "R & D": "R", "Q&A": "Q", "Tom's <b>": "Tom", "가 나": "가 나", "&": ""} {
		rec := &recorder{next: saysJSON(200, `[{"id":5,"name":"R &amp; D","slug":"r-d","parent":1}]`, "X-WP-Total", "1")}
		got, err := newClient(t, inMemory{rec}).Terms(t.Context(), "categories", search)
		if d := cmp.Diff([]Term{{ID: 5, Name: "R & D", Slug: "r-d", Parent: 1}}, got); d != "" || err != nil {
			t.Errorf("%v\n%s", err, d)
		}
		if r := rec.seen[0]; r.URL.Path != rootPath+"wp/v2/categories" || r.URL.Query().Get("search") != want {
			t.Errorf("%q: asked %s", search, r.URL)
		}
	}
}

func TestUsers(t *testing.T) {
	t.Parallel()
	for _, may := range []bool{true, false} {
		rec := &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/users/me") {
				saysJSON(200, `{"id":2,"name":"Me","slug":"me","username":"me","capabilities":{"edit_posts":true}}`)(w, r)
				return
			}
			saysJSON(200, `[{"id":2,"name":"Me","slug":"me"},{"id":3,"name":"Ed &amp; Co","slug":"ed"}]`, "X-WP-Total", "2")(w, r)
		})}
		c := newClient(t, inMemory{rec})
		if err := c.Use(Facts{Root: root, User: User{Capabilities: map[string]bool{"list_users": may}}}); err != nil {
			t.Fatal(err)
		}
		got, err := c.Users(t.Context(), "ed")
		if d := cmp.Diff([]User{
			{ID: 2, Name: "Me", Slug: "me", Login: "me", Capabilities: map[string]bool{"edit_posts": true}},
			{ID: 3, Name: "Ed & Co", Slug: "ed"},
		}, got); d != "" || err != nil {
			t.Errorf("%v\n%s", err, d)
		}
		if q := rec.seen[0].URL.Query(); q.Get("search") != "ed" || (q.Get("context") == "edit") != may {
			t.Errorf("asked %v", q)
		}
	}
}

// B28: the client creates whatever it is told to: it never looks or decides.
func TestB28EveryCreateIsSent(t *testing.T) {
	t.Parallel()
	n := 0
	c := newClient(t, inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		saysJSON(201, postJSON(t, n, map[string]any{"slug": fmt.Sprintf("x-%d", n)}))(w, r)
	})})
	for want := int64(1); want <= 2; want++ {
		if p, err := c.Create(t.Context(), "posts", Fields{Slug: new("x")}); err != nil || p.ID != want {
			t.Errorf("got post %d, %v; want %d", p.ID, err, want)
		}
	}
}
