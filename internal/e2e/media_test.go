//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

// pictures is how many the item of these tests has.
const pictures = 12

// illustrated puts first.md into the queue, with its pictures and the first of
// them as featured image.
func (r *rig) illustrated() {
	r.Helper()
	r.must(os.Mkdir(r.path("queue", "images"), 0o755))
	var text strings.Builder
	text.WriteString("---\ntitle: Illustrated\nfeatured_image: images/0.png\n---\n")
	for n := range pictures {
		img := image.NewGray(image.Rect(0, 0, 16, 16))
		img.Set(n, n, color.White)
		var file bytes.Buffer
		r.must(png.Encode(&file, img))
		r.write(fmt.Sprintf("images/%d.png", n), file.String())
		fmt.Fprintf(&text, "\n![the picture %d](images/%d.png)\n", n, n)
	}
	r.write("first.md", text.String())
}

// shown wants the post booked, with each of its pictures once in the library.
func (r *rig) shown() {
	r.Helper()
	r.exactlyOne()
	files, content := r.site.PostsOfType(r, "attachment"), r.site.Posts(r)[0].Content
	if len(files) != pictures {
		r.Errorf("%d files in the library, want %d", len(files), pictures)
	}
	for _, f := range files {
		if !strings.Contains(content, fmt.Sprintf(`class="wp-image-%d"`, f.ID)) {
			r.Errorf("the post does not show file %d, %s:\n%s", f.ID, f.Title, content)
		}
	}
}

// Every upload fails at first, in turn stored and cut off, and answered with
// 500 before: run again and again, the post is booked with twelve files.
func TestUploadsThatFail(t *testing.T) {
	t.Parallel()
	for name, deleted := range map[string]string{"all kept": "", "state deleted": "state"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(r *rig) {
				r.illustrated()
				p, seen := r.behind(), map[string]bool{}
				p.on(upload, func(c call, forward func() *answer) *answer {
					u, err := url.Parse(c.uri)
					slug := u.Query().Get("slug")
					switch {
					case err != nil || seen[slug]:
						return forward()
					case len(seen)%2 == 0:
						seen[slug] = true
						forward()
						return nil
					}
					seen[slug] = true
					return &answer{status: http.StatusInternalServerError, header: http.Header{"Content-Type": {"text/html"}}, body: []byte("<h1>500</h1>")}
				})
				for range pictures / 2 {
					r.run("run", "--json").want(r, 4, "unknown")
					if deleted != "" {
						r.must(os.RemoveAll(r.path(deleted)))
					}
				}
				r.run("run", "--json").want(r, 0, "booked")
				r.shown()
				r.run("run", "--json").want(r, 0, "already_booked")
				r.shown()
			})
		})
	}
}

// A run is killed while it waits for the answer to an upload, which the site
// has carried out, or carries out after the kill.
func TestKillWhileAnUploadIsAnswered(t *testing.T) {
	t.Parallel()
	for name, hold := range map[string]func(p *proxy) *hold{
		"done before the kill": func(p *proxy) *hold { return p.holdAnswer(upload, 5) },
		"done after the kill":  func(p *proxy) *hold { return p.holdRequest(upload) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(r *rig) {
				r.illustrated()
				p := r.behind()
				h := hold(p)
				run := r.start("run")
				h.await(run)
				run.kill()
				h.release()
				p.settle()
				r.run("run", "--json").want(r, 0, "booked")
				r.shown()
			})
		})
	}
}

// A dry run uploads nothing and says what it would; a booking with pictures
// asks once for all of them, and sends each.
func TestRequestsOfARunWithPictures(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.run("run", "--json").want(r, 3, "nothing_to_book")
		r.illustrated()
		if res := r.run("run", "--dry-run"); res.code != 0 || !strings.Contains(res.stdout, fmt.Sprintf("would upload %d pictures", pictures)) {
			r.Errorf("dry run: exit code %d\n%s%s", res.code, res.stdout, res.stderr)
		}
		r.unwritten()
		r.asks(8+1+pictures, func() { r.run("run", "--json").want(r, 0, "booked") })
		r.shown()
		r.asks(1, func() { r.run("run", "--json").want(r, 0, "already_booked") })
	})
}
