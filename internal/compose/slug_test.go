package compose_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"morrow/internal/compose"
	"morrow/internal/source"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("가", 40)
	for wish, want := range map[string]string{
		"first":                   "first",
		"café":                    "cafe",
		"Café v1.2":               "cafe-v1-2",
		"cafe\u0301":              "cafe",
		"가 나":                     "%ea%b0%80-%eb%82%98",
		"%EA%B0%80-%eb%82%98":     "%ea%b0%80-%eb%82%98",
		"\u1100\u1161":            "%ea%b0%80", // a decomposed name, as macOS writes it
		"x.y/z":                   "x-y-z",
		"50%-off":                 "50-off",
		"c++ & c#":                "c-c",
		"a — b…":                  "a-b",
		"“a” ‘b’":                 "a-b",
		"第一章：开始":                  "%e7%ac%ac%e4%b8%80%e7%ab%a0-%e5%bc%80%e5%a7%8b",
		"Ж й":                     "%d0%b6-%d0%b9",
		"Straße Øl Æ łódź":        "strase-ol-ae-lodz",
		"İstanbul ısı":            "istanbul-isi",
		"ŉ ŀ 𐞁x":                  "n-l-x",
		"3×4":                     "3x4",
		"가\ufe0f나":                "%ea%b0%80%eb%82%98",
		"hi 😀":                    "hi",
		"a\u200b\ufeffb\u00a0c":   "ab-c",
		"--a--b--":                "a-b",
		"part-2":                  "part-2",
		"+10-tips":                "10-tips", // as the command source names a file
		"x__trashed":              "x",
		"feed":                    "post-feed",
		"Embed":                   "post-embed",
		"rss2":                    "post-rss2",
		"page":                    "post-page",
		"page2":                   "post-page2",
		"page-2":                  "page-2",
		"wp-admin":                "post-wp-admin",
		"12":                      "post-12",
		"0":                       "post-0",
		"2026 12":                 "2026-12",
		long:                      strings.Repeat("%ea%b0%80", 19) + "-d8be545c",
		strings.Repeat("ab-", 80): strings.Repeat("ab-", 57) + "e41f4bde",
		strings.Repeat("a", 180):  strings.Repeat("a", 180),
		strings.Repeat("a", 181):  strings.Repeat("a", 171) + "-9ce4e58a",
		"":                        "the-key",
		"😀":                       "the-key",
		"\xff":                    "the-key",
	} {
		t.Run(wish, func(t *testing.T) {
			t.Parallel()
			if got := compose.Slug(source.Item{Slug: wish, Key: "the key", Title: "t"}); got != want {
				t.Errorf("Slug(%q) = %q, want %q", wish, got, want)
			}
		})
	}
}

func TestSlugIsNeverEmpty(t *testing.T) {
	t.Parallel()
	a := compose.Slug(source.Item{Key: "😀", Title: "👍"})
	b := compose.Slug(source.Item{Key: "😀", Title: "👎"})
	if !regexp.MustCompile(`^post-[0-9a-f]{8}$`).MatchString(a) || a == b {
		t.Errorf("slugs %q and %q", a, b)
	}
	if got := compose.Slug(source.Item{Key: "…", Title: "A title"}); got != "a-title" {
		t.Errorf("slug %q, want the title's", got)
	}
}

// B34: of whatever is wished the slug is short enough, plain, not reserved, and
// its own slug again, encoded or not.
func TestB34SlugProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"가", "é", "ǿ", "ß", "ﬁ", "İ", "-", "_", ".", "/", "%", "%41", "12", "feed", "page", "__trashed", "\u0301", "\u200d", "&amp;", "<b>",
		}))
		wish := strings.Join(rapid.SliceOfN(part, 0, 30).Draw(t, "wish"), "")
		got := compose.Slug(source.Item{Slug: wish, Key: "k"})
		if len(got) > 180 || !regexp.MustCompile(`^(?:[a-z0-9_]|%[0-9a-f]{2}|\b-\b|-)+$`).MatchString(got) {
			t.Fatalf("Slug(%q) = %q", wish, got)
		}
		if regexp.MustCompile(`^(\d+|feed|rdf|rss2?|atom|embed|page\d*)$|^-|-$|--|__trashed`).MatchString(got) {
			t.Fatalf("Slug(%q) = %q, which WordPress changes", wish, got)
		}
		plain, err := url.PathUnescape(got)
		if err != nil {
			t.Fatal(err)
		}
		for _, again := range []string{got, plain} {
			if s := compose.Slug(source.Item{Slug: again, Key: "k"}); s != got {
				t.Fatalf("Slug(%q) = %q, and of that %q", wish, got, s)
			}
		}
	})
}
