package markup

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestB64Warnings(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		md   string
		line int // 0 for no warning
		says string
	}{
		"wiki link":             {"a\n\nsee [[Other note|here]] b", 3, "[[Other note|here]] is an Obsidian link: only its text"},
		"wiki link at start":    {"[[Other]]", 1, "[[Other]] is an Obsidian link"},
		"embed of a note":       {"a\n\n![[Note#Part]]", 3, "![[Note#Part]] embeds a note"},
		"Hugo":                  {"a\n{{< gist x y >}}", 2, "{{< gist x y >}} is a Hugo shortcode"},
		"Hugo within a line":    {"a {{< youtube x >}}", 1, "{{< youtube x >}} is a Hugo shortcode"},
		"Hugo percent":          {"{{% note %}}x{{% /note %}}", 1, "{{% /note %}} is a Hugo"},
		"Liquid":                {"{% include x.html %}", 1, "template tag"},
		"footnote without text": {"a\n\nb[^1]", 3, "[^1] is a footnote without a text"},
		"text without footnote": {"a\n\n[^1]: b", 3, "nothing refers to the footnote [^1]"},
		"read":                  {"> [!tip]- Hi\n\n![[a.png|3]] [[#a]] %%[[x]]%%\n\n%%\n[[x]]\n%%\n\na[^1]\n\n[^1]: b\n\n{{< youtube x >}}\n\n{% highlight go %}\n[[x]]\n{% endhighlight %}", 0, ""},
		"HTML comment":          {"a\n\n<!-- note to self -->", 3, "page's source"},
		"inline HTML comment":   {"a\nb <!-- x -->", 2, "page's source"},
		"block inside a line":   {"a <!-- wp:x --> b", 1, "left out"},
		"in code":               {"```\n[[x]] ![[y]] {{< z >}} %%a%% [^1]\n<!-- c -->\n```", 0, ""},
		"in inline code":        {"a `[[x]] {{< z >}}` b `` ![[y]] ``", 0, ""},
		"in indented code":      {"    [[x]]", 0, ""},
		"more":                  {"<!--more-->", 0, ""},
		"own block":             {"<!-- wp:spacer /-->", 0, ""},
		"plain link and quote":  {"[a](https://b/c) [d]\n\n> [link](https://x)\n\n100% of 50%", 0, ""},
		"long after wide runes": {strings.Repeat("가\n", 40) + "[[x]]", 41, "[[x]]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, got, err := Blocks([]byte(tc.md), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if tc.line == 0 {
				if len(got) > 0 {
					t.Errorf("got %v, want none", got)
				}
				return
			}
			if len(got) == 0 || got[0].Line != tc.line || !strings.Contains(got[0].Msg, tc.says) {
				t.Errorf("got %v, want line %d: …%s…", got, tc.line, tc.says)
			}
		})
	}
}

func TestB64Images(t *testing.T) {
	t.Parallel()
	const md = "![a *b*](./x.assets/a.png \"t\") and ![](<b c.png>)\n\n" +
		"![ref][r]\n\n[r]: https://x/r.png\n\n" +
		"- ![in list](l.png)\n\n" +
		"<figure>\n<img alt='q > r' src=\"h%20i.png?a=1&amp;b=2\">\n<img alt=none>\n</figure>\n\n" +
		"text <img src=inline.png> ![[pic one.png|300]] ![[A note]] ![[Note.md]]\n\n{{< figure src=\"f.png\" alt=\"of Hugo\" >}}\n\n" +
		"`![no](code.png)` `<img src=no.png>`\n\n```\n![no](code.png)\n![[no.png]]\n<img src=no.png>\n```\n"
	want := []Image{
		{1, "./x.assets/a.png", "a b"},
		{1, "b c.png", ""},
		{3, "https://x/r.png", "ref"},
		{7, "l.png", "in list"},
		{10, "h%20i.png?a=1&b=2", "q > r"},
		{14, "inline.png", ""},
		{14, "pic one.png", ""},
		{16, "f.png", "of Hugo"},
	}
	if diff := cmp.Diff(want, Images([]byte(md))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestImagesOfEachKindAlone: the texts that are not parsed have none.
func TestImagesOfEachKindAlone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"![](a.png)":              "a.png",
		"![a]\n\n[a]: a.png":      "a.png",
		"![[a.png]]":              "a.png",
		"{{< figure a.png >}}":    "a.png",
		"<p><IMG\nSRC=a.png></p>": "a.png",
		"[a](a.png) <imagine>":    "",
	} {
		var got string
		if found := Images([]byte(text)); len(found) > 0 {
			got = found[0].Dest
		}
		if got != want {
			t.Errorf("images of %q: %q, want %q", text, got, want)
		}
	}
}
