// Package fakewp emulates the WordPress REST routes that Morrow uses, with
// switches for faults. It shares no code with the client: it is an
// independent oracle, held to the real WordPress by the contract test.
//
// It has no goroutines and no clock of its own. Time comes from Options.Now;
// what falls due (a scheduled post, a request held up on its way) happens
// while the next request is answered.
//
// Not emulated, because nothing here reads it: typography of rendered text,
// comments, widgets, embedding, block rendering beyond dropping delimiters.
package fakewp

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"sync"
	"time"
)

// Options of a Server.
type Options struct {
	Timezone  string  // timezone_string; empty for a plain offset
	GMTOffset float64 // hours, used when Timezone is empty
	Prefix    string  // "/blog" for a sub-directory install
	Plain     bool    // plain permalinks: only ?rest_route= works
	CronDead  bool    // scheduled posts are not published by themselves
	Now       func() time.Time

	// Permalinks is the permalink structure; WordPress's default after an
	// install, "/%year%/%monthnum%/%day%/%postname%/", when empty.
	Permalinks string
	// Version is the WordPress to follow where versions differ: "6.1.9"
	// (when empty) or "6.5.5", which stands for 6.7-alpha too.
	Version string
	// NoAppPasswords turns application passwords off, as security plugins
	// do: the index does not announce them, and credentials are ignored.
	NoAppPasswords bool
}

// Server is one emulated site. It is an http.Handler, and an
// http.RoundTripper for use without a network. It is safe for concurrent use.
type Server struct {
	opts Options

	mu      sync.Mutex
	site    *site
	faults  []*fault
	log     []Request
	pending []delivery
	memo    *memo
}

// New makes a site with an administrator, "admin", whose application
// password is what AddUser would give. It panics on an unknown Timezone.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Permalinks == "" {
		o.Permalinks = "/%year%/%monthnum%/%day%/%postname%/"
	}
	if o.Version == "" {
		o.Version = "6.1.9"
	}
	zone := time.FixedZone("", int(o.GMTOffset*3600))
	if o.Timezone != "" {
		var err error
		if zone, err = time.LoadLocation(o.Timezone); err != nil {
			panic("fakewp: " + err.Error())
		}
	}
	s := &Server{opts: o, site: newSite(o, zone), memo: newMemo()}
	s.AddUser("admin", "administrator")
	return s
}

// AddUser makes an account with one of WordPress's five roles and returns its
// application password. The password follows from the login, so that runs
// repeat exactly. It panics on an unknown role.
func (s *Server) AddUser(login, role string) (password string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := sha256.Sum256([]byte("fakewp " + login))
	password = hex.EncodeToString(sum[:])[:24]
	s.site.addUser(login, role, password, s.opts.Now())
	return password
}

// SetCronDead stops or restarts the publishing of scheduled posts.
func (s *Server) SetCronDead(dead bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.cronDead = dead
}

// SetFilter lets a plugin change each post right before it is stored
// (wp_insert_post_data); nil takes it out.
func (s *Server) SetFilter(filter func(*Post)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.filter = filter
}

// SetZone moves the site to another zone, as its settings do: the dates of the
// posts that are there stay as they are. It panics on an unknown name.
func (s *Server) SetZone(name string) {
	zone, err := time.LoadLocation(name)
	if err != nil {
		panic("fakewp: " + err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.zone, s.site.opts.Timezone = zone, name
	s.memo = newMemo()
}

// Request is one request as the site saw it.
type Request struct {
	At     time.Time
	Method string // after _method and X-HTTP-Method-Override
	Route  string // REST route, "/wp/v2/posts/12"; the path for other pages
	Query  string
	User   string // login; empty when anonymous
	Status int    // what WordPress answered; 0 when it was never reached
}

// Write reports whether the request was meant to change something.
func (r Request) Write() bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// Requests returns all requests so far, in the order in which the site
// finished them. A request that a fault delivers twice stands here twice.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}
