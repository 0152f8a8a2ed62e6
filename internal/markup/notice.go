package markup

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"morrow/internal/pattern"
)

// suspect is something that WordPress shows as typed, or not at all as meant.
type suspect struct {
	pattern func() *regexp.Regexp // what is shown is its group, else the whole
	msg     string
}

//nolint:gochecknoglobals // constants, compiled when first used
var suspects = [...]suspect{
	{pattern.Lazy(`!\[\[[^\[\]\n]+\]\]`), "%s is an Obsidian embed and would be shown as typed: write ![text](address)"},
	{pattern.Lazy(`(?:^|[^!\[])(\[\[[^\[\]\n]+\]\])`), "%s is an Obsidian link and would be shown as typed: write [text](address)"},
	{pattern.Lazy(`(?m)^[ \t]*(?:>[ \t]*)+(\[![A-Za-z-]+\][+-]?)`), "%s starts an Obsidian callout and would be shown as a plain quote"},
	{pattern.Lazy(`\{\{[<%][^\n]*?[>%]\}\}`), "%s is a Hugo shortcode and would be shown as typed"},
	{pattern.Lazy(`\{%[^\n]*?%\}`), "%s is a template tag and would be shown as typed"},
	{pattern.Lazy(`%%[^%\n]+%%`), "%s is an Obsidian comment and would be public: take it out"},
	{pattern.Lazy(`\[\^[^\]\s]+\]`), "%s is a footnote and would be shown as typed"},
}

// warnings finds what WordPress will show otherwise than its author's editor
// or site generator does.
func warnings(doc ast.Node, src []byte) []Warning {
	var found []Warning
	prose, lines := mask(doc, src), linesOf(src)
	for _, s := range suspects {
		for _, m := range s.pattern().FindAllSubmatchIndex(prose, -1) {
			start, end := m[len(m)-2], m[len(m)-1]
			found = append(found, Warning{lines.at(start), strings.Replace(s.msg, "%s", string(src[start:end]), 1)})
		}
	}
	found = append(found, htmlWarnings(doc, src)...)
	slices.SortStableFunc(found, func(a, b Warning) int { return a.Line - b.Line })
	return found
}

var moreComment = pattern.Lazy(`<!--\s*more\s*-->`)

func htmlWarnings(doc ast.Node, src []byte) []Warning {
	var found []Warning
	eachHTML(doc, src, func(raw string, line int, inline bool) {
		switch {
		case inline && delimiter().MatchString(raw):
			found = append(found, Warning{line, "a block's comment inside a paragraph is left out: set it on a line of its own"})
		case strings.Contains(raw, "<!--") && !delimiter().MatchString(raw) && !moreComment().MatchString(raw):
			found = append(found, Warning{line, "an HTML comment can be read in the page's source"})
		}
	})
	return found
}

// mask is src with all that is not prose (code, raw HTML) blanked, so that
// offsets and lines stay what they are.
func mask(doc ast.Node, src []byte) []byte {
	masked := bytes.Clone(src)
	blank := func(start, stop int) {
		for i := start; i < stop; i++ {
			if masked[i] != '\n' {
				masked[i] = ' '
			}
		}
	}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
			for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
				blank(s.Start, s.Stop)
			}
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					blank(t.Segment.Start, t.Segment.Stop)
				}
			}
		case *ast.RawHTML:
			for _, s := range n.Segments.Sliced(0, n.Segments.Len()) {
				blank(s.Start, s.Stop)
			}
		}
		return ast.WalkContinue, nil
	})
	return masked
}
