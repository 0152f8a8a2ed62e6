package compose

import (
	"strings"
	"testing"

	"morrow/wpclient"
)

func TestMatchTerm(t *testing.T) {
	t.Parallel()
	terms := []wpclient.Term{
		{ID: 1, Name: "Latest News", Slug: "latest-news"},
		{ID: 2, Name: "Latest news", Slug: "sport-latest-news"},
		{ID: 3, Name: "Go", Slug: "golang"},
		{ID: 4, Name: "golang", Slug: "golang-2"},
		{ID: 5, Name: "Cafe\u0301", Slug: "cafe"},
	}
	for name, tc := range map[string]struct {
		id   int64
		says string
	}{
		"go":                {3, ""},
		"Golang":            {4, ""}, // the name comes before another's slug
		"latest-news":       {1, ""},
		"Sport-Latest-News": {2, ""},
		"caf\u00e9":         {5, ""},
		"LATEST NEWS":       {0, "has 2 of the category"},
		"News":              {0, ""},
	} {
		id, err := matchTerm(terms, category, name)
		if id != tc.id || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q: %d, %v; want %d, %q", name, id, err, tc.id, tc.says)
		}
	}
}

func TestMatchUser(t *testing.T) {
	t.Parallel()
	users := []wpclient.User{
		{ID: 1, Login: "kim", Slug: "kim-a", Name: "Kim"},
		{ID: 2, Login: "kim.b", Slug: "kim-b", Name: "Lee"},
		{ID: 3, Slug: "lee", Name: "Park"},
		{ID: 4, Slug: "park-2", Name: "park"},
	}
	for name, tc := range map[string]struct {
		id   int64
		says string
	}{
		"KIM": {1, ""}, "kim-b": {2, ""}, "Lee": {3, ""}, "Park": {0, "has 2 accounts"}, "nobody": {0, "no author"},
	} {
		id, err := matchUser(users, name)
		if id != tc.id || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%q: %d, %v; want %d, %q", name, id, err, tc.id, tc.says)
		}
	}
}
