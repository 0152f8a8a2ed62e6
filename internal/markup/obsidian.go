package markup

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"morrow/internal/pattern"
)

// obsidian reads what Obsidian adds to Markdown: [[links]], ![[embeds]],
// > [!callouts] and %%comments%%.
type obsidian struct{}

// Extend puts links before goldmark's own, for which [[a]] is text.
func (obsidian) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(
		parser.WithInlineParsers(util.Prioritized(wikiParser{}, 150), util.Prioritized(inlineComment{}, 150)),
		parser.WithBlockParsers(util.Prioritized(blockComment{}, 750)),
		parser.WithParagraphTransformers(util.Prioritized(calloutParser{}, 50)),
	)
}

// wikiLink has the groups embed, note, heading and alias.
var wikiLink = pattern.Lazy(`^(!?)\[\[([^\[\]|#\n]*)(#[^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]`)

type wikiParser struct{}

func (wikiParser) Trigger() []byte { return []byte{'!', '['} }

// Parse makes an image of an embedded picture and a link of a link to a heading
// of the same note. Of the rest it makes text: where the site has another note
// nobody can tell.
func (wikiParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	m := wikiLink().FindSubmatch(line)
	if m == nil || isMarkdown(m, line[len(m[0]):], pc) {
		return nil
	}
	note, heading, alias := strings.TrimSpace(string(m[2])), strings.TrimSpace(string(m[3])), strings.TrimSpace(string(m[4]))
	embed := len(m[1]) > 0
	if note+heading == "" {
		return nil
	}
	block.Advance(len(m[0]))
	switch {
	case embed && isPicture(note):
		return embeddedPicture(note, alias)
	case note == "" && !embed:
		link := ast.NewLink()
		name := heading[strings.LastIndexByte(heading, '#')+1:]
		link.Destination = literal("#" + slug(name))
		link.AppendChild(link, ast.NewString([]byte(firstOf(alias, name))))
		return link
	}
	return ast.NewString([]byte(firstOf(alias, note+strings.ReplaceAll(heading, "#", " > "))))
}

// isMarkdown tells [[a]](address) and what refers to a definition of Markdown.
func isMarkdown(m [][]byte, after []byte, pc parser.Context) bool {
	_, defined := pc.Reference(util.ToLinkReference(m[2]))
	return defined || bytes.HasPrefix(after, []byte("(")) || bytes.HasPrefix(after, []byte("["))
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var pictureSize = pattern.Lazy(`^([0-9]+)(?:x([0-9]+))?$`)

// embeddedPicture is an image as Obsidian has it: what follows the last bar may
// be its size, the rest is its alternative text.
func embeddedPicture(file, alias string) ast.Node {
	img := ast.NewImage(ast.NewLink())
	img.Destination = literal(file)
	rest, last := "", alias
	if at := strings.LastIndexByte(alias, '|'); at >= 0 {
		rest, last = alias[:at], strings.TrimSpace(alias[at+1:])
	}
	if m := pictureSize().FindStringSubmatch(last); m != nil {
		setSize(img, m[1], m[2])
		alias = rest
	}
	if alias != "" {
		img.AppendChild(img, ast.NewString([]byte(alias)))
	}
	return img
}

// setSize gives img the width and height that its author wishes, in pixels.
// What isn't a number is no size.
func setSize(img *ast.Image, width, height string) {
	for name, value := range map[string]string{"width": width, "height": height} {
		if n, err := strconv.Atoi(strings.TrimSuffix(value, "px")); err == nil && n > 0 {
			img.SetAttributeString(name, n)
		}
	}
}

// literal writes s so that reading it as Markdown gives s.
func literal(s string) []byte {
	return []byte(strings.NewReplacer(`\`, `\\`, "&", `\&`).Replace(s))
}

// callout is the title of one, the first paragraph of its quote.
type callout struct {
	ast.Paragraph
	name string // "note", "warning", …
}

var calloutMark = pattern.Lazy(`^\s*\[!([A-Za-z][A-Za-z0-9_-]*)\][+-]?[ \t]*`)

// calloutParser takes the line [!name] Title off the first paragraph of a quote.
type calloutParser struct{}

// Transform is called before the paragraph's inline parts are read.
func (calloutParser) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	quote, ok := p.Parent().(*ast.Blockquote)
	if !ok || quote.FirstChild() != ast.Node(p) {
		return
	}
	first := p.Lines().At(0)
	m := calloutMark().FindSubmatch(reader.Source()[first.Start:first.Stop])
	if m == nil {
		return
	}
	title := &callout{name: strings.ToLower(string(m[1]))}
	title.SetPos(first.Start)
	first = text.NewSegment(first.Start+len(m[0]), first.Stop)
	first = first.TrimRightSpace(reader.Source())
	if !first.IsEmpty() {
		title.Lines().Append(first)
	}
	quote.InsertBefore(quote, p, title)
	p.Lines().SetSliced(1, p.Lines().Len())
	if p.Lines().Len() == 0 {
		quote.RemoveChild(quote, p)
	}
}
