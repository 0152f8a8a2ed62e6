package wpclient

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

const (
	indexJSON = `{"name":"Tom &amp; I","home":"https://blog.example.com/blog","timezone_string":"Asia/Seoul","gmt_offset":9,
		"namespaces":["oembed/1.0","wp/v2"],"authentication":{"application-passwords":{"endpoints":{}}}}`
	meJSON = `{"id":3,"name":"Ed","slug":"ed","username":"editor","capabilities":{"publish_posts":true,"edit_others_posts":1,"level_0":"1","list_users":false}}`
)

// wordpress is a site whose front page is page and whose REST API is at the
// given root, either below its path or in rest_route.
func wordpress(page http.HandlerFunc, rootPath string, change ...func(route string, w http.ResponseWriter, r *http.Request) bool) *recorder {
	return &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route, ok := strings.CutPrefix(r.URL.Path, rootPath)
		if path, plain := strings.CutSuffix(rootPath, "?rest_route=/"); plain {
			route, ok = strings.CutPrefix(r.URL.Query().Get("rest_route"), "/")
			ok = ok && r.URL.Path == path
		}
		if !ok {
			if strings.Trim(r.URL.Path, "/") != "blog" {
				http.NotFound(w, r)
				return
			}
			page(w, r)
			return
		}
		for _, f := range change {
			if f(route, w, r) {
				return
			}
		}
		switch route {
		case "":
			saysJSON(200, indexJSON)(w, r)
		case "wp/v2/users/me":
			saysJSON(200, meJSON)(w, r)
		case "wp/v2/posts":
			saysJSON(200, "[]")(w, r)
		default:
			saysJSON(404, wpErr(404, "rest_no_route", "No route."))(w, r)
		}
	})}
}

func facts(root string) Facts {
	return Facts{
		Root: root, Name: "Tom & I", Home: site, Timezone: "Asia/Seoul", GMTOffset: 9, AppPasswords: true,
		User: User{ID: 3, Name: "Ed", Slug: "ed", Login: "editor", Capabilities: map[string]bool{
			"publish_posts": true, "edit_others_posts": true, "level_0": true, "list_users": false,
		}},
	}
}

func webPage(page string, headers ...string) http.HandlerFunc {
	return says(200, "text/html; charset=UTF-8", page, headers...)
}

func link(to string) string { return fmt.Sprintf(`<%s>; rel="https://api.w.org/"`, to) }

// undiscovered is a client that knows nothing but the site's address.
func undiscovered(t *testing.T, h http.Handler, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{URL: site, User: user, Password: password, Transport: inMemory{h}}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// B52: sub-directory installs and plain permalinks; B56: the login goes along
// from the first request on.
func TestB52B56Discover(t *testing.T) {
	t.Parallel()
	const plain = site + "/index.php?rest_route=/"
	for _, tt := range []struct {
		name     string
		page     http.HandlerFunc
		root     string // as found
		path     string // as served
		api      string
		requests int
	}{
		{"header", webPage("", "Link", link(root)), root, rootPath, "", 3},
		{"header among others", webPage("", "Link", `<https://blog.example.com/?p=1>; rel=shortlink, `+link(root)), root, rootPath, "", 3},
		{"header with other address", webPage("", "Link", link("https://BLOG.example.com:443/blog/api/")), "https://BLOG.example.com:443/blog/api/", "/blog/api/", "", 3},
		{"header of an error page", says(503, "text/html", "", "Link", link(root)), root, rootPath, "", 3},
		{"plain permalinks", webPage("", "Link", link(plain)), plain, "/blog/index.php?rest_route=/", "", 3},
		{"element", webPage(`<head><link rel='https://api.w.org/' href='` + root + `' /></head>`), root, rootPath, "", 3},
		{"element, escaped", webPage(`<link href="` + site + `/?lang=ko&#038;rest_route=/" rel="https://api.w.org/">`), site + "/?lang=ko&rest_route=/", "/blog/?rest_route=/", "", 3},
		{"nothing said", webPage("hello"), root, rootPath, "", 4},
		{"closed front page", says(401, "text/html", ""), root, rootPath, "", 4},
		{"nothing said, plain permalinks", webPage("hello"), site + "/?rest_route=/", "/blog/?rest_route=/", "", 5},
		{"api given", webPage(""), root, rootPath, site + "/wp-json", 2},
		{"api given, plain", webPage(""), site + "/?rest_route=/", "/blog/?rest_route=/", site + "/?rest_route=/", 2},
		{"api on another host", webPage(""), "https://api.example.net/wp-json/", "/wp-json/", "https://api.example.net/wp-json", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := wordpress(tt.page, tt.path)
			c := undiscovered(t, rec, func(o *Options) { o.API = tt.api })
			got, err := c.Discover(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(facts(tt.root), got); d != "" {
				t.Errorf("facts (-want +got):\n%s", d)
			}
			if rec.count() != tt.requests {
				t.Errorf("%d requests, want %d", rec.count(), tt.requests)
			}
			// Joined with a query of its own, and used by whoever has the facts.
			other := undiscovered(t, rec, func(o *Options) { o.API = tt.api })
			if err := other.Use(got); err != nil {
				t.Fatal(err)
			}
			for _, c := range []*Client{c, other} {
				if _, err := c.List(t.Context(), Query{Statuses: []string{"future"}}); err != nil {
					t.Error(err)
				}
				if q := rec.seen[rec.count()-1].URL.Query(); q.Get("status") != "future" {
					t.Errorf("the query was lost: %v", q)
				}
			}
			for _, r := range rec.seen {
				if _, p, _ := r.BasicAuth(); p != password {
					t.Errorf("%s came without the login", r.URL)
				}
			}
		})
	}
}

func TestDiscoverStops(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		page    http.HandlerFunc
		allowed int // requests
		want    []string
	}{
		{"root on another host", webPage("", "Link", link("https://evil.example.net/wp-json/")), 1, []string{"another host or scheme: https://evil.example.net/wp-json/", "api: https://evil.example.net/wp-json/"}},
		{"root on http", webPage("", "Link", link("http://blog.example.com/wp-json/")), 1, []string{"another host or scheme", "http://blog.example.com/wp-json/"}},
		{"root on another port", webPage("", "Link", link("https://blog.example.com:8443/wp-json/")), 1, []string{"another host or scheme"}},
		{"element with another host", webPage(`<link rel="https://api.w.org/" href="//evil.example.net/wp-json/">`), 1, []string{"another host or scheme"}},
		{"redirect to another host", says(301, "text/html", "", "Location", "https://www.example.com/blog?x=1"), 1, []string{"301", "put https://www.example.com/blog into url:"}},
		{"redirect to https", says(301, "text/html", "", "Location", "http://blog.example.com/blog/"), 1, []string{"put http://blog.example.com/"}},
		{"B38 WordPress.com", webPage("", "Link", link("https://public-api.wordpress.com/wp/v2/sites/1/")), 1, []string{"hosted on WordPress.com", "can't schedule a post safely"}},
		{"B38 redirect", says(302, "text/html", "", "Location", "https://public-api.wordpress.com/x"), 1, []string{"WordPress.com's own API"}},
		{"no WordPress", webPage("hello"), 3, []string{"404", "check url:", "set api:"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := wordpress(tt.page, "/elsewhere/")
			_, err := undiscovered(t, rec).Discover(t.Context())
			contains(t, err, tt.want...)
			if rec.count() != tt.allowed {
				t.Errorf("%d requests, want %d", rec.count(), tt.allowed)
			}
			for _, r := range rec.seen {
				if r.URL.Host != "blog.example.com" || r.URL.Scheme != "https" {
					t.Errorf("the login went to %s", r.URL)
				}
			}
		})
	}
}

// B48, B49, B36: what a refused login means.
func TestB48B49Login(t *testing.T) {
	t.Parallel()
	off := strings.Replace(indexJSON, `{"application-passwords":{"endpoints":{}}}`, "[]", 1)
	for _, tt := range []struct {
		name, index string
		me          http.HandlerFunc
		want        []string
	}{
		{"B48 header dropped", indexJSON, saysJSON(401, wpErr(401, "rest_not_logged_in", "You are not currently logged in.")), []string{"log in: 401 rest_not_logged_in", "Authorization header"}},
		{"wrong password", indexJSON, saysJSON(401, wpErr(401, "incorrect_password", "The provided password is an invalid application password.")), []string{"incorrect_password", "make a new application password", "login password does not work"}},
		{"unknown user", indexJSON, saysJSON(401, wpErr(401, "invalid_username", "<strong>Error</strong>: Unknown username.")), []string{"Error: Unknown username; ", "check the user"}},
		{"B49 off", off, saysJSON(401, wpErr(401, "rest_not_logged_in", "You are not currently logged in.")), []string{"offers no application passwords"}},
		{"B49 site-wide Basic login", indexJSON, says(401, "text/html", "", "WWW-Authenticate", `Basic realm="x"`), []string{"the web server itself asks for a password"}},
		{"firewall", indexJSON, says(403, "text/html", "<title>Forbidden</title>"), []string{"403", "firewall"}},
		{"no capabilities", indexJSON, saysJSON(200, `{"id":3,"slug":"x","capabilities":{}}`), []string{"capabilities are missing"}},
		{"no id", indexJSON, saysJSON(200, `{"slug":"x","capabilities":{"read":true}}`), []string{"id or slug is missing"}},
		{"index of something else", `{"namespaces":["oembed/1.0"]}`, saysJSON(200, meJSON), []string{"has no wp/v2"}},
		{"offset", strings.Replace(indexJSON, "9,", `"nine",`, 1), saysJSON(200, meJSON), []string{"gmt_offset is not a number"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				rec := wordpress(webPage("", "Link", link(root)), rootPath, func(route string, w http.ResponseWriter, r *http.Request) bool {
					switch route {
					case "":
						saysJSON(200, tt.index)(w, r)
					default:
						tt.me(w, r)
					}
					return true
				})
				_, err := undiscovered(t, rec).Discover(t.Context())
				contains(t, err, tt.want...)
			})
		})
	}
}

// A WordPress that refuses is a WordPress: no other place is tried.
func TestDiscoverStopsAtRefusal(t *testing.T) {
	t.Parallel()
	rec := wordpress(webPage("hello"), rootPath, func(_ string, w http.ResponseWriter, r *http.Request) bool {
		saysJSON(401, wpErr(401, "rest_login_required", "REST API restricted to authenticated users."))(w, r)
		return true
	})
	_, err := undiscovered(t, rec).Discover(t.Context())
	contains(t, err, "401 rest_login_required")
	if rec.count() != 2 {
		t.Errorf("%d requests, want 2", rec.count())
	}
}

func TestHours(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]float64{"9": 9, `"5.5"`: 5.5, "-3.5": -3.5, `""`: 0, "null": 0, "": 0} {
		if got, err := hours([]byte(in)); err != nil || got != want {
			t.Errorf("%s: got %v, %v; want %v", in, got, err, want)
		}
	}
}

// Facts that were stored for another address don't send the login there.
func TestUseRefusesOtherOrigin(t *testing.T) {
	t.Parallel()
	c := undiscovered(t, http.NotFoundHandler())
	contains(t, c.Use(Facts{Root: "https://evil.example.net/wp-json/"}), "another host")
	contains(t, c.Use(Facts{}), "find REST API")
	_, err := c.List(t.Context(), Query{})
	contains(t, err, "the REST root is not known yet")
}
