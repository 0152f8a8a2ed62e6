package fakewp_test

import (
	"net/http"
	"strings"
	"time"
)

func textChecks() []check {
	return []check{
		{"slugs are cleaned", func(w *wp) { // B32
			hangul := strings.Repeat("가", 40)
			for sent, stored := range map[string]string{
				"café":       "cafe",
				"Café v1.2":  "cafe-v1-2",
				"가 나":        "%ea%b0%80-%eb%82%98",
				"x.y":        "x-y",
				"a/b":        "a-b",
				"x_y":        "x_y",
				"--a--":      "a",
				"Ünï–çødé":   "uni-code",
				"A×B":        "axb",
				"x&amp;y":    "xy",
				"<b>t</b>":   "t",
				"e\u0301x":   "ex",
				"日本":         "%e6%97%a5%e6%9c%ac",
				"50% off":    "50-off",
				"it’s “so”…": "its-so",
				hangul:       strings.Repeat("%ea%b0%80", 22),
			} {
				w.equal(sent, w.create(fields{"slug": sent, "status": "draft"}).str("slug"), stored)
			}
			w.equal("200 bytes", w.create(fields{"slug": strings.Repeat("a", 210)}).str("slug"), strings.Repeat("a", 200))
			w.equal("suffix in the limit", w.create(fields{"slug": strings.Repeat("a", 210), "status": "draft"}).str("slug"),
				strings.Repeat("a", 198)+"-2")
			w.equal("cut by syllables", w.create(fields{"slug": hangul, "status": "draft"}).str("slug"),
				strings.Repeat("%ea%b0%80", 22)+"-2")
		}},
		{"a look-up by what was sent often finds nothing", func(w *wp) {
			w.create(fields{"slug": "café", "status": "draft"})
			w.create(fields{"slug": "가", "status": "draft"})
			find := func(slug string) int { return len(w.get("/wp/v2/posts", "status", "draft", "slug", slug).slugs()) }
			w.equal("café", find("café"), 0)
			w.equal("cafe", find("cafe"), 1)
			w.equal("가", find("가"), 1)
			w.equal("percent form", find("%ea%b0%80"), 1)
		}},
		{"reserved and numeric slugs", func(w *wp) { // B34
			for sent, stored := range map[string]string{
				"feed": "feed-2", "embed": "embed-2", "rss2": "rss2-2", "atom": "atom-2", "page2": "page2", "12": "12", "2027": "2027",
			} {
				w.equal(sent, w.create(fields{"slug": sent, "status": "draft"}).str("slug"), stored)
			}
		}},
		{"slugs come from the title, or the id", func(w *wp) {
			at := utc(in(time.Hour))
			w.equal("title", w.create(fields{"title": "Ein Tag & mehr", "status": "future", "date_gmt": at}).str("slug"), "ein-tag-mehr")
			r := w.create(fields{"title": "!!!", "status": "future", "date_gmt": at})
			w.equal("id", r.str("slug"), itoa(r.id()))
			w.equal("draft", w.create(fields{"title": "Title", "status": "draft"}).str("slug"), "")
		}},
		{"an editor's text is kept", func(w *wp) {
			text := "<p onclick=\"x()\">A & B &#91; <iframe src=\"https://x.example\"></iframe><script>1</script>\n<!-- a -- b -->"
			r := w.create(fields{"title": "A & <i>B</i>", "content": text})
			w.equal("content", r.str("content.raw"), text)
			w.equal("title", r.str("title.raw"), "A & <i>B</i>")
			r = w.create(fields{"content": `<a href="https://x.example" target="_blank">x</a>`})
			w.equal("links with a target", r.str("content.raw"),
				`<a href="https://x.example" target="_blank" rel="noopener">x</a>`)
		}},
		{"an author's text is filtered", func(w *wp) { // B45
			a := w.as("author")
			for sent, stored := range map[string]string{
				"A & B":                               "A &amp; B",
				"&#91;x&#93;":                         "&#091;x&#093;",
				"&copy; &nope;":                       "&copy; &amp;nope;",
				"5 > 4":                               "5 &gt; 4",
				"a < b <b>c</b>":                      "a &lt; b <b>c</b>",
				"<p style=\"color:red;zoom:2\">s</p>": "<p style=\"color:red\">s</p>",
				"x <iframe src=\"https://x.example\"></iframe>y": "x y",
				"<script>alert(1)</script>":                      "alert(1)",
				"<p onclick=\"x()\" class=\"a\">t</p>":           "<p class=\"a\">t</p>",
				"<img src=\"a.png\" alt='q'/>":                   "<img src=\"a.png\" alt='q' />",
				"<a href=\"javascript:alert(1)\">x</a>":          "<a href=\"alert(1)\">x</a>",
				"<a href=\"https://e.example/?a=1&b=2\">x</a>":   "<a href=\"https://e.example/?a=1&amp;b=2\">x</a>",
				"<!-- a -- b -->":                                "<!-- a - b -->",
				"<svg><path d=\"M0\"/></svg>z":                   "z",
			} {
				w.equal(sent, a.create(fields{"content": sent}).str("content.raw"), stored)
			}
			r := a.create(fields{"title": "A & <i>B</i> <span>c</span>"})
			w.equal("title", r.str("title.raw"), "A &amp; <i>B</i> c")
		}},
		{"an author's block attributes are kept", func(w *wp) {
			a := w.as("author")
			text := func(attrs string) string {
				return "<!-- wp:paragraph " + attrs + "-->\n<p>x</p>\n<!-- /wp:paragraph -->"
			}
			for _, attrs := range []string{
				`{"metadata":{"morrow":"v1 job=daily item=010-first.md"}} `, `{"a":"\u003cb\u003e"} `, `{"a":"x\u002d\u002dy"} `, "",
				`{"a":[1,true,null],"b":1.5} `, `{"a":"가"} `,
			} {
				w.equal(attrs, a.create(fields{"content": text(attrs)}).str("content.raw"), text(attrs))
			}
			// What comes escaped as < in JSON is a tag to the filter.
			r := a.create(fields{"content": text(`{"a":"\u003cscript\u003ex","b":"q\u0026r"} `)})
			w.equal("filtered inside", r.str("content.raw"), text(`{"a":"x","b":"q\u0026amp;r"} `))
		}},
		{"the marker is kept and not shown", func(w *wp) {
			marker := `{"metadata":{"morrow":"v1 job=daily"}}`
			r := w.create(fields{"status": "publish", "slug": "m", "content": "<!-- wp:paragraph " + marker +
				" -->\n<p>Shown text</p>\n<!-- /wp:paragraph -->"})
			if !strings.Contains(r.str("content.raw"), marker) || strings.Contains(r.str("content.rendered"), "morrow") {
				w.Errorf("content %v", r.value("content"))
			}
			page := w.page(r.str("link")).is(http.StatusOK)
			if !strings.Contains(page.text, "Shown text") || strings.Contains(page.text, "v1 job=daily") {
				w.Errorf("page:\n%s", page.text)
			}
		}},
		{"an HTML comment is in the page's source", func(w *wp) {
			r := w.create(fields{"status": "publish", "slug": "m", "content": "<p>Text</p><!-- morrow v1 -->"})
			if page := w.page(r.str("link")); !strings.Contains(page.text, "<!-- morrow v1 -->") {
				w.Errorf("page:\n%s", page.text)
			}
		}},
		{"a term that exists", func(w *wp) { // B39
			r := w.post("/wp/v2/tags", fields{"name": "R & D"}).is(http.StatusCreated)
			w.equal("name", r.str("name"), "R &amp; D")
			w.equal("slug", r.str("slug"), "r-d")
			again := w.post("/wp/v2/tags", fields{"name": "r & d"}).fails(http.StatusBadRequest, "term_exists")
			w.equal("term_id", again.value("data.term_id"), r.value("id"))
			w.equal("search", w.get("/wp/v2/tags", "search", "R &amp; D").slugs(), []string{"r-d"})
			w.equal("slug", w.get("/wp/v2/tags", "slug", "r-d").slugs(), []string{"r-d"})
			w.post("/wp/v2/categories", fields{"name": "uncategorized"}).fails(http.StatusBadRequest, "term_exists")
			w.post("/wp/v2/categories", fields{"name": "uncategorized", "parent": 1}).is(http.StatusCreated)
			w.post("/wp/v2/tags", fields{"name": strings.Repeat("x", 250)}).is(http.StatusInternalServerError)
		}},
	}
}
