package markup_test

import (
	"testing"

	"morrow/internal/markup"
)

func TestLeadingTitle(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]struct {
		title, rest string
		lines       int
	}{
		"# Hello\n\nHi\n":                    {"Hello", "\nHi\n", 1},
		"\n\n# Hello ##\nHi":                 {"Hello", "Hi", 3},
		"# A *b* `c*` [d](x) &amp; \\* <b>e": {"A b c* d & * e", "", 0},
		"Hello\n===\nHi":                     {"Hello", "Hi", 2},
		"Hi\n\n# Later\n":                    {"", "Hi\n\n# Later\n", 0},
		"## Two\n":                           {"", "## Two\n", 0},
		"#tag\nHi":                           {"", "#tag\nHi", 0},
		"    # code\n":                       {"", "    # code\n", 0},
		"```\n===\n":                         {"", "```\n===\n", 0},
		"- a\n===\n":                         {"", "- a\n===\n", 0},
		"# ![alt](x.png)\nHi":                {"", "# ![alt](x.png)\nHi", 0},
		"":                                   {"", "", 0},
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			title, rest, lines := markup.LeadingTitle([]byte(in))
			if title != want.title || string(rest) != want.rest || lines != want.lines {
				t.Errorf("got %q, %q, %d; want %+v", title, rest, lines, want)
			}
		})
	}
}
