package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

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
