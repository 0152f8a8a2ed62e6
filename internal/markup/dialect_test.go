package markup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What Obsidian, Hugo, Jekyll and GitHub add to Markdown, as plain HTML.
func TestB64Dialects(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ md, want string }{
		"wiki link":                      {"a [[Note]] b [[Note|*c*]] [[Note#Part]]", "<p>a Note b *c* Note &gt; Part</p>"},
		"wiki link to a heading":         {"[[#My Part]] [[#A#B|c]]", `<p><a href="#my-part">My Part</a> <a href="#b">c</a></p>`},
		"wiki link without a name":       {"[[]] [[|a]]", "<p>[[]] [[|a]]</p>"},
		"Markdown's own link":            {"[[a]](https://x/) [[b]]\n\n[b]: https://y/", `<p><a href="https://x/">[a]</a> [<a href="https://y/">b</a>]</p>`},
		"wiki link in code":              {"`[[a]]`", "<p><code>[<span>[</span>a]]</code></p>"},
		"wiki link, escaped":             {`\[[a]]`, "<p>[[a]]</p>"},
		"embedded picture":               {"![[b c.png]]", `<p><img src="b%20c.png" alt=""></p>`},
		"embedded picture with its text": {"![[b&amp;.png|d]]", `<p><img src="b&amp;amp;.png" alt="d"></p>`},
		"embedded picture, sized":        {"![[b.png|300]] ![[b.png|d|30x20]]", `<p><img src="b.png" alt="" width="300"> <img src="b.png" alt="d" width="30" height="20"></p>`},
		"embedded note":                  {"![[Note]]", "<p>Note</p>"},
		"comment":                        {"a %%b%% c", "<p>a  c</p>"},
		"comment over lines":             {"a %%b\nc%% d", "<p>a  d</p>"},
		"comment alone":                  {"%%a%%", ""},
		"comment of many paragraphs":     {"a\n%%\nb\n\n- c\n\nd%%\ne", "<p>a</p>\n<p>e</p>"},
		"text after a comment":           {"%%a\nb%% *c*", "<p><em>c</em></p>"},
		"text round a comment":           {"%%a%% b", "<p> b</p>"},
		"comment never closed":           {"%%a\n\nb", "<p>%%a</p>\n<p>b</p>"},
		"per cent":                       {"100%% of 50%%", "<p>100%% of 50%%</p>"},
		"callout":                        {"> [!tip] A *b*\n> c", "<blockquote><p><strong>A <em>b</em></strong></p>\n<p>c</p></blockquote>"},
		"callout without title":          {"> [!NOTE]\n> c", "<blockquote><p><strong>Note</strong></p>\n<p>c</p></blockquote>"},
		"callout, folded":                {"> [!my-kind]-", "<blockquote><p><strong>My-kind</strong></p></blockquote>"},
		"callout after a tab":            {">\t [!note]\n>\t b", "<blockquote><p><strong>Note</strong></p>\n<p>b</p></blockquote>"},
		"comment after a tab":            {">\t %%a\n>\t b%%\n>\t c", "<blockquote><p>c</p></blockquote>"},
		"highlight after a tab":          {">\t {{< highlight go >}}\n>\t b\n>\t {{< /highlight >}}", "<blockquote><pre><code class=\"language-go\">   b</code></pre></blockquote>"},
		"callout further down":           {"> a\n>\n> [!note]", "<blockquote><p>a</p>\n<p>[!note]</p></blockquote>"},
		"figure":                         {`{{< figure src="a.png" alt="b" caption="c \"d\"" >}}`, `<figure><img src="a.png" alt="b"><figcaption>c "d"</figcaption></figure>`},
		"figure by position":             {"{{% figure a.png %}}", `<p><img src="a.png" alt=""></p>`},
		"figure in a link":               {"a\n{{< figure src=`a.png` link=\"https://x/\" width=\"30px\" />}}\nb", "<p>a</p>\n<p><a href=\"https://x/\"><img src=\"a.png\" alt=\"\" width=\"30\"></a></p>\n<p>b</p>"},
		"figure within a line":           {"a {{< figure a.png >}}", "<p>a {{&lt; figure a.png &gt;}}</p>"},
		"youtube":                        {"{{< youtube w7Ft2ymGmfc >}}", "\nhttps://www.youtube.com/watch?v=w7Ft2ymGmfc\n"},
		"youtube by name":                {`{{< youtube autoplay="true" id="w7" >}}`, "\nhttps://www.youtube.com/watch?v=w7\n"},
		"youtube that is no id":          {`{{< youtube "a b" >}}`, "<p>{{&lt; youtube \"a b\" &gt;}}</p>"},
		"tweet":                          {`{{< tweet user="a" id="1" >}}`, "\nhttps://twitter.com/a/status/1\n"},
		"tweet without user":             {`{{< tweet 1 >}}`, "<p>{{&lt; tweet 1 &gt;}}</p>"},
		"other shortcode":                {"{{< gist a 1 >}}", "<p>{{&lt; gist a 1 &gt;}}</p>"},
		"highlight of Hugo":              {"{{< highlight go \"linenos=table\" >}}\n*a*\n\n{{< /highlight >}}\nb", "<pre><code class=\"language-go\">*a*\n</code></pre>\n<p>b</p>"},
		"highlight of Jekyll":            {"{% highlight h %}\n  {{ a }}\n{% endhighlight %}", `<pre><code class="language-h">  {{ a }}</code></pre>`},
		"highlight without end":          {"{% highlight h %}\na", `<pre><code class="language-h">a</code></pre>`},
		"footnote":                       {"a[^x] b[^x]\n\n[^x]: c", "<p>a<sup><a href=\"#fn-1\" id=\"fnref-1\">1</a></sup> b<sup><a href=\"#fn-1\">1</a></sup></p>\n<ol><li><a href=\"#fnref-1\" id=\"fn-1\">↑</a> c</li></ol>"},
		"footnote in a link":             {"[a[^x]](https://x/)\n\n[^x]: c", "<p><a href=\"https://x/\">a<sup>1</sup></a></p>\n<ol><li><a href=\"#fnref-1\" id=\"fn-1\">↑</a> c</li></ol>"},
		"anchors":                        {"# A *b* `c`!\n\n# a-b-c\n\n# a-b-c\n\n# !\n\n# 한 글 {#d}", "<h1 id=\"a-b-c\">A <em>b</em> <code>c</code>!</h1>\n<h1 id=\"a-b-c-1\">a-b-c</h1>\n<h1 id=\"a-b-c-2\">a-b-c</h1>\n<h1>!</h1>\n<h1 id=\"d\">한 글</h1>"},
		"page break":                     {"<!--nextpage-->", "<!--nextpage-->"},
		"more with a text":               {"<!--more And on -->", "<!--more And on-->"},
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

// An address is embedded where it is a provider's and a paragraph of its own.
func TestEmbeds(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://www.youtube.com/watch?v=a&t=4": "video youtube",
		"https://YouTu.be/a":                    "video youtube",
		"<https://vimeo.com/1>":                 "video vimeo",
		"https://wordpress.tv/a":                "video wordpress-tv",
		"https://twitter.com/a/status/1":        "rich twitter",
		"https://twitter.com/a":                 "rich twitter",
		"https://www.flickr.com/a":              "photo flickr",
		"https://www.someecards.com/a-cards/b":  " ",
		"https://twitter.com/a/b":               "",
		"https://notyoutube.com/watch?v=a":      "",
		"https://example.com/youtu.be/a":        "",
		"https://youtu.be/a?b=1&copy;":          "",
		"[a](https://youtu.be/a)":               "",
		"https://youtu.be/a b":                  "",
		"a@youtu.be":                            "",
	} {
		out, _, err := Blocks([]byte(address), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if strings.HasPrefix(out, "<!-- wp:embed ") {
			kind, slug := providerOf(strings.Trim(address, "<>"))
			got = kind + " " + slug
		}
		if got != want {
			t.Errorf("%s: %q, want %q in\n%s", address, got, want, out)
		}
	}
}
