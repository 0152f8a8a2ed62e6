package source

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// enough is what counts as a large queue here.
const enough = 20

// newLargeQueue has enough files to be remembered, of all kinds.
func newLargeQueue(t *testing.T) *queue {
	t.Helper()
	files := map[string]string{
		"a.md": "---\ntitle: A\ntags: [a, \"b, c\"]\nlang: ko\n---\nHi", "draft.md": "---\ndraft: true\n---\nHi", "bad.md": "---\ntitle: [\n---\nHi",
		"pinned.md": "---\npublish_on: 2026-12-24\n---\nHi", "dated.md": "---\ndate: 2027-01-05T07:30:00Z\npubDate: 2027-01-04\nother: 1\n---\nHi", "2027-01-05-x.md": "Hi there",
		"typed.md": "---\ntype: page\n---\nHi", "settings.md": "---\ncomments: false\nformat: aside\ntaxonomies: {genre: [a]}\n---\nHi",
		"sticky.md": "---\nsticky: false\n---\nHi", "meta.md": "---\nmeta: {a: [b]}\n---\nHi", "post/index.md": "An article",
		"copy of.md": "x", "copy of 2.md": "x", "slug.md": "---\nslug: a\n---\nHi", "notes.txt": "x",
	}
	for i := range enough {
		files[fmt.Sprintf("many-%d.md", i)] = fmt.Sprintf("Text %d", i)
	}
	q := newQueue(t, files)
	q.memory, q.worth = filepath.Join(t.TempDir(), "cache", "queue"), enough
	return q
}

// again is the queue as another process sees it. It counts what it reads.
func (q *queue) again() (next *queue, read *int) {
	read = new(int)
	f := NewFolder(FolderOptions{Dir: q.dir, Memory: q.memory, Now: noon})
	f.read = func(path string, want fs.FileInfo) ([]byte, error) {
		*read++
		return readFile(path, want)
	}
	f.worth = q.worth
	return &queue{f, q.t, q.dir}, read
}

func TestMemoryOutlastsTheProcess(t *testing.T) {
	t.Parallel()
	q := newLargeQueue(t)
	want := q.entries()
	next, read := q.again()
	if diff := cmp.Diff(want, next.entries()); diff != "" {
		t.Errorf("entries (-first +second)\n%s", diff)
	}
	if *read != 2 { // sticky.md and meta.md
		t.Errorf("%d files were read again, want 2", *read)
	}
	if err := next.Consume(t.Context(), next.item("a.md")); err != nil {
		t.Errorf("consume of a remembered item: %v", err)
	}
}

func TestMemoryDoesNotOutlastAChange(t *testing.T) {
	t.Parallel()
	old := noon().Add(-time.Hour)
	for name, change := range map[string]func(q *queue, path string) error{
		"size": func(q *queue, _ string) error {
			q.writeAt("a.md", "# Changed\n\nlonger than it was before, by a good deal", old)
			return nil
		},
		"time": func(q *queue, _ string) error {
			q.writeAt("a.md", "---\ntitle: B\ntags: [a, \"b, c\"]\nlang: ko\n---\nHi", old.Add(time.Second))
			return nil
		},
		"identity": func(q *queue, path string) error {
			q.writeAt("new", "---\ntitle: B\ntags: [a, \"b, c\"]\nlang: ko\n---\nHi", old)
			return os.Rename(q.path("new"), path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newLargeQueue(t)
			q.entries()
			if err := change(q, q.path("a.md")); err != nil {
				t.Fatal(err)
			}
			next, _ := q.again()
			if it := next.item("a.md"); it.Title == "A" {
				t.Errorf("got the old text: %+v", it)
			}
		})
	}
}

// TestMemoryTellsOfAnEdit: that a remembered file was edited before it was
// moved is seen by its text.
func TestMemoryTellsOfAnEdit(t *testing.T) {
	t.Parallel()
	q := newLargeQueue(t)
	q.entries()
	next, _ := q.again()
	it := next.item("a.md")
	q.write("a.md", "another text")
	var changed *ChangedError
	if err := next.Consume(t.Context(), it); !errors.As(err, &changed) {
		t.Errorf("got %v, want that it was edited", err)
	}
}

func TestMemoryThatIsOfNoUse(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"gone":    os.Remove,
		"half":    func(path string) error { return os.Truncate(path, 1000) },
		"junk":    func(path string) error { return os.WriteFile(path, []byte("junk"), 0o600) },
		"no file": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
		"no folder": func(path string) error {
			return errors.Join(os.RemoveAll(filepath.Dir(path)), os.WriteFile(filepath.Dir(path), nil, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newLargeQueue(t)
			want := q.entries()
			if err := spoil(q.memory); err != nil {
				t.Fatal(err)
			}
			next, read := q.again()
			if diff := cmp.Diff(want, next.entries()); diff != "" || *read < enough {
				t.Errorf("%d files read, entries (-first +second)\n%s", *read, diff)
			}
		})
	}
}

// TestMemoryOfAnotherProgram: it may have read the same front matter in another
// way.
func TestMemoryOfAnotherProgram(t *testing.T) {
	t.Parallel()
	q := newLargeQueue(t)
	q.entries()
	k := kept{Program: "another"}
	for name, c := range q.cache {
		if c.isPlain() {
			k.Files = append(k.Files, keptFile{Name: name, Stamp: c.stamp, Sum: c.sum, Item: c.item, State: c.state})
		}
	}
	if err := writeWhole(q.memory, encoded(t, k)); err != nil {
		t.Fatal(err)
	}
	next, read := q.again()
	if next.entries(); *read < enough {
		t.Errorf("another program's memory was believed: %d files read", *read)
	}
}

// TestMemoryIsForLargeQueues: of an ordinary one nothing is written anywhere.
func TestMemoryIsForLargeQueues(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "Hi"})
	q.memory = filepath.Join(t.TempDir(), "cache", "queue")
	q.entries()
	if _, err := os.Stat(filepath.Dir(q.memory)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a memory: %v", err)
	}
	q = newLargeQueue(t)
	q.entries()
	info, err := os.Stat(q.memory)
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("got %v, %v, want a private file", info, err)
	}
	left, err := os.ReadDir(filepath.Dir(q.memory))
	if err != nil || len(left) != 1 {
		t.Errorf("left beside it: %v, %v", left, err)
	}
}

func encoded(t *testing.T, k kept) []byte {
	t.Helper()
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(k); err != nil {
		t.Fatal(err)
	}
	return data.Bytes()
}
