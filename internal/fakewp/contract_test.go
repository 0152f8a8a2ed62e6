package fakewp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/fakewp"
	"morrow/internal/wptest"
)

// wp is the site under test, emulated or real, seen by one account. Every
// check gets a site of its own, in the zone Asia/Seoul.
type wp struct {
	*testing.T
	version string
	home    string
	root    string // of REST, without a slash at the end
	client  *http.Client

	user, password string

	addUser func(login, role string) (password string)
	zone    func(name string)
	plain   func()
	// missed leaves a scheduled post past its time and returns its id.
	missed func() int
	// hangUp sends a POST of JSON and breaks the connection at once.
	hangUp func(route, body string)
	// due leaves a scheduled post past its time for WP-Cron to publish.
	due func() int
}

type check struct {
	name string
	run  func(w *wp)
}

// TestContract holds the emulation and the real WordPress to the same facts.
func TestContract(t *testing.T) {
	t.Parallel()
	checks := slices.Concat(listChecks(), writeChecks(), textChecks(), mediaChecks(), accountChecks())
	for _, version := range wptest.Versions() {
		for _, kind := range []struct {
			name string
			site func(t *testing.T, version string) *wp
		}{{"fake", fakeSite}, {"real", realSite}} {
			t.Run(kind.name+" "+version, func(t *testing.T) {
				t.Parallel()
				for _, c := range checks {
					t.Run(c.name, func(t *testing.T) {
						t.Parallel()
						c.run(kind.site(t, version))
					})
				}
			})
		}
	}
}

func fakeSite(t *testing.T, version string) *wp {
	t.Helper()
	var back atomic.Int64 // how far the site's clock is set back
	now := func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }
	o := fakewp.Options{Timezone: "Asia/Seoul", Prefix: "/blog", Version: version, CronDead: true, Now: now}
	s := fakewp.New(o)
	w := &wp{T: t, version: version, user: "editor", password: s.AddUser("editor", "editor")}
	w.addUser = s.AddUser
	w.at("http://fake.test/blog", &http.Client{Transport: s})
	remake := func(change func(*fakewp.Options)) {
		change(&o)
		s = fakewp.New(o)
		s.AddUser("editor", "editor")
		w.client.Transport = s
	}
	w.zone = func(name string) { remake(func(o *fakewp.Options) { o.Timezone = name }) }
	w.plain = func() { remake(func(o *fakewp.Options) { o.Plain = true }) }
	w.hangUp = func(route, body string) {
		defer s.Inject(fakewp.Fault{CutAfter: true})()
		req := w.request(http.MethodPost, w.root+route, strings.NewReader(body))
		req.Header.Set("Content-Type", "application/json")
		req.SetBasicAuth(w.user, w.password)
		if resp, err := w.client.Do(req); err == nil {
			resp.Body.Close()
			t.Errorf("an answer came: %s", resp.Status)
		}
	}
	w.missed = func() int {
		back.Store(int64(2 * time.Hour))
		defer back.Store(0)
		at := time.Now().Add(-time.Hour).UTC().Format(time.DateTime)
		return int(s.InsertPost(fakewp.Post{Title: "late", Slug: "late", Status: "future", DateGMT: at}))
	}
	w.due = func() int {
		s.SetCronDead(false)
		return w.missed()
	}
	return w
}

func realSite(t *testing.T, version string) *wp {
	t.Helper()
	s := wptest.New(t, version)
	// The clone has no pages, but WordPress guards the id of its privacy page.
	s.SetOptions(t, map[string]any{"timezone_string": "Asia/Seoul", "gmt_offset": "", "wp_page_for_privacy_policy": 0})
	w := &wp{T: t, version: version, user: s.User, password: s.Password}
	w.addUser = func(login, role string) string { return s.AddUser(t, login, role) }
	w.at(s.URL, &http.Client{Timeout: time.Minute})
	w.zone = func(name string) { s.SetZone(t, name) }
	w.plain = func() { s.SetPlainPermalinks(t) }
	w.hangUp = func(route, body string) { hangUp(w, route, body) }
	w.due = func() int {
		id := s.InsertPost(t, wptest.Post{
			Title: "late", Slug: "late", Status: "future", Date: time.Now().Add(time.Hour),
		})
		s.MovePost(t, id, time.Now().Add(-time.Hour))
		return id
	}
	w.missed = func() int {
		id := w.due()
		s.Unschedule(t, id)
		return id
	}
	return w
}

// hangUp writes a request and closes the socket without reading.
func hangUp(w *wp, route, body string) {
	w.Helper()
	req := w.request(http.MethodPost, w.root+route, strings.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth(w.user, w.password)
	conn, err := new(net.Dialer).DialContext(w.Context(), "tcp", req.URL.Host)
	if err != nil {
		w.Fatal(err)
	}
	if err := errors.Join(req.Write(conn), conn.Close()); err != nil {
		w.Fatal(err)
	}
}

func (w *wp) at(home string, client *http.Client) {
	w.home, w.root, w.client = home, home+"/wp-json", client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
}

// as is the same site seen by a new account with a role.
func (w *wp) as(role string) *wp {
	other := *w
	other.user, other.password = role+"-account", w.addUser(role+"-account", role)
	return &other
}

// by is the same site with other credentials; an empty user means none.
func (w *wp) by(user, password string) *wp {
	other := *w
	other.user, other.password = user, password
	return &other
}

// reply is the answer to one request.
type reply struct {
	w      *wp
	status int
	header http.Header
	text   string
	body   any
}

func (w *wp) send(req *http.Request) reply {
	w.Helper()
	if w.user != "" {
		req.SetBasicAuth(w.user, w.password)
	}
	resp, err := w.client.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		w.Fatal(err)
	}
	r := reply{w: w, status: resp.StatusCode, header: resp.Header, text: string(raw)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(raw, &r.body); err != nil {
			w.Fatalf("%s %s: %v in %.300s", req.Method, req.URL, err, raw)
		}
	}
	return r
}

func (w *wp) request(method, url string, body io.Reader) *http.Request {
	w.Helper()
	req, err := http.NewRequestWithContext(w.Context(), method, url, body)
	if err != nil {
		w.Fatal(err)
	}
	return req
}

// page fetches what is not REST.
func (w *wp) page(url string) reply {
	w.Helper()
	return w.send(w.request(http.MethodGet, url, http.NoBody))
}

// get asks a REST route with query parameters in pairs.
func (w *wp) get(route string, query ...string) reply {
	w.Helper()
	q := url.Values{}
	for i := 0; i < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	sep := "?"
	if strings.Contains(w.root, "?") {
		sep = "&"
	}
	return w.send(w.request(http.MethodGet, w.root+route+sep+q.Encode(), http.NoBody))
}

type fields = map[string]any

// post sends JSON.
func (w *wp) post(route string, body any) reply {
	w.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		w.Fatal(err)
	}
	return w.raw(route, "application/json", raw)
}

func (w *wp) raw(route, contentType string, body []byte) reply {
	w.Helper()
	req := w.request(http.MethodPost, w.root+route, bytes.NewReader(body))
	req.Header.Set("Content-Type", contentType)
	return w.send(req)
}

// create makes a post, which must succeed, and returns the answer.
func (w *wp) create(body fields) reply {
	w.Helper()
	if _, ok := body["title"]; !ok {
		body["title"] = "A title"
	}
	return w.post("/wp/v2/posts", body).is(http.StatusCreated)
}

// update changes a post, which must succeed.
func (w *wp) update(id int, body fields) reply {
	w.Helper()
	return w.post("/wp/v2/posts/"+itoa(id), body).is(http.StatusOK)
}

func (r reply) is(status int) reply {
	r.w.Helper()
	if r.status != status {
		r.w.Fatalf("status %d, want %d: %.500s", r.status, status, r.text)
	}
	return r
}

// fails checks a WordPress error.
func (r reply) fails(status int, code string) reply {
	r.w.Helper()
	if got := r.value("code"); r.status != status || got != code {
		r.w.Errorf("status %d, code %v, want %d, %s: %.500s", r.status, got, status, code, r.text)
	}
	return r
}

// value digs in the body; "0.content.raw" is of the first row.
func (r reply) value(path string) any {
	v := r.body
	for _, key := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[key]
		case []any:
			i := int(key[0] - '0')
			if i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

func (r reply) str(path string) string {
	s, _ := r.value(path).(string)
	return s
}

func (r reply) id() int {
	r.w.Helper()
	n, ok := r.value("id").(float64)
	if !ok {
		r.w.Fatalf("no id in %.300s", r.text)
	}
	return int(n)
}

// slugs are those of a list.
func (r reply) slugs() []string {
	r.w.Helper()
	rows, ok := r.body.([]any)
	if !ok {
		r.w.Fatalf("no list, status %d: %.300s", r.status, r.text)
	}
	out := []string{}
	for _, row := range rows {
		out = append(out, row.(map[string]any)["slug"].(string))
	}
	return out
}

func (w *wp) equal(what string, got, want any) {
	w.Helper()
	if d := cmp.Diff(want, got); d != "" {
		w.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

// in is an instant from now, in whole seconds.
func in(d time.Duration) time.Time { return time.Now().Add(d).Truncate(time.Second).UTC() }

// utc writes an instant as date_gmt.
func utc(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05") }

// seoul writes an instant as date on the site's clock, 9 h ahead all year.
func seoul(t time.Time) string { return utc(t.Add(9 * time.Hour)) }
