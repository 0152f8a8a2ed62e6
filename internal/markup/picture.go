package markup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
)

// picture is an image as it is rendered.
type picture struct {
	Picture        // ID 0 where the site has none
	title   string // in Markdown, the caption of a block
}

func (r renderer) picture(n *ast.Image) picture {
	img := r.imageOf(n)
	p := picture{Picture{URL: address(n.Destination, true)}, unescape(n.Title)}
	if found, ok := r.find(img); ok {
		p.Picture = found
		p.URL = escapeAttr(found.URL)
	}
	if img.Alt != "" {
		p.Alt = img.Alt
	}
	return p
}

// find asks for the picture of img.
func (r renderer) find(img Image) (Picture, bool) {
	if r.Image == nil {
		return Picture{}, false
	}
	return r.Image(img)
}

// inline is the image among text. WordPress completes what bears the class of
// an id (wp_filter_content_tags), but not in feeds: the size is written too.
func (p picture) inline() string {
	var b strings.Builder
	b.WriteString(`<img src="` + p.URL + `" alt="` + escapeAttr(p.Alt) + `"` + title([]byte(p.title)))
	if p.ID != 0 {
		fmt.Fprintf(&b, ` class="wp-image-%d"`, p.ID)
	}
	if p.Width > 0 && p.Height > 0 {
		fmt.Fprintf(&b, ` width="%d" height="%d"`, p.Width, p.Height)
	}
	b.WriteString(">")
	return b.String()
}

// figure is the image as a block, within a link where there is one. The size
// of the file is no attribute of a block: width and height there mean that a
// person has resized the image.
func (p picture) figure(r renderer, link *ast.Link) string {
	var attrs []string
	size, class := "", ""
	if p.ID != 0 {
		id := strconv.FormatInt(p.ID, 10)
		attrs = append(attrs, `"id":`+id, `"sizeSlug":"full"`)
		size, class = " size-full", ` class="wp-image-`+id+`"`
	}
	img := `<img src="` + p.URL + `" alt="` + escapeAttr(p.Alt) + `"` + class + title([]byte(p.title)) + "/>"
	switch {
	case link != nil:
		attrs = append(attrs, `"linkDestination":"custom"`)
		img = r.link(link, img)
	case p.ID != 0:
		attrs = append(attrs, `"linkDestination":"none"`)
	}
	object := ""
	if len(attrs) > 0 {
		object = "{" + strings.Join(attrs, ",") + "}"
	}
	return r.wrap("image", object, `<figure class="wp-block-image`+size+`">`+img+"</figure>")
}

// imagesIn are the images, links round them included, of a paragraph that
// holds nothing else; else nil.
func (r renderer) imagesIn(paragraph ast.Node) []ast.Node {
	var images []ast.Node
	for c := paragraph.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Image:
			images = append(images, c)
		case *ast.Link:
			if img, ok := c.FirstChild().(*ast.Image); !ok || img.NextSibling() != nil {
				return nil
			}
			images = append(images, c)
		case *ast.Text:
			if len(strings.TrimSpace(string(c.Value(r.src)))) > 0 {
				return nil
			}
		default:
			return nil
		}
	}
	return images
}

// figure is the block of one of imagesIn.
func (r renderer) figure(n ast.Node) string {
	if link, ok := n.(*ast.Link); ok {
		img, _ := link.FirstChild().(*ast.Image)
		return r.picture(img).figure(r, link)
	}
	img, _ := n.(*ast.Image)
	return r.picture(img).figure(r, nil)
}

// replaceImages puts the pictures of the site in raw HTML, which begins on the
// given line of the body.
func (r renderer) replaceImages(raw string, line int) string {
	if r.Image == nil {
		return raw
	}
	var b strings.Builder
	at := 0
	eachImg(raw, func(tag imgTag) {
		img := tag.image()
		img.Line += line - 1
		if p, ok := r.find(img); ok {
			b.WriteString(raw[at:tag.start] + replaceImg(tag.token, p, r.own))
			at = tag.end
		}
	})
	return b.String() + raw[at:]
}

// replaceImg leaves of the tag what isn't about the file. An empty alt stays
// too: in HTML it says that the image means nothing. In a block of the author's
// own, which has no id, the class of one would make the block invalid.
func replaceImg(tag html.Token, p Picture, own bool) string {
	class, hasAlt := fmt.Sprintf("wp-image-%d", p.ID), own
	if own {
		class = ""
	}
	attrs := slices.DeleteFunc(tag.Attr, func(a html.Attribute) bool { return a.Key == "srcset" || a.Key == "sizes" })
	for i, a := range attrs {
		switch a.Key {
		case "src":
			attrs[i].Val = p.URL
		case "class":
			attrs[i].Val, class = strings.TrimSpace(a.Val+" "+class), ""
		case "alt":
			hasAlt = true
		}
	}
	if class != "" {
		attrs = append(attrs, html.Attribute{Key: "class", Val: class})
	}
	if !hasAlt {
		attrs = append(attrs, html.Attribute{Key: "alt", Val: p.Alt})
	}
	tag.Attr = attrs
	return tag.String()
}
