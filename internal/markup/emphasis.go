package markup

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/text/width"
)

// eastAsian reads emphasis and strikethrough where words are not set apart by
// spaces: in **「金閣寺」**へ CommonMark sees a closing ** between punctuation
// and a letter, which can't close. As in the CJK-friendly amendment of
// CommonMark, East Asian characters on either side count as a boundary.
type eastAsian struct{}

// Extend puts the parsers before goldmark's own.
func (eastAsian) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithInlineParsers(
		util.Prioritized(eastAsianRuns{parser.NewEmphasisParser()}, 450),
		util.Prioritized(eastAsianRuns{extension.NewStrikethroughParser()}, 450)))
}

// eastAsianRuns are runs of *, _ or ~ as the parser finds them.
type eastAsianRuns struct{ parser.InlineParser }

// Parse lets a run of * or ~ also open and close beside an East Asian character.
func (p eastAsianRuns) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	n := p.InlineParser.Parse(parent, block, pc)
	d, ok := n.(*parser.Delimiter)
	if !ok || d.Char == '_' {
		return n
	}
	after := ' '
	if rest, _ := block.PeekLine(); len(rest) > 0 {
		after = util.ToRune(rest, 0)
	}
	if isWide(before) || isWide(after) {
		d.CanOpen = d.CanOpen || !util.IsSpaceRune(after)
		d.CanClose = d.CanClose || !util.IsSpaceRune(before)
	}
	return n
}

func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return (k == width.EastAsianWide || k == width.EastAsianFullwidth) && !util.IsSpaceRune(r)
}
