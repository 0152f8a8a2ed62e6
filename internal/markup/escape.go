package markup

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/util"

	"morrow/internal/pattern"
)

var (
	reference      = pattern.Lazy(`(?i)&(?:[a-z0-9]+|#[0-9]+|#x[a-f0-9]+);`)
	loneAddress    = pattern.Lazy(`(?m)^(\s*https?:)//([^\s<>"]+\s*)$`)
	shortcodeStart = pattern.Lazy(`\[(/?[^<>&/\[\]\x00-\x20=])`)
	markdownEscape = pattern.Lazy("\\\\[!-/:-@\\[-`{-~]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]*);|\x00")
)

// EscapeText writes plain text as HTML, as a browser serialises it: quotes
// stay. The reference that a text shows ("&#91;") is the one exception: kses,
// which filters what authors post, turns "&amp;#91;" into a bracket (measured
// on 6.1.9 to 6.7-alpha) and leaves "&#38;#91;" alone.
func EscapeText(s string) string {
	if !strings.ContainsAny(s, "&<>\u00a0") { // a Replacer is dear to make
		return s
	}
	return strings.NewReplacer("&#", "&#38;#", "&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;").Replace(s)
}

// escapeText is EscapeText for what the block editor saves again: it would
// write "&#38;" as "&amp;", but keeps an element. Quotes stay, so that a
// shortcode in prose keeps its attributes.
func escapeText(s string) string {
	return strings.ReplaceAll(EscapeText(s), "&#38;#", "&amp;<span>#</span>")
}

// escapeAttr writes the value of an attribute among text.
func escapeAttr(s string) string {
	return strings.NewReplacer("&#", "&#38;#", "&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;").Replace(s)
}

// escapeBlockAttr writes that of a block, which the editor writes itself
// (escapeAttribute).
func escapeBlockAttr(s string) string {
	return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// ambiguous is what the editor can't write: it takes the text "&copy;" for a
// reference (escapeAmpersand).
func ambiguous(s string) bool { return reference().MatchString(s) }

// escapeSpan also keeps WordPress from running what code within a line shows: a
// bracket before a name would open a shortcode (get_shortcode_regex). The
// editor would save "&#91;" as a bracket, but keeps an element.
func escapeSpan(s string) string {
	return shortcodeStart().ReplaceAllString(escapeText(s), "<span>[</span>$1")
}

// escapeCode is for code blocks, where also an address alone on its line would
// be embedded. The editor escapes brackets there itself, and the first address.
func escapeCode(s string) string {
	s = strings.ReplaceAll(escapeText(s), "[", "&#91;")
	first := true
	return loneAddress().ReplaceAllStringFunc(s, func(address string) string {
		slashes := "<span>//</span>"
		if first {
			first, slashes = false, "&#47;&#47;"
		}
		return strings.Replace(address, "//", slashes, 1)
	})
}

// unescape resolves the backslash escapes and character references of
// Markdown text; code has neither.
func unescape(src []byte) string {
	if !bytes.ContainsAny(src, "\\&\x00") {
		return string(src)
	}
	return markdownEscape().ReplaceAllStringFunc(string(src), func(s string) string {
		switch s[0] {
		case '\\':
			return s[1:]
		case '&':
			if _, known := util.LookUpHTML5EntityByName(s[1 : len(s)-1]); !known && s[1] != '#' {
				return s
			}
			return strings.ReplaceAll(html.UnescapeString(s), "\r", "\n") // as a browser reads it
		}
		return "\ufffd" // as CommonMark has it for NUL
	})
}
