//go:build linux

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// kind is what a request is for.
type kind string

const (
	create  kind = "create"
	commit  kind = "commit" // an update that schedules
	look    kind = "look"   // a list of a window
	slugs   kind = "slugs"
	reading kind = "read"
	upload  kind = "upload"
	other   kind = "other"
)

// call is a request on its way to the site.
type call struct {
	kind   kind
	nth    int // of its kind, from 1
	method string
	uri    string
	header http.Header
	body   []byte
}

// answer is what goes back to the program; nil cuts the connection.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// detour treats a call in its own way; forward asks the site.
type detour func(c call, forward func() *answer) *answer

// proxy stands in front of a site, counts what passes and takes detours. What
// it has begun to forward it forwards, whatever becomes of the program.
type proxy struct {
	rig    *rig
	server *httptest.Server
	client *http.Client

	mu      sync.Mutex
	seen    map[kind]int
	detours map[kind]detour
	flight  sync.WaitGroup // calls under way
}

// behind puts a proxy in front of the rig's site.
func (r *rig) behind() *proxy {
	r.Helper()
	p := &proxy{
		rig: r, seen: map[kind]int{}, detours: map[kind]detour{},
		client: &http.Client{
			Timeout:       patience,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	p.server = httptest.NewServer(p)
	r.Cleanup(p.server.Close)
	u, err := url.Parse(r.site.URL)
	r.must(err)
	r.url = p.server.URL + u.Path
	r.configure()
	return p
}

// on sets the detour of a kind of call; nil takes it away.
func (p *proxy) on(k kind, d detour) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.detours[k] = d
}

// onAny sets the detour of every kind of call.
func (p *proxy) onAny(d detour) {
	for _, k := range []kind{create, commit, look, slugs, reading, upload, other} {
		p.on(k, d)
	}
}

// count is how many calls of a kind the program has sent.
func (p *proxy) count(k kind) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[k]
}

// settle waits until no call is under way any more.
func (p *proxy) settle() { p.flight.Wait() }

func (p *proxy) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	p.flight.Add(1)
	defer p.flight.Done()
	body, err := io.ReadAll(q.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the program died while it sent
	}
	c := call{kind: kindOf(q, body), method: q.Method, uri: q.RequestURI, header: q.Header.Clone(), body: body}
	p.mu.Lock()
	p.seen[c.kind]++
	c.nth = p.seen[c.kind]
	d := p.detours[c.kind]
	p.mu.Unlock()

	ctx := context.WithoutCancel(q.Context())
	forward := func() *answer { return p.forward(ctx, q.Host, c) }
	var a *answer
	if d != nil {
		a = d(c, forward)
	} else {
		a = forward()
	}
	if a == nil {
		panic(http.ErrAbortHandler)
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // the program may be gone
}

// forward asks the site under the host that the program knows, so that the
// site's own addresses lead back here.
func (p *proxy) forward(ctx context.Context, host string, c call) *answer {
	site, err := url.Parse(p.rig.site.URL)
	if err != nil {
		return nil
	}
	q, err := http.NewRequestWithContext(ctx, c.method, "http://"+site.Host+c.uri, bytes.NewReader(c.body))
	if err != nil {
		return nil
	}
	q.Host, q.Header = host, c.header
	res, err := p.client.Do(q)
	if err != nil {
		return nil
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil
	}
	res.Header.Del("Connection")
	return &answer{status: res.StatusCode, header: res.Header, body: body}
}

func kindOf(q *http.Request, body []byte) kind {
	_, route, _ := strings.Cut(q.URL.Path, "/wp-json/wp/v2/")
	single := regexp.MustCompile(`^posts/\d+$`).MatchString(route)
	var fields struct {
		Status string `json:"status"`
	}
	_ = json.Unmarshal(body, &fields)
	switch query := q.URL.Query(); {
	case q.Method == http.MethodGet && single:
		return reading
	case q.Method == http.MethodGet && route == "posts" && query.Has("after"):
		return look
	case q.Method == http.MethodGet && route == "posts" && query.Has("slug"):
		return slugs
	case q.Method == http.MethodPost && route == "posts":
		return create
	case q.Method == http.MethodPost && route == "media":
		return upload
	case q.Method == http.MethodPost && single && fields.Status == "future":
		return commit
	}
	return other
}

// hold is one call that stands still.
type hold struct {
	rig     *rig
	reached chan struct{}
	release func()
}

// holdRequest keeps the first call of a kind from reaching the site.
func (p *proxy) holdRequest(k kind) *hold {
	return p.hold(k, 1, func(forward func() *answer, stop func()) *answer {
		stop()
		return forward()
	})
}

// holdAnswer lets the nth call of a kind reach the site and keeps its answer.
func (p *proxy) holdAnswer(k kind, nth int) *hold {
	return p.hold(k, nth, func(forward func() *answer, stop func()) *answer {
		a := forward()
		stop()
		return a
	})
}

// holdAndCut keeps the first call of a kind from the site, and then cuts it.
func (p *proxy) holdAndCut(k kind) *hold {
	return p.hold(k, 1, func(_ func() *answer, stop func()) *answer {
		stop()
		return nil
	})
}

func (p *proxy) hold(k kind, nth int, d func(forward func() *answer, stop func()) *answer) *hold {
	released := make(chan struct{})
	h := &hold{rig: p.rig, reached: make(chan struct{}), release: sync.OnceFunc(func() { close(released) })}
	p.rig.Cleanup(h.release)
	stop := func() {
		close(h.reached)
		<-released
	}
	p.on(k, func(c call, forward func() *answer) *answer {
		if c.nth != nth {
			return forward()
		}
		return d(forward, stop)
	})
	return h
}

// await waits until a process's call stands still.
func (h *hold) await(p *process) {
	h.rig.Helper()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-h.reached:
	case <-p.ended:
		h.rig.Fatalf("the process ended before it sent the call: %s%s", &p.stdout, &p.stderr)
	case <-timeout.C:
		h.rig.Fatalf("the call was not sent within %s", patience)
	}
}
