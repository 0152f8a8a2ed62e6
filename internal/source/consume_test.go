package source

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// files are the folder's files and their texts, sub-folders included.
func (q *queue) files() map[string]string {
	q.t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(q.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(q.dir, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		q.t.Fatal(err)
	}
	return found
}

func (q *queue) wantFiles(want map[string]string) {
	q.t.Helper()
	if diff := cmp.Diff(want, q.files()); diff != "" {
		q.t.Errorf("files: (-want +got)\n%s", diff)
	}
}

func TestConsume(t *testing.T) {
	t.Parallel()
	const text = "\ufeff---\r\ntitle: A\r\n---\r\nHi\r\n"
	q := newQueue(t, map[string]string{"1-a.md": text, "b.md": "x"})
	item := q.item("1-a.md")
	if err := q.Consume(t.Context(), item); err != nil {
		t.Fatal(err)
	}
	q.wantFiles(map[string]string{"done/1-a.md": text, "b.md": "x"})
	q.want("b.md ready")
	if err := q.Consume(t.Context(), item); err != nil {
		t.Errorf("once more: %v", err)
	}
	if info, err := os.Stat(q.path("done/1-a.md")); err != nil || !info.ModTime().Equal(noon().Add(-time.Hour)) {
		t.Errorf("the file's time is not kept: %v, %v", info, err)
	}
}

func TestConsumeNeverOverwrites(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "new", "done/a.md": "old", "done/a-2.md": "older"})
	if err := q.Consume(t.Context(), q.item("a.md")); err != nil {
		t.Fatal(err)
	}
	q.wantFiles(map[string]string{"done/a.md": "old", "done/a-2.md": "older", "done/a-3.md": "new"})
}

func TestConsumeOfAFileThatIsGone(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"done/a-2.md": "x"})
	if err := q.Consume(t.Context(), Item{Name: "a.md"}); err != nil {
		t.Errorf("in done/ under a number: %v", err)
	}
	for _, name := range []string{"b.md", "a-2-x.md"} {
		if err := q.Consume(t.Context(), Item{Name: name}); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: error %v, want that it does not exist", name, err)
		}
	}
	for _, name := range []string{"../a.md", "done/a.md", ""} {
		if err := q.Consume(t.Context(), Item{Name: name}); err == nil || errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q: error %v, want a refusal of the name", name, err)
		}
	}
}

func TestB69DoneNotWritable(t *testing.T) {
	t.Parallel()
	t.Run("a file is in its place", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"a.md": "x", "done": "y"})
		err := q.Consume(t.Context(), q.item("a.md"))
		if err == nil || !strings.Contains(err.Error(), "by hand") {
			t.Errorf("error %v, want what to do", err)
		}
		q.wantFiles(map[string]string{"a.md": "x", "done": "y"})
	})
	t.Run("the move is refused", func(t *testing.T) {
		t.Parallel()
		q := newQueue(t, map[string]string{"a.md": "x"})
		item := q.item("a.md")
		q.rename = func(from, to string) error {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EACCES}
		}
		if err := q.Consume(t.Context(), item); !errors.Is(err, os.ErrPermission) {
			t.Errorf("error %v, want the refusal", err)
		}
		q.wantFiles(map[string]string{"a.md": "x"})
	})
}

func TestB69EditedAfterReading(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]bool{"not seen again": false, "listed again": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t, map[string]string{"a.md": "read"})
			item := q.item("a.md")
			q.write("a.md", "edited")
			if again {
				q.entries()
			}
			err := q.Consume(t.Context(), item)
			var changed *ChangedError
			if !errors.As(err, &changed) || changed.Name != "a.md" || changed.Moved != filepath.Join("done", "a.md") {
				t.Errorf("error %v, want a ChangedError", err)
			}
			q.wantFiles(map[string]string{"done/a.md": "edited"})
		})
	}
}

func TestConsumeWaitsForAnOpenFile(t *testing.T) {
	t.Parallel()
	for refusals, ok := range map[int]bool{4: true, 5: false} {
		t.Run(strconv.Itoa(refusals), func(t *testing.T) {
			t.Parallel()
			q := newQueue(t, map[string]string{"a.md": "x"})
			item := q.item("a.md")
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				q.rename = func(from, to string) error {
					if tries++; tries <= refusals {
						return errInUse
					}
					return os.Rename(from, to)
				}
				if err := q.Consume(t.Context(), item); (err == nil) != ok {
					t.Errorf("error %v after %d refusals", err, refusals)
				}
			})
			if ok {
				q.wantFiles(map[string]string{"done/a.md": "x"})
			} else {
				q.wantFiles(map[string]string{"a.md": "x"})
			}
		})
	}
}

// doneElsewhere puts done/ on another device. before is called before each
// rename that a move makes, counted from 1.
func (q *queue) doneElsewhere(before func(n int) error) {
	n := 0
	q.rename = func(from, to string) error {
		n++
		if before != nil {
			if err := before(n); err != nil {
				return err
			}
		}
		if filepath.Dir(from) != filepath.Dir(to) {
			return &os.LinkError{Op: "rename", Old: from, New: to, Err: errDevice}
		}
		return os.Rename(from, to)
	}
}

func TestConsumeAcrossDevices(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "x\r\n"})
	if err := os.Chmod(q.path("a.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	q.doneElsewhere(nil)
	if err := q.Consume(t.Context(), q.item("a.md")); err != nil {
		t.Fatal(err)
	}
	q.wantFiles(map[string]string{"done/a.md": "x\r\n"})
	info, err := os.Stat(q.path("done/a.md"))
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o640 || !info.ModTime().Equal(noon().Add(-time.Hour)) {
		t.Errorf("mode and time are not kept: %v, %v", info, err)
	}
}

// Killed between reserving a name and the rename, Morrow leaves an empty file.
func TestConsumeAfterOneThatWasKilled(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "x", "done/a.md": "", "b.md": "y", "done/b.md": "old", "done/b-2.md": ""})
	for _, name := range []string{"a.md", "b.md"} {
		if err := q.Consume(t.Context(), q.item(name)); err != nil {
			t.Fatal(err)
		}
	}
	q.wantFiles(map[string]string{"done/a.md": "x", "done/b.md": "old", "done/b-2.md": "y"})
	q.write("done/c.md", "")
	if err := q.Consume(t.Context(), Item{Name: "c.md"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone, with only an empty one in done/: error %v", err)
	}
}

// What a person saves while the file is copied is in one place or the other,
// and a move that fails leaves all as it was. The renames: to done/, refused;
// copy to its name; file aside; and where that differs, copy to its name.
func TestMovesAcrossDevicesLoseNoText(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		edits map[int]string
		fails int
		want  map[string]string
		told  string // in the error
	}{
		"edited before":              {edits: map[int]string{1: "edit"}, want: map[string]string{"done/a.md": "edit"}, told: "edited after"},
		"edited while it is copied":  {edits: map[int]string{2: "edit"}, want: map[string]string{"done/a.md": "edit"}, told: "edited after"},
		"edited once it is copied":   {edits: map[int]string{3: "edit"}, want: map[string]string{"done/a.md": "edit"}, told: "edited after"},
		"saved anew when aside":      {edits: map[int]string{3: "edit", 4: "new"}, want: map[string]string{"done/a.md": "edit", "a.md": "new"}, told: "edited after"},
		"no copy":                    {fails: 2, want: map[string]string{"a.md": "read"}, told: "refused"},
		"not put aside":              {fails: 3, want: map[string]string{"a.md": "read"}, told: "refused"},
		"no second copy":             {edits: map[int]string{3: "edit"}, fails: 4, want: map[string]string{"a.md": "edit"}, told: "refused"},
		"no second copy, saved anew": {edits: map[int]string{3: "edit", 4: "new"}, fails: 4, want: map[string]string{"a.md": "new", ".morrow-a.md": "edit"}, told: ".morrow-a.md"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueue(t, map[string]string{"a.md": "read"})
			item := q.item("a.md")
			q.doneElsewhere(func(n int) error {
				if text, ok := tt.edits[n]; ok {
					q.write("a.md", text)
				}
				if n == tt.fails {
					return errors.New("refused")
				}
				return nil
			})
			if err := q.Consume(t.Context(), item); err == nil || !strings.Contains(err.Error(), tt.told) {
				t.Errorf("error %v, want %q in it", err, tt.told)
			}
			q.wantFiles(tt.want)
		})
	}
}
