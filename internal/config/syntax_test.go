package config

import (
	"fmt"
	"strings"
	"testing"
)

// TestBrokenLine breaks one line of a configuration in the ways in which
// people do.
func TestBrokenLine(t *testing.T) {
	t.Parallel()
	const text = `sites:
  - name: blog
    user: editor
    url: "https://blog.example.com"
jobs:
  - name: daily
    site: blog
    skip: {dates: [2026-01-01,
      2026-01-02]}
    ahead: 2
    source: {folder: ./queue}
`
	tests := map[string]struct {
		old, new string
		line     int
		words    string
	}{
		"tab":                      {"    user", "\tuser", 3, "indent with spaces"},
		"line of a tab":            {"jobs:\n", "jobs:\n\t", 6, "indent with spaces"},
		"no colon":                 {"user:", "user", 3, "no key and value"},
		"no blank":                 {"user: ", "user:", 3, "no key and value"},
		"too far out":              {"    user", "   user", 3, "each as far in"},
		"too far in":               {"    user", "     user", 3, "a colon too many"},
		"colon in a value":         {"editor", "a: b", 3, "in quotes"},
		"value like a directive":   {"editor", "@me", 3, "needs quotes"},
		"value like an alias":      {"editor", "*me", 3, "needs quotes"},
		"open quote":               {"editor", "'editor", 3, "is not closed"},
		"quote closed by the next": {"editor", `"editor`, 3, "close quotes"},
		"open bracket":             {"./queue}", "./queue", 11, "is not closed"},
		"bracket too many":         {"./queue}", "./queue}}", 11, "does not fit"},
		"after a long bracket":     {"ahead: 2", "ahead 2", 10, "no key and value"},
		"path of Windows":          {"./queue", `"C:\posts"`, 11, "single quotes"},
		"not UTF-8":                {"editor", "\xff", 3, "UTF-8"},
		"control character":        {"editor", "a\x01", 3, "control character"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": strings.Replace(text, tt.old, tt.new, 1)})
			got := strings.Join(told(t, path, options()), "\n")
			if !strings.HasPrefix(got, fmt.Sprintf("c.yaml:%d: ", tt.line)) || !strings.Contains(got, tt.words) || strings.Contains(got, "\n") {
				t.Errorf("problems = %q, want one in line %d with %q", got, tt.line, tt.words)
			}
		})
	}
}

// TestBrokenLineOfAnAgency: a long file of many brackets is gone through soon.
func TestBrokenLineOfAnAgency(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("sites:\n")
	for i := range 500 {
		fmt.Fprintf(&b, "  - {name: s%d,\n     user: x}\n", i)
	}
	lines := strings.Count(b.String(), "\n")
	b.WriteString("\t- x\n")
	if got := brokenLine([]byte(b.String())); got != lines+1 {
		t.Errorf("broken line = %d, want %d", got, lines+1)
	}
}
