package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestArticle(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{
		"2-My post/index.md": "# Hello\n\nHi", "2-My post/images/a.png": "x", "2-My post/notes.txt": "x",
		"10-v1.2/INDEX.HTML": "<p>Hi</p>", "10-v1.2/index.txt": "x",
		"3-note/3-note.md": "a folder's note", "3-note/other.md": "x",
		"4-both/4-both.md": "x", "4-both/index.md": "the index",
		"5-two/a.md": "x", "5-two/b.md": "y", "1-file.md": "x", "2027-01-05-dated/index.markdown": "y",
	})
	q.want("1-file.md ready", "2-My post/index.md ready", "3-note/3-note.md ready", "4-both/index.md ready", "5-two ignored",
		"10-v1.2/INDEX.HTML ready", "2027-01-05-dated/index.markdown ready")
	for name, want := range map[string]Item{
		"2-My post/index.md":              {Key: "my post", Slug: "My post", Title: "Hello", Body: []byte("\nHi"), BodyLine: 2},
		"10-v1.2/INDEX.HTML":              {Key: "v1.2", Slug: "v1.2", Title: "V1.2", Body: []byte("<p>Hi</p>"), BodyLine: 1, HTML: true},
		"3-note/3-note.md":                {Key: "note", Slug: "note", Title: "Note", Body: []byte("a folder's note"), BodyLine: 1},
		"2027-01-05-dated/index.markdown": {Key: "2027-01-05-dated", Slug: "dated", Title: "Dated", Body: []byte("y"), BodyLine: 1, NotBefore: time.Date(2027, 1, 5, 0, 0, 0, 0, seoul)},
	} {
		want.Name, want.Root, want.Dir = name, q.dir, article(name)
		if diff := cmp.Diff(want, q.item(name)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestArticleIsMovedAsAWhole(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"post/index.md": "Hi", "post/images/a.png": "x", "done/post/index.md": "last year's"})
	it := q.item("post/index.md")
	if err := q.Consume(t.Context(), it); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"done/post-2/index.md": "Hi", "done/post-2/images/a.png": "x", "done/post/index.md": "last year's"}
	q.wantFiles(want)
	q.want()
	if err := q.Consume(t.Context(), it); err != nil {
		t.Errorf("once more: %v", err)
	}
	ok, err := q.Restore(t.Context(), it.Key, func(it Item) bool { return string(it.Body) == "Hi" })
	if !ok || err != nil {
		t.Fatalf("restore: %v, %v", ok, err)
	}
	q.wantFiles(map[string]string{"post/index.md": "Hi", "post/images/a.png": "x", "done/post/index.md": "last year's"})
	q.want("post/index.md ready")
}

// TestArticleNeverTakesOverAFolder: what has the name stays as it is.
func TestArticleNeverTakesOverAFolder(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"post/index.md": "Hi", "done/post": "a file", "done/post-2/x.txt": "x"})
	if err := q.Consume(t.Context(), q.item("post/index.md")); err != nil {
		t.Fatal(err)
	}
	q.wantFiles(map[string]string{"done/post-3/index.md": "Hi", "done/post": "a file", "done/post-2/x.txt": "x"})
	q.write("post/index.md", "A person's new text")
	if ok, err := q.Restore(t.Context(), "post", func(it Item) bool { return string(it.Body) == "Hi" }); !ok || err != nil {
		t.Fatalf("restore: %v, %v", ok, err)
	}
	if got := q.files(); got["post/index.md"] != "A person's new text" || got["post-2/index.md"] != "Hi" {
		t.Errorf("got %v", got)
	}
}

func TestArticleEditedAfterReading(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"post/index.md": "Hi"})
	it := q.item("post/index.md")
	q.write("post/index.md", "Ho")
	var changed *ChangedError
	if err := q.Consume(t.Context(), it); !errors.As(err, &changed) {
		t.Errorf("got %v, want that it was edited", err)
	}
}

func TestArticleOnAnotherDevice(t *testing.T) {
	t.Parallel()
	if !otherDevice(syscall.EXDEV) {
		t.Skip("this system says it otherwise")
	}
	q := newQueue(t, map[string]string{"post/index.md": "Hi"})
	it := q.item("post/index.md")
	q.rename = func(string, string) error { return &os.LinkError{Op: "rename", Err: syscall.EXDEV} }
	if err := q.Consume(context.WithoutCancel(t.Context()), it); err == nil || !strings.Contains(err.Error(), "another device") || !strings.Contains(err.Error(), "by hand") {
		t.Errorf("got %v", err)
	}
	q.wantFiles(map[string]string{"post/index.md": "Hi"})
}

// TestArticleThatIsBeingCopied: its text may be there before its pictures are.
func TestArticleThatIsBeingCopied(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a/index.md": "a", "b/index.md": "b", "c/index.md": "c", "d/index.md": "d"})
	q.writeAt("a/x.png", "x", noon().Add(-time.Second))
	q.writeAt("b/images/x.png", "x", noon().Add(-time.Second))
	old := noon().Add(-time.Hour)
	if err := errors.Join(os.Chtimes(q.path("a"), old, old), os.Chtimes(q.path("b"), old, old)); err != nil {
		t.Fatal(err)
	}
	young := noon().Add(-time.Second)
	if err := os.Chtimes(q.path("c"), young, young); err != nil {
		t.Fatal(err)
	}
	q.want("a/index.md held", "b/index.md held", "c/index.md held", "d/index.md ready")
}

func TestArticleCopies(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{
		"post/index.md": "Hi", "post (1)/index.md": "edited", "post-zwei/index.md": "Hi",
		"week 2/index.md": "booked", "done/week/index.md": "booked", "done/old/index.md": "x", "old - Copy/index.md": "y",
		"same/index.md": "one", "same.md": "two",
	})
	q.want("old - Copy/index.md ignored", "post/index.md ready", "post (1)/index.md ignored", "post-zwei/index.md ignored",
		"same.md ready", "same/index.md faulty", "week 2/index.md ignored")
	q.wantReason("post (1)/index.md", Ignored, "a copy of post;")
	q.wantReason("post-zwei/index.md", Ignored, "same text as post/index.md")
	q.wantReason("week 2/index.md", Ignored, "same text as done/week")
	q.wantReason("old - Copy/index.md", Ignored, "a copy of old;")
}

func TestArticleThatIsNoText(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a/index.md/x.txt": "x", "b/.index.md": "x", "c/index.txt": "x"})
	if err := os.MkdirAll(q.path("d"), 0o755); err != nil {
		t.Fatal(err)
	}
	q.want("a ignored", "b ignored", "c ignored", "d ignored")
	for _, name := range []string{"../a/index.md", "a/b/index.md", "done/index.md", "images/index.md"} {
		if err := q.Consume(t.Context(), Item{Name: name}); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want a refusal of the name", name, err)
		}
	}
}
