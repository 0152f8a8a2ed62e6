// Package wpclient speaks the WordPress REST API, typed. It decides nothing:
// it sends one request, checks the answer, and says what WordPress said and
// whether the outcome is known.
package wpclient

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-resty/resty/v2"
	"github.com/rs/zerolog"
	"golang.org/x/net/idna"
)

const (
	defaultTimeout = 60 * time.Second
	// maxBody is far above any list of a hundred long posts.
	maxBody = 32 << 20
	// wordpressCom is the host of WordPress.com's own API, which takes the
	// status future for draft or for publish.
	wordpressCom = "public-api.wordpress.com"
)

// Options of a Client.
type Options struct {
	URL      string // the site's address
	API      string // its REST root, if it can't be discovered
	User     string
	Password string // an application password
	// Timeout bounds one request; 60 s when 0.
	Timeout   time.Duration
	AllowHTTP bool              // plain http to a host that is not loopback
	UserAgent string            // "Morrow" when empty; some firewalls go by it
	Transport http.RoundTripper // nil means Go's default, cloned
	Now       func() time.Time  // wall clock; nil means time.Now
	// Rand gives a number from 0 up to n, for the jitter of pauses and the
	// unique value of each read. Several goroutines call it at once; nil means
	// math/rand/v2's Int64N.
	Rand   func(n int64) int64
	Logger zerolog.Logger
}

// Client talks to one site as one user. Its methods may be called by several
// goroutines at once. Their errors are of type *Error.
type Client struct {
	http    *resty.Client
	site    *url.URL
	origin  string // the only scheme, host and port that get credentials
	api     *url.URL
	known   atomic.Pointer[known]
	timeout time.Duration
	now     func() time.Time
	rand    func(n int64) int64
	secrets *strings.Replacer
	agent   string
	log     zerolog.Logger
}

// known is what the client itself needs of Facts.
type known struct {
	root      *url.URL
	listUsers bool
}

// New checks the address and sends nothing.
func New(o Options) (*Client, error) {
	if o.User == "" || o.Password == "" || strings.Contains(o.User, ":") {
		return nil, errors.New("check login: a user (without a colon) and an application password are needed")
	}
	return assemble(o)
}

// assemble is New for a client that may do without a login.
func assemble(o Options) (*Client, error) {
	site, err := address("url", o.URL, o.AllowHTTP)
	if err != nil {
		return nil, err
	}
	c := &Client{
		site: site, origin: origin(site), timeout: o.Timeout, now: o.Now, rand: o.Rand,
		secrets: secrets(o.User, o.Password), log: o.Logger,
	}
	if o.API != "" {
		if c.api, err = address("api", o.API, o.AllowHTTP); err != nil {
			return nil, err
		}
		c.api = asRoot(c.api)
		c.origin = origin(c.api)
		c.known.Store(&known{root: c.api})
	}
	if c.timeout == 0 {
		c.timeout = defaultTimeout
	}
	if o.UserAgent == "" {
		o.UserAgent = "Morrow"
	}
	c.agent = o.UserAgent
	if c.now == nil {
		c.now = time.Now
	}
	if c.rand == nil {
		c.rand = rand.Int64N
	}
	c.http = c.restyClient(o)
	return c, nil
}

// restyClient is resty without what would be wrong here: no retries of its
// own, no redirect on writes, no log, no cookies.
func (c *Client) restyClient(o Options) *resty.Client {
	t := o.Transport
	if t == nil {
		t = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
		if d, ok := http.DefaultTransport.(*http.Transport); ok {
			t = d.Clone()
		}
	}
	r := resty.NewWithClient(&http.Client{Transport: t})
	if o.User != "" {
		r.SetBasicAuth(o.User, o.Password)
	}
	return r.SetLogger(silent{}).
		SetDisableWarn(true).
		SetHeader("User-Agent", o.UserAgent).
		SetResponseBodyLimit(maxBody).
		SetRedirectPolicy(resty.RedirectPolicyFunc(c.redirect)).
		SetPreRequestHook(attachBody)
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.GetClient().CloseIdleConnections() }

// silent keeps resty from writing to stderr.
type silent struct{}

func (silent) Errorf(string, ...any) {}
func (silent) Warnf(string, ...any)  {}
func (silent) Debugf(string, ...any) {}

// address reads an address of the configuration; key names it. Its errors
// don't quote what was written, since a password may stand in it.
func address(key, s string, allowHTTP bool) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(s))
	switch {
	case err != nil || u.Host == "":
		return nil, fmt.Errorf("read %s: not an address; write it like https://blog.example.com", key)
	case u.User != nil:
		return nil, fmt.Errorf("read %s: a user or password stands in the address of %s; use the keys user and password", key, u.Host)
	case u.Scheme == "http" && !allowHTTP && !loopback(u.Hostname()):
		return nil, fmt.Errorf("read %s: http://%s would send the password in the clear; use https, or set allow_http: true", key, u.Host)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("read %s: %q is not http or https", key, u.Scheme)
	case strings.EqualFold(u.Hostname(), wordpressCom):
		return nil, fmt.Errorf("read %s: %s is WordPress.com's own API, which can't schedule a post safely; use the site's own address (its plan must allow plugins)", key, wordpressCom)
	case u.RawQuery != "" && !u.Query().Has("rest_route"):
		return nil, fmt.Errorf("read %s: the address has a query; leave out what follows the question mark", key)
	}
	u.Fragment = ""
	return u, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// origin is scheme, host and port in one spelling.
func origin(u *url.URL) string {
	host, err := idna.Lookup.ToASCII(u.Hostname())
	if err != nil { // an IP address with a zone, an underscore
		host = strings.ToLower(u.Hostname())
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(host, port)
}

// secrets takes the password out of texts, in every form in which it could
// come back: as typed, as WordPress strips it, escaped, in the Basic header.
func secrets(user, password string) *strings.Replacer {
	var pairs []string
	for _, p := range []string{password, strings.Join(strings.Fields(password), "")} {
		basic := base64.StdEncoding.EncodeToString([]byte(user + ":" + p))
		for _, s := range []string{basic, p, url.QueryEscape(p), url.PathEscape(p)} {
			if s != "" {
				pairs = append(pairs, s, "***")
			}
		}
	}
	return strings.NewReplacer(pairs...)
}
