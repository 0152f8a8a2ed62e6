package source

import (
	"testing"
	"time"
)

func TestReadFile(t *testing.T) {
	t.Parallel()
	q := newQueue(t, nil)
	for name, text := range map[string]string{
		"a.md": "# A\n\nHi", "draft.md": "---\ndraft: true\n---\nHi", "bad.md": "---\ntitle: [\n---\nHi", "a.txt": "Hi",
		"post/index.md": "Hi", "page.md": "---\ntype: page\n---\nHi", "empty/x.png": "x",
	} {
		q.writeAt(name, text, time.Now()) // a moment ago, and read all the same
	}
	for _, tt := range []struct {
		path, name string
		state      State
		dir, title string // of the item
	}{
		{"a.md", "a.md", Ready, "", "A"},
		{"draft.md", "draft.md", Held, "", "Draft"},
		{"bad.md", "bad.md", Faulty, "", ""},
		{"page.md", "page.md", Faulty, "", ""},
		{"a.txt", "a.txt", Ignored, "", ""},
		{"post", "post/index.md", Ready, "post", "Post"},
		{"post/index.md", "post/index.md", Ready, "post", "Post"},
	} {
		e, err := ReadFile(q.path(tt.path), "", seoul)
		if err != nil || e.Name != tt.name || e.State != tt.state {
			t.Errorf("%s: %+v, %v", tt.path, e, err)
		}
		if it := e.Item; (it != nil) != (tt.title != "") || it != nil && (it.Title != tt.title || it.Root != q.dir || it.Dir != tt.dir) {
			t.Errorf("%s: item %+v, want %q", tt.path, e.Item, tt.title)
		}
	}
	for _, path := range []string{"nowhere.md", "empty"} {
		if e, err := ReadFile(q.path(path), "", seoul); err == nil {
			t.Errorf("%s: %+v", path, e)
		}
	}
}
