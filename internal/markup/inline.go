package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"morrow/internal/pattern"
)

// inline renders the inline children of n. It writes no line break: WordPress
// turns one into <br> where a post has no blocks.
func (r renderer) inline(n ast.Node) string {
	text := strings.TrimRight(r.spans(n), " ")
	if !r.blocks || !hasHTML(n) {
		return text
	}
	if canonical, ok := asBrowser("p", text); ok {
		return strings.TrimRight(canonical, " ")
	}
	return text
}

func (r renderer) span(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		return r.text(n)
	case *ast.CodeSpan:
		return "<code>" + escapeSpan(strings.ReplaceAll(r.textOf(n), "\n", " ")) + "</code>"
	case *ast.Emphasis:
		if n.Level == 2 {
			return "<strong>" + r.spans(n) + "</strong>"
		}
		return "<em>" + r.spans(n) + "</em>"
	case *east.Strikethrough:
		return "<s>" + r.spans(n) + "</s>" // the editor's own element for it
	case *ast.Link:
		return r.link(n)
	case *ast.AutoLink:
		return r.autoLink(n)
	case *ast.Image:
		return r.picture(n).inline()
	case *ast.RawHTML:
		return r.rawHTML(n)
	case *ast.String:
		return escapeText(string(n.Value))
	case *east.FootnoteLink:
		return r.footnoteLink(n)
	case *east.TaskCheckBox:
		// No <input>: WordPress takes it out for authors.
		if n.IsChecked {
			return "☑ "
		}
		return "☐ "
	}
	return r.spans(n)
}

func (r renderer) spans(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(r.span(c))
	}
	return b.String()
}

func (r renderer) text(n *ast.Text) string {
	value := n.Value(r.src)
	s := string(value)
	if !n.IsRaw() {
		s = unescape(value)
	}
	s = escapeText(strings.ReplaceAll(s, "\n", " "))
	switch {
	case n.HardLineBreak():
		return s + "<br>"
	case n.SoftLineBreak():
		return s + " "
	}
	return s
}

// textOf is the text below n without markup, as in an image's alt.
func (r renderer) textOf(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			value := c.Value(r.src)
			if n.Kind() == ast.KindCodeSpan || c.IsRaw() {
				b.Write(value)
			} else {
				b.WriteString(unescape(value))
			}
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(c.Label(r.src))
		case *ast.String:
			b.Write(c.Value)
		default:
			b.WriteString(r.textOf(c))
		}
	}
	return b.String()
}

// link leaves out the links within a link, which HTML doesn't have.
func (r renderer) link(n *ast.Link) string {
	if r.linked {
		return r.spans(n)
	}
	r.linked = true
	return `<a href="` + address(n.Destination, true) + `"` + title(n.Title) + ">" + r.spans(n) + "</a>"
}

func (r renderer) autoLink(n *ast.AutoLink) string {
	dest := n.URL(r.src)
	if n.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(dest), []byte("mailto:")) {
		dest = append([]byte("mailto:"), dest...)
	}
	label := escapeText(string(n.Label(r.src)))
	if r.linked {
		return label
	}
	return `<a href="` + address(dest, false) + `">` + label + "</a>"
}

// address is an address as an attribute has it; of Markdown, where references
// and escapes stand for characters.
func address(dest []byte, ofMarkdown bool) string {
	if ofMarkdown {
		dest = []byte(unescape(dest))
	}
	if dest = util.URLEscape(dest, false); html.IsDangerousURL(dest) {
		return ""
	}
	return escapeAttr(string(dest))
}

func title(t []byte) string {
	if len(t) == 0 {
		return ""
	}
	return ` title="` + escapeAttr(strings.ReplaceAll(unescape(t), "\n", " ")) + `"`
}

func (r renderer) rawHTML(n *ast.RawHTML) string {
	raw := strings.ReplaceAll(string(n.Segments.Value(r.src)), "\n", " ")
	if delimiter().MatchString(raw) {
		return "" // inside a paragraph it would tear the block apart
	}
	return r.replaceImages(raw, r.lines.at(n.Segments.At(0).Start))
}

// delimiter matches the start of a block's opening or closing comment.
var delimiter = pattern.Lazy(`<!--\s+/?wp:`)
