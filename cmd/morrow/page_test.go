package main

import (
	"errors"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"morrow/internal/compose"
	"morrow/internal/source"
)

const pixel = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

// TestPreviewPage: whatever a post has in it stays in its frame, and nothing is
// asked for outside.
func TestPreviewPage(t *testing.T) {
	t.Parallel()
	const hostile = `<p>"Hi" </iframe><script>alert(1)</script></p><img src="https://e.example/x.png">`
	page := previewPage(compose.Draft{Title: `T <b>"x"`, Content: hostile})
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

func TestPreviewStaysInItsFrame(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`a<META http-equiv=refresh content="0;url=x">b<meta x/>`: "ab",
		"<!-- wp:code --><pre>&lt;meta&gt;</pre>":                "<!-- wp:code --><pre>&lt;meta&gt;</pre>",
		`<a href="x.svg">a</A ><Metal>`:                          `<a href="x.svg">a</A ><Metal>`,
	} {
		if got := withoutMeta(in); got != want {
			t.Errorf("%s\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestPreviewPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"images/a b.png", "attachments/found anywhere.png"} {
		path := filepath.Join(dir, "post", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(pixel+strings.Repeat("x", 20)), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	it := source.Item{Title: "T", Root: dir, Dir: "post", Body: []byte("![A](<images/a b.png>)\n\n![[found anywhere.png]]\n\n![](gone.png)\n\n![](https://e.example/x.png)\n")}
	soon := func() time.Time { return time.Now().Add(time.Minute) }
	d, err := compose.New(compose.Options{Now: soon}).Preview(t.Context(), it, dataAddress)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(d.Content, `src="data:image/png;base64,iVBORw0KGgo`); n != 2 || !strings.Contains(d.Content, `src="https://e.example/x.png"`) {
		t.Errorf("%d pictures in %s", n, d.Content)
	}
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "gone.png is not there") {
		t.Errorf("got warnings %q", d.Warnings)
	}
	if d, err = compose.New(compose.Options{Now: soon}).Preview(t.Context(), it, nil); err != nil || strings.Contains(d.Content, "data:") || !strings.Contains(d.Content, "images/a%20b.png") {
		t.Errorf("got %s, %v", d.Content, err)
	}
}
