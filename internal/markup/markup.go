// Package markup reads front matter and Markdown and writes WordPress blocks
// or HTML; it also has the codec of the marker.
package markup

import (
	"errors"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Warning is something in the text that may not look as its author meant.
// Line is 1-based and counts from the first line of the body.
type Warning struct {
	Line int
	Msg  string
}

// Blocks renders Markdown as WordPress block markup: CommonMark, GFM (tables,
// strikethrough, autolinks, task lists), footnotes, and what Obsidian, Hugo and
// Jekyll add as far as core blocks can show it. It is in the form in which the
// block editor of 2025 would save it; those since 6.1 read it without a
// complaint, but for 6.1's own view of raw HTML and of resized images. body is
// as Split gives it. The same body and pictures always give the same text.
func Blocks(body []byte, o Options) (string, []Warning, error) { return render(body, o, true) }

// HTML renders Markdown as plain HTML that the filters WordPress applies to a
// post without blocks (wpautop, wptexturize, do_shortcode) leave as it is
// meant: no stray breaks, and code shows what was typed.
func HTML(body []byte, o Options) (string, []Warning, error) { return render(body, o, false) }

// Options of a rendering. The zero value leaves every image as it is written.
type Options struct {
	// Image finds the picture that stands on the site for an image of the text,
	// with the very values that Images lists; false leaves the image as written.
	Image func(Image) (Picture, bool)
	// LeaveOut tells the images that the text goes without.
	LeaveOut func(Image) bool
}

// Picture is an image in the media library of a site.
type Picture struct {
	ID            int64
	URL           string
	Width, Height int    // of the file at URL, in pixels; 0 when not known
	Alt           string // where the text has none
}

func render(body []byte, o Options, blocks bool) (string, []Warning, error) {
	if !utf8.Valid(body) {
		return "", nil, errNotUTF8()
	}
	doc := parse(body)
	r := renderer{Options: o, src: body, lines: linesOf(body), anchors: anchors{}, blocks: blocks}
	eachHTML(doc, body, func(raw string, _ int, inline bool) {
		r.own = r.own || blocks && !inline && delimiter().MatchString(raw)
	})
	found := warnings(doc, body)
	r.leaveOut(doc)
	return r.children(doc), found, nil
}

func errNotUTF8() error { return errors.New("the text is not valid UTF-8: save the file as UTF-8") }

// markdown is made once, when it is first needed: making it takes longer than
// parsing a short text. It keeps nothing of a text.
var markdown = sync.OnceValue(func() goldmark.Markdown { //nolint:gochecknoglobals // as a regular expression
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify, extension.TaskList,
			extension.Footnote, eastAsian{}, obsidian{}, shortcodes{}),
		goldmark.WithParserOptions(parser.WithAttribute()))
})

func parse(body []byte) *ast.Document {
	doc, _ := markdown().Parser().Parse(text.NewReader(body)).(*ast.Document) // its only kind of root
	return doc
}

// lines finds the line of an offset.
type lines []int // where they end

func linesOf(src []byte) lines {
	var ends lines
	for i, c := range src {
		if c == '\n' {
			ends = append(ends, i)
		}
	}
	return ends
}

// at is the 1-based line of an offset.
func (l lines) at(offset int) int {
	before, _ := slices.BinarySearch(l, offset)
	return 1 + before
}
