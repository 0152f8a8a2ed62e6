package markup

import (
	"html"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The blocks in testdata were read by the block editors of WordPress 6.1 to
// 6.7-alpha without one invalid block, the HTML went through their wpautop
// without a stray break. With UPDATE_GOLDEN=1 the files are written anew:
// then both must be tried again.
func TestCorpus(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("testdata/corpus.md")
	if err != nil {
		t.Fatal(err)
	}
	for file, render := range map[string]func([]byte, Options) (string, []Warning, error){
		"testdata/corpus.blocks.html": Blocks,
		"testdata/corpus.html":        HTML,
	} {
		got, _, err := render(body, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ md, want string }{
		"empty":     {"", ""},
		"heading":   {"### A & B", "<!-- wp:heading {\"level\":3} -->\n<h3 class=\"wp-block-heading\" id=\"a--b\">A &amp; B</h3>\n<!-- /wp:heading -->"},
		"heading 2": {"## A", "<!-- wp:heading -->\n<h2 class=\"wp-block-heading\" id=\"a\">A</h2>\n<!-- /wp:heading -->"},
		"emphasis beside East Asian text": {
			"次は**「金閣寺」**へ。**\"인용\"**도, ~~（済）~~も: a**\"b\"**c", "<!-- wp:paragraph -->\n<p>次は<strong>「金閣寺」</strong>へ。<strong>\"인용\"</strong>도, <s>（済）</s>も: a**\"b\"**c</p>\n<!-- /wp:paragraph -->",
		},
		"asterisks beside East Asian text": {"数 * 数 ** 数*", "<!-- wp:paragraph -->\n<p>数 * 数 ** 数*</p>\n<!-- /wp:paragraph -->"},
		"hard wrapped":                     {"a\nb\\\nc  \nd", "<!-- wp:paragraph -->\n<p>a b<br>c<br>d</p>\n<!-- /wp:paragraph -->"},
		"references":                       {"&copy; &#x41; \\&amp; &nope; &copy", "<!-- wp:paragraph -->\n<p>© A &amp;amp; &amp;nope; &amp;copy</p>\n<!-- /wp:paragraph -->"},
		"shortcode in prose keeps its quotes": {
			`[video src="x"]`, "<!-- wp:paragraph -->\n<p>[video src=\"x\"]</p>\n<!-- /wp:paragraph -->",
		},
		"language no class can hold": {"```a--b\nx\n```", "<!-- wp:code -->\n<pre class=\"wp-block-code\"><code>x</code></pre>\n<!-- /wp:code -->"},
		"empty list item":            {"-", "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li></li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->"},
		"the author's own block": {
			"<!-- wp:spacer {\"height\":\"9px\"} -->\n<div></div>\n<!-- /wp:spacer -->",
			"<!-- wp:spacer {\"height\":\"9px\"} -->\n\n<div></div>\n<!-- /wp:spacer -->",
		},
		"Markdown in the author's own block": {
			"<!-- wp:group -->\n<div class=\"wp-block-group\">\n\na\n\n</div>\n<!-- /wp:group -->",
			"<!-- wp:group -->\n\n<div class=\"wp-block-group\">\n\n<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->\n\n</div>\n<!-- /wp:group -->",
		},
		"reference that is shown":      {"\\&#91; `&#91;`", "<!-- wp:paragraph -->\n<p>&amp;<span>#</span>91; <code>&amp;<span>#</span>91;</code></p>\n<!-- /wp:paragraph -->"},
		"block comment in a paragraph": {"a <!-- wp:x --> b", "<!-- wp:paragraph -->\n<p>a  b</p>\n<!-- /wp:paragraph -->"},
		"element across Markdown": {
			"<div>\n\n*a*\n\n- b\n\n</div>\n\nc",
			"<!-- wp:html -->\n<div>\n<p><em>a</em></p>\n<ul><li>b</li></ul>\n</div>\n<!-- /wp:html -->\n\n<!-- wp:paragraph -->\n<p>c</p>\n<!-- /wp:paragraph -->",
		},
		"element never closed": {
			"<div>\n\na",
			"<!-- wp:html -->\n<div></div>\n<!-- /wp:html -->\n\n<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->",
		},
		"element never opened":               {"</div>\n\na", "<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->"},
		"element closed before it is opened": {"</div><div>b", "<!-- wp:html -->\n<div>b</div>\n<!-- /wp:html -->"},
		"element never opened, in a line":    {"a </div> <p>b", "<!-- wp:html -->\n<p>a  </p><p>b</p>\n<!-- /wp:html -->"},
		"elements in code's item": {
			"- `[a]` <div>\n  ```\n  [b]\n  ```", "<!-- wp:html -->\n<ul><li><p><code><span>[</span>a]</code> <div></p>\n<pre><code>&#91;b]</code></pre></li></ul>\n<!-- /wp:html -->",
		},
		"image with text beside it":      {"![a](https://x/y.png) b", "<!-- wp:paragraph -->\n<p><img src=\"https://x/y.png\" alt=\"a\"> b</p>\n<!-- /wp:paragraph -->"},
		"link in a link":                 {"[a <https://x/>](https://y/)", "<!-- wp:paragraph -->\n<p><a href=\"https://y/\">a https://x/</a></p>\n<!-- /wp:paragraph -->"},
		"element never closed in a line": {"a <b>c", "<!-- wp:paragraph -->\n<p>a <b>c</b></p>\n<!-- /wp:paragraph -->"},
		"HTML that ends its paragraph":   {"a </p> b", "<!-- wp:html -->\n<p>a </p> b<p></p>\n<!-- /wp:html -->"},
		"HTML that ends its item":        {"- a\n- b <div>c</div>", "<!-- wp:html -->\n<ul><li>a</li>\n<li>b <div>c</div></li></ul>\n<!-- /wp:html -->"},
		"HTML that ends its cell":        {"|a|\n|-|\n|<p>b|", "<!-- wp:html -->\n<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>b</p></td></tr></tbody></table>\n<!-- /wp:html -->"},
		"HTML that browsers write anew":  {"a <I Title='b > c' x=1>d</I>&#13;<br/>", "<!-- wp:paragraph -->\n<p>a <i title=\"b &gt; c\" x=\"1\">d</i> <br></p>\n<!-- /wp:paragraph -->"},
		"nothing but a space":            {"&#13;</b>", ""},
		"comment with a reference":       {"a <!-- &amp; -->", "<!-- wp:html -->\n<p>a <!-- &amp; --></p>\n<!-- /wp:html -->"},
		"item of several blocks": {
			"- a\n\n  b\n\n  c",
			"<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li>a<!-- wp:group -->\n<div class=\"wp-block-group\">" +
				"<!-- wp:paragraph -->\n<p>b</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:paragraph -->\n<p>c</p>\n<!-- /wp:paragraph --></div>\n<!-- /wp:group --></li>\n" +
				"<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
		},
		"image with a caption": {
			"![a < b](https://x/y.png \"c & *d*\")",
			"<!-- wp:image -->\n<figure class=\"wp-block-image\"><img src=\"https://x/y.png\" alt=\"a &lt; b\"/>" +
				"<figcaption class=\"wp-element-caption\">c &amp; *d*</figcaption></figure>\n<!-- /wp:image -->",
		},
		"image with what the editor can't write": {
			`[![\&copy;](https://x/y.png "c")](https://z/)`,
			"<!-- wp:html -->\n<figure class=\"wp-block-image\"><a href=\"https://z/\"><img src=\"https://x/y.png\" alt=\"&amp;copy;\"></a>" +
				"<figcaption class=\"wp-element-caption\">c</figcaption></figure>\n<!-- /wp:html -->",
		},
		"image resized": {
			"![[a.png|30x20]]",
			"<!-- wp:image {\"id\":5,\"width\":\"30px\",\"height\":\"20px\",\"sizeSlug\":\"full\",\"linkDestination\":\"none\"} -->\n" +
				"<figure class=\"wp-block-image size-full is-resized\"><img src=\"https://x/u/a.png?1&amp;2\" alt=\"from the site\" class=\"wp-image-5\" style=\"width:30px;height:20px\"/></figure>\n<!-- /wp:image -->",
		},
		"callout": {
			"> [!a--b] c",
			"<!-- wp:quote {\"className\":\"callout-a\\u002d\\u002db\"} -->\n<blockquote class=\"wp-block-quote callout-a--b\">" +
				"<!-- wp:paragraph -->\n<p><strong>c</strong></p>\n<!-- /wp:paragraph --></blockquote>\n<!-- /wp:quote -->",
		},
		"two addresses in code": {
			"```\nhttps://x/\nhttps://y/\n```",
			"<!-- wp:code -->\n<pre class=\"wp-block-code\"><code>https:&#47;&#47;x/\nhttps:<span>//</span>y/</code></pre>\n<!-- /wp:code -->",
		},
		"preformatted":     {"<pre>\na &quot;b&quot;\n</pre>", "<!-- wp:preformatted -->\n<pre class=\"wp-block-preformatted\">a \"b\"\n</pre>\n<!-- /wp:preformatted -->"},
		"pre with markup":  {"<pre>a <b>c</b></pre>", "<!-- wp:html -->\n<pre>a <b>c</b></pre>\n<!-- /wp:html -->"},
		"page break":       {"<!-- nextpage -->", "<!-- wp:nextpage -->\n<!--nextpage-->\n<!-- /wp:nextpage -->"},
		"more with a text": {"<!--more \"a\" & b-->", "<!-- wp:more {\"customText\":\"\\u0022a\\u0022 \\u0026 b\"} -->\n<!--more \"a\" & b-->\n<!-- /wp:more -->"},
		"link to a script": {"[a](javascript:x)", "<!-- wp:paragraph -->\n<p><a href=\"\">a</a></p>\n<!-- /wp:paragraph -->"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := Blocks([]byte(tc.md), Options{Image: uploaded})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestB35InvalidUTF8(t *testing.T) {
	t.Parallel()
	if _, _, err := Blocks([]byte("a\xff"), Options{}); err == nil {
		t.Error("invalid UTF-8 was rendered")
	}
}

// Code shows what was typed and nothing in it runs: no bracket that
// do_shortcode could take, no line that autoembed could.
func TestB46Code(t *testing.T) {
	t.Parallel()
	const code = "[gallery ids=\"1,2\"] [[x]] 3x4 -- 'q' \"q\" a&&b &amp; <b> &#91;\n\n  https://example.com/x?a=1&b=2  \n\tend\\*"
	for name, render := range map[string]func([]byte, Options) (string, []Warning, error){"blocks": Blocks, "html": HTML} {
		for form, md := range map[string]string{
			"fenced":   "```\n" + code + "\n```",
			"indented": "    " + strings.ReplaceAll(code, "\n", "\n    "),
			"inline":   "a `" + strings.Join(strings.Fields(code), " ") + "` b",
			"in list":  "- x\n\n  ```\n  " + strings.ReplaceAll(code, "\n", "\n  ") + "\n  ```",
		} {
			t.Run(name+" "+form, func(t *testing.T) {
				t.Parallel()
				out, _, err := render([]byte(md), Options{})
				if err != nil {
					t.Fatal(err)
				}
				m := regexp.MustCompile(`(?s)<code>(.*)</code>`).FindStringSubmatch(out)
				if m == nil {
					t.Fatalf("no code in %s", out)
				}
				want := code
				if form == "inline" {
					want = strings.Join(strings.Fields(code), " ")
				}
				shown := html.UnescapeString(regexp.MustCompile(`</?span>`).ReplaceAllString(m[1], ""))
				if diff := cmp.Diff(want, shown); diff != "" {
					t.Errorf("code shown (-want +got):\n%s", diff)
				}
				if regexp.MustCompile(`\[[^<\[\]]`).MatchString(m[1]) {
					t.Errorf("a shortcode could run in %s", m[1])
				}
				if regexp.MustCompile(`(?m)^\s*https?://\S+\s*$`).MatchString(m[1]) {
					t.Errorf("an embed could run in %s", m[1])
				}
			})
		}
	}
}

// wpautop makes paragraphs of blank lines and breaks of line ends: there are
// none outside of code but between elements.
func TestB46HTMLBreaks(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ md, want string }{
		"hard-wrapped":            {"a\nb", "<p>a b</p>"},
		"hard break":              {"a  \nb", "<p>a<br>b</p>"},
		"blank line in list item": {"- a\n\n  b", "<ul><li><p>a</p>\n<p>b</p></li></ul>"},
		"tight nested list":       {"- a\n  - b", "<ul><li>a\n<ul><li>b</li></ul></li></ul>"},
		"raw HTML":                {"<div>\na\nb\n</div>", "<div> a b </div>"},
		"raw tag":                 {"a <b\nclass=\"c\">d</b>", "<p>a <b class=\"c\">d</b></p>"},
		"raw pre":                 {"<pre>\na\n\nb\n</pre>", "<pre>\na\n\nb\n</pre>"},
		"raw script":              {"<script>\na // b\n\nc\n</script>", "<script>\na // b\nc\n</script>"},
		"more":                    {"<!-- more -->", "<!--more-->"},
		"table":                   {"|a|\n|:-:|\n|b|", `<table><thead><tr><th style="text-align:center">a</th></tr></thead><tbody><tr><td style="text-align:center">b</td></tr></tbody></table>`},
		"code":                    {"```go\nx\n```", `<pre><code class="language-go">x</code></pre>`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := HTML([]byte(tc.md), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The time that a text takes grows with its length, whatever stands in it: each
// of these took minutes.
func TestLongTexts(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"elements that are never closed": strings.Repeat("<div>\n\ntext\n\n", 20_000),
		"inline HTML":                    strings.Repeat("a <b>\n", 200_000),
		"warnings":                       strings.Repeat("[^1]\n\n", 150_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			if _, _, err := Blocks([]byte(text), Options{}); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("%d bytes took %v", len(text), took)
			}
		})
	}
}
