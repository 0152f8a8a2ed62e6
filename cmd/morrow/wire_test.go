package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/config"
)

func TestWithout(t *testing.T) {
	t.Parallel()
	got := without(
		[]string{
			"PATH=/bin", "EMPTY=", "PASSWORD=abcd EFGH 1234", "TIGHT=abcdEFGH1234", "LINE=abcd\tEFGH 1234\n", "URL=https://me:abcdEFGH1234@example.com/",
			"HOOK=https://example.com/hook", "OTHER=abcd efgh 1234", "=C:=C:\\", "abcdEFGH1234=name",
		},
		config.NewSecret("abcdEFGH 1234"), config.NewSecret("https://example.com/hook"), config.NewSecret(""), config.Secret{},
	)
	want := []string{"PATH=/bin", "EMPTY=", "OTHER=abcd efgh 1234", "=C:=C:\\"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("environment: (-want +got)\n%s", diff)
	}
}
