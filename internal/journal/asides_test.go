package journal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAsides(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := openAt(t, newPath(t))
	early, late := at("2026-11-30T21:00:00Z"), at("2026-12-01T21:00:00Z")
	must(t, j.SaveAsides(ctx, "blog", "daily", []Aside{{"a.md", "slug taken", early}, {"b.md", "edited", early}}))
	must(t, j.SaveAsides(ctx, "blog", "weekly", []Aside{{"c.md", "slug taken", early}}))
	must(t, j.SaveAsides(ctx, "blog", "daily", []Aside{{"b.md", "edited", late}}))
	for job, want := range map[string][]Aside{
		"daily":  {{"b.md", "edited", late}},
		"weekly": {{"c.md", "slug taken", early}},
		"none":   nil,
	} {
		got, err := j.Asides(ctx, "blog", job)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", job, err, diff)
		}
	}
}
