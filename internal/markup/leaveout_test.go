package markup

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What an image stood in alone goes with it.
func TestImagesLeftOut(t *testing.T) {
	t.Parallel()
	para := func(s string) string { return "<!-- wp:paragraph -->\n<p>" + s + "</p>\n<!-- /wp:paragraph -->" }
	for md, want := range map[string]string{
		"a\n\n![x](a.png)\n\nb":                   para("a") + "\n\n" + para("b"),
		"a ![x](a.png) b":                         para("a  b"),
		"a [![x](a.png)](https://y) b":            para("a  b"),
		"[![x](a.png)](https://y)\n\nb":           para("b"),
		"**![x](a.png)**\n![](a.png)\n\nb":        para("b"),
		"[c ![x](a.png)](https://y)":              para(`<a href="https://y">c </a>`),
		"- ![x](a.png)\n- b":                      "<!-- wp:list -->\n<ul class=\"wp-block-list\"><!-- wp:list-item -->\n<li></li>\n<!-- /wp:list-item -->\n\n<!-- wp:list-item -->\n<li>b</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
		"a <img src=a.png> <img src=\"b.png\"> b": para("a  <img src=\"b.png\"> b"),
		"<p><img src=a.png>c</p>":                 "<!-- wp:html -->\n<p>c</p>\n<!-- /wp:html -->",
		"![x](a.png)":                             "",
	} {
		got, _, err := Blocks([]byte(md), Options{LeaveOut: func(img Image) bool { return img.Dest == "a.png" }})
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", md, err, diff)
		}
	}
}
