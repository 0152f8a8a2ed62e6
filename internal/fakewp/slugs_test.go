package fakewp

import (
	"testing"

	"pgregory.net/rapid"
)

// What isPlainSlug lets pass, the long way leaves as it is.
func TestPlainSlugs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`[a-z0-9_-]{0,12}`).Draw(t, "slug")
		for _, saving := range []bool{true, false} {
			if isPlainSlug(s) && clean(s, saving) != s {
				t.Errorf("clean(%q, %v) = %q", s, saving, clean(s, saving))
			}
		}
	})
	for _, s := range []string{"A", "é", "a b", "-a", "a--b", "a.b", "a/b", "%41", "a&b;"} {
		if isPlainSlug(s) {
			t.Errorf("%q is no plain slug", s)
		}
	}
}
