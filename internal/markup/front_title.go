package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"

	"morrow/internal/pattern"
)

var (
	blankLines   = pattern.Lazy(`^(?:[ \t]*\n)*`)
	headingLines = pattern.Lazy(`^ {0,3}(?:#[ \t][^\n]*|[^\s#>][^\n]*\n {0,3}=+[ \t]*)(?:\n|$)`)
)

// LeadingTitle reads the first-level heading that a Markdown text begins with,
// as plain text. rest is the body after it, lines the number of lines cut off.
// The title is empty, and rest the whole body, where there is none, or one
// with an image.
func LeadingTitle(body []byte) (title string, rest []byte, lines int) {
	heading, rest, lines := leadingHeading(body)
	if heading == nil {
		return "", body, 0
	}
	first, ok := parse(heading).FirstChild().(*ast.Heading)
	if !ok || len(Images(heading)) > 0 {
		return "", body, 0
	}
	plain := renderer{src: heading}.textOf(first)
	if title = strings.Join(strings.Fields(plain), " "); title == "" {
		return "", body, 0
	}
	return title, rest, lines
}

// leadingHeading cuts off the lines that would be a first-level heading at the
// start of body.
func leadingHeading(body []byte) (heading, rest []byte, lines int) {
	blank := blankLines().Find(body)
	heading = headingLines().Find(body[len(blank):])
	end := len(blank) + len(heading)
	return heading, body[end:], bytes.Count(body[:end], []byte("\n"))
}
