package wpclient

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/fakewp"
	"morrow/internal/wptest"
)

func TestAddresses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		typed string
		want  []string
		fails string
	}{
		{"https://blog.example.com", []string{"https://blog.example.com", "https://www.blog.example.com"}, ""},
		{" Blog.Example.com/ ", []string{
			"https://blog.example.com", "https://www.blog.example.com", "http://blog.example.com", "http://www.blog.example.com",
		}, ""},
		{"https://www.example.com/wp-admin/post.php?post=3#x", []string{"https://www.example.com", "https://example.com"}, ""},
		{"HTTPS://example.com/blog/wp-login.php", []string{"https://example.com/blog", "https://www.example.com/blog"}, ""},
		{"https://example.com/blog/wp-json/wp/v2/posts", []string{"https://example.com/blog", "https://www.example.com/blog"}, ""},
		{"<http://example.com/index.php>", []string{"http://example.com", "http://www.example.com"}, ""},
		{"127.0.0.1:8080/s1", []string{"https://127.0.0.1:8080/s1", "http://127.0.0.1:8080/s1"}, ""},
		{"localhost", []string{"https://localhost", "http://localhost"}, ""},
		{"nas", []string{"https://nas", "http://nas"}, ""},
		{"", nil, "no web address"},
		{"my blog", nil, "no web address"},
		{"me@example.com", nil, "a user or password stands"},
		{"https://me:secret@example.com", nil, "a user or password stands"},
		{"ftp://example.com", nil, "not with ftp://"},
	}
	for _, tt := range tests {
		t.Run(tt.typed, func(t *testing.T) {
			t.Parallel()
			got, err := Addresses(tt.typed)
			if tt.fails != "" {
				contains(t, err, tt.fails)
				if strings.Contains(err.Error(), "secret") {
					t.Errorf("the error repeats what was typed: %v", err)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("got error %v and (-want +got):\n%s", err, diff)
			}
		})
	}
}

// hosts are several in-memory sites, by host with scheme.
type hosts map[string]http.RoundTripper

func (h hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	if rt, ok := h[r.URL.Scheme+"://"+r.URL.Host]; ok {
		return rt.RoundTrip(r)
	}
	return inMemory{http.NotFoundHandler()}.RoundTrip(r)
}

// always redirects to another host, the path kept.
func always(to string) http.RoundTripper {
	return inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, to+r.URL.Path, http.StatusMovedPermanently)
	})}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	blog := fakewp.New
	tests := []struct {
		name  string
		hosts hosts
		typed string
		want  string // url
		api   string
		fails string
	}{
		{"as it stands", hosts{"https://x.example": blog(fakewp.Options{})}, "https://x.example", "https://x.example", "", ""},
		{"without a scheme", hosts{"https://x.example": blog(fakewp.Options{})}, "x.example", "https://x.example", "", ""},
		{"http alone", hosts{"http://x.example": blog(fakewp.Options{})}, "x.example", "http://x.example", "", ""},
		{"http sent to https", hosts{"https://x.example": blog(fakewp.Options{}), "http://x.example": always("https://x.example")}, "http://x.example", "https://x.example", "", ""},
		{"www wanted", hosts{"https://www.x.example": blog(fakewp.Options{}), "https://x.example": always("https://www.x.example")}, "x.example", "https://www.x.example", "", ""},
		{"www too much", hosts{"https://x.example": blog(fakewp.Options{})}, "www.x.example", "https://x.example", "", ""},
		{"dashboard", hosts{"https://x.example": blog(fakewp.Options{Prefix: "/blog"})}, "x.example/blog/wp-admin/", "https://x.example/blog", "", ""},
		{"a page of it", hosts{"https://x.example": blog(fakewp.Options{})}, "x.example/?page_id=2", "https://x.example", "", ""},
		{"plain permalinks", hosts{"https://x.example": blog(fakewp.Options{Plain: true})}, "x.example", "https://x.example", "", ""},
		{"in circles", hosts{"https://x.example": always("https://y.example"), "https://y.example": always("https://x.example")}, "https://x.example", "", "", "circles"},
		{
			"a certificate that is wrong is no reason for http",
			hosts{
				"http://x.example": blog(fakewp.Options{}),
				"https://x.example": roundTrip(func(*http.Request) (*http.Response, error) {
					return nil, &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
				}),
			},
			"x.example", "", "", "certificate is not valid",
		},
		{"not WordPress", hosts{}, "x.example", "", "", "no WordPress REST API"},
		{
			"https in front of a WordPress that thinks it has http",
			hosts{"https://x.example": thinksHTTP(blog(fakewp.Options{})), "http://x.example": always("https://x.example")},
			"x.example", "https://x.example", "https://x.example/wp-json/", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := Find(t.Context(), tt.typed, Options{Transport: tt.hosts})
			if tt.fails != "" {
				contains(t, err, tt.fails)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.URL != tt.want || p.API != tt.api || !p.Open || p.Name != "Fake WordPress" {
				t.Errorf("got %+v", p)
			}
		})
	}
}

// thinksHTTP lets a site believe that it was asked over http.
func thinksHTTP(site http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Scheme = "http"
		return site.RoundTrip(r)
	})
}

// A visitor's look sends no login, and an index that is closed to visitors is
// no obstacle, nor is a front page that leads to the login.
func TestLocateClosedIndex(t *testing.T) {
	t.Parallel()
	for name, link := range map[string][]string{"announced": {`<https://x.example/wp-json/>; rel="https://api.w.org/"`}, "not announced": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			closedIndex(t, link)
		})
	}
}

func closedIndex(t *testing.T, link []string) {
	t.Helper()
	site := fakewp.New(fakewp.Options{})
	site.Inject(fakewp.Fault{Header: http.Header{"Link": link}})
	site.Inject(fakewp.Fault{
		Match:   func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/wp-json/") },
		Instead: true, Status: 401, Header: http.Header{"Content-Type": {"application/json"}},
		Body: wpErr(401, "rest_login_required", "REST API restricted."),
	})
	rec := roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the look sends a login")
		}
		return site.RoundTrip(r)
	})
	p, err := Locate(t.Context(), Options{URL: "https://x.example", User: user, Password: password, Transport: rec})
	if err != nil || p.Open || p.URL != "https://x.example" {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestRealLocate(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		p, err := Find(t.Context(), strings.TrimPrefix(s.URL, "http://")+"/wp-admin/index.php", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p.URL != s.URL || p.API != "" || !p.AppPasswords || p.Authorize != s.URL+"/wp-admin/authorize-application.php" {
			t.Errorf("got %+v", p)
		}
	})
}

// A wrong password and a header that a proxy drops look alike to REST, and not
// to XML-RPC.
func TestRealTakesLogin(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		at, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = at.Scheme, at.Host
			r.Out.Header.Del("Authorization")
		}}
		front := httptest.NewServer(proxy)
		defer front.Close()
		for name, tt := range map[string]struct {
			password string
			want     bool
		}{"header dropped": {s.Password, true}, "wrong password": {"xxxxxxxxxxxxxxxxxxxxxxxx", false}} {
			c, err := New(Options{URL: front.URL + at.Path, User: s.User, Password: tt.password})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Discover(t.Context())
			contains(t, err, "401 rest_not_logged_in")
			got, err := c.TakesLogin(t.Context())
			if err != nil || got != tt.want {
				t.Errorf("%s: got %v, %v", name, got, err)
			}
			c.Close()
		}
	})
}

func TestTakesLogin(t *testing.T) {
	t.Parallel()
	emulated := fakewp.New(fakewp.Options{})
	pass := emulated.AddUser(user, "editor")
	tests := []struct {
		name     string
		site     http.RoundTripper
		password string
		want     bool
		fails    string
	}{
		{"right", emulated, pass, true, ""},
		{"wrong", emulated, "a<&b", false, ""},
		{"closed", inMemory{says(405, "text/html", "no")}, pass, false, "no answer of XML-RPC"},
		{"another page", inMemory{says(200, "text/html", "<methodResponse><params></params></methodResponse>")}, pass, false, "no answer of XML-RPC"},
		{"another fault", inMemory{says(200, "text/xml", `<methodResponse><fault><value><struct><member><name>faultCode</name>`+
			`<value><int>405</int></value></member></struct></value></fault></methodResponse>`)}, pass, false, "XML-RPC refuses"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, err := New(Options{URL: "https://x.example", User: user, Password: tt.password, Transport: tt.site})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.TakesLogin(t.Context())
			if tt.fails != "" {
				contains(t, err, tt.fails)
			} else if err != nil || got != tt.want {
				t.Errorf("got %v, %v", got, err)
			}
		})
	}
}
