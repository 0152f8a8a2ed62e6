package doctor_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/doctor"
	"morrow/internal/fakewp"
	"morrow/internal/markup"
	"morrow/internal/wptest"
	"morrow/wpclient"
)

// visit is one examination of an emulated site.
type visit struct {
	site    *fakewp.Server
	options doctor.SiteOptions
	until   time.Time // the end of the site's certificate
	// past is how far the site's clock is back: posts are made then.
	past time.Duration
}

func (v *visit) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := v.site.RoundTrip(r)
	if res != nil && r.URL.Scheme == "https" {
		res.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{{NotAfter: v.until}}}
	}
	return res, err
}

func newVisit(o fakewp.Options) *visit {
	if o.Timezone == "" && o.GMTOffset == 0 {
		o.Timezone = "Asia/Seoul"
	}
	v := &visit{until: time.Now().AddDate(0, 2, 0)}
	o.Now = func() time.Time { return time.Now().Add(-v.past) }
	v.site = fakewp.New(o)
	v.options = doctor.SiteOptions{
		Client: wpclient.Options{URL: "https://blog.example.com", User: "editor", Password: v.site.AddUser("editor", "editor"), Transport: v},
		Types:  []string{"posts"}, Host: "here", Now: time.Now,
	}
	return v
}

// before makes a post as it was made some time ago.
func (v *visit) before(d time.Duration, p fakewp.Post) {
	v.past = d
	v.site.InsertPost(p)
	v.past = 0
}

// at lets the client reach a real server.
func (v *visit) at(t *testing.T, s *httptest.Server) {
	t.Helper()
	t.Cleanup(s.Close)
	v.options.Client.URL, v.options.Client.Transport = s.URL, nil
}

func post(t *testing.T, m markup.Marker) string {
	t.Helper()
	content, err := markup.SetMarker("<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->", m)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestSiteSound(t *testing.T) {
	t.Parallel()
	v := newVisit(fakewp.Options{})
	var got []string
	for _, f := range doctor.Site(t.Context(), v.options) {
		got = append(got, f.Check)
		if f.Level != doctor.OK || f.Meaning == "" || f.Remedy != "" {
			t.Errorf("%+v", f)
		}
	}
	want := []string{"certificate", "address", "rest_api", "login", "rights", "zone", "clock", "cache", "wp_cron", "drafts", "machine", "guards"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
	for _, r := range v.site.Requests() {
		if r.Write() {
			t.Errorf("the doctor writes: %+v", r)
		}
	}
}

// Each fault has a line of its own, and a remedy.
func TestSiteFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		emulate fakewp.Options
		harm    func(t *testing.T, v *visit)
		check   string
		level   doctor.Level
		meaning string
		remedy  string
	}{
		{name: "name unknown", harm: func(_ *testing.T, v *visit) {
			v.options.Client.Transport = fails{&net.DNSError{Err: "no such host", Name: "blog.example.com", IsNotFound: true}}
		}, check: "name", level: doctor.Fail, meaning: "blog.example.com can't be looked up", remedy: "spelling of url:"},
		{name: "nothing answers", harm: func(t *testing.T, v *visit) {
			t.Helper()
			s := httptest.NewServer(v.site)
			v.at(t, s)
			s.Close()
		}, check: "connection", level: doctor.Fail, meaning: "can't be reached", remedy: "whether the server is down"},
		{name: "unknown authority", harm: func(t *testing.T, v *visit) {
			t.Helper()
			v.at(t, httptest.NewTLSServer(v.site))
		}, check: "certificate", level: doctor.Fail, meaning: "authority that this machine does not know", remedy: "SSL_CERT_FILE"},
		{name: "certificate of another name", harm: func(_ *testing.T, v *visit) {
			v.options.Client.Transport = fails{&tls.CertificateVerificationError{Err: x509.HostnameError{Host: "blog.example.com", Certificate: &x509.Certificate{DNSNames: []string{"example.com"}}}}}
		}, check: "certificate", level: doctor.Fail, meaning: "not for blog.example.com but for example.com", remedy: "into url:"},
		{name: "certificate over", harm: func(_ *testing.T, v *visit) {
			v.options.Client.Transport = fails{&tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Cert: &x509.Certificate{NotAfter: time.Unix(0, 0).UTC()}, Reason: x509.Expired}}}
		}, check: "certificate", level: doctor.Fail, meaning: "1 January 1970", remedy: "renew"},
		{name: "certificate ends soon", harm: func(_ *testing.T, v *visit) { v.until = time.Now().Add(48 * time.Hour) }, check: "certificate", level: doctor.Warn, meaning: "ends on", remedy: "renew"},
		{name: "no certificate", harm: func(_ *testing.T, v *visit) {
			v.options.Client.URL, v.options.Client.AllowHTTP = "http://blog.example.com", true
		}, check: "certificate", level: doctor.Warn, meaning: "plain http", remedy: "https://"},
		{name: "redirect", harm: func(_ *testing.T, v *visit) {
			f := fakewp.Redirect("https://www.blog.example.com/")
			f.Match = func(r *http.Request) bool { return r.URL.Host == "blog.example.com" }
			v.site.Inject(f)
		}, check: "address", level: doctor.Fail, meaning: "redirects to https://www.blog.example.com", remedy: "write url: https://www.blog.example.com"},
		{name: "another path", emulate: fakewp.Options{Prefix: "/blog"}, harm: func(_ *testing.T, v *visit) {
			v.options.Client.URL += "/blog/about"
		}, check: "address", level: doctor.Warn, meaning: "calls itself https://blog.example.com/blog", remedy: "url: https://blog.example.com/blog"},
		{name: "no WordPress", harm: func(_ *testing.T, v *visit) {
			v.site.Inject(fakewp.Fault{Instead: true, Status: 404, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<title>Nothing</title>"})
		}, check: "rest_api", level: doctor.Fail, meaning: "no WordPress REST API", remedy: "set api:"},
		{name: "bot check", harm: func(_ *testing.T, v *visit) { v.site.Inject(fakewp.Challenge()) }, check: "rest_api", level: doctor.Fail, meaning: "Just a moment", remedy: "exempt the REST API"},
		{name: "password of the server", harm: func(_ *testing.T, v *visit) {
			v.site.Inject(fakewp.Fault{Instead: true, Status: 401, Header: http.Header{"Www-Authenticate": {`Basic realm="staging"`}}, Body: "no"})
		}, check: "login", level: doctor.Fail, meaning: "password of its own in front of WordPress", remedy: "exempt the REST API"},
		{name: "application passwords off", emulate: fakewp.Options{NoAppPasswords: true}, harm: nothing, check: "login", level: doctor.Fail, meaning: "switched off", remedy: "security plugin"},
		{name: "header dropped", harm: func(_ *testing.T, v *visit) { v.site.Inject(fakewp.Fault{NoAuth: true}) }, check: "login", level: doctor.Fail, meaning: "drops the Authorization header", remedy: "CGIPassAuth"},
		{name: "wrong password", harm: func(_ *testing.T, v *visit) { v.options.Client.Password = strings.Repeat("x", 24) }, check: "login", level: doctor.Fail, meaning: "no user editor with this application password", remedy: "new application password"},
		{name: "login password", harm: func(_ *testing.T, v *visit) { v.options.Client.Password = "correct horse" }, check: "login", level: doctor.Fail, meaning: "no application password", remedy: "make one in WordPress"},
		{name: "login refused and no second word", harm: func(_ *testing.T, v *visit) {
			v.site.Inject(fakewp.Fault{NoAuth: true})
			v.site.Inject(fakewp.Fault{Path: "/xmlrpc.php", Instead: true, Status: 405})
		}, check: "login", level: doctor.Fail, meaning: "refused", remedy: "did not arrive"},
		{name: "contributor", harm: as("contributor"), check: "rights", level: doctor.Fail, meaning: "not publish", remedy: "Editor"},
		{name: "subscriber", harm: as("subscriber"), check: "rights", level: doctor.Fail, meaning: "not write posts", remedy: "Editor"},
		{name: "author", harm: as("author"), check: "rights", level: doctor.Warn, meaning: "only its own scheduled posts", remedy: "Editor"},
		{name: "pages by an author", harm: func(t *testing.T, v *visit) {
			t.Helper()
			as("author")(t, v)
			v.options.Types = []string{"pages"}
		}, check: "rights", level: doctor.Fail, meaning: "not write pages", remedy: "Editor"},
		{name: "offset", emulate: fakewp.Options{GMTOffset: 5.75}, harm: nothing, check: "zone", level: doctor.Warn, meaning: "UTC+5.75", remedy: "city"},
		{name: "clock an hour off", harm: func(_ *testing.T, v *visit) { v.site.Inject(fakewp.Fault{Skew: -2 * time.Hour}) }, check: "clock", level: doctor.Fail, meaning: "ahead of", remedy: "NTP"},
		{name: "clock minutes off", harm: func(_ *testing.T, v *visit) { v.site.Inject(fakewp.Fault{Skew: 5 * time.Minute}) }, check: "clock", level: doctor.Warn, meaning: "behind", remedy: "NTP"},
		{name: "cached lists", harm: func(_ *testing.T, v *visit) {
			f := fakewp.CacheHit()
			f.Path = "/posts"
			v.site.Inject(f)
		}, check: "cache", level: doctor.Fail, meaning: "comes from a cache", remedy: "leave the REST API"},
		{name: "missed schedule", emulate: fakewp.Options{CronDead: true}, harm: func(_ *testing.T, v *visit) {
			v.before(48*time.Hour, fakewp.Post{Title: "late", Status: "future", DateGMT: time.Now().UTC().Add(-time.Hour).Format(time.DateTime)})
		}, check: "wp_cron", level: doctor.Warn, meaning: "1 post is still scheduled", remedy: "wp-cron.php every five minutes"},
		{name: "left over", harm: func(t *testing.T, v *visit) {
			t.Helper()
			v.before(48*time.Hour, fakewp.Post{
				Title: "old", Status: "draft", Content: post(t, markup.Marker{Job: "daily", Item: "a", Text: "x", Host: "here"}),
			})
		}, check: "drafts", level: doctor.Warn, meaning: "1 draft is of Morrow's left on the site", remedy: "delete the draft"},
		{name: "another machine", harm: func(t *testing.T, v *visit) {
			t.Helper()
			v.site.InsertPost(fakewp.Post{
				Title: "by another", Status: "future", DateGMT: time.Now().UTC().Add(time.Hour).Format(time.DateTime),
				Content: post(t, markup.Marker{Job: "daily", Item: "a", Text: "x", Host: "laptop", ID: 1}),
			})
		}, check: "machine", level: doctor.Warn, meaning: "the machine laptop, this one is here", remedy: "end it on the other one"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := newVisit(tt.emulate)
			tt.harm(t, v)
			var found []doctor.Finding
			all := doctor.Site(t.Context(), v.options)
			for _, f := range all {
				if f.Level != doctor.OK {
					found = append(found, f)
				}
				if strings.Contains(f.Meaning+f.Remedy, v.options.Client.Password) {
					t.Errorf("the password stands in %+v", f)
				}
			}
			for _, f := range found {
				if f.Check == tt.check && f.Level == tt.level && strings.Contains(f.Meaning, tt.meaning) && strings.Contains(f.Remedy, tt.remedy) {
					basic := slices.Contains([]string{"name", "connection", "certificate", "address", "rest_api", "login"}, f.Check)
					if basic && f.Level == doctor.Fail && all[len(all)-1] != f {
						t.Errorf("asked on without what the rest needs: %+v", all)
					}
					return
				}
			}
			t.Errorf("got %+v\nwant %s %s with %q and %q", found, tt.level, tt.check, tt.meaning, tt.remedy)
		})
	}
}

func nothing(*testing.T, *visit) {}

func as(role string) func(*testing.T, *visit) {
	return func(_ *testing.T, v *visit) {
		v.options.Client.User, v.options.Client.Password = "jane", v.site.AddUser("jane", role)
	}
}

// fails is a connection that never stands.
type fails struct{ err error }

func (f fails) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// The guards are named, and are no fault.
func TestGuards(t *testing.T) {
	t.Parallel()
	f := doctor.Guards([]string{"wp/v2", "wordfence/v1"}, http.Header{"Cf-Ray": {"x"}})
	if f.Level != doctor.OK || !strings.Contains(f.Meaning, "Cloudflare, Wordfence") {
		t.Errorf("got %+v", f)
	}
}

func TestAppPassword(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"abcd efgh ijkl mnop qrst uvwx": true, "ABCDefgh1234mnopqrstuvwx": true, " abcd efgh ijkl mnop qrst uvwx\n": true,
		"": false, "hunter2": false, "abcd efgh ijkl mnop qrst uvw": false, "abcd-efgh-ijkl-mnop-qrst-uvwx": false,
		"abcd efgh ijkl mnop qrst uvwxy": false,
	} {
		if got := doctor.AppPassword(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

// A real site, sound and behind a proxy that drops the header.
func TestRealSite(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetZone(t, "Asia/Seoul")
		at, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = at.Scheme, at.Host
			r.Out.Header.Del("Authorization")
		}})
		defer front.Close()
		o := doctor.SiteOptions{Client: wpclient.Options{URL: s.URL, User: s.User, Password: s.Password}, Types: []string{"posts", "pages"}, Now: time.Now}
		s.ResetRequests(t)
		found := doctor.Site(t.Context(), o)
		for _, f := range found {
			if f.Level != doctor.OK {
				t.Errorf("%+v", f)
			}
		}
		if w := s.Writes(t); len(w) > 0 || len(found) != 12 {
			t.Errorf("writes %+v, findings %+v", w, found)
		}
		o.Client.URL = front.URL + at.Path
		found = doctor.Site(t.Context(), o)
		if last := found[len(found)-1]; last.Check != "login" || !strings.Contains(last.Meaning, "drops the Authorization header") {
			t.Errorf("%+v", found)
		}
		o.Client.URL, o.Client.User, o.Client.Password = s.URL, "jane", s.AddUser(t, "jane", "contributor")
		found = doctor.Site(t.Context(), o)
		if !strings.Contains(found[4].Meaning, "not publish") {
			t.Errorf("%+v", found)
		}
	})
}
