package markup

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// hiddenSpan and hiddenBlock are Obsidian's comments, %%…%%: raw text that is
// never shown.
type (
	hiddenSpan  struct{ ast.RawHTML }
	hiddenBlock struct{ ast.HTMLBlock }
)

const commentMark = "%%"

type inlineComment struct{}

func (inlineComment) Trigger() []byte { return []byte{'%'} }

// Parse finds a comment among text. "100%%" opens none.
func (inlineComment) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte(commentMark)) || !util.IsSpaceRune(before) && !util.IsPunctRune(before) {
		return nil
	}
	found := &hiddenSpan{*ast.NewRawHTML()}
	for from := len(commentMark); line != nil; from = 0 {
		if end := bytes.Index(line[from:], []byte(commentMark)); end >= 0 {
			end += from + len(commentMark)
			found.Segments.Append(segment.WithStop(segment.Start - segment.Padding + end))
			block.Advance(end)
			return found
		}
		found.Segments.Append(segment)
		block.AdvanceLine()
		line, segment = block.PeekLine()
	}
	return nil
}

type blockComment struct{}

func (blockComment) Trigger() []byte             { return []byte{'%'} }
func (blockComment) CanInterruptParagraph() bool { return true }
func (blockComment) CanAcceptIndentedLine() bool { return false }

// Open finds a comment that begins its line, and ends its line where it ends on
// the same: else it is one among text. One that never ends is text.
func (blockComment) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(commentMark)) {
		return nil, parser.NoChildren
	}
	rest := line[at+len(commentMark):]
	if end := bytes.Index(rest, []byte(commentMark)); end >= 0 {
		if !util.IsBlank(rest[end+len(commentMark):]) {
			return nil, parser.NoChildren
		}
	} else if !bytes.Contains(reader.Source()[segment.Stop:], []byte(commentMark)) {
		return nil, parser.NoChildren
	}
	found := &hiddenBlock{*ast.NewHTMLBlock(ast.HTMLBlockType2)}
	found.Lines().Append(segment)
	reader.AdvanceToEOL()
	return found, parser.NoChildren
}

func (blockComment) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	first := node.Lines().At(0)
	if node.Lines().Len() == 1 && bytes.Count(first.Value(reader.Source()), []byte(commentMark)) > 1 {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	end := bytes.Index(line, []byte(commentMark))
	if end < 0 {
		node.Lines().Append(segment)
		reader.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	end += len(commentMark)
	node.Lines().Append(segment.WithStop(segment.Start - segment.Padding + end))
	if reader.Advance(end); util.IsBlank(line[end:]) {
		reader.AdvanceToEOL()
	}
	return parser.Close
}

func (blockComment) Close(ast.Node, text.Reader, parser.Context) {}
