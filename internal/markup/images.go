package markup

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
)

// Image is an image that a text names.
type Image struct {
	Line int    // 1-based, in the body
	Dest string // as written, percent-decoding left to the caller
	Alt  string
}

// Images lists the images of a Markdown text by line, HTML <img>, Obsidian
// embeds (![[picture.png]]) and Hugo figures included. An image that code shows is none.
func Images(body []byte) []Image {
	// Most texts have none, and parsing is most of what reading a queue costs.
	if !bytes.Contains(body, []byte("![")) && !bytes.Contains(body, []byte("{{")) && !bytes.Contains(bytes.ToLower(body), []byte("<img")) {
		return nil
	}
	doc := parse(body)
	r := renderer{src: body, lines: linesOf(body)}
	var found []Image
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		if img, ok := n.(*ast.Image); ok {
			found = append(found, r.imageOf(img))
		}
		raw, line := r.rawOf(n)
		for _, img := range HTMLImages([]byte(raw)) {
			img.Line += line - 1
			found = append(found, img)
		}
		return ast.WalkContinue, nil
	})
	slices.SortStableFunc(found, func(a, b Image) int { return a.Line - b.Line })
	return found
}

// imageOf reads an image of Markdown.
func (r renderer) imageOf(n *ast.Image) Image {
	return Image{r.lines.at(n.Pos()), unescape(n.Destination), r.textOf(n)}
}

// HTMLImages lists the <img> elements of an HTML text in their order.
func HTMLImages(body []byte) []Image {
	var found []Image
	eachImg(string(body), func(img imgTag) { found = append(found, img.image()) })
	return found
}

// imgTag is an <img> of raw HTML: where its tag begins and ends, and its line.
type imgTag struct {
	start, end, line int
	token            html.Token
}

// eachImg calls f for each <img> that has an address.
func eachImg(raw string, f func(imgTag)) {
	at, line := 0, 1
	for z := html.NewTokenizer(strings.NewReader(raw)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		tag := imgTag{start: at, end: at + len(z.Raw()), line: line}
		at, line = tag.end, line+bytes.Count(z.Raw(), []byte("\n"))
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		if tag.token = z.Token(); tag.token.Data == "img" && tag.image().Dest != "" {
			f(tag)
		}
	}
}

func (t imgTag) image() Image {
	img := Image{Line: t.line}
	for _, a := range t.token.Attr {
		switch a.Key {
		case "src":
			img.Dest = a.Val
		case "alt":
			img.Alt = a.Val
		}
	}
	return img
}

func isPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".bmp":
		return true
	}
	return false
}

// eachHTML calls f for each piece of raw HTML with the line it begins on.
func eachHTML(doc ast.Node, src []byte, f func(raw string, line int, inline bool)) {
	r := renderer{src: src, lines: linesOf(src)}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if raw, line := r.rawOf(n); entering && raw != "" {
			f(raw, line, n.Type() == ast.TypeInline)
		}
		return ast.WalkContinue, nil
	})
}

// rawOf is the raw HTML of n and the line it begins on.
func (r renderer) rawOf(n ast.Node) (raw string, line int) {
	switch n := n.(type) {
	case *ast.HTMLBlock:
		return rawBlock(n, r.src), r.lines.at(n.Pos())
	case *ast.RawHTML:
		return string(n.Segments.Value(r.src)), r.lines.at(n.Segments.At(0).Start)
	}
	return "", 0
}
