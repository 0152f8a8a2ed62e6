package wptest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"morrow/internal/wptest"
)

// get fetches a page with an answer of 200; host stands in the Host header
// unless empty.
func get(t *testing.T, url, host string) http.Header {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	// A redirect could leave the machine.
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: HTTP %d", url, resp.StatusCode)
	}
	return resp.Header
}

// An upload is served under the address that WordPress names.
func TestUpload(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/wp-json/wp/v2/media", &file)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(s.User, s.Password)
		req.Header.Set("Content-Type", "image/png")
		req.Header.Set("Content-Disposition", `attachment; filename="dot.png"`)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var media struct {
			SourceURL string `json:"source_url"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&media); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(media.SourceURL, s.URL+"/wp-content/uploads/") {
			t.Fatalf("source_url = %q, want it below %s", media.SourceURL, s.URL)
		}
		if got := get(t, media.SourceURL, "").Get("Content-Type"); got != "image/png" {
			t.Errorf("Content-Type = %q, want image/png", got)
		}
	})
}

// A proxy that keeps its own Host header is the site: addresses name it.
func TestHost(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		link := get(t, s.URL+"/", "proxy.test:81").Get("Link")
		if !strings.HasPrefix(link, "<http://proxy.test:81/") {
			t.Errorf("Link = %q, want the REST root below http://proxy.test:81/", link)
		}
	})
}

// A visitor starts WP-Cron only where the test asked for it.
func TestEnableCron(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		id := s.InsertPost(t, wptest.Post{Title: "due", Status: "future", Date: time.Now().Add(time.Hour)})
		s.MovePost(t, id, time.Now().Add(-time.Minute))
		crons := func() (n int) {
			get(t, s.URL+"/", "")
			for _, r := range s.Requests(t) {
				if r.Path == "/wp-cron.php" {
					n++
				}
			}
			return n
		}
		if n := crons(); n != 0 {
			t.Fatalf("%d WP-Cron requests before EnableCron", n)
		}
		s.EnableCron(t)
		for range 200 {
			if crons() > 0 && s.Posts(t)[0].Status == "publish" {
				return
			}
		}
		t.Errorf("status = %q after 200 visits, want publish", s.Posts(t)[0].Status)
	})
}

// stopped is a test that records how it was ended.
type stopped struct {
	testing.TB

	fatal, skip string
}

func (s *stopped) Helper() {}

func (s *stopped) Fatal(args ...any) {
	s.fatal = fmt.Sprint(args...)
	runtime.Goexit()
}

func (s *stopped) Skip(args ...any) {
	s.skip = fmt.Sprint(args...)
	runtime.Goexit()
}

// Without servers a test is skipped with the way to start them, and fails where
// they are required.
func TestNoServers(t *testing.T) {
	t.Setenv("MORROW_WPTEST_DIR", t.TempDir())
	attempt := func() *stopped {
		s := &stopped{TB: t}
		done := make(chan struct{})
		go func() {
			defer close(done)
			wptest.New(s, wptest.Versions()[0])
		}()
		<-done
		return s
	}
	const hint = "internal/wptest/wordpress start"

	t.Setenv("MORROW_WP", "")
	if got := attempt(); !strings.Contains(got.skip, hint) || got.fatal != "" {
		t.Errorf("skipped with %q, failed with %q", got.skip, got.fatal)
	}
	t.Setenv("MORROW_WP", "require")
	if got := attempt(); !strings.Contains(got.fatal, hint) || got.skip != "" {
		t.Errorf("required: skipped with %q, failed with %q", got.skip, got.fatal)
	}
}
