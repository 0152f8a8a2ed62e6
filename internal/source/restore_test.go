package source

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRestore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, doneDir), 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(text string, path ...string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(append([]string{dir}, path...)...), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("booked", doneDir, "010-first.md")
	put("other", doneDir, "020-second.md")
	f := NewFolder(FolderOptions{Dir: dir})

	if ok, err := f.Restore(t.Context(), "third", func(Item) bool { return true }); ok || err != nil {
		t.Errorf("a file that done/ does not hold: got %t, %v", ok, err)
	}
	if ok, err := f.Restore(t.Context(), "first", func(Item) bool { return true }); !ok || err != nil {
		t.Fatalf("got %t, %v", ok, err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "010-first.md")); string(got) != "booked" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	put("a newer file", "020-second.md")
	if ok, err := f.Restore(t.Context(), "second", func(Item) bool { return true }); !ok || err != nil {
		t.Fatalf("got %t, %v", ok, err)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "020-second.md")); string(got) != "a newer file" {
		t.Errorf("the newer file was written over: %q", got)
	}
}
