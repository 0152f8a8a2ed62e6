package main

import "testing"

func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ shown, visible string }{
		"첫 글 (2) “a”\\b'.md":   {"첫 글 (2) “a”\\b'.md", "첫 글 (2) “a”\\b'.md"},
		"👩\u200d🚀.md":          {"👩\u200d🚀.md", "👩\u200d🚀.md"},
		"a\x1b[31mb\a.md":      {`"a\x1b[31mb\a.md"`, `a\x1b[31mb\a.md`},
		"a\nb\tc\r.md":         {`"a\nb\tc\r.md"`, "a\nb\tc" + `\r.md`},
		"a\u009b31m.md":        {`"a\u009b31m.md"`, `a\u009b31m.md`},
		"a\u202edm.exe":        {`"a\u202edm.exe"`, `a\u202edm.exe`},
		"a\x9b.md":             {`"a\x9b.md"`, "a\ufffd.md"},
		"a replacement \ufffd": {"a replacement \ufffd", "a replacement \ufffd"},
	} {
		if got := shown(text); got != want.shown {
			t.Errorf("the name %q is shown as %q, want %q", text, got, want.shown)
		}
		if got := visible(text); got != want.visible {
			t.Errorf("the text %q is printed as %q, want %q", text, got, want.visible)
		}
	}
}
