package wptest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Request is one request that reached the site, in the order of arrival.
type Request struct {
	Method string
	Path   string // below the site: "/wp-json/wp/v2/posts"
	Query  url.Values
	Body   string // the first MiB; empty for an upload of files
}

// Write reports whether the request could change the site.
func (r Request) Write() bool {
	return r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions
}

// Requests are the requests that reached the site since its birth or the last
// ResetRequests, those of this package left out. A request stands there before
// its answer is sent.
func (s *Site) Requests(t testing.TB) []Request {
	t.Helper()
	var rows []struct{ Method, URI, Body string }
	s.control(t, "requests", nil, &rows)
	requests := make([]Request, 0, len(rows))
	for _, r := range rows {
		u, err := url.Parse(r.URI)
		if err != nil {
			t.Fatalf("read recorded request: %v", err)
		}
		requests = append(requests, Request{
			Method: r.Method, Path: strings.TrimPrefix(u.Path, "/"+s.name), Query: u.Query(), Body: r.Body,
		})
	}
	return requests
}

// Writes are the Requests that could change the site.
func (s *Site) Writes(t testing.TB) []Request {
	t.Helper()
	var writes []Request
	for _, r := range s.Requests(t) {
		if r.Write() {
			writes = append(writes, r)
		}
	}
	return writes
}

// ResetRequests empties the record.
func (s *Site) ResetRequests(t testing.TB) {
	t.Helper()
	s.control(t, "reset", nil, nil)
}
