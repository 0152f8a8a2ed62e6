package source

import (
	"strings"
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
		dir, title string
	}{
		{"a.md", "a.md", Ready, "", "A"},
		{"draft.md", "draft.md", Held, "", "Draft"},
		{"bad.md", "bad.md", Faulty, "", ""},
		{"page.md", "page.md", Faulty, "", ""},
		{"a.txt", "a.txt", Ignored, "", ""},
		{"post", "post/index.md", Ready, "post", "Post"},
		{"post/index.md", "post/index.md", Ready, "post", "Post"},
	} {
		e, dir, err := ReadFile(q.path(tt.path), "", seoul)
		if err != nil || e.Name != tt.name || e.State != tt.state || dir != strings.TrimSuffix(q.path(tt.dir), "/") {
			t.Errorf("%s: %+v, %s, %v", tt.path, e, dir, err)
		}
		if (e.Item != nil) != (tt.title != "") || e.Item != nil && e.Item.Title != tt.title {
			t.Errorf("%s: item %+v, want %q", tt.path, e.Item, tt.title)
		}
	}
	for _, path := range []string{"nowhere.md", "empty"} {
		if e, _, err := ReadFile(q.path(path), "", seoul); err == nil {
			t.Errorf("%s: %+v", path, e)
		}
	}
}
