package markup

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// anchors are the ids of the headings of a text and the number that the next
// heading of the same text gets.
type anchors map[string]int

// anchor is the id of a heading: its author's ({#id}), else one made of its
// text as GitHub and Hugo do, so that links to it keep working.
func (r renderer) anchor(n *ast.Heading) string {
	id := ""
	if own, ok := n.AttributeString("id"); ok {
		if text, ok := own.([]byte); ok {
			id = string(text)
		}
	}
	if id == "" {
		id = slug(r.textOf(n))
	}
	if id == "" {
		return ""
	}
	unique := id
	for r.anchors[unique] > 0 {
		unique = id + "-" + strconv.Itoa(r.anchors[id])
		r.anchors[id]++
	}
	r.anchors[unique] = 1
	return unique
}

func slug(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return '-'
		case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsNumber(c):
			return unicode.ToLower(c)
		}
		return -1
	}, strings.TrimSpace(text))
}
