package wpclient

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func file(name, text string) Upload {
	return Upload{Name: name, Type: "image/png", Body: strings.NewReader(text), Size: int64(len(text))}
}

// B43: WordPress understands a plain ASCII file name only.
func TestB43FileNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"photo.JPG":              `attachment; filename="photo.JPG"; filename*=UTF-8''photo.JPG`,
		"사진.png":                 `attachment; filename="file.png"; filename*=UTF-8''%EC%82%AC%EC%A7%84.png`,
		`a "b"; x=.png`:          `attachment; filename="a--b---x.png"; filename*=UTF-8''a%20%22b%22%3B%20x%3D.png`,
		"../../x\r\nEvil: 1.png": `attachment; filename="x--Evil--1.png"; filename*=UTF-8''x%0D%0AEvil%3A%201.png`,
		"noext":                  `attachment; filename="noext"; filename*=UTF-8''noext`,
	} {
		rec := &recorder{next: saysJSON(201, `{"id":7,"source_url":"https://blog.example.com/p.png"}`)}
		m, err := newClient(t, inMemory{rec}).Upload(t.Context(), file(name, "data"))
		if err != nil || m.ID != 7 {
			t.Fatalf("got %+v, %v", m, err)
		}
		r := rec.seen[0]
		if got := r.Header.Get("Content-Disposition"); got != want || r.Header.Get("Content-Type") != "image/png" || rec.body[0] != "data" {
			t.Errorf("%q: sent %s, %q, want %s", name, got, rec.body[0], want)
		}
	}
}

// What is said of a file stands in the query, cut to what an address bears.
func TestUploadSays(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: saysJSON(201, `{"id":7,"slug":"morrow-1","source_url":"https://blog.example.com/p.png","media_type":"image","media_details":{"width":30,"height":20,"sizes":{}}}`)}
	u := file("p.png", "data")
	u.Slug, u.Title, u.Alt = "morrow-1", "제목", strings.Repeat("가", 1000)
	m, err := newClient(t, inMemory{rec}).Upload(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Media{ID: 7, Slug: "morrow-1", URL: "https://blog.example.com/p.png", Width: 30, Height: 20, IsImage: true}, m); d != "" {
		t.Error(d)
	}
	q := rec.seen[0].URL.Query()
	if q.Get("slug") != u.Slug || q.Get("title") != u.Title || q.Get("alt_text") != strings.Repeat("가", maxWords/len("%EA%B0%80")) {
		t.Errorf("said %v", q)
	}
}

// B43: what the site says of a file that it does not take.
func TestB43UploadRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		handler http.HandlerFunc
		text    string
		known   bool // that nothing is stored
		want    string
	}{
		{"too large", says(413, "text/html", "<h1>413</h1>"), "data", false, "shrink the file"},
		{"type", saysJSON(500, wpErr(500, "rest_upload_sideload_error", "Sorry, you are not allowed to upload this file type.")), "data", true, "not allowed to upload this file type"},
		{"another 500", saysJSON(500, wpErr(500, "internal_server_error", "There has been a critical error.")), "data", false, "critical error"},
		{"half an answer", saysJSON(201, `{"id":7}`), "data", false, "source_url is missing"},
		{"empty", saysJSON(201, ""), "", true, "p.png is empty"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := newClient(t, inMemory{tt.handler}).Upload(t.Context(), file("p.png", tt.text))
			contains(t, err, "upload media", tt.want)
			if e := asError(t, err); e.Known() != tt.known {
				t.Errorf("known %v, want %v", e.Known(), tt.known)
			}
		})
	}
}

// A stream is sent as it is read, with its length, and not read beforehand.
func TestUploadStreams(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	first := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := make([]byte, 4)
		_, _ = io.ReadFull(r.Body, head)
		close(first)
		rest, _ := io.ReadAll(r.Body)
		got <- fmt.Sprintf("%d %s%s", r.ContentLength, head, rest)
		saysJSON(201, `{"id":7,"source_url":"https://blog.example.com/a.png"}`)(w, r)
	}))
	t.Cleanup(srv.Close)
	body, feed := io.Pipe()
	go func() {
		_, _ = io.WriteString(feed, "PNG ")
		<-first // the server has the beginning before the end exists
		_, _ = io.WriteString(feed, "data")
		_ = feed.Close()
	}()
	m, err := over(t, srv).Upload(t.Context(), Upload{Name: "a.png", Type: "image/png", Body: body, Size: 8})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Media{ID: 7, URL: "https://blog.example.com/a.png"}, m); d != "" {
		t.Error(d)
	}
	if g := <-got; g != "8 PNG data" {
		t.Errorf("server got %q", g)
	}
}

// B43: a server that takes no file of this size says so before the file is
// sent; its word does not get lost in the connection that it closes.
func TestB43TooLargeIsHeardBeforeItIsSent(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		says(413, "text/html", "<h1>413</h1>")(w, nil)
	}))
	t.Cleanup(srv.Close)
	sent := &counter{}
	c := newClient(t, nil, func(o *Options) { o.URL, o.API = srv.URL, srv.URL }) // with the transport of the program
	t.Cleanup(c.Close)
	_, err := c.Upload(t.Context(), Upload{Name: "a.png", Type: "image/png", Body: sent, Size: 64 << 20})
	if e := asError(t, err); e.Status != http.StatusRequestEntityTooLarge || sent.n != 0 {
		t.Errorf("%v, after %d bytes", err, sent.n)
	}
}

// counter is an endless body that counts what is read of it.
type counter struct{ n int }

func (c *counter) Read(p []byte) (int, error) {
	c.n += len(p)
	return len(p), nil
}

// A long file has longer than the time-out of other requests, and not for ever.
func TestUploadHasTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			size, seconds int64
			ok            bool
		}{
			{4, 61, false}, {64 << 20, 61, true}, {64 << 20, 60 + 1024 + 1, false},
		} {
			slow := roundTrip(func(r *http.Request) (*http.Response, error) {
				select {
				case <-time.After(time.Duration(tt.seconds) * time.Second):
				case <-r.Context().Done():
					return nil, r.Context().Err()
				}
				return inMemory{saysJSON(201, `{"id":7,"source_url":"https://blog.example.com/p.png"}`)}.RoundTrip(r)
			})
			_, err := newClient(t, slow).Upload(t.Context(), Upload{Name: "a.png", Type: "image/png", Body: strings.NewReader(""), Size: tt.size})
			if (err == nil) != tt.ok {
				t.Errorf("%d bytes in %d s: %v", tt.size, tt.seconds, err)
			}
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestMediaLists(t *testing.T) {
	t.Parallel()
	const row = `{"id":%d,"slug":"s%d","source_url":"https://blog.example.com/%d.png","media_type":"image","media_details":%s}`
	for _, tt := range []struct {
		name, body string
		want       []Media
		says       string
	}{
		{"none", `[]`, nil, ""},
		{"one", "[" + fmt.Sprintf(row, 1, 1, 1, `{"width":3,"height":2}`) + "]", []Media{{1, "s1", "https://blog.example.com/1.png", 3, 2, true}}, ""},
		{"no details", "[" + fmt.Sprintf(row, 1, 1, 1, `[]`) + "," + fmt.Sprintf(row, 2, 2, 2, `{"width":"3"}`) + "]", []Media{{1, "s1", "https://blog.example.com/1.png", 0, 0, true}, {2, "s2", "https://blog.example.com/2.png", 0, 0, true}}, ""},
		{"not asked for", "[" + fmt.Sprintf(row, 9, 9, 9, `{}`) + "]", nil, "media 9 was not asked for"},
		{"half a row", `[{"id":1,"slug":"s1"}]`, nil, "source_url is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { // what is unverified is read again, after a pause
				rec := &recorder{next: says(200, "application/json", tt.body, "X-WP-Total", strconv.Itoa(strings.Count(tt.body, "source_url")), "X-WP-TotalPages", "1")}
				c := newClient(t, inMemory{rec})
				for by, list := range map[string]func() ([]Media, error){
					"include": func() ([]Media, error) { return c.MediaByID(t.Context(), 1, 2) },
					"slug":    func() ([]Media, error) { return c.MediaBySlug(t.Context(), "s1", "s2") },
				} {
					got, err := list()
					if tt.says != "" {
						contains(t, err, "list media", tt.says)
					} else if d := cmp.Diff(tt.want, got); d != "" || err != nil {
						t.Errorf("by %s: %v\n%s", by, err, d)
					}
					if q := rec.seen[len(rec.seen)-1].URL.Query(); q.Get(by) == "" || q.Has("status") || q.Has("context") {
						t.Errorf("asked %v", q)
					}
				}
			})
		})
	}
}

// Any number of files is asked for, in addresses that a server takes.
func TestMediaListsAreParted(t *testing.T) {
	t.Parallel()
	rec := &recorder{next: saysJSON(200, "[]")}
	slugs := make([]string, 250)
	for i := range slugs {
		slugs[i] = fmt.Sprintf("morrow-%020d", i)
	}
	if _, err := newClient(t, inMemory{rec}).MediaBySlug(t.Context(), slugs...); err != nil {
		t.Fatal(err)
	}
	var asked []string
	for _, r := range rec.seen {
		if len(r.URL.String()) > 4<<10 {
			t.Errorf("an address of %d bytes", len(r.URL.String()))
		}
		asked = append(asked, strings.Split(r.URL.Query().Get("slug"), ",")...)
	}
	if d := cmp.Diff(slugs, asked); d != "" {
		t.Error(d)
	}
}

func FuzzDisposition(f *testing.F) {
	for _, name := range []string{"a.png", "사진.png", `a"b;c=d.jpg`, "../x", "\r\n", ".png", "a.\xff"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		plain, _, ok := strings.Cut(strings.TrimPrefix(disposition(name), `attachment; filename="`), `"; filename*=UTF-8''`)
		if !ok || plain == "" || strings.ContainsFunc(plain, func(r rune) bool {
			return r > 'z' || r < '-' || strings.ContainsRune("/:;<=>?@[\\]^`", r)
		}) {
			t.Errorf("%q becomes %s", name, disposition(name))
		}
	})
}

func FuzzShortened(f *testing.F) {
	f.Add("가나다 \xff", 9)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		got := shortened(s, limit)
		if !strings.HasPrefix(s, got) || len(got) > 0 && len(url.QueryEscape(strings.ToValidUTF8(got, "\ufffd"))) > limit {
			t.Errorf("%q in %d bytes: %q", s, limit, got)
		}
	})
}
