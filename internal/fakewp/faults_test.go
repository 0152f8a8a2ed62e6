package fakewp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/fakewp"
)

// emulated is a fresh site and its administrator.
func emulated(t *testing.T, o fakewp.Options) (*fakewp.Server, *wp) {
	t.Helper()
	s := fakewp.New(o)
	w := &wp{T: t, user: "boss", password: s.AddUser("boss", "administrator")}
	w.at("http://fake.test", &http.Client{Transport: s})
	return s, w
}

// try creates a draft by hand, where an error is the point.
func (w *wp) try(slug string) (status int, header http.Header, body string, err error) {
	w.Helper()
	req := w.request(http.MethodPost, w.root+"/wp/v2/posts",
		strings.NewReader(`{"title":"x","status":"draft","slug":"`+slug+`"}`))
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth(w.user, w.password)
	resp, err := w.client.Do(req)
	if err != nil {
		return 0, nil, "", err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header, string(raw), err
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		fault  fakewp.Fault
		broken bool // the exchange ends in an error
		status int
		stored int
		check  func(h http.Header, body string) bool
	}{
		{"none", fakewp.Fault{Method: "GET", CutBefore: true}, false, 201, 1, nil},
		{"cut before", fakewp.Fault{CutBefore: true}, true, 0, 0, nil},
		{"cut after", fakewp.Fault{CutAfter: true}, true, 0, 1, nil},
		{"body cut off", fakewp.Fault{CutBody: 10}, true, 201, 1, func(_ http.Header, body string) bool { return len(body) == 10 }},
		{
			"502 although stored",
			fakewp.Fault{Status: 502, Body: "Bad Gateway"},
			false, 502, 1,
			func(_ http.Header, body string) bool { return body == "Bad Gateway" },
		},
		{
			"503 instead",
			fakewp.Fault{Instead: true, Status: 503, Header: http.Header{"Retry-After": {"9"}}},
			false, 503, 0,
			func(h http.Header, _ string) bool { return h.Get("Retry-After") == "9" },
		},
		{
			"challenge", fakewp.Challenge(), false, 403, 0,
			func(h http.Header, body string) bool {
				return strings.HasPrefix(h.Get("Content-Type"), "text/html") && strings.Contains(body, "Just a moment")
			},
		},
		{
			"redirect", fakewp.Redirect("https://other.test/"), false, 301, 0,
			func(h http.Header, _ string) bool { return h.Get("Location") == "https://other.test/" },
		},
		{
			"junk",
			fakewp.Fault{Prefix: "\ufeffNotice: x\n", Suffix: "<!-- cached -->"},
			false, 201, 1,
			func(_ http.Header, body string) bool {
				return strings.HasPrefix(body, "\ufeffNotice: x\n{") && strings.HasSuffix(body, "}<!-- cached -->")
			},
		},
		{"twice", fakewp.Fault{Twice: 1}, false, 201, 2, nil},
		{"no credentials", fakewp.Fault{NoAuth: true}, false, 401, 0, nil},
		{"clock", fakewp.Fault{Skew: -3 * time.Hour}, false, 201, 1, func(h http.Header, _ string) bool {
			at, err := http.ParseTime(h.Get("Date"))
			return err == nil && time.Until(at.Add(3*time.Hour)).Abs() < time.Minute
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, w := emulated(t, fakewp.Options{})
			s.Inject(tt.fault)
			status, header, body, err := w.try("x")
			if (err != nil) != tt.broken || status != tt.status {
				t.Errorf("status %d, error %v", status, err)
			}
			if got := len(s.Posts()); got != tt.stored {
				t.Errorf("%d posts stored, want %d", got, tt.stored)
			}
			if tt.check != nil && !tt.check(header, body) {
				t.Errorf("header %v, body %q", header, body)
			}
		})
	}
}

func TestFaultsOverHTTP(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	srv := httptest.NewServer(s)
	defer srv.Close()
	w.at(srv.URL, srv.Client())
	remove := s.Inject(fakewp.Fault{CutAfter: true})
	if _, _, _, err := w.try("a"); err == nil {
		t.Error("no error from a cut connection")
	}
	remove()
	s.Inject(fakewp.Fault{CutBody: 10})
	if _, _, body, err := w.try("b"); !errors.Is(err, io.ErrUnexpectedEOF) || len(body) != 10 {
		t.Errorf("cut body: %q, %v", body, err)
	}
	if got := len(s.Posts()); got != 2 {
		t.Errorf("%d posts stored, want 2", got)
	}
}

func TestFaultMatching(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	s.Inject(fakewp.Fault{
		Method: "POST", Path: "/wp/v2/posts", Skip: 1, Times: 2, Status: 500,
		Match: func(r *http.Request) bool { return r.URL.Query().Get("spare") == "" },
	})
	var got []int
	for _, route := range []string{
		"/wp/v2/posts", "/wp/v2/posts?spare=1", "/wp/v2/tags", "/wp/v2/posts", "/wp/v2/posts", "/wp/v2/posts",
	} {
		got = append(got, w.post(route, fields{"title": "x", "name": "x"}).status)
	}
	w.equal("status", got, []int{201, 201, 201, 500, 500, 201})
}

// A person may act between two requests of a client.
func TestMatchMayActAsAPerson(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	s.Inject(fakewp.Fault{Times: 1, Match: func(r *http.Request) bool {
		if r.Method == http.MethodPost {
			s.InsertPost(fakewp.Post{Title: "Mine", Slug: "same", Status: "publish"})
		}
		return false
	}})
	w.equal("slug", w.create(fields{"slug": "same", "status": "draft"}).str("slug"), "same-2")
}

func TestStale(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	w.create(fields{"slug": "old", "status": "publish"})
	remove := s.Inject(fakewp.CacheHit())
	w.create(fields{"slug": "new", "status": "publish"})
	r := w.get("/wp/v2/posts", "nocache", "1")
	w.equal("stale", r.slugs(), []string{"old"})
	w.equal("age", r.header.Get("Age"), "540")
	remove()
	w.equal("fresh", len(w.get("/wp/v2/posts").slugs()), 2)
}

func TestHiddenPostsAreCounted(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	id := w.create(fields{"slug": "hidden", "status": "publish"}).id()
	w.create(fields{"slug": "shown", "status": "publish"})
	s.Inject(fakewp.Fault{Hidden: []int64{int64(id)}})
	r := w.get("/wp/v2/posts")
	w.equal("rows", r.slugs(), []string{"shown"})
	w.equal("total", r.header.Get("X-WP-Total"), "2")
	s.Inject(fakewp.NoTotals())
	if _, ok := w.get("/wp/v2/posts").header["X-Wp-Total"]; ok {
		t.Error("the total is still there")
	}
}

// Two drafts created at the same instant can get the same slug; the first
// commit then gets the suffix.
func TestSlugGap(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	remove := s.Inject(fakewp.Fault{SlugGap: true})
	first := w.create(fields{"slug": "same", "status": "draft"})
	second := w.create(fields{"slug": "same", "status": "draft"})
	remove()
	w.equal("drafts", []string{first.str("slug"), second.str("slug")}, []string{"same", "same"})
	r := w.update(first.id(), fields{"status": "future", "date_gmt": utc(in(time.Hour)), "slug": "same"})
	w.equal("commit", r.str("slug"), "same-2")
}

func TestDelaysTakeVirtualTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, w := emulated(t, fakewp.Options{})
		s.Inject(fakewp.Fault{DelayBefore: time.Minute, DelayAfter: time.Hour})
		start := time.Now()
		w.create(fields{})
		w.equal("waited", time.Since(start), time.Hour+time.Minute)
		w.equal("handled after", s.Requests()[0].At.Sub(start), time.Minute)
	})
}

// A client that gives up does not call its request back.
func TestAbandonedRequestArrives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, w := emulated(t, fakewp.Options{})
		s.Inject(fakewp.Fault{Times: 1, DelayBefore: 10 * time.Minute})
		w.client.Timeout = time.Minute
		if _, _, _, err := w.try("late"); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("error %v", err)
		}
		w.equal("at once", len(w.get("/wp/v2/posts", "status", "draft").slugs()), 0)
		time.Sleep(9 * time.Minute)
		w.equal("later", w.get("/wp/v2/posts", "status", "draft").slugs(), []string{"late"})
	})
}

func TestLateRequestsArriveInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, w := emulated(t, fakewp.Options{})
		s.Inject(fakewp.Fault{Times: 1, Late: 2 * time.Hour})
		_, _, _, errA := w.try("a")
		s.Inject(fakewp.Fault{Times: 1, Late: time.Hour})
		_, _, _, errB := w.try("b")
		if errA == nil || errB == nil {
			t.Errorf("errors %v, %v", errA, errB)
		}
		time.Sleep(3 * time.Hour)
		s.Settle()
		got := []string{}
		for _, p := range s.Posts() {
			got = append(got, p.Slug+" "+p.Modified)
		}
		sent := time.Now().Add(-3 * time.Hour).UTC()
		w.equal("posts", got, []string{
			"b " + sent.Add(time.Hour).Format(time.DateTime), "a " + sent.Add(2*time.Hour).Format(time.DateTime),
		})
	})
}

func TestRequestsCountWrites(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	id := w.create(fields{}).id()
	w.get("/wp/v2/posts", "status", "draft")
	w.post("/wp/v2/posts/"+itoa(id)+"?_method=DELETE&force=true", nil)
	s.Inject(fakewp.Fault{CutBefore: true})
	_, _, _, _ = w.try("x")
	type seen struct {
		Method, Route, User string
		Status              int
		Write               bool
	}
	var got []seen
	for _, r := range s.Requests() {
		got = append(got, seen{r.Method, r.Route, r.User, r.Status, r.Write()})
	}
	want := []seen{
		{"POST", "/wp/v2/posts", "boss", 201, true},
		{"GET", "/wp/v2/posts", "boss", 200, false},
		{"DELETE", "/wp/v2/posts/" + itoa(id), "boss", 200, true},
		{"POST", "/wp-json/wp/v2/posts", "", 0, true},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
