package journal

import (
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
)

// TestChangeNotes: two that change the notes at once, as processes do, lose
// nothing of each other, and a change that fails changes nothing.
func TestChangeNotes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal.db")
	const each = 20
	count := func(kept []byte) ([]byte, error) {
		n, _ := strconv.Atoi(string(kept))
		return []byte(strconv.Itoa(n + 1)), nil
	}
	var wg sync.WaitGroup
	for range 2 {
		j, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = j.Close() })
		wg.Go(func() {
			for range each {
				if err := j.ChangeNotes(t.Context(), count); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	j, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	broken := errors.New("broken")
	if err := j.ChangeNotes(t.Context(), func([]byte) ([]byte, error) { return []byte("lost"), broken }); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the change", err)
	}
	var got string
	if err := j.ChangeNotes(t.Context(), func(kept []byte) ([]byte, error) { got = string(kept); return kept, nil }); err != nil {
		t.Fatal(err)
	}
	if want := strconv.Itoa(2 * each); got != want {
		t.Errorf("notes %q, want %s", got, want)
	}
	if err := Discard().ChangeNotes(t.Context(), func([]byte) ([]byte, error) { t.Error("called where nothing is kept"); return nil, nil }); err != nil {
		t.Error(err)
	}
}
