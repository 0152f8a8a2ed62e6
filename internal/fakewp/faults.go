package fakewp

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Fault is something that goes wrong with some requests. The first fields say
// with which: all of them must fit. The others say what, and may be combined;
// when several faults match a request, they add up.
type Fault struct {
	Method string // after method override; empty for any
	Path   string // part of the path or of rest_route; empty for any
	// Match, if not nil, decides further. It may do what a person does, with
	// the Server's methods, in the moment before the site sees the request.
	Match func(*http.Request) bool
	Skip  int // so many matching requests are spared first
	Times int // then so many are hit; 0 for all

	DelayBefore time.Duration // passes before the site handles the request
	DelayAfter  time.Duration // passes before the answer leaves
	CutBefore   bool          // the connection breaks; the site never sees the request
	CutAfter    bool          // the connection breaks; the site has done what was asked
	Late        time.Duration // the connection breaks, and the request arrives so much later
	Twice       int           // the site handles the request so many times more

	NoAuth bool // a proxy strips Authorization
	// Stale answers reads from the site as it stood at Inject: a cache, or a
	// replica that lags. Visible signs go into Header.
	Stale bool
	// SlugGap lets writes check for free slugs against the site as it stood
	// at Inject. WordPress has a gap between checking and storing: of two
	// requests at the same instant neither sees the other's slug.
	SlugGap bool
	// Hidden posts are counted but not shown, as by a plugin.
	Hidden []int64

	// Instead: something in front of the site answers with Status, Header and
	// Body, and the site never sees the request.
	Instead bool
	Status  int           // replaces the status
	Body    string        // replaces the body; empty keeps it
	Header  http.Header   // replaces or, with no values, removes headers
	Prefix  string        // junk before the body
	Suffix  string        // junk after the body
	CutBody int           // the connection breaks after so many bytes of body
	Skew    time.Duration // the Date header is off by this
}

// fault is an injected Fault and its counter.
type fault struct {
	Fault
	seen     int
	snapshot *site
}

// plan is what faults change about the handling inside the site.
type plan struct {
	noAuth             bool
	snapshot, slugView *site
	hidden             []int64
}

// Inject adds a fault; the result takes it out again.
func (s *Server) Inject(f Fault) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := &fault{Fault: f}
	if f.Stale || f.SlugGap {
		in.snapshot = s.site.clone()
	}
	s.faults = append(s.faults, in)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		for i, x := range s.faults {
			if x == in {
				s.faults = append(s.faults[:i:i], s.faults[i+1:]...)
				return
			}
		}
	}
}

// Challenge is the fault of a bot check in front of the site.
func Challenge() Fault {
	return Fault{
		Instead: true, Status: http.StatusForbidden,
		Header: http.Header{
			"Content-Type": {"text/html; charset=UTF-8"}, "Cf-Mitigated": {"challenge"}, "Server": {"cloudflare"},
		},
		Body: "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>",
	}
}

// CacheHit is the fault of a cache that shows what it does.
func CacheHit() Fault {
	return Fault{Method: http.MethodGet, Stale: true, Header: http.Header{"Age": {"540"}, "X-Cache": {"HIT"}}}
}

// Redirect is the fault of an answer 301 to another address.
func Redirect(to string) Fault {
	return Fault{Instead: true, Status: http.StatusMovedPermanently, Header: http.Header{"Location": {to}}, Body: "moved"}
}

// NoTotals is the fault of a proxy that drops the paging headers.
func NoTotals() Fault { return Fault{Header: http.Header{"X-Wp-Total": nil, "X-Wp-Totalpages": nil}} }

func (f *fault) matches(m message) bool {
	return (f.Method == "" || f.Method == m.method) &&
		(f.Path == "" || strings.Contains(m.req.URL.Path, f.Path) ||
			strings.Contains(m.query.Get("rest_route"), f.Path)) &&
		(f.Match == nil || f.Match(m.req))
}

// effect is the sum of the faults that hit one request.
type effect struct {
	Fault
	plan plan
}

// matching counts a request against all faults and adds up those that hit it.
func (s *Server) matching(m message) *effect {
	s.mu.Lock()
	faults := slices.Clone(s.faults)
	s.mu.Unlock()
	var hits []*fault
	for _, f := range faults {
		if f.matches(m) { // may call back into the site: no lock
			hits = append(hits, f)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &effect{}
	for _, f := range hits {
		f.seen++
		if f.seen > f.Skip && (f.Times == 0 || f.seen <= f.Skip+f.Times) {
			e.add(f, m.method)
		}
	}
	return e
}

func (e *effect) add(f *fault, method string) {
	read := method == http.MethodGet || method == http.MethodHead
	if f.Stale && read {
		e.plan.snapshot = f.snapshot
	}
	if f.SlugGap && !read {
		e.plan.slugView = f.snapshot
	}
	e.plan.noAuth = e.plan.noAuth || f.NoAuth
	e.plan.hidden = append(e.plan.hidden, f.Hidden...)
	e.DelayBefore += f.DelayBefore
	e.DelayAfter += f.DelayAfter
	e.Late += f.Late
	e.Twice += f.Twice
	e.Skew += f.Skew
	e.CutBefore = e.CutBefore || f.CutBefore
	e.CutAfter = e.CutAfter || f.CutAfter
	e.Instead = e.Instead || f.Instead
	e.Prefix, e.Suffix = f.Prefix+e.Prefix, e.Suffix+f.Suffix
	e.Status = max(e.Status, f.Status)
	e.CutBody = max(e.CutBody, f.CutBody)
	if f.Body != "" {
		e.Body = f.Body
	}
	if e.Header == nil {
		e.Header = make(http.Header)
	}
	maps.Copy(e.Header, f.Header)
}

// spoil changes an answer on its way back.
func (e *effect) spoil(a *answer) {
	if e.Status != 0 {
		a.status = e.Status
	}
	if e.Body != "" {
		a.body = []byte(e.Body)
	}
	if e.Prefix != "" || e.Suffix != "" {
		a.body = []byte(e.Prefix + string(a.body) + e.Suffix)
	}
	if e.CutBody > 0 && e.CutBody < len(a.body) {
		a.cut = e.CutBody
	}
	if e.Skew != 0 {
		if date, err := http.ParseTime(a.header.Get("Date")); err == nil {
			a.header.Set("Date", date.Add(e.Skew).Format(http.TimeFormat))
		}
	}
	for k, v := range e.Header {
		if len(v) == 0 {
			a.header.Del(k)
		} else {
			a.header[http.CanonicalHeaderKey(k)] = v
		}
	}
}
