//go:build linux

package e2e

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"morrow/internal/markup"
	"morrow/internal/wptest"
)

// looked are the posts of internal/markup/testdata that a browser looks at:
// pictures with captions, raw HTML, embeds, footnotes, code and tables in
// nested lists, Korean, Japanese, Arabic, emoji, Obsidian's callouts.
func looked() []string {
	return []string{
		"04-lisbon", "10-faq", "11-embeds", "12-footnotes", "17-python",
		"22-korean-dev", "26-japanese-diary", "30-arabic", "32-emoji", "obsidian-callouts",
	}
}

// TestBrowserShowsThePosts: what Morrow books is a page with its pictures, and
// the block editor reads each block of it without offering to recover one.
//
// Not parallel: a browser and the scripts of the editor take the whole machine.
func TestBrowserShowsThePosts(t *testing.T) {
	if os.Getenv("MORROW_FULL") == "" {
		t.Skip("needs Chromium: make full installs it and runs this")
	}
	b := newBrowser(t)
	for _, version := range wptest.Versions() {
		t.Run(version, func(t *testing.T) {
			r := newRig(t, wptest.New(t, version))
			names := looked()
			for _, name := range names {
				r.corpusItem(name)
			}
			r.jobKeys = "ahead: " + strconv.Itoa(len(names)) + "\n    media: without" // WordPress takes no svg
			r.configure()
			r.run("run", "--json").want(r, 0, "booked")
			posts := r.site.Posts(t)
			for i, p := range posts {
				r.site.MovePost(t, p.ID, time.Now().Add(time.Duration(i-len(posts))*time.Hour))
			}
			r.site.RunCron(t)
			for i, p := range posts {
				t.Run(names[i]+" page", func(t *testing.T) { page(t, b, r.site, names[i], p) })
			}
			b.login(t, r.site)
			for i, p := range posts {
				t.Run(names[i]+" editor", func(t *testing.T) { edited(t, b, r.site, names[i], p) })
			}
			t.Run("a broken block is seen", func(t *testing.T) { broken(t, b, r.site) })
		})
	}
}

// corpusItem puts a post of the corpus into the queue, with its pictures.
func (r *rig) corpusItem(name string) {
	r.Helper()
	text, err := os.ReadFile(filepath.Join("..", "markup", "testdata", "posts", name+".md"))
	r.must(err)
	r.write(name+".md", string(text))
	_, body, _, err := markup.Split(text)
	r.must(err)
	for _, img := range markup.Images(body) {
		dest, err := url.PathUnescape(img.Dest)
		r.must(err)
		if strings.Contains(dest, "://") {
			continue
		}
		r.must(os.MkdirAll(r.path("queue", filepath.Dir(dest)), 0o755))
		r.write(dest, drawing(r, filepath.Ext(dest), len(dest)))
	}
}

// drawing is a picture file, of a colour for each n.
func drawing(r *rig, ext string, n int) string {
	r.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 640, 400))
	for y := range 400 {
		for x := range 640 {
			img.Set(x, y, color.RGBA{uint8(x * 255 / 640), uint8(y * 255 / 400), uint8(n * 37), 255})
		}
	}
	var file bytes.Buffer
	switch ext {
	case ".svg":
		return `<svg xmlns="http://www.w3.org/2000/svg"/>`
	case ".jpg":
		r.must(jpeg.Encode(&file, img, nil))
	default:
		r.must(png.Encode(&file, img))
	}
	return file.String()
}

// page looks at a post as its readers do.
func page(t *testing.T, b *browser, s *wptest.Site, name string, post wptest.Post) {
	t.Helper()
	p := b.open(t, s.URL+"/?p="+strconv.Itoa(post.ID))
	p.await(`document.querySelector(".entry-content") !== null`)
	p.shoot(s.Version+"-"+name+"-page", `document.documentElement.scrollHeight`)
	shown := eval[int](p, `all("img[class*=wp-image]").filter(i => i.naturalWidth > 0).length`)
	if want := strings.Count(post.Content, `class="wp-image-`); shown != want {
		t.Errorf("%d pictures are shown, want %d", shown, want)
	}
}

// edited opens a post in the block editor.
func edited(t *testing.T, b *browser, s *wptest.Site, name string, post wptest.Post) {
	t.Helper()
	e := b.edit(t, s, post.ID)
	e.shoot(s.Version+"-"+name+"-editor", editorHeight)
	for _, fault := range e.faults() {
		t.Error(fault)
	}
	if got, want := e.blocks(), strings.Count(post.Content, "<!-- wp:"); got != want {
		t.Errorf("the editor has %d blocks of %d", got, want)
	}
}

// broken holds the other checks to seeing what they look for.
func broken(t *testing.T, b *browser, s *wptest.Site) {
	t.Helper()
	id := s.InsertPost(t, wptest.Post{Title: "Broken", Content: "<!-- wp:heading -->\n<p>No heading</p>\n<!-- /wp:heading -->"})
	faults := strings.Join(b.edit(t, s, id).faults(), "\n")
	for _, sign := range []string{"invalid: ", "warning: ", "console: "} {
		if !strings.Contains(faults, sign) {
			t.Errorf("of a broken block it was only seen:\n%s", faults)
		}
	}
}

// editor is a post in the block editor.
type editor struct{ *tab }

// edit opens a post in the block editor, with all its blocks drawn and nothing
// in front of them.
func (b *browser) edit(t *testing.T, s *wptest.Site, id int) editor {
	t.Helper()
	p := b.open(t, s.URL+"/wp-admin/post.php?action=edit&post="+strconv.Itoa(id))
	p.await(`window.wp?.data?.select("core/block-editor")?.getBlockCount() > 0`)
	p.await(`all(".components-modal__frame").length === 0 &&
		wp.data.select("core/block-editor").getClientIdsWithDescendants().every(id => all("#block-" + id).length > 0)`)
	return editor{p}
}

// faults is what the editor has against the post.
func (e editor) faults() []string {
	e.Helper()
	faults := eval[[]string](e.tab, `wp.data.select("core/block-editor").getClientIdsWithDescendants()
		.map(id => wp.data.select("core/block-editor").getBlock(id)).filter(b => !b.isValid || b.name === "core/missing")
		.map(b => "invalid: " + b.name + ": " + b.originalContent)`)
	faults = append(faults, eval[[]string](e.tab, `all(".block-editor-warning").map(w => "warning: " + w.textContent)`)...)
	for _, said := range e.console() {
		if strings.Contains(said, "Block validation") {
			faults = append(faults, "console: "+said)
		}
	}
	return faults
}

// blocks counts the editor's blocks, those in others too.
func (e editor) blocks() int {
	e.Helper()
	return eval[int](e.tab, `wp.data.select("core/block-editor").getClientIdsWithDescendants().length`)
}

// editorHeight is that of a window in which the editor need not scroll.
const editorHeight = `100 + Math.max(...[...docs.map(d => d.documentElement),
	...document.querySelectorAll(".interface-interface-skeleton__content")].map(e => e.scrollHeight))`
