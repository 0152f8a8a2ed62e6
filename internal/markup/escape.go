package markup

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/util"

	"morrow/internal/pattern"
)

var (
	loneAddress    = pattern.Lazy(`(?m)^(\s*https?:)//([^\s<>"]+\s*)$`)
	markdownEscape = pattern.Lazy("\\\\[!-/:-@\\[-`{-~]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]*);|\x00")
)

// EscapeText writes plain text as HTML, as a browser serialises it, which is
// what the block editor stores: quotes stay, so that a shortcode in prose
// keeps its attributes. The reference that a text shows ("&#91;") is the one
// exception: kses, which filters what authors post, turns "&amp;#91;" into a
// bracket (measured on 6.1.9 to 6.7-alpha) and leaves "&#38;#91;" alone.
func EscapeText(s string) string {
	if !strings.ContainsAny(s, "&<>\u00a0") { // a Replacer is dear to make
		return s
	}
	return strings.NewReplacer("&#", "&#38;#", "&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;").Replace(s)
}

func escapeAttr(s string) string {
	return strings.NewReplacer("&#", "&#38;#", "&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// escapeCode also keeps WordPress from running what code shows: a bracket
// would open a shortcode, and an address alone on its line an embed. The
// editor's code block escapes both the same way.
func escapeCode(s string) string {
	s = strings.ReplaceAll(EscapeText(s), "[", "&#91;")
	return loneAddress().ReplaceAllString(s, "$1&#47;&#47;$2")
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
			return html.UnescapeString(s)
		}
		return "\ufffd" // as CommonMark has it for NUL
	})
}
