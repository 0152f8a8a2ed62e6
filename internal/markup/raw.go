package markup

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"morrow/internal/pattern"
)

var (
	wholePage   = pattern.Lazy(`(?i)^(<!doctype|<html|<head|<body)\b`)
	onlyMore    = pattern.Lazy(`^<!--\s*more(?:\s+(.*?))?\s*-->$`)
	onlyPage    = pattern.Lazy(`^<!--\s*nextpage\s*-->$`)
	plainPre    = pattern.Lazy(`(?is)^<pre>\n?([^<]*)</pre>$`)
	keptElement = pattern.Lazy(`(?is)<pre\b.*?</pre>|<textarea\b.*?</textarea>|<script\b.*?</script>|<style\b.*?</style>`)
	lineBreak   = pattern.Lazy(`\s*\n\s*`)
	blankLine   = pattern.Lazy(`\n\s*\n`)
)

// Raw makes a post's content of an HTML text: one block of HTML, unless the
// text has blocks of its own; with blocks false HTML that wpautop leaves alone. Options.Image is asked for
// what HTMLImages lists.
func Raw(body []byte, blocks bool, o Options) (string, error) {
	r := renderer{Options: o, blocks: blocks, own: delimiter().Match(body)}
	raw := strings.TrimSpace(r.replaceImages(string(body), 1))
	switch {
	case !utf8.Valid(body):
		return "", errNotUTF8()
	case wholePage().MatchString(raw):
		return "", errors.New("the file is a whole page: keep only what stands inside <body>")
	case raw == "" || r.own:
		return raw, nil
	case !blocks:
		return flatten(raw), nil
	}
	return r.wrap("html", "", raw), nil
}

func (r renderer) htmlBlock(n *ast.HTMLBlock) string {
	raw := strings.TrimSpace(r.replaceImages(rawBlock(n, r.src), r.lines.at(n.Pos())))
	if m := onlyMore().FindStringSubmatch(raw); m != nil {
		return r.more(m[1])
	}
	switch {
	case onlyPage().MatchString(raw):
		return r.wrap("nextpage", "", "<!--nextpage-->")
	case !r.blocks:
		return flatten(raw)
	case r.own:
		return raw
	}
	if m := plainPre().FindStringSubmatch(raw); m != nil {
		return r.wrap("preformatted", "", `<pre class="wp-block-preformatted">`+escapeText(html.UnescapeString(m[1]))+"</pre>")
	}
	if open, closed := elements(raw); open+closed > 0 {
		raw = tidy(raw)
	}
	if raw == "" {
		return ""
	}
	return r.wrap("html", "", raw)
}

// more is where the teaser of a post ends; text is what its link says.
func (r renderer) more(text string) string {
	if text == "" {
		return r.wrap("more", "", "<!--more-->")
	}
	return r.wrap("more", `{"customText":`+blockJSON(text)+"}", "<!--more "+text+"-->")
}

func rawBlock(n *ast.HTMLBlock, src []byte) string {
	raw := string(n.Lines().Value(src))
	if n.HasClosure() {
		raw += string(n.ClosureLine.Value(src))
	}
	return raw
}

// inElements tells, for first and each block after it, how many siblings after
// it belong to
// the element that raw HTML opens in it (<details>, Markdown, </details>): they
// become one block, for an editor calls a block with half an element broken.
// An element that is never closed has none.
func (r renderer) inElements(first ast.Node) []int {
	var more []int
	for c := first; c != nil; c = c.NextSibling() {
		more = append(more, 0)
	}
	if r.own {
		return more
	}
	type start struct{ child, depth int }
	var open []start // those not closed yet, by the depth before them
	depth := 0
	for c, i := first, 0; c != nil; c, i = c.NextSibling(), i+1 {
		block, ok := c.(*ast.HTMLBlock)
		if !ok {
			continue
		}
		before := depth
		opened, closed := elements(rawBlock(block, r.src))
		depth += opened - closed
		for len(open) > 0 && depth <= open[len(open)-1].depth {
			first := open[len(open)-1].child
			more[first], open = i-first, open[:len(open)-1]
		}
		if depth > before {
			open = append(open, start{i, before})
		}
	}
	return more
}

// elements counts those that raw opens and does not close, and those that it
// closes and does not open.
func elements(raw string) (opened, closed int) {
	z := html.NewTokenizer(strings.NewReader(raw))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		name, _ := z.TagName()
		switch {
		case kind == html.StartTagToken && !isVoid(string(name)):
			opened++
		case kind == html.EndTagToken && opened > 0:
			opened--
		case kind == html.EndTagToken:
			closed++
		}
	}
	return opened, closed
}

func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// flatten takes the line breaks out of raw HTML, which wpautop would turn into
// paragraphs and breaks, save where they mean something: it leaves the
// elements kept here alone, but tears all but <pre> apart at blank lines.
func flatten(raw string) string {
	var b strings.Builder
	at := 0
	for _, m := range keptElement().FindAllStringIndex(raw, -1) {
		b.WriteString(lineBreak().ReplaceAllString(raw[at:m[0]], " "))
		part := raw[m[0]:m[1]]
		if !strings.EqualFold(part[:4], "<pre") {
			part = blankLine().ReplaceAllString(part, "\n")
		}
		b.WriteString(part)
		at = m[1]
	}
	return b.String() + lineBreak().ReplaceAllString(raw[at:], " ")
}
