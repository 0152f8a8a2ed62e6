package wpclient

import (
	"net/http"
	"strings"
	"testing"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"no address", func(o *Options) { o.URL = "" }, "read url: not an address"},
		{"no scheme", func(o *Options) { o.URL = "blog.example.com" }, "write it like https://"},
		{"other scheme", func(o *Options) { o.URL = "ftp://blog.example.com" }, `"ftp" is not http or https`},
		{"plain http", func(o *Options) { o.URL = "http://blog.example.com" }, "set allow_http: true"},
		{"plain http to a look-alike", func(o *Options) { o.URL = "http://localhost.example.com" }, "set allow_http: true"},
		{"plain http for api", func(o *Options) { o.API = "http://blog.example.com/wp-json" }, "read api: http://blog.example.com"},
		{"password in the address", func(o *Options) { o.URL = "https://editor:" + secret + "@blog.example.com" }, "use the keys user and password"},
		{"password in a broken address", func(o *Options) { o.URL = "https://editor:" + secret + "@blog:x%" }, "not an address"},
		{"query", func(o *Options) { o.URL = "https://blog.example.com/?page=2" }, "has a query"},
		{"B38 WordPress.com", func(o *Options) { o.URL = "https://public-api.wordpress.com/rest/v1.1/sites/1" }, "can't schedule a post safely"},
		{"no user", func(o *Options) { o.User = "" }, "a user"},
		{"user with a colon", func(o *Options) { o.User = "a:b" }, "without a colon"},
		{"no password", func(o *Options) { o.Password = "" }, "application password"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := Options{URL: site, User: user, Password: password}
			tt.change(&o)
			_, err := New(o)
			contains(t, err, tt.want)
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the password stands in %q", err)
			}
		})
	}
}

const secret = "s3cr3t"

func TestNewAccepts(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{URL: "https://blog.example.com"},
		{URL: " https://blog.example.com/blog/#top "},
		{URL: "http://127.0.0.1:8080"},
		{URL: "http://[::1]:8080"},
		{URL: "http://localhost"},
		{URL: "http://wp.localhost"},
		{URL: "http://blog.example.com", AllowHTTP: true},
		{URL: "https://blog.example.com", API: "https://blog.example.com/?rest_route=/"},
	} {
		o.User, o.Password = user, password
		c, err := New(o)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
		} else if c.site.Fragment != "" {
			t.Errorf("%s keeps its fragment", c.site)
		}
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{
		"https://Blog.Example.com/x": "https://blog.example.com:443",
		"http://[::1]/":              "http://[::1]:80",
		"https://한글.kr":              "https://xn--bj0bj06e.kr",
		"https://my_blog.example":    "https://MY_blog.example",
	} {
		ua, err := address("url", a, true)
		if err != nil {
			t.Fatal(err)
		}
		ub, err := address("url", b, true)
		if err != nil {
			t.Fatal(err)
		}
		if origin(ua) != origin(ub) {
			t.Errorf("%s and %s: %s, %s", a, b, origin(ua), origin(ub))
		}
	}
}

func TestUserAgent(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{"": "Morrow", "Morrow/1.2": "Morrow/1.2"} {
		rec := &recorder{next: saysJSON(200, "[]")}
		if _, err := newClient(t, inMemory{rec}, func(o *Options) { o.UserAgent = set }).List(t.Context(), Query{}); err != nil {
			t.Fatal(err)
		}
		if got := rec.seen[0].Header.Get("User-Agent"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// New sends nothing: a client costs nothing until it is used.
func TestNewSendsNothing(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: http.NotFoundHandler()}
	newClient(t, inMemory{rec}).Close()
	if rec.count() != 0 {
		t.Errorf("%d requests", rec.count())
	}
}
