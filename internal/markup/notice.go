package markup

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"morrow/internal/pattern"
)

// suspect is something that WordPress shows as typed, or not at all as meant.
type suspect struct {
	pattern func() *regexp.Regexp // what is shown is its group, else the whole
	msg     string
}

//nolint:gochecknoglobals // constants, compiled when first used
var suspects = [...]suspect{
	{pattern.Lazy(`(?:^|[^!\[])(\[\[[^\[\]#\n][^\[\]\n]*\]\])`), "%s is an Obsidian link: only its text is shown, write [text](address)"},
	{pattern.Lazy(`\{\{[<%][^\n]*?[>%]\}\}`), "%s is a Hugo shortcode and would be shown as typed"},
	{pattern.Lazy(`\{\{[^<%{}\n][^{}\n]*\}\}`), "%s is a template tag and would be shown as typed"},
	{pattern.Lazy(`(?m)(?:^|[^{])(\{%[^\n]*?%\})`), "%s is a template tag and would be shown as typed"},
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
	found = append(found, embedWarnings(prose, lines)...)
	found = append(found, footnoteWarnings(prose, lines)...)
	found = append(found, htmlWarnings(doc, src)...)
	slices.SortStableFunc(found, func(a, b Warning) int { return cmp.Or(a.Line-b.Line, strings.Compare(a.Msg, b.Msg)) })
	return found
}

var (
	wikiEmbed = pattern.Lazy(`!\[\[([^\[\]|#\n]*)[^\[\]\n]*\]\]`)
	footnote  = pattern.Lazy(`(?m)(^ {0,3})?\[\^([^\]\n]+)\](:?)`)
)

// embedWarnings names the ![[embeds]] of other notes.
func embedWarnings(prose []byte, lines lines) []Warning {
	var found []Warning
	for _, m := range wikiEmbed().FindAllSubmatchIndex(prose, -1) {
		if !isPicture(strings.TrimSpace(string(prose[m[2]:m[3]]))) {
			found = append(found, Warning{lines.at(m[0]), string(prose[m[0]:m[1]]) + " embeds a note: only its name is shown"})
		}
	}
	return found
}

// footnoteWarnings names the notes without a text and the texts without a note.
func footnoteWarnings(prose []byte, lines lines) []Warning {
	type note struct{ uses, texts, at int }
	notes := map[string]note{}
	for _, m := range footnote().FindAllSubmatchIndex(prose, -1) {
		label := string(prose[m[4]:m[5]])
		n := notes[label]
		if m[2] >= 0 && m[7] > m[6] {
			n.texts++
		} else {
			n.uses++
		}
		if n.uses+n.texts == 1 {
			n.at = m[4] - len("[^")
		}
		notes[label] = n
	}
	var found []Warning
	for label, n := range notes {
		switch {
		case n.texts == 0:
			found = append(found, Warning{lines.at(n.at), "[^" + label + "] is a footnote without a text and would be shown as typed"})
		case n.uses == 0:
			found = append(found, Warning{lines.at(n.at), "nothing refers to the footnote [^" + label + "]: its text is left out"})
		}
	}
	return found
}

var moreComment = pattern.Lazy(`<!--\s*(?:more\b.*|nextpage\s*)-->`)

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
		if entering {
			for _, s := range noProse(n) {
				blank(s.Start, s.Stop)
			}
		}
		return ast.WalkContinue, nil
	})
	return masked
}

// noProse is where n holds code, raw HTML, comments or shortcodes.
func noProse(n ast.Node) []text.Segment {
	var found []text.Segment
	if s, ok := n.(shortcodeNode); ok {
		found = s.marks()
	}
	switch n := n.(type) {
	case *ast.CodeBlock, *ast.FencedCodeBlock, *highlighted, *ast.HTMLBlock, *hiddenBlock:
		found = append(found, n.Lines().Sliced(0, n.Lines().Len())...)
	case *ast.CodeSpan:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				found = append(found, t.Segment)
			}
		}
	case *hiddenSpan:
		found = append(found, n.Segments.Sliced(0, n.Segments.Len())...)
	case *ast.RawHTML:
		found = append(found, n.Segments.Sliced(0, n.Segments.Len())...)
	}
	return found
}
