package markup

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"morrow/internal/pattern"
)

// renderer writes a document as blocks, or as plain HTML without them.
type renderer struct {
	Options
	src     []byte
	lines   lines
	anchors anchors
	blocks  bool
	linked  bool // within a link
	own     bool // the author wrote block markup too: raw HTML is part of it
}

// plain is r without blocks, for what stands within raw HTML.
func (r renderer) plain() renderer {
	r.blocks, r.own = false, false
	return r
}

// children renders the blocks below n.
func (r renderer) children(n ast.Node) string { return r.join(r.parts(n.FirstChild())) }

// parts renders first and the blocks after it.
func (r renderer) parts(first ast.Node) []string {
	var parts []string
	more := r.inElements(first)
	for c, i := first, 0; c != nil; c, i = c.NextSibling(), i+1 {
		var part string
		if more[i] == 0 {
			part = r.block(c)
		} else {
			inner := []string{r.plain().block(c)}
			for range more[i] {
				c, i = c.NextSibling(), i+1
				inner = append(inner, r.plain().block(c))
			}
			part = r.wrap("html", "", strings.Join(inner, "\n"))
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

func (r renderer) join(parts []string) string {
	if r.blocks {
		return strings.Join(parts, "\n\n")
	}
	return strings.Join(parts, "\n")
}

func (r renderer) block(n ast.Node) string {
	if r.blocks && !r.fits(n) {
		return r.wrap("html", "", tidy(r.plain().block(n)))
	}
	switch n := n.(type) {
	case *callout:
		title := r.inline(n)
		if title == "" {
			title = strings.ToUpper(n.name[:1]) + n.name[1:]
		}
		return r.wrap("paragraph", "", "<p><strong>"+title+"</strong></p>")
	case *ast.Paragraph, *ast.TextBlock, *figure:
		return r.paragraph(n)
	case *ast.Heading:
		return r.heading(n)
	case *ast.ThematicBreak:
		return r.wrap("separator", "", "<hr"+r.class("wp-block-separator has-alpha-channel-opacity")+"/>")
	case *ast.CodeBlock:
		return r.code(n, "")
	case *ast.FencedCodeBlock:
		return r.code(n, string(n.Language(r.src)))
	case *highlighted:
		return r.code(n, string(n.Language(r.src)))
	case *ast.Blockquote:
		return r.quote(n)
	case *ast.List:
		return r.list(n)
	case *ast.HTMLBlock:
		return r.htmlBlock(n)
	case *embedded:
		return r.embed(n.url)
	case *east.Table:
		return r.table(n)
	case *east.FootnoteList:
		return r.footnotes(n)
	}
	return "" // a link reference definition or a comment shows nothing
}

// wrap puts html between a block's delimiters; attrs is JSON or empty.
func (r renderer) wrap(name, attrs, html string) string {
	if !r.blocks {
		return html
	}
	if attrs != "" {
		attrs += " "
	}
	return "<!-- wp:" + name + " " + attrs + "-->\n" + html + "\n<!-- /wp:" + name + " -->"
}

// class is a class that only the block editor asks for.
func (r renderer) class(names string) string {
	if !r.blocks {
		return ""
	}
	return ` class="` + names + `"`
}

// paragraph renders a paragraph; one that holds nothing but images becomes
// image blocks, as a person would insert them, and one that is an address a
// player.
func (r renderer) paragraph(n ast.Node) string {
	if address := r.embedAddress(n); address != "" {
		return r.embed(address)
	}
	if images := r.imagesIn(n); len(images) > 0 && (r.blocks || hasCaption(images)) {
		var parts []string
		for _, img := range images {
			parts = append(parts, r.figure(img))
		}
		return r.join(parts)
	}
	text := r.inline(n)
	if text == "" && n.HasChildren() {
		return "" // there was nothing in it but a comment
	}
	return r.wrap("paragraph", "", "<p>"+text+"</p>")
}

func (r renderer) heading(n *ast.Heading) string {
	attrs, id := "", ""
	if n.Level != 2 { // the editor leaves out the default
		attrs = fmt.Sprintf(`{"level":%d}`, n.Level)
	}
	if anchor := r.anchor(n); anchor != "" {
		id = ` id="` + escapeAttr(anchor) + `"`
	}
	tag := "h" + strconv.Itoa(n.Level)
	return r.wrap("heading", attrs, "<"+tag+r.class("wp-block-heading")+id+">"+r.inline(n)+"</"+tag+">")
}

// quote renders a quote; the class of a callout is there for the site's style.
func (r renderer) quote(n *ast.Blockquote) string {
	attrs, class := "", "wp-block-quote"
	if title, ok := n.FirstChild().(*callout); ok {
		name := "callout-" + title.name
		attrs, class = `{"className":`+blockJSON(name)+`}`, class+" "+name
	}
	return r.wrap("quote", attrs, "<blockquote"+r.class(class)+">"+r.children(n)+"</blockquote>")
}

var classWord = pattern.Lazy(`^[A-Za-z0-9_-]+$`)

func (r renderer) code(n ast.Node, language string) string {
	if !classWord().MatchString(language) || strings.Contains(language, "--") {
		language = "" // not fit for a class name
	}
	code := escapeCode(strings.TrimSuffix(string(n.Lines().Value(r.src)), "\n"))
	if !r.blocks {
		class := ""
		if language != "" {
			class = ` class="language-` + language + `"`
		}
		return "<pre><code" + class + ">" + code + "</code></pre>"
	}
	attrs, class := "", "wp-block-code"
	if language != "" {
		attrs, class = `{"className":"language-`+language+`"}`, class+" language-"+language
	}
	return r.wrap("code", attrs, `<pre class="`+class+`"><code>`+code+"</code></pre>")
}
