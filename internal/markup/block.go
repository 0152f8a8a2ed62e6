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
	src    []byte
	lines  lines
	blocks bool
	own    bool // the author wrote block markup too: raw HTML is part of it
}

// plain is r without blocks, for what stands within raw HTML.
func (r renderer) plain() renderer {
	r.blocks, r.own = false, false
	return r
}

// children renders the blocks below n.
func (r renderer) children(n ast.Node) string {
	var parts []string
	more := r.inElements(n)
	for c, i := n.FirstChild(), 0; c != nil; c, i = c.NextSibling(), i+1 {
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
	return r.join(parts)
}

func (r renderer) join(parts []string) string {
	if r.blocks {
		return strings.Join(parts, "\n\n")
	}
	return strings.Join(parts, "\n")
}

func (r renderer) block(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Paragraph, *ast.TextBlock:
		return r.paragraph(n)
	case *ast.Heading:
		return r.heading(n)
	case *ast.ThematicBreak:
		return r.wrap("separator", "", "<hr"+r.class("wp-block-separator has-alpha-channel-opacity")+"/>")
	case *ast.CodeBlock:
		return r.code(n, "")
	case *ast.FencedCodeBlock:
		return r.code(n, string(n.Language(r.src)))
	case *ast.Blockquote:
		return r.wrap("quote", "", "<blockquote"+r.class("wp-block-quote")+">"+r.children(n)+"</blockquote>")
	case *ast.List:
		return r.list(n)
	case *ast.HTMLBlock:
		return r.htmlBlock(n)
	case *east.Table:
		return r.table(n)
	}
	return "" // a link reference definition shows nothing
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
// image blocks, as a person would insert them.
func (r renderer) paragraph(n ast.Node) string {
	if images := r.imagesIn(n); r.blocks && len(images) > 0 {
		var parts []string
		for _, img := range images {
			parts = append(parts, r.figure(img))
		}
		return r.join(parts)
	}
	return r.wrap("paragraph", "", "<p>"+r.inline(n)+"</p>")
}

func (r renderer) heading(n *ast.Heading) string {
	attrs := ""
	if n.Level != 2 { // the editor leaves out the default
		attrs = fmt.Sprintf(`{"level":%d}`, n.Level)
	}
	tag := "h" + strconv.Itoa(n.Level)
	return r.wrap("heading", attrs, "<"+tag+r.class("wp-block-heading")+">"+r.inline(n)+"</"+tag+">")
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
// paragraph; all that follows are blocks within it.
func (r renderer) item(n ast.Node) string {
	first := n.FirstChild()
	if first == nil {
		return ""
	}
	if k := first.Kind(); k != ast.KindParagraph && k != ast.KindTextBlock {
		return r.children(n)
	}
	parts := []string{r.inline(first)}
	for c := first.NextSibling(); c != nil; c = c.NextSibling() {
		if !r.blocks && c.Kind() != ast.KindList {
			return r.children(n) // wpautop pairs tags only round whole paragraphs
		}
		parts = append(parts, r.block(c))
	}
	if r.blocks {
		return parts[0] + r.join(parts[1:])
	}
	return r.join(parts)
}

func (r renderer) table(n *east.Table) string {
	var head, rows strings.Builder
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		if row.Kind() == east.KindTableHeader {
			head.WriteString("<thead>" + r.row(row, "th") + "</thead>")
		} else {
			rows.WriteString(r.row(row, "td"))
		}
	}
	table := "<table>" + head.String()
	if rows.Len() > 0 {
		table += "<tbody>" + rows.String() + "</tbody>"
	}
	table += "</table>"
	if !r.blocks {
		return table
	}
	// WordPress 6.6 made a fixed layout the default.
	return r.wrap("table", `{"hasFixedLayout":false}`, `<figure class="wp-block-table">`+table+"</figure>")
}

func (r renderer) row(n ast.Node, tag string) string {
	var b strings.Builder
	b.WriteString("<tr>")
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString("<" + tag)
		if cell, ok := c.(*east.TableCell); ok && cell.Alignment != east.AlignNone {
			align := cell.Alignment.String()
			if r.blocks {
				b.WriteString(` class="has-text-align-` + align + `" data-align="` + align + `"`)
			} else {
				b.WriteString(` style="text-align:` + align + `"`)
			}
		}
		b.WriteString(">" + r.inline(c) + "</" + tag + ">")
	}
	b.WriteString("</tr>")
	return b.String()
}
