package compose_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/compose"
	"morrow/internal/fakewp"
	"morrow/internal/markup"
	"morrow/internal/source"
	"morrow/wpclient"
)

// fakeSite is an emulated site and a client of an account on it, its requests
// counted from now on.
func fakeSite(t *testing.T, role string) (*fakewp.Server, *wpclient.Client) {
	t.Helper()
	s := fakewp.New(fakewp.Options{})
	client, err := wpclient.New(wpclient.Options{
		URL: "https://blog.example.com", User: "me", Password: s.AddUser("me", role), Transport: s,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Discover(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, client
}

func item(change ...func(*source.Item)) source.Item {
	it := source.Item{Key: "first", Name: "010-first.md", Title: "First", Slug: "first", Body: []byte("Text."), BodyLine: 5}
	for _, f := range change {
		f(&it)
	}
	return it
}

func composed(t *testing.T, it source.Item) compose.Draft {
	t.Helper()
	d, err := compose.New(compose.Options{Job: "daily", Host: "pc"}).Compose(t.Context(), it)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// stored is the post that WordPress keeps of the fields.
func stored(t *testing.T, f wpclient.Fields, err error) wpclient.Post {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return wpclient.Post{ID: 7, Title: *f.Title, Slug: *f.Slug, Content: *f.Content, Excerpt: *f.Excerpt}
}

func slot() time.Time { return time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC) }

func TestComposeAsksNothing(t *testing.T) {
	t.Parallel()
	s, client := fakeSite(t, "editor")
	before := len(s.Requests())
	if _, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item()); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Requests()) - before; n != 0 {
		t.Errorf("%d requests for an item without terms and author", n)
	}
}

func TestComposeFaults(t *testing.T) {
	t.Parallel()
	for says, change := range map[string]func(*source.Item){
		"no title":        func(it *source.Item) { it.Title = " \n" },
		"no text":         func(it *source.Item) { it.Body = []byte("[a]: https://b\n") },
		"title or":        func(it *source.Item) { it.Title = "a\xff" },
		"text is not":     func(it *source.Item) { it.Body = []byte("a\xff") },
		"whole page":      func(it *source.Item) { it.HTML, it.Body = true, []byte("<!DOCTYPE html><p>a") },
		"first block":     func(it *source.Item) { it.Body = []byte(`<!-- wp:spacer {"a":} /-->`) },
		"longer than 200": func(it *source.Item) { it.Tags = []string{strings.Repeat("가", 201)} },
	} {
		t.Run(says, func(t *testing.T) {
			t.Parallel()
			_, err := compose.New(compose.Options{}).Compose(t.Context(), item(change))
			var fault *compose.Fault
			if !errors.As(err, &fault) || !strings.Contains(fault.Reason, says) {
				t.Errorf("got %v, want a fault with %q", err, says)
			}
		})
	}
}

func TestComposeContent(t *testing.T) {
	t.Parallel()
	const block = "<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->"
	marked, err := markup.SetMarker(block, markup.Marker{Job: "other", Item: "other"})
	if err != nil {
		t.Fatal(err)
	}
	asHTML := func(body string) source.Item {
		return item(func(it *source.Item) { it.HTML, it.Body = true, []byte(body) })
	}
	for name, tc := range map[string]struct {
		it    source.Item
		plain bool
		want  string
	}{
		"Markdown":            {item(), false, "<!-- wp:paragraph -->\n<p>Text.</p>\n<!-- /wp:paragraph -->"},
		"Markdown as HTML":    {item(), true, "<p>Text.</p>"},
		"HTML file":           {asHTML("<p>a\nb</p>\n"), false, "<!-- wp:html -->\n<p>a\nb</p>\n<!-- /wp:html -->"},
		"HTML file as HTML":   {asHTML("<p>a\nb</p>\n"), true, "<p>a b</p>"},
		"HTML file of blocks": {asHTML(block), false, block},
		"copied marker":       {asHTML(marked), false, block},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := compose.New(compose.Options{HTML: tc.plain}).Compose(t.Context(), tc.it)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, d.Content); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestB64WarningsBearTheFilesLine(t *testing.T) {
	t.Parallel()
	d := composed(t, item(func(it *source.Item) { it.Body, it.Warnings = []byte("a\n\n[[x]]"), []string{"from the source"} }))
	if len(d.Warnings) != 2 || d.Warnings[0] != "from the source" || !strings.HasPrefix(d.Warnings[1], "line 7: [[x]]") {
		t.Errorf("warnings %q", d.Warnings)
	}
}

func TestPrepareAndCommit(t *testing.T) {
	t.Parallel()
	d := composed(t, item(func(it *source.Item) { it.Title, it.Excerpt = "R&D <b> 'x'", "1 < 2" }))
	fresh, err := d.Prepare(slot(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if *fresh.Status != "draft" || fresh.DateGMT != nil || *fresh.Title != "R&amp;D &lt;b&gt; 'x'" || *fresh.Excerpt != "1 &lt; 2" ||
		fresh.Author != nil || fresh.Categories != nil || fresh.Tags != nil {
		t.Errorf("a new draft is sent as %+v", fresh)
	}
	d.Categories, d.Tags, d.Author = []int64{3}, []int64{4}, 5
	reused, err := d.Prepare(slot(), 7)
	if err != nil {
		t.Fatal(err)
	}
	if reused.Status != nil || (*reused.Categories)[0] != 3 || (*reused.Tags)[0] != 4 || *reused.Author != 5 {
		t.Errorf("a reused draft is sent as %+v", reused)
	}
	d.Tags = nil
	if reused, _ = d.Prepare(slot(), 7); reused.Tags == nil || *reused.Tags == nil || len(*reused.Tags) != 0 {
		t.Errorf("tags of before are not taken off a reused draft: %v", reused.Tags)
	}
	commit, err := d.Commit(slot(), 7)
	if err != nil {
		t.Fatal(err)
	}
	if *commit.Status != "future" || !commit.DateGMT.Equal(slot()) || *commit.Slug != "first" || commit.Title != nil {
		t.Errorf("the commit is sent as %+v", commit)
	}
	_, m, _ := markup.CutMarker(*commit.Content)
	if want := (markup.Marker{Job: "daily", Slot: slot(), Item: "first", Text: d.Text, Host: "pc", ID: 7}); m != want {
		t.Errorf("marker %+v, want %+v", m, want)
	}
}

func TestVerifyAndRead(t *testing.T) {
	t.Parallel()
	d := composed(t, item(func(it *source.Item) {
		it.Title, it.Excerpt = "R&D", "E & x"
		it.Body = []byte("a & `[x] &#91;`\n\n![b](https://x/y.png)\n\n<div><a href=\"#\" target=\"_blank\">c</a></div>\n")
	}))
	d.Categories, d.Tags, d.Author = []int64{3}, []int64{4, 5}, 6
	replace := func(pairs ...string) func(*wpclient.Post) {
		return func(p *wpclient.Post) { p.Content = strings.NewReplacer(pairs...).Replace(p.Content) }
	}
	for name, tc := range map[string]struct {
		change func(*wpclient.Post)
		says   string // empty: no error
		intact bool
	}{
		"as sent":             {func(*wpclient.Post) {}, "", true},
		"as kses writes it":   {replace("&#91;", "&#091;", `"/>`, `" />`, "&#38;", "&#038;"), "", true},
		"line ends":           {replace("\n", "\r\n"), "", true},
		"rel added":           {replace(`target="_blank"`, `target="_blank" rel="noopener"`), "", true},
		"references in title": {func(p *wpclient.Post) { p.Title, p.Excerpt = "R&#038;D", "E & x " }, "", true},
		"further terms":       {func(p *wpclient.Post) { p.Tags = append(p.Tags, 9) }, "", true},
		"slug in capitals":    {func(p *wpclient.Post) { p.Slug = "%66irst" }, "", true},
		"title":               {func(p *wpclient.Post) { p.Title = "R&D!" }, "changed the title: sent “…R&D…”, stored “…R&D!…”", false},
		"excerpt":             {func(p *wpclient.Post) { p.Excerpt = "" }, "changed the excerpt", false},
		"text":                {replace("a &amp;", "b &amp;"), "changed the text", false},
		"code":                {replace("<span>[</span>x]", "x]"), "changed the text", false},
		"element":             {replace("<div>", "", "</div>", ""), "removed <div>", false},
		"marker":              {func(p *wpclient.Post) { p.Content = d.Content }, "did not keep the marker", false},
		"category":            {func(p *wpclient.Post) { p.Categories = []int64{1} }, "category with id 3", true},
		"tag":                 {func(p *wpclient.Post) { p.Tags = []int64{4} }, "tag with id 5", true},
		"author":              {func(p *wpclient.Post) { p.Author = 2 }, "account 2 the author", true},
		"slug":                {func(p *wpclient.Post) { p.Slug = "second" }, "slug first to second", true},
		"no number":           {func(p *wpclient.Post) { p.Slug = "first-x" }, "slug first to first-x", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := d.Prepare(slot(), 7)
			p := stored(t, f, err)
			p.Categories, p.Tags, p.Author = []int64{3}, []int64{5, 4}, 6
			tc.change(&p)
			err = d.Verify(p)
			if (tc.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("Verify: %v, want %q", err, tc.says)
			}
			if got := compose.Read(p); got.Intact != tc.intact {
				t.Errorf("intact %v, want %v", got.Intact, tc.intact)
			}
		})
	}
}

func TestVerifySuffix(t *testing.T) {
	t.Parallel()
	d := composed(t, item())
	f, err := d.Prepare(slot(), 0)
	p := stored(t, f, err)
	p.Slug = "first-2"
	var suffix *compose.SuffixError
	if err := d.Verify(p); !errors.As(err, &suffix) || suffix.Stored != "first-2" {
		t.Errorf("Verify: %v", err)
	}
	p.Title = "x"
	if err := d.Verify(p); err == nil || errors.As(err, &suffix) {
		t.Errorf("Verify of another title and slug: %v, want the title's error", err)
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	d := composed(t, item())
	for name, tc := range map[string]struct {
		bears, id int64
		own       bool
	}{"committed": {7, 7, true}, "never committed": {0, 7, false}, "a copy": {7, 8, false}, "no id at all": {0, 0, false}} {
		f, err := d.Prepare(slot(), tc.bears)
		p := stored(t, f, err)
		p.ID = tc.id
		if got := compose.Read(p); !got.Ours || got.Own != tc.own || got.Item != "first" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := compose.Read(wpclient.Post{ID: 7, Content: "<p>morrow</p>"}); got != (compose.Trace{}) {
		t.Errorf("a person's post has the trace %+v", got)
	}
}
