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
	Picture
	caption       string // the title, in Markdown
	width, height int    // that its author wishes, 0 for none
}

func (r renderer) picture(n *ast.Image) picture {
	img := r.imageOf(n)
	p := picture{Picture: Picture{URL: address(n.Destination, true)}, caption: strings.ReplaceAll(unescape(n.Title), "\n", " ")}
	if found, ok := r.find(img); ok {
		p.Picture = found
		p.URL = escapeAttr(found.URL)
	}
	if img.Alt != "" {
		p.Alt = img.Alt
	}
	p.width, p.height = size(n, "width"), size(n, "height")
	return p
}

func size(n ast.Node, name string) int {
	value, _ := n.AttributeString(name)
	pixels, _ := value.(int)
	return pixels
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
	width, height := p.Width, p.Height
	if p.width+p.height > 0 {
		width, height = p.width, p.height
	}
	var b strings.Builder
	b.WriteString(`<img src="` + p.URL + `" alt="` + escapeAttr(p.Alt) + `"` + title([]byte(p.caption)))
	if p.ID != 0 {
		fmt.Fprintf(&b, ` class="wp-image-%d"`, p.ID)
	}
	if width > 0 {
		fmt.Fprintf(&b, ` width="%d"`, width)
	}
	if height > 0 {
		fmt.Fprintf(&b, ` height="%d"`, height)
	}
	b.WriteString(">")
	return b.String()
}

// figure is the image as a block, within a link where there is one. The size
// of the file is no attribute of a block: width and height there are what a
// person wishes. The editors before 6.3 wrote those another way, and call the
// block of a resized image invalid; they show it all the same.
func (p picture) figure(r renderer, link *ast.Link) string {
	before, after, href := "", "", ""
	if link != nil {
		href = address(link.Destination, true)
		before, after = `<a href="`+href+`">`, "</a>"
	}
	caption := ""
	if p.caption != "" {
		caption = "<figcaption" + r.class("wp-element-caption") + ">" + escapeText(p.caption) + "</figcaption>"
	}
	if !r.blocks || ambiguous(p.Alt) || ambiguous(html.UnescapeString(p.URL)) || ambiguous(html.UnescapeString(href)) {
		p.caption = ""
		return r.wrap("html", "", "<figure"+r.class("wp-block-image")+">"+before+p.inline()+after+caption+"</figure>")
	}
	var attrs []string
	class, imgClass, style := "wp-block-image", "", ""
	if p.ID != 0 {
		id := strconv.FormatInt(p.ID, 10)
		attrs = append(attrs, `"id":`+id)
		imgClass = ` class="wp-image-` + id + `"`
	}
	if p.width > 0 {
		attrs = append(attrs, fmt.Sprintf(`"width":"%dpx"`, p.width))
		style = fmt.Sprintf("width:%dpx", p.width)
	}
	if p.height > 0 {
		attrs = append(attrs, fmt.Sprintf(`"height":"%dpx"`, p.height))
		style = strings.TrimPrefix(fmt.Sprintf("%s;height:%dpx", style, p.height), ";")
	}
	if p.ID != 0 {
		attrs = append(attrs, `"sizeSlug":"full"`)
		class += " size-full"
	}
	if style != "" {
		class += " is-resized"
		style = ` style="` + style + `"`
	}
	img := `<img src="` + p.URL + `" alt="` + escapeBlockAttr(p.Alt) + `"` + imgClass + style + "/>"
	switch {
	case link != nil:
		attrs = append(attrs, `"linkDestination":"custom"`)
	case p.ID != 0:
		attrs = append(attrs, `"linkDestination":"none"`)
	}
	object := ""
	if len(attrs) > 0 {
		object = "{" + strings.Join(attrs, ",") + "}"
	}
	return r.wrap("image", object, `<figure class="`+class+`">`+before+img+after+caption+"</figure>")
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

// imageIn is the image of one of imagesIn, and the link round it or nil.
func imageIn(n ast.Node) (*ast.Image, *ast.Link) {
	link, ok := n.(*ast.Link)
	if ok {
		n = link.FirstChild()
	}
	img, _ := n.(*ast.Image)
	return img, link
}

func hasCaption(images []ast.Node) bool {
	return slices.ContainsFunc(images, func(n ast.Node) bool {
		img, _ := imageIn(n)
		return len(img.Title) > 0
	})
}

// figure is the block of one of imagesIn.
func (r renderer) figure(n ast.Node) string {
	img, link := imageIn(n)
	return r.picture(img).figure(r, link)
}

// replaceImages puts the pictures of the site in raw HTML, which begins on the
// given line of the body.
func (r renderer) replaceImages(raw string, line int) string {
	if r.Image == nil && r.LeaveOut == nil {
		return raw
	}
	var b strings.Builder
	at := 0
	eachImg(raw, func(tag imgTag) {
		img := tag.image()
		img.Line += line - 1
		if r.leavesOut(img) {
			b.WriteString(raw[at:tag.start])
			at = tag.end
		} else if p, ok := r.find(img); ok {
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
