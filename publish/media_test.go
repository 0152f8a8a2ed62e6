package publish

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// picture puts a picture into the queue: what browsers and WordPress go by.
func (r *rig) picture(name string) { r.file(name, "\x89PNG\r\n\x1a\n"+name) }

func (r *rig) files() (files []fakewp.Post) {
	for _, p := range r.site.Posts() {
		if p.Type == "attachment" {
			files = append(files, p)
		}
	}
	return files
}

// TestB43TwelvePictures: whichever upload fails, and however, the post is
// booked in the end, with twelve files in all.
func TestB43TwelvePictures(t *testing.T) {
	for name, fault := range map[string]fakewp.Fault{
		"stored and cut off": {CutAfter: true},
		"500 before":         {Instead: true, Status: 500},
		"stored and 502":     {Status: 502},
	} {
		for at := range 12 {
			t.Run(fmt.Sprintf("%s at upload %d", name, at), func(t *testing.T) {
				bubble(t, func(t *testing.T, r *rig) {
					var text strings.Builder
					for n := range 12 {
						r.picture(fmt.Sprintf("%d.png", n))
						fmt.Fprintf(&text, "![](%d.png)\n\n", n)
					}
					r.file("010-first.md", "# First\n\n"+text.String())
					f := fault
					f.Method, f.Path, f.Skip, f.Times = http.MethodPost, "media", at, 1
					r.site.Inject(f)
					if rep := r.run(); rep.Outcome != Booked {
						r.want(rep, Unknown)
						r.want(r.run(), Booked)
					}
					r.exactlyOne("010-first.md")
					if n := len(r.files()); n != 12 {
						t.Errorf("%d files", n)
					}
					r.want(r.run(), AlreadyBooked)
				})
			})
		}
	}
}

// TestFilledSlotUploadsNothing: what is on the site for good is not made for a
// slot that turns out to be filled.
func TestFilledSlotUploadsNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.picture("a.png")
		r.file("010-first.md", "---\ntags: new\n---\n# First\n\n![](a.png)\n")
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Format(time.DateTime)})
		r.want(r.run(), AlreadyBooked)
		if n := r.writes(); n != 0 {
			t.Errorf("%d writes", n)
		}
	})
}

// TestDryRunUploadsNothing says what it would upload.
func TestDryRunUploadsNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.picture("a.png")
		r.picture("b.png")
		r.file("010-first.md", "# First\n\n![](a.png) ![](b.png)\n")
		r.dry = true
		rep := r.run()
		r.want(rep, WouldBook)
		if !strings.Contains(rep.Slots[0].Reason, "would upload 2 pictures") || r.writes() != 0 {
			t.Errorf("%d writes, %q", r.writes(), rep.Slots[0].Reason)
		}
	})
}

// TestItemWithAFaultyPicture is set aside, and the next is taken.
func TestItemWithAFaultyPicture(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", "# First\n\n![](missing.png)\n")
		r.file("020-second.md", "# Second\n\nText.\n")
		rep := r.run()
		r.want(rep, Booked)
		r.exactlyOne("020-second.md")
		if want := "010-first.md is set aside: line 3: the picture missing.png is not there"; !strings.Contains(strings.Join(rep.Notices, "\n"), want) {
			t.Errorf("notices %q, want %q", rep.Notices, want)
		}
	})
}

// TestWithdrawnPictures: a booking that was withdrawn is known as its file's,
// whatever the site made of the pictures and though they are no longer there.
func TestWithdrawnPictures(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.picture("a.png")
		r.file("010-first.md", "# First\n\n![](a.png)\n")
		r.want(r.run(), Booked)
		r.site.EditPost(r.posts("future")[0].ID, func(p *fakewp.Post) { p.Status, p.DateGMT = "draft", "" })
		if err := os.Remove(filepath.Join(r.dir, "a.png")); err != nil {
			t.Fatal(err)
		}
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Format(time.DateTime)})
		r.trigger = "guard"
		r.run()
		if !r.inQueue("010-first.md") {
			t.Error("the item did not come back to its queue")
		}
	})
}

// TestDraftGetsThePictureOfNow: a draft that was left over with another picture
// is brought to the one that the file has now.
func TestDraftGetsThePictureOfNow(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.picture("a.png")
		r.file("010-first.md", "# First\n\n![](a.png)\n")
		stop := r.site.Inject(fakewp.Fault{Path: "posts/", Method: http.MethodPost, CutBefore: true}) // no commit
		r.want(r.run(), Unknown)
		stop()
		r.file("a.png", "\x89PNG\r\n\x1a\nanother")
		r.want(r.run(), Booked)
		r.exactlyOne("010-first.md")
		files := r.files()
		if p := r.posts("future")[0]; len(files) != 2 || !strings.Contains(p.Content, files[1].GUID) {
			t.Errorf("%d files, content\n%s", len(files), p.Content)
		}
	})
}

// TestPictureOfTheDay: articles that say the same and show other pictures are
// items of their own.
func TestPictureOfTheDay(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.article("2000-01-01-photo", "![](photo.png)", "monday")
		r.want(r.run(), Booked)
		r.exactlyOne("2000-01-01-photo")

		r.job.Ahead = 2
		r.article("2000-01-02-photo", "![](photo.png)", "tuesday")
		rep := r.run()
		if !r.inQueue("2000-01-02-photo") || !strings.Contains(strings.Join(rep.Notices, "\n"), "set another `slug:`") {
			t.Errorf("in the queue %v, notices %q", r.inQueue("2000-01-02-photo"), rep.Notices)
		}
		r.article("2000-01-02-photo", "---\nslug: photo-tuesday\n---\n![](photo.png)", "tuesday")
		r.want(r.run(), Booked)
		r.want(r.run(), AlreadyBooked)
		if posts, files := r.posts("future"), r.files(); len(posts) != 2 || len(files) != 2 {
			t.Errorf("%d posts, %d pictures", len(posts), len(files))
		}
	})
}

// TestWithdrawnArticle: a booking that was withdrawn brings back the folder of
// its pictures, and no other.
func TestWithdrawnArticle(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.article("photo", "![](photo.png)", "monday")
		r.want(r.run(), Booked)
		r.article("done/photo-2", "![](photo.png)", "later")
		r.site.EditPost(r.posts("future")[0].ID, func(p *fakewp.Post) { p.Status, p.DateGMT = "draft", "" })
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Format(time.DateTime)})
		r.trigger = "guard"
		r.run()
		got, err := os.ReadFile(filepath.Join(r.dir, "photo", "photo.png"))
		if err != nil || !strings.HasSuffix(string(got), "monday") {
			t.Errorf("in the queue: %q, %v", got, err)
		}
	})
}

// article puts a folder into the queue: a text, and the photo.png that it shows.
func (r *rig) article(name, text, photo string) {
	r.t.Helper()
	dir := filepath.Join(r.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		r.t.Fatal(err)
	}
	r.file(name+"/index.md", text)
	r.file(name+"/photo.png", "\x89PNG\r\n\x1a\n"+photo)
	old := r.now().Add(-time.Hour)
	if err := os.Chtimes(dir, old, old); err != nil {
		r.t.Fatal(err)
	}
}
