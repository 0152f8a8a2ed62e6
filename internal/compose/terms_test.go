package compose_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"morrow/internal/compose"
	"morrow/internal/fakewp"
	"morrow/internal/source"
	"morrow/wpclient"
)

// B39: a term is found by its very name, whatever its case and however
// WordPress escapes it, or by its slug.
func TestB39TermsThatExist(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "author")
	rd, korean, longer := s.AddTerm("post_tag", "R & D"), s.AddTerm("post_tag", "한글 태그"), s.AddTerm("post_tag", "Golang")
	news, old := s.AddTerm("category", "Latest News"), s.AddTerm("category", "Old News")
	before := len(s.Requests())
	d, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) {
		it.Tags = []string{"r & d", "R & D", " 한글  태그", "golang", ""}
		it.Categories = []string{"latest NEWS", "latest-news", "old-news"}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Tags, []int64{rd, korean, longer}) || !slices.Equal(d.Categories, []int64{news, old}) {
		t.Errorf("tags %v, categories %v", d.Tags, d.Categories)
	}
	for _, r := range s.Requests()[before:] {
		if r.Write() {
			t.Errorf("%s %s for terms that exist", r.Method, r.Route)
		}
	}
}

func TestTermsAreCreated(t *testing.T) {
	t.Parallel()
	_, client := fakeSite(t, "editor")
	it := item(func(it *source.Item) { it.Tags, it.Categories = []string{"Go", "A & B"}, []string{"News"} })
	c := compose.New(compose.Options{Client: client})
	made, err := c.Compose(t.Context(), it)
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Compose(t.Context(), it)
	if err != nil {
		t.Fatal(err)
	}
	if len(made.Tags) != 2 || len(made.Categories) != 1 || !slices.Equal(made.Tags, again.Tags) || !slices.Equal(made.Categories, again.Categories) {
		t.Errorf("made %v %v, found %v %v", made.Tags, made.Categories, again.Tags, again.Categories)
	}
}

func TestReadOnlyCreatesNoTerm(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	before := len(s.Requests())
	d, err := compose.New(compose.Options{Client: client, ReadOnly: true}).Compose(t.Context(),
		item(func(it *source.Item) { it.Tags, it.Categories = []string{"Go"}, []string{"News"} }))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Warnings, []string{"would create category News", "would create tag Go"}) || d.Tags != nil {
		t.Errorf("warnings %q, tags %v", d.Warnings, d.Tags)
	}
	for _, r := range s.Requests()[before:] {
		if r.Write() {
			t.Errorf("a dry run sent %s %s", r.Method, r.Route)
		}
	}
}

// B42: what an account may not create holds the item and says what to do,
// before there is a post.
func TestB42CategoryThatMayNotBeCreated(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "author")
	_, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) { it.Categories = []string{"News"} }))
	var fault *compose.Fault
	if !errors.As(err, &fault) || !strings.Contains(fault.Reason, `category "News" does not exist and the account may not create it`) {
		t.Errorf("got %v", err)
	}
	if n := len(s.Posts()); n != 0 {
		t.Errorf("%d posts", n)
	}
}

// B41: what WordPress says of a term is the item's fault, trouble with the site
// is not.
func TestB41WhoseFault(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault fakewp.Fault
		says  string // of a *Fault; empty for the client's error
	}{
		"broken site":   {fakewp.Fault{Status: 500}, ""},
		"firewall page": {fakewp.Fault{Status: 403, Body: "<html>no</html>", Header: http.Header{"Content-Type": {"text/html"}}}, ""},
		"refused name":  {fakewp.Fault{Status: 400, Body: `{"code":"rest_invalid_param","message":"Bad name.","data":{"status":400}}`, Header: http.Header{"Content-Type": {"application/json"}}}, `refuses the tag "Go" (Bad name.)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, client := fakeSite(t, "editor")
			tc.fault.Method, tc.fault.Path, tc.fault.Instead = http.MethodPost, "tags", true
			s.Inject(tc.fault)
			_, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) { it.Tags = []string{"Go"} }))
			var fault *compose.Fault
			var failed *wpclient.Error
			if tc.says == "" && !errors.As(err, &failed) || tc.says != "" && (!errors.As(err, &fault) || !strings.Contains(fault.Reason, tc.says)) {
				t.Errorf("got %v, want %q", err, tc.says)
			}
		})
	}
}

func TestAuthor(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "administrator")
	s.AddUser("kim", "author")
	for name, says := range map[string]string{"kim": "", "KIM": "", "nobody": `no author "nobody"`} {
		d, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) { it.Author = name }))
		var fault *compose.Fault
		switch {
		case says == "" && (err != nil || d.Author == 0):
			t.Errorf("author %s: %d, %v", name, d.Author, err)
		case says != "" && (!errors.As(err, &fault) || !strings.Contains(fault.Reason, says)):
			t.Errorf("author %s: %v, want %q", name, err, says)
		}
	}
}

// A category below another is named by its path; what lacks of it is created.
func TestCategoryPaths(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	c := compose.New(compose.Options{Client: client})
	ids := func(names ...string) []int64 {
		d, err := c.Compose(t.Context(), item(func(it *source.Item) { it.Categories = names }))
		if err != nil {
			t.Fatal(err)
		}
		return d.Categories
	}
	slash := s.AddTerm("category", "AC/DC")
	sports := ids("Sports / Local")[0]
	news := ids("News")[0]
	local := ids("news/Local")[0]
	if local == sports || local == news {
		t.Errorf("Local below News is %d, News %d, Local below Sports %d", local, news, sports)
	}
	before := len(s.Requests())
	got := append(ids("NEWS/local/", "sports/Local", "ac/dc", "news"), ids("local")...)
	if want := []int64{local, sports, slash, news, sports}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	for _, r := range s.Requests()[before:] {
		if r.Write() {
			t.Errorf("%s %s for categories that exist", r.Method, r.Route)
		}
	}
}

// Of two categories of one name neither is taken, whatever the order; the slug
// or the path says which.
func TestNameOfTwoCategories(t *testing.T) {
	t.Parallel()
	_, client := fakeSite(t, "editor")
	c := compose.New(compose.Options{Client: client})
	compose1 := func(name string) ([]int64, error) {
		d, err := c.Compose(t.Context(), item(func(it *source.Item) { it.Categories = []string{name} }))
		return d.Categories, err
	}
	var made [2]int64
	for i, path := range []string{"News/The place", "Sports/The place"} {
		ids, err := compose1(path)
		if err != nil {
			t.Fatal(err)
		}
		made[i] = ids[0]
	}
	var fault *compose.Fault
	if _, err := compose1("The place"); !errors.As(err, &fault) || !strings.Contains(fault.Reason, "has 2 of the category") {
		t.Errorf("got %v", err)
	}
	for name, want := range map[string]int64{"news/the place": made[0], "sports/the place": made[1], "the-place": made[0]} {
		if ids, err := compose1(name); err != nil || !slices.Equal(ids, []int64{want}) {
			t.Errorf("%s: %v, %v, want %d", name, ids, err, want)
		}
	}
}

// B42: a job may go without the terms that can't be had.
func TestB42WithoutTerms(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "author")
	news := s.AddTerm("category", "News")
	it := item(func(it *source.Item) {
		it.Categories, it.Tags = []string{"News/Local", "News", "Other"}, []string{"new", strings.Repeat("가", 201)}
	})
	d, err := compose.New(compose.Options{Client: client, WithoutTerms: true}).Compose(t.Context(), it)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Categories, []int64{news}) || len(d.Tags) != 1 || len(d.Warnings) != 3 {
		t.Errorf("categories %v, tags %v, warnings %q", d.Categories, d.Tags, d.Warnings)
	}
	for i, part := range []string{`the category is left out: the category "Local" does not exist`, `category "Other"`, "the tag is left out: the tag"} {
		if !strings.Contains(d.Warnings[i], part) {
			t.Errorf("warning %q, want %q", d.Warnings[i], part)
		}
	}
	it.Tags = nil
	if _, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), it); err == nil {
		t.Error("held by nothing")
	}
}

func TestReadOnlyCreatesNoPath(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	s.AddTerm("category", "News")
	before := len(s.Requests())
	d, err := compose.New(compose.Options{Client: client, ReadOnly: true}).Compose(t.Context(),
		item(func(it *source.Item) { it.Categories = []string{"News/Local/Here"} }))
	if err != nil || !slices.Equal(d.Warnings, []string{"would create category News/Local/Here"}) || d.Categories != nil {
		t.Errorf("%v, warnings %q, categories %v", err, d.Warnings, d.Categories)
	}
	for _, r := range s.Requests()[before:] {
		if r.Write() {
			t.Errorf("a dry run sent %s %s", r.Method, r.Route)
		}
	}
}

// Whatever a term is called, the second time the same ones are taken.
func FuzzTermNames(f *testing.F) {
	for _, name := range []string{"News", "R & D", "a <b> c", "News/Local", "//", "&amp;", "한글/태그", "\"q\" 'x'", "\u00e9 e\u0301", `\`, "x\xff", " a\t b "} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		_, client := fakeSite(t, "editor")
		c := compose.New(compose.Options{Client: client})
		it := item(func(it *source.Item) { it.Categories, it.Tags = []string{name}, []string{name} })
		made, err := c.Compose(t.Context(), it)
		if err != nil {
			return
		}
		again, err := c.Compose(t.Context(), it)
		if err != nil || !slices.Equal(made.Categories, again.Categories) || !slices.Equal(made.Tags, again.Tags) {
			t.Errorf("%q: made %v %v, then %v %v, %v", name, made.Categories, made.Tags, again.Categories, again.Tags, err)
		}
	})
}
