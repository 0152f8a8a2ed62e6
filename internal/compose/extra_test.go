package compose_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/compose"
	"morrow/internal/fakewp"
	"morrow/internal/source"
)

func TestSettingsAreSentAndVerified(t *testing.T) {
	t.Parallel()
	_, client := fakeSite(t, "editor")
	d := composed(t, item(func(it *source.Item) {
		it.Settings = source.Settings{Sticky: new(true), CommentStatus: "closed", PingStatus: "closed", Format: "quote"}
	}))
	f, err := d.Prepare(slot(), 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := client.Create(t.Context(), "posts", f)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Verify(p); err != nil || len(p.Extra) != 4 {
		t.Errorf("got %v, %v", p.Extra, err)
	}
	if f, err = d.Prepare(slot(), p.ID); err != nil || len(f.Extra) != 4 {
		t.Errorf("an update sends %v, %v", f.Extra, err)
	}
	if f, err = d.Commit(slot(), p.ID); err != nil || len(f.Extra) != 0 {
		t.Errorf("the commit sends %v, %v", f.Extra, err)
	}
}

func TestVerifySettings(t *testing.T) {
	t.Parallel()
	sent := func(it *source.Item) {
		it.Settings = source.Settings{
			Sticky: new(true), Template: "wide.php",
			Meta: map[string]any{"mood": "a & b", "views": "010", "on": "true", "list": []any{"1", "b"}, "map": map[string]any{"k": "v"}, "gone": nil},
		}
	}
	meta := func(change ...any) map[string]any {
		m := map[string]any{"mood": "a &amp; b", "views": 10.0, "on": true, "list": []any{1.0, "b"}, "map": map[string]any{"k": "v"}, "other": "x"}
		for i := 0; i < len(change); i += 2 {
			m[change[i].(string)] = change[i+1]
		}
		return m
	}
	for name, tt := range map[string]struct {
		stored map[string]any
		part   string
	}{
		"kept":             {map[string]any{"sticky": true, "template": "wide.php", "meta": meta()}, ""},
		"not asked for":    {nil, ""},
		"not sticky":       {map[string]any{"sticky": false, "template": "wide.php", "meta": meta()}, "did not keep sticky"},
		"no template":      {map[string]any{"sticky": true, "meta": meta()}, "did not keep template"},
		"no key":           {map[string]any{"sticky": true, "template": "wide.php", "meta": []any{}}, "does not know the meta key"},
		"other text":       {map[string]any{"sticky": true, "template": "wide.php", "meta": meta("mood", "a")}, `did not keep the meta key "mood"`},
		"other number":     {map[string]any{"sticky": true, "template": "wide.php", "meta": meta("views", 11.0)}, `meta key "views"`},
		"other truth":      {map[string]any{"sticky": true, "template": "wide.php", "meta": meta("on", false)}, `meta key "on"`},
		"shorter list":     {map[string]any{"sticky": true, "template": "wide.php", "meta": meta("list", []any{1.0})}, `meta key "list"`},
		"other value":      {map[string]any{"sticky": true, "template": "wide.php", "meta": meta("map", map[string]any{"k": "w"})}, `meta key "map"`},
		"of another shape": {map[string]any{"sticky": true, "template": "wide.php", "meta": meta("map", "k")}, `meta key "map"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := composed(t, item(sent))
			f, err := d.Prepare(slot(), 0)
			p := stored(t, f, err)
			p.Extra = tt.stored
			if err := d.Verify(p); (err == nil) != (tt.part == "") || err != nil && !strings.Contains(err.Error(), tt.part) {
				t.Errorf("got %v, want …%s…", err, tt.part)
			}
		})
	}
}

// TestTermsOfOtherTaxonomies: the emulation has none but its own two, so that
// those stand for a plugin's here.
func TestTermsOfOtherTaxonomies(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	news := s.AddTerm("category", "News")
	d, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) {
		it.Categories = []string{"News"}
		it.Taxonomies = map[string][]string{"genres": {"Jazz"}}
	}))
	if err == nil || !strings.Contains(err.Error(), `no taxonomy "genres"`) {
		t.Errorf("got %+v, %v", d, err)
	}
	d, err = compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) {
		it.Tags = []string{"one"}
		it.Categories = []string{"News", "NEWS"}
	}))
	if err != nil || len(d.Categories) != 1 || d.Categories[0] != news || len(d.Tags) != 1 || len(d.Extra) != 0 {
		t.Errorf("got %+v, %v", d, err)
	}
}

// TestTaxonomyIsNoRoute: what a file calls a taxonomy makes nothing else.
func TestTaxonomyIsNoRoute(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pages", "users", "posts", "../v2/posts", "categories/../posts", "tags?x", "", "search", "settings", "media"} {
		s, client := fakeSite(t, "administrator")
		before := len(s.Requests())
		_, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) {
			it.Taxonomies = map[string][]string{name: {"x"}}
		}))
		var fault *compose.Fault
		if !errors.As(err, &fault) || !strings.Contains(fault.Reason, "write one of categories, tags under `taxonomies:`") {
			t.Errorf("%q: got %v", name, err)
		}
		if diff := cmp.Diff([]string{"GET taxonomies"}, asked(s, before)); diff != "" {
			t.Errorf("%q: requests (-want +got):\n%s", name, diff)
		}
	}
}

// TestTaxonomyByItsName: a taxonomy is known by its name as by its REST base.
// What the site itself says is no route either.
func TestTaxonomyByItsName(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	one := s.AddTerm("post_tag", "one")
	s.Inject(fakewp.Fault{
		Path: "taxonomies", Instead: true, Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: `{"post_tag":{"rest_base":"tags"},"odd":{"rest_base":"../v2/users"}}`,
	})
	compose1 := func(name string) (compose.Draft, error) {
		return compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) {
			it.Taxonomies = map[string][]string{name: {"one"}}
		}))
	}
	if d, err := compose1("post_tag"); err != nil || len(d.Tags) != 1 || d.Tags[0] != one {
		t.Errorf("got the tags %v, %v", d.Tags, err)
	}
	for _, name := range []string{"odd", "../v2/users"} {
		if _, err := compose1(name); err == nil || !strings.Contains(err.Error(), "no taxonomy") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestVerifyTermsOfOtherTaxonomies: more may be there, less may not.
func TestVerifyTermsOfOtherTaxonomies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		ids  any
		kept bool
	}{
		{[]any{3.0, 7.0}, true}, {[]any{9.0, 7.0, 3.0}, true}, {[]any{3.0}, false}, {[]any{}, false}, {nil, false},
	} {
		d := composed(t, item())
		d.Extra = map[string]any{"genres": []int64{3, 7}}
		f, err := d.Prepare(slot(), 0)
		p := stored(t, f, err)
		p.Extra = map[string]any{"genres": tt.ids}
		if err := d.Verify(p); (err == nil) != tt.kept {
			t.Errorf("stored %v: %v", tt.ids, err)
		}
	}
}
