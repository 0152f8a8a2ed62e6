package wpclient

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What isn't a complete, verified list is an error that says why.
func TestUnverifiedLists(t *testing.T) {
	t.Parallel()
	good := postJSON(t, 1, nil)
	without := func(field string) string { return "[" + postJSON(t, 1, map[string]any{field: nil}) + "]" }
	with := func(field string, v any) string { return "[" + postJSON(t, 1, map[string]any{field: v}) + "]" }
	page := "<html><head><title>Just a moment...</title></head><body>checking</body></html>"
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		want    []string
	}{
		{"B20 Age", saysJSON(200, "[]", "Age", "540"), []string{"from a cache (Age: 540)", "leave the REST API"}},
		{"B20 X-Cache", saysJSON(200, "[]", "X-Cache", "Hit from cloudfront"), []string{"X-Cache: Hit from cloudfront"}},
		{"B20 second tier", saysJSON(200, "[]", "X-Cache", "MISS, HIT"), []string{"from a cache"}},
		{"B20 squid", saysJSON(200, "[]", "X-Cache", "TCP_HIT from proxy"), []string{"from a cache"}},
		{"B20 stale", saysJSON(200, "[]", "CF-Cache-Status", "STALE"), []string{"from a cache"}},
		{"B20 updating", saysJSON(200, "[]", "CF-Cache-Status", "UPDATING"), []string{"from a cache"}},
		{"B20 revalidated", saysJSON(200, "[]", "CF-Cache-Status", "REVALIDATED"), []string{"from a cache"}},
		{"B20 litespeed", saysJSON(200, "[]", "X-LiteSpeed-Cache", "hit,private"), []string{"from a cache"}},
		{"B20 nginx", saysJSON(200, "[]", "X-Cache-Status", "HIT"), []string{"from a cache"}},
		{"B20 siteground", saysJSON(200, "[]", "X-Proxy-Cache", "HIT"), []string{"from a cache"}},
		{"B20 RFC 9211", saysJSON(200, "[]", "Cache-Status", "edge; hit"), []string{"from a cache"}},
		{"B22 page", says(200, "text/html; charset=UTF-8", "<title>My\n <b>blog</b></title>"), []string{"200", "a web page instead of JSON", "My"}},
		{"B54 challenge", says(200, "text/html", page), []string{`"Just a moment..."`, "bot check"}},
		{"B54 challenge header", says(403, "text/html", "<p>no</p>", "Cf-Mitigated", "challenge"), []string{"403", "bot check"}},
		{"page without title", says(200, "text/html", "<p>hi"), []string{"a web page instead of JSON"}},
		{"JSON as text", says(200, "text/plain", "[]"), []string{`"text/plain" instead of JSON`}},
		{"no media type", says(200, "", "[]"), []string{"instead of JSON"}},
		{"notice before", saysJSON(200, "<br />\n<b>Warning</b>: Undefined key in x.php\n[]"), []string{"text before its JSON", "Warning: Undefined key"}},
		{"BOM before", saysJSON(200, "\ufeff[]"), []string{"text before its JSON"}},
		{"notice after", saysJSON(200, "[]\n<b>Notice</b>: late"), []string{"text after its JSON", "Notice"}},
		{"cut off", saysJSON(200, "["+good), []string{"cut off or broken"}},
		{"empty", saysJSON(200, ""), []string{"the answer is empty"}},
		{"null", saysJSON(200, "null"), []string{"the answer is no list"}},
		{"object", saysJSON(200, `{"0":`+good+`}`), []string{"another shape"}},
		{"null entry", saysJSON(200, "[null]"), []string{"entry 1", "id"}},
		{"error with 200", saysJSON(200, wpErr(400, "x", "y")), []string{"another shape"}},
		{"no id", saysJSON(200, without("id")), []string{"id missing"}},
		{"no type", saysJSON(200, without("type")), []string{"type missing"}},
		{"no status", saysJSON(200, without("status")), []string{"status missing"}},
		{"no date", saysJSON(200, without("date")), []string{"date missing"}},
		{"no date_gmt", saysJSON(200, without("date_gmt")), []string{"date_gmt missing"}},
		{"no modified", saysJSON(200, without("modified")), []string{"modified missing"}},
		{"no slug", saysJSON(200, without("slug")), []string{"slug missing"}},
		{"no link", saysJSON(200, without("link")), []string{"link missing"}},
		{"no content", saysJSON(200, without("content")), []string{"content.raw missing"}},
		{"rendered only", saysJSON(200, with("title", map[string]any{"rendered": "x"})), []string{"title.raw missing"}},
		{"null date of a scheduled post", saysJSON(200, with("date_gmt", nullDate{})), []string{"post 1 is future without date_gmt"}},
		{"date with zone", saysJSON(200, with("date_gmt", "2027-01-04T23:00:00Z")), []string{"another shape"}},
		{"local date", saysJSON(200, with("date", "tomorrow")), []string{`"tomorrow" is not a date`}},
		{"id as text", saysJSON(200, with("id", "1")), []string{"another shape"}},
		{"201", saysJSON(201, "["+good+"]"), []string{"201"}},
		{"too large", saysJSON(200, strings.Repeat(" ", maxBody+1)), []string{"larger than 32 MiB"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				got, err := newClient(t, inMemory{tt.handler}).List(t.Context(), Query{})
				contains(t, err, append([]string{"list posts"}, tt.want...)...)
				if len(got.Posts) != 0 {
					t.Errorf("an unverified list has rows: %+v", got)
				}
			})
		})
	}
}

// nullDate is null in JSON, where a nil deletes the field.
type nullDate struct{}

func (nullDate) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

func TestVerifiedLists(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
	}{
		{"cache misses", saysJSON(200, "[]", "X-Cache", "Miss from cloudfront", "CF-Cache-Status", "DYNAMIC", "X-LiteSpeed-Cache", "miss", "Age", "0")},
		{"bypass", saysJSON(200, "[]", "X-Proxy-Cache", "BYPASS", "Cache-Status", "edge; fwd=uri-miss")},
		{"white space", saysJSON(200, "\n []\r\n")},
		{"JSON dialect", says(200, "application/hal+json", "[]")},
		{"null date of a draft", saysJSON(200, "["+postJSON(t, 1, map[string]any{"status": "draft", "date_gmt": nullDate{}})+"]", "X-WP-Total", "1")},
		{"empty slug of a draft", saysJSON(200, "["+postJSON(t, 1, map[string]any{"status": "draft", "slug": ""})+"]", "X-WP-Total", "1")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := newClient(t, inMemory{tt.handler}).List(t.Context(), Query{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestServerDate(t *testing.T) {
	t.Parallel()
	got, err := newClient(t, inMemory{saysJSON(200, "[]", "Date", "yesterday")}).List(t.Context(), Query{})
	if err != nil || !got.Date.IsZero() || got.At.IsZero() {
		t.Errorf("got %v, %v, %v; want no date", got.Date, got.At, err)
	}
}

// B26: every status, for a read: is it asked again? for a write: is it known
// that it had no effect? Bodies are WordPress's own error and a page.
func TestEveryStatus(t *testing.T) {
	t.Parallel()
	again := map[int]bool{408: true, 425: true, 429: true}
	for status := 200; status < 600; status++ {
		if http.StatusText(status) == "" || status == 304 {
			continue
		}
		for _, body := range []string{"wordpress", "page"} {
			t.Run(fmt.Sprintf("%d %s", status, body), func(t *testing.T) {
				t.Parallel()
				answer := says(status, "text/html", "<title>x</title>")
				if body == "wordpress" {
					answer = saysJSON(status, wpErr(status, "rest_some_error", "Some error."))
				}
				wantReads := 1
				if again[status] || status >= 500 || status < 300 {
					wantReads = attempts
				}
				wantRefused := body == "wordpress" && status >= 400 && status < 500
				synctest.Test(t, func(t *testing.T) {
					rec := &recorder{next: answer}
					c := newClient(t, inMemory{rec})
					_, err := c.List(t.Context(), Query{})
					if e := asError(t, err); e.Status != status || rec.count() != wantReads {
						t.Errorf("read: status %d after %d requests, want %d after %d", e.Status, rec.count(), status, wantReads)
					}
					rec = &recorder{next: answer}
					c = newClient(t, inMemory{rec})
					_, err = c.Create(t.Context(), "posts", Fields{})
					e := asError(t, err)
					if e.Status != status || rec.count() != 1 {
						t.Errorf("write: status %d after %d requests, want %d after 1", e.Status, rec.count(), status)
					}
					if e.Unsent || e.Refused != wantRefused || e.Known() != wantRefused {
						t.Errorf("write: unsent %v, refused %v; want false, %v", e.Unsent, e.Refused, wantRefused)
					}
				})
			})
		}
	}
}

// A proxy's JSON error is not WordPress's: it proves nothing of a write.
func TestForeignJSONErrorIsNoRefusal(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"message":"Forbidden"}`, `{"code":"x","message":"y","data":null}`, `{"code":1020,"message":"denied"}`, `{"code":"x","data":{"status":403}}`, `[]`} {
		_, err := newClient(t, inMemory{saysJSON(403, body)}).Create(t.Context(), "posts", Fields{})
		if e := asError(t, err); e.Refused || e.Status != 403 {
			t.Errorf("%s: got %+v", body, e)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header, date string
		want         time.Duration
	}{
		{"", "", 0},
		{"30", "", 30 * time.Second},
		{"-5", "", 0},
		{"soon", "", 0},
		{strconv.Itoa(1 << 40), "", (1 << 30) * time.Second},
		{"Tue, 01 Dec 2026 12:01:00 GMT", "Tue, 01 Dec 2026 12:00:00 GMT", time.Minute},
		{"Tue, 01 Dec 2026 12:01:00 GMT", "", 2 * time.Minute},
		{"Tue, 01 Dec 2026 11:00:00 GMT", "Tue, 01 Dec 2026 12:00:00 GMT", 0},
	} {
		a := answer{header: http.Header{"Retry-After": {tt.header}, "Date": {tt.date}}, at: time.Date(2026, 12, 1, 11, 59, 0, 0, time.UTC)}
		if got := retryAfter(a); got != tt.want {
			t.Errorf("%q: got %v, want %v", tt.header, got, tt.want)
		}
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a <strong>bold</strong> &amp; b": "a bold & b",
		"line\nbreak\x1b[31m red\x00":     "line break[31m …",
		strings.Repeat("가", 20):           strings.Repeat("가", 15) + "…",
	} {
		if got := newClient(t, inMemory{http.NotFoundHandler()}).plain(in, 15); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzPostJSON(f *testing.F) {
	f.Add(postJSON(f, 1, nil))
	f.Add(`{"id":1,"date_gmt":null}`)
	f.Add("<b>Warning</b>[]")
	c, err := New(Options{URL: site, User: user, Password: password})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var r row
		err := c.readJSON("read", answer{status: 200, header: http.Header{"Content-Type": {"application/json"}}, body: []byte(body)}, &r)
		if err != nil || r.check("posts") != nil {
			return
		}
		p := r.post()
		if p.ID <= 0 || p.Status == "" || p.Date == "" || (p.Status == "future" && p.DateGMT.IsZero()) {
			t.Errorf("verified, yet not whole: %+v", p)
		}
	})
}
