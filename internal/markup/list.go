package markup

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

func (r renderer) list(n *ast.List) string {
	tag, attrs, start := "ul", "", ""
	if n.IsOrdered() {
		tag, attrs = "ol", `{"ordered":true}`
		if n.Start != 1 {
			attrs = fmt.Sprintf(`{"ordered":true,"start":%d}`, n.Start)
			start = fmt.Sprintf(` start="%d"`, n.Start)
		}
	}
	var items []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		items = append(items, r.wrap("list-item", "", "<li>"+r.item(c)+"</li>"))
	}
	return r.wrap("list", attrs, "<"+tag+start+r.class("wp-block-list")+">"+r.join(items)+"</"+tag+">")
}

// item renders what is in a list item. The block's own text is its first
// paragraph; what follows is a block within it. Several are put into one, for
// the editor's list item takes the blank lines between blocks for text of its
// own and adds them again each time it saves.
func (r renderer) item(n ast.Node) string {
	first := n.FirstChild()
	if first == nil {
		return ""
	}
	text := ""
	isText := first.Kind() == ast.KindParagraph || first.Kind() == ast.KindTextBlock
	if isText {
		text, first = r.inline(first), first.NextSibling()
	}
	if r.blocks {
		parts := r.parts(first)
		if len(parts) > 1 {
			parts = []string{r.wrap("group", "", `<div class="wp-block-group">`+r.join(parts)+"</div>")}
		}
		return text + r.join(parts)
	}
	for c := first; c != nil && isText; c = c.NextSibling() {
		if c.Kind() != ast.KindList {
			return r.children(n) // wpautop pairs tags only round whole paragraphs
		}
	}
	if !isText || first == nil {
		return text + r.join(r.parts(first))
	}
	return text + "\n" + r.join(r.parts(first))
}

// footnotes renders the notes as a list. WordPress's own footnotes block reads
// them from post meta, which exists from 6.3 on and is no part of the content
// that a person sees, searches or copies.
func (r renderer) footnotes(n *east.FootnoteList) string {
	var items []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		note, _ := c.(*east.Footnote)
		back := fmt.Sprintf(`<a href="#fnref-%d" id="fn-%[1]d">↑</a>`, note.Index)
		items = append(items, r.wrap("list-item", "", "<li>"+back+" "+r.item(note)+"</li>"))
	}
	return r.wrap("list", `{"ordered":true}`, "<ol"+r.class("wp-block-list")+">"+r.join(items)+"</ol>")
}

// footnoteLink leads to the note; only the first one to it can be led back to.
func (r renderer) footnoteLink(n *east.FootnoteLink) string {
	if r.linked {
		return fmt.Sprintf("<sup>%d</sup>", n.Index)
	}
	id := ""
	if n.RefIndex == 0 {
		id = fmt.Sprintf(` id="fnref-%d"`, n.Index)
	}
	return fmt.Sprintf(`<sup><a href="#fn-%d"%s>%[1]d</a></sup>`, n.Index, id)
}
