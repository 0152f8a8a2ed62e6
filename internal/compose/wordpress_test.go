package compose_test

import (
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/compose"
	"morrow/internal/source"
	"morrow/internal/wptest"
	"morrow/wpclient"
)

// nasty are slugs as people wish them.
func nasty() []string {
	return []string{
		"café", "Café v1.2", "가 나", "x.y", strings.Repeat("가나다라", 10), strings.Repeat("long-words-", 30),
		"feed", "rss2", "embed", "page", "page2", "12", "2026", "0", "part-2", "a_b", "__x__", "x__trashed",
		"%ea%b0%80-%EB%82%98", "50%-off", "c++ & c#", "R&amp;D", "“따옴표” — 줄표…", "日本語：テスト！", "Ж й Ё", "ß Æ ø đ ł İ ı",
		"e\u0301te\u0301", "가\u200b나\ufeff다", "a\u00a0b\u2009c", "👩‍💻 emoji ☺️", "3×4 ½ ²", "../../etc/passwd", "<b>x</b>", "ǅ ǿ ﬁ", "العربية", "हिन्दी",
	}
}

func eachAccount(t *testing.T, f func(t *testing.T, s *wptest.Site, client *wpclient.Client, role string)) {
	t.Helper()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		for role, password := range map[string]string{s.User: s.Password, "author": s.AddUser(t, "author", "author")} {
			t.Run(role, func(t *testing.T) { f(t, s, discovered(t, s, role, password), role) })
		}
	})
}

func discovered(t *testing.T, s *wptest.Site, user, password string, through ...http.RoundTripper) *wpclient.Client {
	t.Helper()
	// Else the third post of a clone counts as the privacy page, which an
	// editor may not edit.
	s.SetOptions(t, map[string]any{"wp_page_for_privacy_policy": 0})
	o := wpclient.Options{URL: s.URL, User: user, Password: password}
	if len(through) > 0 {
		o.Transport = through[0]
	}
	client, err := wpclient.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Discover(t.Context()); err != nil {
		t.Fatal(err)
	}
	return client
}

// book makes the draft, schedules it, and holds both to what was sent.
func book(t *testing.T, client *wpclient.Client, d compose.Draft, slot time.Time) wpclient.Post {
	t.Helper()
	f, err := d.Prepare(slot, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := client.Create(t.Context(), "posts", f)
	if err != nil {
		t.Fatal(err)
	}
	check(t, d, p, "draft", false)
	if f, err = d.Commit(slot, p.ID); err != nil {
		t.Fatal(err)
	}
	if p, err = client.Update(t.Context(), "posts", p.ID, f, nil); err != nil {
		t.Fatal(err)
	}
	check(t, d, p, "future", true)
	if p.Slug != d.Slug {
		t.Errorf("slug sent %s, stored %s", d.Slug, p.Slug)
	}
	return p
}

func check(t *testing.T, d compose.Draft, p wpclient.Post, status string, own bool) {
	t.Helper()
	if err := d.Verify(p); err != nil {
		t.Errorf("%s: %v", status, err)
	}
	if tr := compose.Read(p); p.Status != status || !tr.Ours || !tr.Intact || tr.Own != own {
		t.Errorf("%s is %s, ours %v, intact %v, own %v", status, p.Status, tr.Ours, tr.Intact, tr.Own)
	}
}

func TestWordPressKeepsTheCorpus(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("../markup/testdata/corpus.md")
	if err != nil {
		t.Fatal(err)
	}
	slot := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Hour)
	eachAccount(t, func(t *testing.T, _ *wptest.Site, client *wpclient.Client, role string) {
		t.Helper()
		for _, asHTML := range []bool{false, true} {
			c := compose.New(compose.Options{Client: client, Job: `매일 "--" <job>; a=b & [c]`, Host: "host -->", HTML: asHTML})
			d, err := c.Compose(t.Context(), source.Item{
				Key: "글--1;=", Title: `제목 "R&D" <b> 'x' &amp; -- 😀`, Slug: fmt.Sprintf("corpus-%s-%v", role, asHTML), Excerpt: "요약 <i> & \"x\"\n둘째 줄",
				Body: body, Tags: []string{"R & D", "한글", `"q"`},
			})
			if err != nil {
				t.Fatal(err)
			}
			p := book(t, client, d, slot)
			l, err := client.List(t.Context(), wpclient.Query{Search: "morrow", Statuses: []string{"future"}, Slugs: []string{d.Slug}})
			if err != nil || len(l.Posts) != 1 || l.Posts[0].ID != p.ID {
				t.Errorf("search=morrow found %d posts, %v", len(l.Posts), err)
			}
			again, err := c.Compose(t.Context(), d.Item)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(d.Tags, again.Tags); diff != "" {
				t.Errorf("tags found again (-made +found):\n%s", diff)
			}
			if !asHTML && strings.Contains(p.Content, "<!-- /wp:paragraph --><!--") {
				t.Error("blocks are not parted")
			}
		}
	})
}

// B32, B34: what was sent is what is stored and found.
func TestB32SlugsAreFixedPoints(t *testing.T) {
	t.Parallel()
	slot := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Hour)
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		client := discovered(t, s, s.User, s.Password)
		c := compose.New(compose.Options{Client: client, Job: "daily"})
		seen := map[string]bool{}
		for _, wish := range nasty() {
			d, err := c.Compose(t.Context(), source.Item{Key: wish, Title: "t", Slug: wish, Body: []byte("x")})
			if err != nil {
				t.Fatal(err)
			}
			if seen[d.Slug] {
				continue
			}
			seen[d.Slug] = true
			p := book(t, client, d, slot)
			l, err := client.List(t.Context(), wpclient.Query{Slugs: []string{d.Slug}, Statuses: []string{"future"}})
			if err != nil || len(l.Posts) != 1 || l.Posts[0].ID != p.ID {
				t.Errorf("looked up by %s: %d posts, %v", d.Slug, len(l.Posts), err)
			}
		}
	})
}

// B39: terms are found again by name, whatever WordPress escaped in it, and by
// slug; in other case too.
func TestB39TermsOnWordPress(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		client := discovered(t, s, s.User, s.Password)
		draft := func(names ...string) compose.Draft {
			d, err := compose.New(compose.Options{Client: client}).Compose(t.Context(),
				source.Item{Key: "k", Title: "t", Body: []byte("x"), Tags: names, Categories: names})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		made := draft("Latest News", "R & D", `"q" 'x'`, "한글 태그", "a <b")
		found := draft("latest-news", "r & d", `"Q" 'X'`, "한글  태그", "A <B")
		if diff := cmp.Diff([][]int64{made.Tags, made.Categories}, [][]int64{found.Tags, found.Categories}); diff != "" || len(made.Tags) != 5 {
			t.Errorf("(-made +found):\n%s", diff)
		}
		paths := func(names ...string) []int64 {
			d, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) { it.Categories = names }))
			if err != nil {
				t.Fatal(err)
			}
			return d.Categories
		}
		below := paths("News/Local", "Sports/Local", "R & D/Local & more")
		if diff := cmp.Diff(below, paths("news/local", "SPORTS / Local", "r & d/LOCAL & MORE")); diff != "" || len(below) != 3 {
			t.Errorf("paths (-made +found):\n%s", diff)
		}
		if diff := cmp.Diff(found.Categories[1], paths("r & d")[0]); diff != "" {
			t.Errorf("R & D is another now: %s", diff)
		}
	})
}

// The page shows code as it was typed, and no stray paragraph or break.
func TestB46Rendered(t *testing.T) {
	t.Parallel()
	const code = "[gallery ids=\"1\"] [audio] 3x4 -- \"q\" 'it' a&&b <b> :) http://example.com\n\n\thttps://example.com/alone\n[/caption] &amp; &#91; \\*"
	const prose = "A line\nwrapped hard.\n\n- one\n\n  two\n\n- three\n\ninline `[gallery] \"a\" -- 3x4 <i>`."
	eachAccount(t, func(t *testing.T, s *wptest.Site, client *wpclient.Client, role string) {
		t.Helper()
		for _, asHTML := range []bool{false, true} {
			c := compose.New(compose.Options{Client: client, Job: "daily", HTML: asHTML})
			d, err := c.Compose(t.Context(), source.Item{
				Key: "k", Title: "t", Slug: fmt.Sprintf("rendered-%s-%v", role, asHTML), Body: []byte("```\n" + code + "\n```\n\n" + prose),
			})
			if err != nil {
				t.Fatal(err)
			}
			p := book(t, client, d, time.Now().Add(48*time.Hour).UTC())
			p, err = client.Update(t.Context(), "posts", p.ID, wpclient.Fields{Status: new("publish"), DateGMT: new(time.Now().Add(-time.Hour).UTC())}, nil)
			if err != nil {
				t.Fatal(err)
			}
			page := fetch(t, p.Link)
			m := regexp.MustCompile(`(?s)<pre[^>]*><code>(.*?)</code></pre>(.*?<code>(.*?)</code>)`).FindStringSubmatch(page)
			if m == nil {
				t.Fatalf("no code in the page of %s:\n%s", s.Version, page)
			}
			if diff := cmp.Diff(code, shownText(m[1])); diff != "" {
				t.Errorf("code (-typed +shown):\n%s", diff)
			}
			if diff := cmp.Diff(`[gallery] "a" -- 3x4 <i>`, shownText(m[3])); diff != "" {
				t.Errorf("inline code (-typed +shown):\n%s", diff)
			}
			if strings.Contains(m[2], "<br") || strings.Contains(m[2], "<p></p>") || !strings.Contains(m[2], "A line wrapped hard.") {
				t.Errorf("stray breaks:\n%s", m[2])
			}
			if strings.Contains(regexp.MustCompile(`(?s)<!--.*?-->`).ReplaceAllString(page, ""), "morrow") {
				t.Error("the marker is seen in the page")
			}
		}
	})
}

func shownText(content string) string {
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(content, ""))
}

// B45: an author's account loses what it may not post, and Verify says which.
func TestB45RemovedElements(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		client := discovered(t, s, "author", s.AddUser(t, "author", "author"))
		for body, says := range map[string]string{
			`<iframe src="https://example.com/"></iframe>`:       "removed <iframe>",
			"<script>\nx\n</script>":                             "removed <script>",
			`a <svg width="1"></svg> b`:                          "removed <svg>",
			`<p onclick="x()">a</p>`:                             "onclick",
			`a <a href="https://x/" target="_blank">b</a> c`:     "",
			"```\n<iframe>\n```\n\n<div class=\"a\">b & c</div>": "",
		} {
			d, err := compose.New(compose.Options{Client: client, Job: "daily"}).Compose(t.Context(), source.Item{Key: "k", Title: "t", Body: []byte(body)})
			if err != nil {
				t.Fatal(err)
			}
			f, err := d.Prepare(time.Time{}, 0)
			if err != nil {
				t.Fatal(err)
			}
			p, err := client.Create(t.Context(), "posts", f)
			if err != nil {
				t.Fatal(err)
			}
			err = d.Verify(p)
			var suffix *compose.SuffixError
			switch {
			case says == "" && (err == nil || errors.As(err, &suffix)):
			case says != "" && err != nil && strings.Contains(err.Error(), says):
			default:
				t.Errorf("Verify of %s: %v, want …%s…", body, err, says)
			}
		}
	})
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
