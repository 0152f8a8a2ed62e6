package markup

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	grenderer "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"

	"morrow/internal/wptest"
)

// TestWordPressShowsTheText: the page that WordPress makes of our blocks says
// what the Markdown says: every word of prose, every character of code. Texts
// in a dialect that goldmark doesn't know are held to the blocks as sent. The
// examples of the specifications are tried with MORROW_FULL=1.
func TestWordPressShowsTheText(t *testing.T) {
	t.Parallel()
	pages := map[string]page{}
	texts := corpus(t)
	for name, blocks := range rendered(t, texts) {
		p := page{blocks: blocks, want: plainHTML(t, texts[name]), raw: hasRawHTML(texts[name])}
		if dialect().MatchString(name) {
			p.want = blocks
		}
		isPost := strings.HasSuffix(name, ".md")
		switch {
		case !isPost && (os.Getenv("MORROW_FULL") == "" || readOtherwise(name, texts[name])):
			continue
		case !isPost && !p.raw: // a post of its own for each would take minutes
			p = together(pages["examples"], name, p)
			name = "examples"
		}
		pages[name] = p
	}
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetOptions(t, map[string]any{"use_smilies": 0}) // a site's own wish
		accounts := map[string]string{s.User: s.Password, "author": s.AddUser(t, "author", "author")}
		for name, p := range pages {
			for user, password := range accounts {
				if p.raw && user == "author" {
					continue // kses takes out of an author's what it likes
				}
				t.Run(name+" by "+user, func(t *testing.T) {
					t.Parallel()
					if diff := cmp.Diff(words(t, p.want), words(t, publish(t, s, user, password, p.blocks))); diff != "" {
						t.Errorf("(-Markdown +page):\n%s", diff)
					}
				})
			}
		}
	})
}

// readOtherwise tells the examples that are read another way: wiki links, and raw
// HTML whose <pre> goes on in Markdown.
func readOtherwise(name, text string) bool {
	return strings.Contains(text, "[[") || name == "CommonMark 148"
}

// page is what is posted and the HTML whose words it shall say.
type page struct {
	blocks, want string
	raw          bool // with HTML of the author's
}

// together adds an example to a page of many.
func together(all page, name string, p page) page {
	title := "<p>" + name + "</p>\n"
	return page{all.blocks + "\n\n<!-- wp:paragraph -->\n" + title + "<!-- /wp:paragraph -->\n\n" + p.blocks, all.want + title + p.want, false}
}

func dialect() *regexp.Regexp { return regexp.MustCompile(`^(?:obsidian|hugo|jekyll|github)`) }

func hasRawHTML(text string) bool {
	found := false
	eachHTML(parse([]byte(text)), []byte(text), func(string, int, bool) { found = true })
	return found
}

func plainHTML(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, eastAsian{}), goldmark.WithRendererOptions(grenderer.WithUnsafe()))
	if err := md.Convert([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// publish posts the content and returns it as the page has it.
func publish(t *testing.T, s *wptest.Site, user, password, content string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"title": "t", "status": "publish", "content": content})
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/wp-json/wp/v2/posts", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(user, password)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var post struct {
		Content struct {
			Rendered string `json:"rendered"`
		} `json:"content"`
	}
	if err := json.Unmarshal(answer, &post); err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %v: %s", resp.Status, err, answer)
	}
	return post.Content.Rendered
}

// words is what a page says: prose without spaces and in plain quotes and
// dashes, for WordPress sets its own (wptexturize), code as it is. Left out is
// what stands for a thing on one side only: check boxes, the arrows of
// footnotes, and captions, which are titles in plain HTML.
func words(t *testing.T, page string) []string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	prose := ""
	var walk func(n *html.Node, code bool)
	walk = func(n *html.Node, code bool) {
		switch {
		case n.Type == html.TextNode && !code:
			prose += n.Data
		case n.Type == html.ElementNode && n.Data == "figcaption":
			return
		case n.Type == html.ElementNode && (n.Data == "code" || n.Data == "pre") && !code:
			all, prose = append(all, prose, strings.TrimRight(textBelow(n), "\n")), ""
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, code)
		}
	}
	walk(doc, false)
	all = append(all, prose)
	for i := 0; i < len(all); i += 2 {
		all[i] = plainer(all[i])
	}
	return all
}

func textBelow(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textBelow(c))
	}
	return b.String()
}

func plainer(prose string) string {
	prose = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "″", `"`, "‘", "'", "’", "'", "′", "'", "''", `"`, "``", `"`,
		"–", "-", "—", "-", "…", "...", "×", "x", "™", "(tm)", "☐", "", "☑", "", "↑", "", "↩", "", "\ufe0e", "").Replace(prose)
	prose = regexp.MustCompile(`-+`).ReplaceAllString(prose, "-")
	return strings.Join(strings.Fields(prose), "")
}
