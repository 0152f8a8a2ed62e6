package compose_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/compose"
	"morrow/internal/fakewp"
	"morrow/internal/source"
	"morrow/wpclient"
)

// pngOf is a picture of its own for each n.
func pngOf(t *testing.T, n int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 40, 30))
	img.Set(n%40, n/40, color.White)
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// folder is a queue with these files, left alone for an hour.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// memory is what a journal remembers.
type memory map[string]wpclient.Media

func (m memory) Media(_ context.Context, site, hash string) (int64, string, error) {
	return m[site+hash].ID, m[site+hash].URL, nil
}

func (m memory) SaveMedia(_ context.Context, site, hash string, id int64, url string) error {
	m[site+hash] = wpclient.Media{ID: id, URL: url}
	return nil
}

// media are the files in the library, by id.
func media(s *fakewp.Server) (found []fakewp.Post) {
	for _, p := range s.Posts() {
		if p.Type == "attachment" {
			found = append(found, p)
		}
	}
	return found
}

// asked are the requests since the first before, in short.
func asked(s *fakewp.Server, before int) (list []string) {
	for _, r := range s.Requests()[before:] {
		list = append(list, r.Method+" "+strings.TrimPrefix(r.Route, "/wp/v2/"))
	}
	return list
}

func illustrated(t *testing.T) source.Item {
	t.Helper()
	return item(func(it *source.Item) {
		it.Root = folder(t, map[string][]byte{
			"images/sea view.png": pngOf(t, 1), "first.assets/가.png": pngOf(t, 2), "copy of sea.png": pngOf(t, 1), "cover.png": pngOf(t, 3),
		})
		it.Body = []byte("![the sea](images/sea%20view.png)\n\nText ![](first.assets/가.png) and ![web](https://e.example/x.png)\n\n![again](<copy of sea.png>)\n\n![](images/sea%20view.png)")
		it.Featured = source.Featured{File: "cover.png", Alt: "a cover", Line: 2}
	})
}

func TestMediaIsUploadedOnce(t *testing.T) {
	t.Parallel()
	for _, role := range []string{"editor", "author"} {
		for _, kept := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, journal kept %v", role, kept), func(t *testing.T) {
				t.Parallel()
				s, client := fakeSite(t, role)
				m := memory{}
				c := compose.New(compose.Options{Client: client, Job: "daily", Memory: m, Site: "blog"})
				it := illustrated(t)
				before := len(s.Requests())
				d, err := c.Compose(t.Context(), it)
				if err != nil {
					t.Fatal(err)
				}
				want := []string{"GET media", "POST media", "POST media", "POST media"}
				if diff := cmp.Diff(want, asked(s, before)); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
				lib := media(s)
				if len(lib) != 3 || len(m) != 3 {
					t.Fatalf("%d files, %d remembered, want 3", len(lib), len(m))
				}
				if lib[0].Title != "sea view" || lib[0].Alt != "the sea" || lib[2].Alt != "a cover" || d.Featured != lib[2].ID {
					t.Errorf("stored %+v; featured %d", lib, d.Featured)
				}
				for _, part := range []string{
					fmt.Sprintf(`"id":%d`, lib[0].ID), fmt.Sprintf(`<img src="%s" alt="the sea" class="wp-image-%d"/>`, lib[0].GUID, lib[0].ID),
					fmt.Sprintf(`<img src="%s" alt="" class="wp-image-%d" width="40" height="30">`, lib[1].GUID, lib[1].ID),
					fmt.Sprintf(`<img src="%s" alt="again"`, lib[0].GUID), `<img src="https://e.example/x.png" alt="web">`,
				} {
					if !strings.Contains(d.Content, part) {
						t.Errorf("no %s in\n%s", part, d.Content)
					}
				}
				if !kept {
					clear(m)
				}
				before = len(s.Requests())
				again, err := c.Compose(t.Context(), it)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]string{"GET media"}, asked(s, before)); diff != "" {
					t.Errorf("requests of the second time (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(d.Content, again.Content); diff != "" || again.Featured != d.Featured || len(m) != 3 {
					t.Errorf("the second time %d remembered (-first +second):\n%s", len(m), diff)
				}
			})
		}
	}
}

// The text's hash asks nobody and does not depend on what the site makes of the
// pictures; a person's edit shows all the same.
func TestTextOfPictures(t *testing.T) {
	t.Parallel()
	it := illustrated(t)
	var texts []string
	for n := range 2 {
		s, client := fakeSite(t, "author")
		for range n { // other ids
			s.InsertPost(fakewp.Post{Title: "x"})
		}
		c := compose.New(compose.Options{Client: client, Job: "daily"})
		d, err := c.Compose(t.Context(), it)
		if err != nil {
			t.Fatal(err)
		}
		before := len(s.Requests())
		if !c.Makes(t.Context(), it, d.Text) || len(s.Requests()) != before {
			t.Errorf("the item does not make %s, unasked", d.Text)
		}
		texts = append(texts, d.Text)
		f, err := d.Prepare(slot(), 0)
		p, err := client.Create(t.Context(), "posts", must(t, f, err))
		if err != nil {
			t.Fatal(err)
		}
		check(t, d, p, "draft", false)
		if tr := compose.Read(p); tr.Text != d.Text {
			t.Errorf("the marker's text is %s, want %s", tr.Text, d.Text)
		}
		p.Content = strings.Replace(p.Content, "the sea", "the ocean", 1)
		if compose.Read(p).Intact {
			t.Error("an edit of a picture's alt does not show")
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("texts %q", texts)
	}
}

// What the pictures show is part of the text, of the featured one too; what
// can't be had counts as its name.
func TestTextIsThatOfThePictures(t *testing.T) {
	t.Parallel()
	text := func(n int, change ...func(*source.Item)) string {
		it := item(append([]func(*source.Item){func(it *source.Item) {
			it.Root = folder(t, map[string][]byte{"a.png": pngOf(t, n)})
			it.Body = []byte("![](a.png)\n\n![](gone.png)")
		}}, change...)...)
		d, err := compose.New(compose.Options{}).Render(t.Context(), it)
		return must(t, d, err).Text
	}
	html := func(it *source.Item) { it.HTML, it.Body = true, []byte(`<p><img src="a.png"></p>`) }
	featured := func(it *source.Item) { it.Body, it.Featured.File = []byte("Text"), "a.png" }
	for name, change := range map[string]func(*source.Item){"Markdown": func(*source.Item) {}, "HTML": html, "featured": featured} {
		if a, b := text(1, change), text(1, change); a != b {
			t.Errorf("%s: the same picture makes %s and %s", name, a, b)
		}
		if a, b := text(1, change), text(2, change); a == b {
			t.Errorf("%s: another picture makes %s too", name, a)
		}
	}
}

// A post of an item with pictures is intact, however few of them reach its text.
func TestIntactWithPictures(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*source.Item){
		"HTML":             func(it *source.Item) { it.HTML, it.Body = true, []byte(`<p><img src="a.png"></p>`) },
		"featured alone":   func(it *source.Item) { it.Body, it.Featured.File = []byte("Text"), "a.png" },
		"featured is gone": func(it *source.Item) { it.Body, it.Featured.File = []byte("Text"), "gone.png" },
		"gone":             func(it *source.Item) { it.Body = []byte("Text ![](gone.png)") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, client := fakeSite(t, "editor")
			it := item(func(it *source.Item) { it.Root = folder(t, map[string][]byte{"a.png": pngOf(t, 1)}) }, change)
			d, err := compose.New(compose.Options{Client: client, Job: "daily", WithoutMedia: true}).Compose(t.Context(), it)
			if err != nil {
				t.Fatal(err)
			}
			f, err := d.Prepare(slot(), 0)
			p, err := client.Create(t.Context(), "posts", must(t, f, err))
			check(t, d, must(t, p, err), "draft", false)
		})
	}
}

func must[T any](t *testing.T, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What the memory says counts only where the site agrees.
func TestMemoryIsChecked(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change  func(s *fakewp.Server, m memory, id int64)
		uploads int
	}{
		"deleted":      {func(s *fakewp.Server, _ memory, id int64) { s.DeletePost(id) }, 1},
		"slug changed": {func(s *fakewp.Server, _ memory, id int64) { s.EditPost(id, func(p *fakewp.Post) { p.Slug = "sea" }) }, 0},
		"another's id": {func(_ *fakewp.Server, m memory, id int64) { replace(m, id+1, "https://x/y.png") }, 0},
		"a site set up anew": {func(s *fakewp.Server, _ memory, id int64) {
			s.EditPost(id, func(p *fakewp.Post) { p.Slug, p.GUID = "sea", "https://x/other.png" })
		}, 1},
		"slug lost to a second file": {func(s *fakewp.Server, m memory, id int64) {
			clear(m)
			s.EditPost(id, func(p *fakewp.Post) { p.Slug += "-2" })
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, client := fakeSite(t, "editor")
			m := memory{}
			c := compose.New(compose.Options{Client: client, Memory: m, Site: "blog"})
			it := item(func(it *source.Item) {
				it.Root, it.Body = folder(t, map[string][]byte{"a.png": pngOf(t, 1)}), []byte("![](a.png)")
			})
			if _, err := c.Compose(t.Context(), it); err != nil {
				t.Fatal(err)
			}
			tc.change(s, m, media(s)[0].ID)
			before := len(s.Requests())
			d, err := c.Compose(t.Context(), it)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(strings.Join(asked(s, before), " "), "POST"); n != tc.uploads {
				t.Errorf("%d uploads, want %d", n, tc.uploads)
			}
			lib := media(s)
			if last := lib[len(lib)-1]; !strings.Contains(d.Content, last.GUID) {
				t.Errorf("not the picture %s in %s", last.GUID, d.Content)
			}
		})
	}
}

func replace(m memory, id int64, url string) {
	for key := range m {
		m[key] = wpclient.Media{ID: id, URL: url}
	}
}

// twelve is an item with twelve pictures.
func twelve(t *testing.T) source.Item {
	t.Helper()
	files := map[string][]byte{}
	var body strings.Builder
	for n := range 12 {
		name := fmt.Sprintf("images/%d.png", n)
		files[name] = pngOf(t, n)
		fmt.Fprintf(&body, "![%d](%s)\n\n", n, name)
	}
	return item(func(it *source.Item) { it.Root, it.Body = folder(t, files), []byte(body.String()) })
}

// However an upload fails, the next attempt makes no second file of it.
func TestUploadsThatFailHalfWay(t *testing.T) {
	t.Parallel()
	html := http.Header{"Content-Type": {"text/html"}}
	for name, tc := range map[string]struct {
		fault fakewp.Fault
		goes  bool // on, in the same attempt
	}{
		"cut after it was stored":        {fakewp.Fault{CutAfter: true}, true},
		"cut before":                     {fakewp.Fault{CutBefore: true}, false},
		"500 before":                     {fakewp.Fault{Instead: true, Status: 500, Body: "<h1>no</h1>", Header: html}, false},
		"502 after it was stored":        {fakewp.Fault{Status: 502, Body: "<h1>no</h1>", Header: html}, true},
		"half an answer":                 {fakewp.Fault{CutBody: 20}, true},
		"stored while the look-up waits": {fakewp.Fault{Late: time.Nanosecond}, true},
	} {
		for _, kept := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, journal kept %v", name, kept), func(t *testing.T) {
				t.Parallel()
				it := twelve(t)
				for at := range 12 {
					s, client := fakeSite(t, "author")
					m := memory{}
					fault := tc.fault
					fault.Method, fault.Path, fault.Skip, fault.Times = http.MethodPost, "media", at, 1
					s.Inject(fault)
					compose1 := func() error {
						_, err := compose.New(compose.Options{Client: client, Memory: m, Site: "blog"}).Compose(t.Context(), it)
						return err
					}
					err := compose1()
					if (err == nil) != tc.goes {
						t.Errorf("at upload %d: %v", at, err)
					}
					var e *wpclient.Error
					if err != nil && !errors.As(err, &e) {
						t.Errorf("at upload %d: %v is not the site's", at, err)
					}
					if !kept {
						clear(m)
					}
					if err := compose1(); err != nil {
						t.Fatal(err)
					}
					if n := len(media(s)); n != 12 {
						t.Errorf("at upload %d: %d files", at, n)
					}
				}
			})
		}
	}
}

// An upload that arrives long after it was given up is found the next time.
func TestUploadThatArrivesLate(t *testing.T) {
	t.Parallel()
	now := time.Now()
	s := fakewp.New(fakewp.Options{Now: func() time.Time { return now }})
	client, err := wpclient.New(wpclient.Options{URL: "https://blog.example.com", User: "me", Password: s.AddUser("me", "editor"), Transport: s})
	if err == nil {
		_, err = client.Discover(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Inject(fakewp.Fault{Method: http.MethodPost, Path: "media", Skip: 4, Times: 1, Late: time.Minute})
	it, c := twelve(t), compose.New(compose.Options{Client: client})
	if _, err := c.Compose(t.Context(), it); err == nil || len(media(s)) != 4 {
		t.Fatalf("%v, with %d files", err, len(media(s)))
	}
	now = now.Add(time.Hour)
	if _, err := c.Compose(t.Context(), it); err != nil || len(media(s)) != 12 {
		t.Errorf("%v, with %d files", err, len(media(s)))
	}
}

// B43: what is wrong with a picture is told before anything is made, with the
// line that names it; or the item goes without it.
func TestB43PicturesAtFault(t *testing.T) {
	t.Parallel()
	heic := []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")
	old := folder(t, map[string][]byte{
		"good.png": pngOf(t, 1), "empty.png": {}, "text.png": []byte("words, words, words"), "a.svg": []byte(`<?xml version="1.0"?><svg/>`),
		"a.heic": heic, "a.bmp": []byte("BM\x3a\x00\x00\x00"), "nul.png": make([]byte, 4096), "deep/good.png/x.png": nil,
	})
	now := time.Now() // and so for the whole test, however long that takes
	fresh := filepath.Join(old, "fresh.png")
	if err := errors.Join(os.WriteFile(fresh, pngOf(t, 2), 0o600), os.Chtimes(fresh, now, now.Add(-9*time.Second))); err != nil {
		t.Fatal(err)
	}
	outside := folder(t, map[string][]byte{"secret.png": pngOf(t, 3)})
	if err := os.Symlink(filepath.Join(outside, "secret.png"), filepath.Join(old, "link.png")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(old, "linked")); err != nil {
		t.Fatal(err)
	}
	for dest, says := range map[string]string{
		"missing.png":              "is not there",
		"/missing/x.png":           "is not there",
		"../" + filepath.Base(old): "lies outside the folder",
		"../../etc/passwd":         "lies outside the folder",
		"%2e%2e/x.png":             "lies outside the folder",
		"link.png":                 "is a link that leads out of the folder",
		"linked/secret.png":        "is a link that leads out of the folder",
		"deep":                     "is no file",
		"empty.png":                "is empty",
		"text.png":                 "is text/plain, and no JPEG",
		"a.svg":                    "is image/svg+xml, and no JPEG",
		"a.heic":                   "is image/heic, and no JPEG",
		"a.bmp":                    "is image/bmp, and no JPEG",
		"nul.png":                  "is application/octet-stream, and no JPEG",
		"fresh.png":                "has just been changed",
		"file:///tmp/x.png":        "is no address that a reader could follow",
		"data:image/png;base64," + strings.Repeat("A", 100): "is written out in the text",
	} {
		t.Run(dest, func(t *testing.T) {
			t.Parallel()
			it := item(func(it *source.Item) {
				it.Root, it.Body, it.Tags = old, []byte("![](good.png)\n\n![alt]("+dest+")\n\nText."), []string{"new"}
			})
			s, client := fakeSite(t, "editor")
			before := len(s.Requests())
			o := compose.Options{Client: client, Now: func() time.Time { return now }}
			_, err := compose.New(o).Compose(t.Context(), it)
			var fault *compose.Fault
			if !errors.As(err, &fault) || !strings.Contains(fault.Reason, " "+says) || !strings.HasPrefix(fault.Reason, fmt.Sprintf("line 7: the picture %.60s", dest)) {
				t.Errorf("got %v, want a fault with %q", err, says)
			}
			if n := len(s.Requests()) - before; n != 0 {
				t.Errorf("%d requests", n)
			}
			o.WithoutMedia = true
			d, err := compose.New(o).Compose(t.Context(), it)
			if err != nil {
				t.Fatal(err)
			}
			if w := strings.Join(d.Warnings, "; "); !strings.Contains(w, "is left out: it "+says) {
				t.Errorf("warnings %q", w)
			}
			if strings.Contains(d.Content, "alt=\"alt\"") || strings.Count(d.Content, "<img") != 1 || len(media(s)) != 1 {
				t.Errorf("%d files, content\n%s", len(media(s)), d.Content)
			}
		})
	}
}

// B43: a site that does not take a file says so before there is a post.
func TestB43SiteRefusesAPicture(t *testing.T) {
	t.Parallel()
	wpError := func(status int, code string) fakewp.Fault {
		return fakewp.Fault{
			Instead: true, Status: status, Header: http.Header{"Content-Type": {"application/json"}},
			Body: fmt.Sprintf(`{"code":"%s","message":"No.","data":{"status":%d}}`, code, status),
		}
	}
	page := func(status int) fakewp.Fault {
		return fakewp.Fault{Instead: true, Status: status, Body: "<h1>no</h1>", Header: http.Header{"Content-Type": {"text/html"}}}
	}
	for name, tc := range map[string]struct {
		fault fakewp.Fault
		says  string
	}{
		"too large":  {page(413), "is too large for the site"},
		"type":       {wpError(500, "rest_upload_sideload_error"), "is not taken by the site"},
		"no right":   {wpError(403, "rest_cannot_create"), "can't be uploaded by this account"},
		"processing": {wpError(400, "rest_upload_image_type_not_supported"), "is not taken by the site"},
		"firewall":   {page(403), "a firewall"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, client := fakeSite(t, "editor")
			tc.fault.Method, tc.fault.Path, tc.fault.Skip, tc.fault.Times = http.MethodPost, "media", 1, 1
			it := illustrated(t)
			remove := s.Inject(tc.fault)
			_, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), it)
			remove()
			var fault *compose.Fault
			if !errors.As(err, &fault) || !strings.Contains(fault.Reason, tc.says) || !strings.Contains(fault.Reason, "line 7: the picture first.assets/가.png") {
				t.Errorf("got %v, want a fault with %q", err, tc.says)
			}
			if n := len(media(s)); n != 1 {
				t.Errorf("%d files of an item that is held", n)
			}
			tc.fault.Skip = 0
			s.Inject(tc.fault)
			d, err := compose.New(compose.Options{Client: client, WithoutMedia: true}).Compose(t.Context(), it)
			if err != nil {
				t.Fatal(err)
			}
			if w := strings.Join(d.Warnings, "; "); !strings.Contains(w, tc.says) || len(media(s)) != 2 || strings.Contains(d.Content, "가.png") || d.Featured == 0 {
				t.Errorf("%d files, warnings %q, featured %d, content\n%s", len(media(s)), w, d.Featured, d.Content)
			}
		})
	}
}

// A folder that gives no answer holds the item, and not the run.
func TestPicturesThatHang(t *testing.T) {
	t.Parallel()
	it := twelve(t)
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		o := compose.Options{Now: func() time.Time { <-release; return time.Now() }} // asked in the midst of reading
		start := time.Now()
		_, err := compose.New(o).Compose(t.Context(), it)
		var fault *compose.Fault
		if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "no answer within 1m0s") || time.Since(start) != time.Minute {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if _, err := compose.New(o).Compose(ctx, it); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("at the end of the run: %v", err)
		}
	})
}

// A content that two names have is refused for both.
func TestRefusedContentOfTwoNames(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	s.Inject(fakewp.Fault{Method: http.MethodPost, Path: "media", Instead: true, Status: 413, Body: "<h1>no</h1>", Header: http.Header{"Content-Type": {"text/html"}}})
	it := item(func(it *source.Item) {
		it.Root = folder(t, map[string][]byte{"a.png": pngOf(t, 1), "b.png": pngOf(t, 1)})
		it.Body, it.Featured = []byte("x ![](a.png) ![](b.png)"), source.Featured{File: "b.png", Line: 2}
	})
	before := len(s.Requests())
	d, err := compose.New(compose.Options{Client: client, WithoutMedia: true}).Compose(t.Context(), it)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(d.Content, "<img") || d.Featured != 0 || len(d.Warnings) != 3 || len(asked(s, before)) != 2 {
		t.Errorf("%s\n%q %v", d.Content, d.Warnings, asked(s, before))
	}
}

func TestFeaturedImage(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	up, err := client.Upload(t.Context(), wpclient.Upload{Name: "a.png", Type: "image/png", Body: bytes.NewReader(pngOf(t, 1)), Size: int64(len(pngOf(t, 1)))})
	if err != nil {
		t.Fatal(err)
	}
	post := s.InsertPost(fakewp.Post{Title: "x"})
	root := folder(t, map[string][]byte{"a.png": pngOf(t, 1)})
	for file, says := range map[string]string{
		strconv.FormatInt(up.ID, 10): "", "a.png": "",
		"99999":                     "line 3: the picture 99999 is no picture of the site's media library",
		strconv.FormatInt(post, 10): "is no picture of the site's media library",
		"https://e.example/x":       "is an address; a featured image has to be a file",
		"b.png":                     "is not there",
		"-5":                        "is not there",
	} {
		it := item(func(it *source.Item) { it.Root, it.Featured = root, source.Featured{File: file, Line: 3} })
		d, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), it)
		if says != "" {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v, want %q", file, err, says)
			}
			d, err = compose.New(compose.Options{Client: client, WithoutMedia: true}).Compose(t.Context(), it)
			if err != nil || d.Featured != 0 || len(d.Warnings) != 1 {
				t.Errorf("%s, without: %d, %v, %q", file, d.Featured, err, d.Warnings)
			}
			continue
		}
		if err != nil || d.Featured == 0 {
			t.Errorf("%s: %d, %v", file, d.Featured, err)
			continue
		}
		// B41: WordPress drops an id that it does not know without a word.
		f, err := d.Prepare(slot(), 0)
		p := stored(t, f, err)
		if err := d.Verify(p); err == nil || !strings.Contains(err.Error(), "did not keep the featured image") {
			t.Errorf("Verify without the image: %v", err)
		}
		p.FeaturedMedia = *f.FeaturedMedia
		if err := d.Verify(p); err != nil {
			t.Error(err)
		}
	}
}

// An item that has lost its featured image takes it off a leftover draft.
func TestFeaturedImageIsTakenOff(t *testing.T) {
	t.Parallel()
	d := composed(t, item())
	if f, err := d.Prepare(slot(), 7); err != nil || f.FeaturedMedia == nil || *f.FeaturedMedia != 0 {
		t.Errorf("%v, %v", f.FeaturedMedia, err)
	}
	if f, err := d.Prepare(slot(), 0); err != nil || f.FeaturedMedia != nil {
		t.Errorf("a new post names a featured image: %v, %v", f.FeaturedMedia, err)
	}
}

func TestReadOnlyUploadsNothing(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	c := compose.New(compose.Options{Client: client, ReadOnly: true})
	before := len(s.Requests())
	d, err := c.Compose(t.Context(), twelve(t))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"GET media"}, asked(s, before)); diff != "" {
		t.Error(diff)
	}
	one, err := c.Compose(t.Context(), item(func(it *source.Item) {
		it.Root, it.Body = folder(t, map[string][]byte{"a b.png": append(pngOf(t, 1), make([]byte, 3<<20)...)}), []byte("![](a%20b.png)")
	}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"would upload 12 pictures (2 KB)", "would upload a b.png (3.0 MB)"}, append(d.Warnings, one.Warnings...)); diff != "" {
		t.Error(diff)
	}
}

// Nothing is asked of the site, and nothing read, where no picture is local.
func TestPicturesOnTheWeb(t *testing.T) {
	t.Parallel()
	c := compose.New(compose.Options{})
	for body, want := range map[string]bool{
		"Text.": false, "![](https://e.example/x.png)": false, "![](//e.example/x.png) ![](HTTP://e.example/x.png)": false,
		"![](/wp-content/uploads/2026/11/x.png)": false, "```\n![](x.png)\n```": false,
		"![](x.png)": true, "<img src=x.png>": true, "![](data:x)": true,
	} {
		it := item(func(it *source.Item) { it.Body = []byte(body) })
		if _, err := c.Compose(t.Context(), it); (err != nil) != want {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A draft that was handed over goes out with the pictures that it names.
func TestPicturesOfADraftOnTheSite(t *testing.T) {
	t.Parallel()
	const content = "<!-- wp:html -->\n<img src=\"x.png\">\n<!-- /wp:html -->"
	it := source.Item{Key: source.DraftKey(7), Title: "t", Body: []byte(content), Post: wpclient.Post{ID: 7, Title: "t", Content: content}}
	c := compose.New(compose.Options{})
	d, err := c.Compose(t.Context(), it)
	if err != nil || d.Content != content {
		t.Errorf("%v\n%s", err, d.Content)
	}
}

func TestUploadTellsHowFarItIs(t *testing.T) {
	t.Parallel()
	_, client := fakeSite(t, "editor")
	var told []string
	c := compose.New(compose.Options{Client: client, Progress: func(step string) { told = append(told, step) }})
	it := item(func(it *source.Item) {
		it.Root = folder(t, map[string][]byte{"a.png": append(pngOf(t, 1), make([]byte, 1<<20)...), "b.png": pngOf(t, 2)})
		it.Body = []byte("![](a.png) ![](b.png)")
	})
	if _, err := c.Compose(t.Context(), it); err != nil {
		t.Fatal(err)
	}
	if len(told) < 10 || len(told) > 200 || !strings.HasPrefix(told[0], "uploading a.png (1 of 2), ") || told[len(told)-1] != "uploading b.png (2 of 2), 100 %" {
		t.Errorf("told %d: %q", len(told), told)
	}
}

// A picture that is changed between its reading and its upload is left for the
// next time: under its hash nothing else may stand.
func TestPictureChangesWhileComposed(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	it := item(func(it *source.Item) {
		it.Root, it.Body = folder(t, map[string][]byte{"a.png": pngOf(t, 1)}), []byte("![](a.png)")
	})
	s.Inject(fakewp.Fault{Method: http.MethodGet, Path: "media", Match: func(*http.Request) bool {
		if err := os.WriteFile(filepath.Join(it.Root, "a.png"), pngOf(t, 2), 0o600); err != nil {
			t.Error(err)
		}
		return false
	}})
	_, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), it)
	var fault *compose.Fault
	if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "is being changed") || len(media(s)) != 0 {
		t.Errorf("got %v, %d files", err, len(media(s)))
	}
}
