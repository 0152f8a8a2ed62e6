package markup

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"morrow/internal/pattern"
)

// shortcodes reads those of Hugo and Jekyll that core blocks can show, each
// alone on its line: figure, youtube, vimeo, tweet, highlight … endhighlight.
type shortcodes struct{}

func (shortcodes) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithBlockParsers(util.Prioritized(shortcodeParser{}, 650)),
		parser.WithInlineParsers(util.Prioritized(figureParser{}, 50)))
}

var (
	loneShortcode = pattern.Lazy(`^\{(?:\{[<%]\s*([a-z_]+)((?:\s[^\n]*?)?)\s*/?[>%]\}|%-?\s*([a-z_]+)((?:\s[^\n]*?)?)\s*-?%)\}\s*$`)
	shortcodeArg  = pattern.Lazy("([A-Za-z_-]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|([^\\s\"]+))|\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`|(\\S+)")
	mediaID       = pattern.Lazy(`^[A-Za-z0-9_-]+$`)
)

// shortcode is {{< name args >}} or {% name args %}.
type shortcode struct {
	name   string
	liquid bool
	named  map[string]string
	plain  []string
}

func readShortcode(line []byte) (shortcode, bool) {
	m := loneShortcode().FindSubmatch(line)
	if m == nil {
		return shortcode{}, false
	}
	s := shortcode{name: string(m[1]) + string(m[3]), liquid: m[3] != nil, named: map[string]string{}}
	for _, a := range shortcodeArg().FindAllStringSubmatch(string(m[2])+string(m[4]), -1) {
		if a[1] != "" {
			s.named[a[1]] = unquote(a[2]) + a[3] + a[4]
		} else {
			s.plain = append(s.plain, unquote(a[5])+a[6]+a[7])
		}
	}
	return s, true
}

func unquote(s string) string { return strings.ReplaceAll(s, `\"`, `"`) }

// arg is the argument of that name, else the first without one.
func (s shortcode) arg(name string) string {
	if value, ok := s.named[name]; ok || len(s.plain) == 0 {
		return value
	}
	return s.plain[0]
}

type shortcodeParser struct{}

func (shortcodeParser) Trigger() []byte             { return []byte{'{'} }
func (shortcodeParser) CanInterruptParagraph() bool { return true }
func (shortcodeParser) CanAcceptIndentedLine() bool { return false }

func (shortcodeParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 {
		return nil, parser.NoChildren
	}
	s, ok := readShortcode(line[at:])
	if !ok {
		return nil, parser.NoChildren
	}
	start := segment.Start - segment.Padding + at
	node, ok := s.block(line[at:], start).(shortcodeNode)
	if !ok {
		return nil, parser.NoChildren
	}
	node.mark(text.NewSegment(start, segment.Stop))
	if node.Kind() == ast.KindTextBlock {
		node.Lines().Append(text.NewSegment(start, segment.Stop))
	}
	reader.AdvanceToEOL()
	return node, parser.NoChildren
}

// Continue takes the lines of what is highlighted. Where its end is missing it
// goes on to the end of the text, as a fence does.
func (shortcodeParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	code, ok := node.(*highlighted)
	if !ok || code.closed {
		return parser.Close
	}
	line, segment := reader.PeekLine()
	if code.closed = endOfHighlight().Match(line); code.closed {
		code.mark(segment)
	} else {
		code.Lines().Append(segment)
	}
	reader.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (shortcodeParser) Close(ast.Node, text.Reader, parser.Context) {}

// shortcodeNode is what a shortcode became.
type shortcodeNode interface {
	ast.Node
	mark(text.Segment)
	marks() []text.Segment // the shortcodes in the text
}

type marked struct{ at []text.Segment }

func (m *marked) mark(s text.Segment)   { m.at = append(m.at, s) }
func (m *marked) marks() []text.Segment { return m.at }

// figure holds an image, in a link where it has one.
type figure struct {
	ast.TextBlock
	marked
}

// embedded is an address that WordPress makes a player of.
type embedded struct {
	ast.HTMLBlock
	marked
	url string
}

// highlighted is the code between two shortcodes.
type highlighted struct {
	ast.FencedCodeBlock
	marked
	closed bool
}

var endOfHighlight = pattern.Lazy(`^\s*(?:\{\{[<%]\s*/\s*highlight\s*[>%]\}\}|\{%-?\s*endhighlight\s*-?%\})\s*$`)

// block is nil where core has none for the shortcode, which stands in line; a
// line begins at start in the text.
func (s shortcode) block(line []byte, start int) ast.Node {
	switch {
	case s.name == "highlight":
		var info *ast.Text
		if language := s.arg("lang"); language != "" {
			_, after, _ := bytes.Cut(line, []byte(s.name))
			at := start + len(line) - len(after) + bytes.Index(after, []byte(language))
			info = ast.NewTextSegment(text.NewSegment(at, at+len(language)))
		}
		return &highlighted{FencedCodeBlock: *ast.NewFencedCodeBlock(info)}
	case s.name == "figure" && s.arg("src") != "":
		return &figure{}
	}
	if address := s.address(); address != "" {
		return &embedded{HTMLBlock: *ast.NewHTMLBlock(ast.HTMLBlockType7), url: address}
	}
	return nil
}

// figureParser reads the image of a figure, which is inline.
type figureParser struct{}

func (figureParser) Trigger() []byte { return []byte{'{'} }

func (figureParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	s, ok := readShortcode(line)
	if _, isFigure := parent.(*figure); !isFigure || !ok {
		return nil
	}
	block.Advance(len(line))
	img := ast.NewImage(ast.NewLink())
	img.SetPos(segment.Start)
	img.Destination = literal(s.arg("src"))
	img.Title = literal(firstOf(s.named["caption"], s.named["title"]))
	setSize(img, s.named["width"], s.named["height"])
	if alt := firstOf(s.named["alt"], s.named["caption"]); alt != "" {
		img.AppendChild(img, ast.NewString([]byte(alt)))
	}
	if s.named["link"] == "" {
		return img
	}
	link := ast.NewLink()
	link.Destination = literal(s.named["link"])
	link.AppendChild(link, img)
	return link
}

// address is that of the video or post that the shortcode names by its id.
func (s shortcode) address() string {
	base := ""
	switch s.name {
	case "youtube":
		base = "https://www.youtube.com/watch?v="
	case "vimeo":
		base = "https://vimeo.com/"
	case "tweet", "x":
		base = "https://twitter.com/" + s.named["user"] + "/status/"
	}
	id := s.arg("id")
	if base == "" || !mediaID().MatchString(id) || strings.Contains(base, "//status") {
		return ""
	}
	return base + id
}
