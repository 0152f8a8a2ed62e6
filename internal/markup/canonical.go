package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fits tells whether the text of a block stays within its element. Raw HTML
// may open what it doesn't close, or hold what ends a paragraph: the editor
// would call such a block broken, so it becomes a block of HTML.
func (r renderer) fits(n ast.Node) bool {
	switch n.(type) {
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading, *east.TableCell:
		return r.spansFit(n)
	case *ast.List, *east.FootnoteList:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			if first := item.FirstChild(); first != nil && first.Type() == ast.TypeBlock && !r.itemFits(first) {
				return false
			}
		}
	case *east.Table:
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				if !r.spansFit(cell) {
					return false
				}
			}
		}
	}
	return true
}

// itemFits asks of the text of a list item alone: what follows is asked later.
func (r renderer) itemFits(first ast.Node) bool {
	k := first.Kind()
	return k != ast.KindParagraph && k != ast.KindTextBlock || r.spansFit(first)
}

func (r renderer) spansFit(n ast.Node) bool {
	if !hasHTML(n) {
		return true
	}
	r.Image = nil // nobody is asked twice
	_, ok := asBrowser("p", strings.TrimRight(r.spans(n), " "))
	return ok
}

func hasHTML(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Kind() == ast.KindRawHTML || hasHTML(c) {
			return true
		}
	}
	return false
}

// asBrowser is text, the content of an element, as a browser that has read it
// writes it back; ok is false when it wouldn't all be in the element.
func asBrowser(tag, text string) (canonical string, ok bool) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragmentWithOptions(strings.NewReader("<"+tag+">"+text+"</"+tag+">"), body, html.ParseOptionEnableScripting(false))
	if err != nil || len(nodes) != 1 {
		return "", false
	}
	var b strings.Builder
	for c := nodes[0].FirstChild; c != nil; c = c.NextSibling {
		if !serialize(&b, c) {
			return "", false
		}
	}
	return b.String(), true
}

// tidy is HTML as a browser that has read it writes it back: what it opens it
// closes, and nothing more. A page would end its own elements at an end tag too
// many, and the editor of 6.1 calls a block that isn't so broken. HTML that
// can't be written back stays as it is, as do the references by which code
// hides its brackets from WordPress.
func tidy(text string) string {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragmentWithOptions(strings.NewReader(text), body, html.ParseOptionEnableScripting(false))
	if err != nil || strings.Contains(text, "&#") {
		return text
	}
	var b strings.Builder
	for _, n := range nodes {
		if !serialize(&b, n) {
			return text
		}
	}
	return strings.TrimSpace(b.String())
}

func serialize(b *strings.Builder, n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		b.WriteString(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;").Replace(n.Data))
		return !strings.Contains(n.Data, "\r")
	case html.CommentNode:
		b.WriteString("<!--" + n.Data + "-->")
		return !strings.ContainsAny(n.Data, "&\r") // the parser resolves references, a browser doesn't
	case html.ElementNode:
	default:
		return false
	}
	if n.Namespace != "" || isRawText(n.Data) {
		return false
	}
	b.WriteString("<" + n.Data)
	for _, a := range n.Attr {
		// Browsers have escaped < and > since 2025; WordPress would tear an
		// element apart at a bare one.
		b.WriteString(" " + a.Key + `="` + escapeAttr(a.Val) + `"`)
		if strings.Contains(a.Val, "\r") {
			return false
		}
	}
	b.WriteString(">")
	if isVoid(n.Data) {
		return true
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if !serialize(b, c) {
			return false
		}
	}
	b.WriteString("</" + n.Data + ">")
	return true
}

// isRawText tells the elements whose content isn't read as HTML.
func isRawText(name string) bool {
	switch name {
	case "script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript", "template", "textarea", "title":
		return true
	}
	return false
}
