package fakewp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// answer is what goes back over the wire.
type answer struct {
	status int
	header http.Header
	body   []byte
	cut    int // bytes of body that arrive before the connection breaks; -1 all
}

// message is a request as it arrived, kept so that it can be delivered again.
type message struct {
	req    *http.Request
	query  url.Values
	method string // after _method and X-HTTP-Method-Override
	body   []byte
	home   string // the site's address as the client wrote it
}

func receive(r *http.Request) (message, error) {
	m := message{req: r, query: r.URL.Query()}
	m.method = method(r, m.query)
	if r.Body != nil {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			return m, fmt.Errorf("read request body: %w", err)
		}
		m.body = b
	}
	scheme, host := "http", r.Host
	if r.URL.Scheme != "" {
		scheme = r.URL.Scheme
	} else if r.TLS != nil {
		scheme = "https"
	}
	if host == "" {
		host = r.URL.Host
	}
	m.home = scheme + "://" + host
	return m, nil
}

// ServeHTTP answers over a network. A cut connection is an aborted handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m, err := receive(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a, err := s.exchange(m)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	for k, v := range a.header {
		w.Header()[k] = v
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
	if a.cut < 0 {
		_, _ = w.Write(a.body) // the client is gone: nobody to tell
		return
	}
	_, _ = w.Write(a.body[:a.cut])
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	panic(http.ErrAbortHandler)
}

// RoundTrip answers without a network, in the caller's goroutine. The error
// of a cut connection is io.ErrUnexpectedEOF. A request whose context ends
// while a fault delays it returns at once; if the delay came before the
// handling, the site handles the request when the delay is over, as PHP does.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	m, err := receive(r)
	if r.Body != nil {
		_ = r.Body.Close() // read to its end or broken: either way done with
	}
	if err != nil {
		return nil, err
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	a, err := s.exchange(m)
	if err != nil {
		return nil, err
	}
	var body io.Reader = bytes.NewReader(a.body)
	if a.cut >= 0 {
		body = io.MultiReader(bytes.NewReader(a.body[:a.cut]), brokenReader{})
	}
	return &http.Response{
		Status:     strconv.Itoa(a.status) + " " + http.StatusText(a.status),
		StatusCode: a.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        a.header,
		Body:          io.NopCloser(body),
		ContentLength: int64(len(a.body)),
		Request:       r,
	}, nil
}

// brokenReader is a connection that broke in the middle of a body.
type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// exchange takes one request through the faults that match it.
func (s *Server) exchange(m message) (*answer, error) {
	e := s.matching(m)
	switch {
	case e.CutBefore:
		s.missed(m)
		return nil, io.ErrUnexpectedEOF
	case e.Late > 0:
		s.postpone(m, e.plan, s.opts.Now().Add(e.Late))
		return nil, io.ErrUnexpectedEOF
	}
	arrives := s.opts.Now().Add(e.DelayBefore)
	if err := wait(m.req, e.DelayBefore); err != nil {
		s.postpone(m, e.plan, arrives)
		return nil, err
	}
	a := s.deliver(m, e)
	if err := wait(m.req, e.DelayAfter); err != nil {
		return nil, err
	}
	if e.CutAfter {
		return nil, io.ErrUnexpectedEOF
	}
	e.spoil(a)
	return a, nil
}

func wait(r *http.Request, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-r.Context().Done():
		return r.Context().Err()
	}
}

// deliver lets the site handle a request, as often as it arrives. The first
// answer is the one that comes back.
func (s *Server) deliver(m message, e *effect) *answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.opts.Now()
	s.settle(now)
	if e.Instead {
		s.note(m, m.method, m.req.URL.Path, nil, 0, now)
		return &answer{header: http.Header{"Date": {now.UTC().Format(http.TimeFormat)}}, cut: -1}
	}
	a := s.handle(m, e.plan, now)
	for range e.Twice {
		s.handle(m, e.plan, now)
	}
	return a
}

// missed notes a request that the site never saw.
func (s *Server) missed(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(m, m.method, m.req.URL.Path, nil, 0, s.opts.Now())
}

func (s *Server) note(m message, method, route string, u *account, status int, now time.Time) {
	login := ""
	if u != nil {
		login = u.login
	}
	s.log = append(s.log, Request{now, method, route, m.req.URL.RawQuery, login, status})
}

// delivery is a request that is still under way.
type delivery struct {
	at   time.Time
	msg  message
	plan plan
}

func (s *Server) postpone(m message, p plan, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = append(s.pending, delivery{at, m, p})
}

// settle handles the requests under way that have arrived by now, oldest
// first, each at its own time.
func (s *Server) settle(now time.Time) {
	for {
		next := -1
		for i, d := range s.pending {
			if !d.at.After(now) && (next < 0 || d.at.Before(s.pending[next].at)) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		d := s.pending[next]
		s.pending = append(s.pending[:next], s.pending[next+1:]...)
		s.handle(d.msg, d.plan, d.at)
	}
}

// Settle handles the requests that a fault held up and that have arrived by
// now. Every request does this first; a test may ask for it before it looks.
func (s *Server) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.opts.Now())
}
