package main

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"morrow/internal/compose"
)

const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

// TestPreviewPage: whatever a post has in it stays in its frame, and nothing is
// asked for outside.
func TestPreviewPage(t *testing.T) {
	t.Parallel()
	const hostile = `<p>"Hi" </iframe><script>alert(1)</script></p><img src="https://e.example/x.png">`
	page := previewPage(compose.Draft{Title: `T <b>"x"`, Content: hostile}, t.TempDir())
	frame := regexp.MustCompile(`<iframe sandbox title=preview srcdoc="([^"]*)"></iframe>`).FindStringSubmatch(page)
	if frame == nil {
		t.Fatalf("no frame in %s", page)
	}
	inner := html.UnescapeString(frame[1])
	if !strings.HasSuffix(inner, hostile) || !strings.Contains(inner, "<h1>T &lt;b&gt;&#34;x&#34;</h1>") {
		t.Errorf("the frame has %s", inner)
	}
	if outer := strings.Replace(page, frame[1], "", 1); strings.Contains(outer, "script>") || strings.Contains(outer, "<b>") {
		t.Errorf("it gets out of its frame: %s", outer)
	}
	for name, text := range map[string]string{"page": page, "frame": inner} {
		before, after, _ := strings.Cut(text, metaPolicy)
		if after == "" || strings.Contains(before, "<style") || strings.Contains(before, "<title") {
			t.Errorf("the %s is under no policy: %s", name, text)
		}
	}
	for word := range strings.FieldsSeq("script-src connect-src http: https: * 'unsafe-eval' blob:") {
		if strings.Contains(policy, word) {
			t.Errorf("the policy allows %s", word)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Error("the policy does not forbid what it does not name")
	}
}

func TestPreviewPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a b.png": pixel, "x.svg": "<svg/>", "secret.txt": "x", "sub/a.png": pixel} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const png, svg = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==", "data:image/svg+xml;base64,PHN2Zy8+"
	for in, want := range map[string]string{
		`<img src="a%20b.png" alt="A &amp; b"/>`:     `<img src="` + png + `" alt="A &amp; b"/>`,
		`<img src="sub/../sub/a.png">`:               `<img src="` + png + `">`,
		`<IMG SRC='x.svg'>`:                          `<img src="` + svg + `">`,
		`<img src="secret.txt">`:                     `<img src="secret.txt">`,
		`<img src="https://e.example/a%20b.png">`:    `<img src="https://e.example/a%20b.png">`,
		`<img src="//e.example/a.png">`:              `<img src="//e.example/a.png">`,
		`<img src="nowhere.png"><img src="100%">`:    `<img src="nowhere.png"><img src="100%">`,
		"<!-- wp:code --><pre>&lt;img src=\"x.svg\"": "<!-- wp:code --><pre>&lt;img src=\"x.svg\"",
		`<a href="x.svg">a</A >`:                     `<a href="x.svg">a</A >`,
	} {
		if got := withPictures(in, dir); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}
