package source

import (
	"io/fs"
	"path/filepath"
	"testing"
)

func TestCopiesToTheByte(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{
		"010-first.md": "text", "010-first 2.md": "text", "010-first-OFFICE.md": "text", "010-first part 2.md": "other",
		"020-unlike.md": "text", "done/030-third.md": "third", "030-third 2.md": "third", "030-third 3.md": "THIRD",
		"done/040-week.md": "one", "done/040-week-2.md": "two", "040-week 2.md": "two", "040-week.md": "two",
	})
	q.want("010-first.md ready", "010-first 2.md ignored", "010-first part 2.md ready", "010-first-OFFICE.md ignored",
		"020-unlike.md ready", "030-third 2.md ignored", "030-third 3.md ready", "040-week.md ready", "040-week 2.md ignored")
	q.wantReason("010-first 2.md", Ignored, "same text as 010-first.md")
	q.wantReason("030-third 2.md", Ignored, "same text as "+filepath.Join("done", "030-third.md"))
	q.wantReason("040-week 2.md", Ignored, "same text as 040-week.md")

	if err := q.Consume(t.Context(), q.item("040-week.md")); err != nil {
		t.Fatal(err)
	}
	q.wantReason("040-week 2.md", Ignored, "same text as "+filepath.Join("done", "040-week-2.md"))
	q.write("010-first 2.md", "edited")
	q.wantReason("010-first 2.md", Ready, "")
}

func TestDoneFilesOfAnotherSizeAreNotRead(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a 2.md": "text", "done/a.md": "longer text"})
	q.read = func(path string, want fs.FileInfo) ([]byte, error) {
		if filepath.Base(path) == "a.md" {
			t.Error("read")
		}
		return readFile(path, want)
	}
	q.want("a 2.md ready")
}

// TestSameTextOtherPictures: a text alone does not make an article a copy.
func TestSameTextOtherPictures(t *testing.T) {
	t.Parallel()
	const text = "![](images/photo.png)"
	q := newQueue(t, map[string]string{
		"a/index.md": text, "a/images/photo.png": "monday",
		"a 2/index.md": text, "a 2/images/photo.png": "tuesday",
		"a 3/index.md": text, "a 3/images/photo.png": "monday", "a 3/images/notes.txt": "x", "a/images/notes.txt": "y",
		"done/b/index.md": text, "done/b/images/photo.png": "monday",
		"b 2/index.md": text, "b 2/images/photo.png": "tuesday",
		"b 3/index.md": text, "b 3/images/photo.png": "monday",
		"images/photo.png": "monday", "c.md": text, "done/d.md": text,
		"c 2/index.md": text, "c 2/images/photo.png": "tuesday",
		"d 2/index.md": text, "d 2/images/photo.png": "tuesday",
		"d 3/index.md": text, "d 3/images/photo.png": "monday",
	})
	q.want("a/index.md ready", "a 2/index.md ready", "a 3/index.md ignored", "b 2/index.md ready", "b 3/index.md ignored",
		"c.md ready", "c 2/index.md ready", "d 2/index.md ready", "d 3/index.md ignored")
}
