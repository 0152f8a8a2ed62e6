package wpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/rs/zerolog"
)

// The client under test talks to an in-memory site below a non-root path, so
// that a forgotten prefix shows.
const (
	site     = "https://blog.example.com/blog"
	root     = site + "/wp-json/"
	rootPath = "/blog/wp-json/"
	user     = "editor"
	password = "abcd EFGH 1234 ijkl"
)

// inMemory is a site without sockets, which would hang in a synctest bubble.
type inMemory struct{ http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	rec := httptest.NewRecorder()
	m.ServeHTTP(rec, served)
	res := rec.Result()
	res.Request = r
	return res, nil
}

// newClient makes a client whose REST root is known.
func newClient(t *testing.T, transport http.RoundTripper, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{
		URL: site, User: user, Password: password, Transport: transport,
		Rand: func(int64) int64 { return 7 }, Logger: zerolog.Nop(),
	}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if o.URL == site {
		if err := c.Use(Facts{Root: root, User: User{Capabilities: map[string]bool{"list_users": true}}}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// recorder keeps what the site was asked.
type recorder struct {
	mu   sync.Mutex
	seen []*http.Request
	body []string
	next http.Handler
}

func (r *recorder) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	b, err := io.ReadAll(req.Body)
	req.Body = io.NopCloser(bytes.NewReader(b))
	r.mu.Lock()
	r.seen = append(r.seen, req)
	r.body = append(r.body, string(b))
	r.mu.Unlock()
	if err == nil {
		r.next.ServeHTTP(w, req)
	}
}

func (r *recorder) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.seen)
}

// says answers everything in one way.
func says(status int, contentType, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func saysJSON(status int, body string, headers ...string) http.HandlerFunc {
	return says(status, "application/json; charset=UTF-8", body, headers...)
}

// wpErr is the body of a WordPress error.
func wpErr(status int, code, message string) string {
	return fmt.Sprintf(`{"code":%q,"message":%q,"data":{"status":%d}}`, code, message, status)
}

// postJSON is a scheduled post as WordPress 6.1.9 gives it; change overrides
// fields, nil deletes one.
func postJSON(t testing.TB, id int, change map[string]any) string {
	t.Helper()
	p := map[string]any{
		"id": id, "type": "post", "status": "future",
		"date": "2027-01-05T08:00:00", "date_gmt": "2027-01-04T23:00:00",
		"modified": "2026-12-01T10:00:00", "modified_gmt": "2026-12-01T01:00:00",
		"slug": fmt.Sprintf("post-%d", id), "link": fmt.Sprintf("%s/?p=%d", site, id),
		"title": map[string]any{"raw": "Ttl & more"}, "content": map[string]any{"raw": "<p>Text</p>"}, "excerpt": map[string]any{"raw": ""},
		"author": 2, "categories": []int{1}, "tags": []int{}, "featured_media": 0,
	}
	maps.Copy(p, change)
	for k, v := range change {
		if v == nil {
			delete(p, k)
		}
	}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func postsJSON(t testing.TB, from, to int) string {
	t.Helper()
	var rows []string
	for id := from; id <= to; id++ {
		rows = append(rows, postJSON(t, id, nil))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

func asError(t testing.TB, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v (%T), want an *Error", err, err)
	}
	return e
}

func contains(t testing.TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("got error %q, want %q in it", err, w)
		}
	}
}
