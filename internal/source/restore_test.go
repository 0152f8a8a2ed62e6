package source

import (
	"io/fs"
	"testing"
	"time"
)

func anyItem(Item) bool { return true }

func TestRestore(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"done/010-first.md": "booked", "done/020-second.md": "other", "020-second.md": "a newer file"})
	if ok, err := q.Restore(t.Context(), "third", anyItem); ok || err != nil {
		t.Errorf("a file that done/ does not hold: got %t, %v", ok, err)
	}
	for _, key := range []string{"first", "second"} {
		if ok, err := q.Restore(t.Context(), key, anyItem); !ok || err != nil {
			t.Fatalf("%s: got %t, %v", key, ok, err)
		}
	}
	q.wantFiles(map[string]string{"010-first.md": "booked", "020-second.md": "a newer file", "020-second-2.md": "other"})
}

func TestRestoreWithoutDone(t *testing.T) {
	t.Parallel()
	q := newQueue(t, nil)
	if ok, err := q.Restore(t.Context(), "a", anyItem); ok || err != nil {
		t.Errorf("got %t, %v", ok, err)
	}
}

// A name used each week: the files differ in their text alone.
func TestRestoreOfOneNameUsedAgain(t *testing.T) {
	t.Parallel()
	const first, second, third = "---\nslug: week-1\n---\none", "---\nslug: week-2\n---\ntwo", "---\nslug: week-3\n---\nthree"
	files := func() *queue {
		q := newQueue(t, map[string]string{"done/weekly.md": first, "done/weekly-2.md": second, "done/weekly-3.md": "", "done/weekly-4.md": "---\nslug: [\n---\n"})
		q.writeAt("done/weekly-5.md", third, noon().Add(-time.Minute))
		return q
	}
	for slug, want := range map[string]string{"week-1": first, "week-2": second, "week-3": third} {
		t.Run(slug, func(t *testing.T) {
			t.Parallel()
			q := files()
			ok, err := q.Restore(t.Context(), "weekly", func(it Item) bool { return it.Key == "weekly" && it.Slug == slug })
			if got := q.files()["weekly.md"]; !ok || err != nil || got != want {
				t.Errorf("%t, %v: weekly.md is %q, want %q", ok, err, got, want)
			}
		})
	}
	t.Run("the newest first", func(t *testing.T) {
		t.Parallel()
		q := files()
		ok, err := q.Restore(t.Context(), "weekly", anyItem)
		if got := q.files()["weekly.md"]; !ok || err != nil || got != third {
			t.Errorf("%t, %v: weekly.md is %q, want %q", ok, err, got, third)
		}
	})
	t.Run("none is meant", func(t *testing.T) {
		t.Parallel()
		q := files()
		if ok, err := q.Restore(t.Context(), "weekly", func(Item) bool { return false }); ok || err != nil {
			t.Errorf("got %t, %v", ok, err)
		}
	})
}

func TestRestoreNeverTakesOverAnEmptyFile(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"done/a.md": "x", "a.md": ""})
	if ok, err := q.Restore(t.Context(), "a", anyItem); !ok || err != nil {
		t.Fatalf("got %t, %v", ok, err)
	}
	q.wantFiles(map[string]string{"a.md": "", "a-2.md": "x"})
}

func TestRestoreTellsAFileThatCantBeRead(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"done/a.md": "x"})
	q.read = func(string, fs.FileInfo) ([]byte, error) { return nil, errChanging }
	if ok, err := q.Restore(t.Context(), "a", anyItem); ok || err == nil {
		t.Errorf("got %t, %v; want the fault", ok, err)
	}
}
