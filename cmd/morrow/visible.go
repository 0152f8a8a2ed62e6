package main

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shown is a file's name as people are shown it: quoted where a terminal would
// obey a part of it, or where it is more than one line.
func shown(name string) string {
	if strings.IndexFunc(name, obeyed) < 0 && utf8.ValidString(name) {
		return name
	}
	return strconv.Quote(name)
}

// visible is a text with what a terminal would obey, but for the ends of lines
// and tabs, written out.
func visible(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 {
		return strings.ToValidUTF8(text, string(utf8.RuneError))
	}
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && r != '\t' && obeyed(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// obeyed tells what is no sign but an order: control characters, and those that
// turn the direction of what follows.
func obeyed(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
