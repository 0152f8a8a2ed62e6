package source

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/maruel/natural"
	"golang.org/x/text/unicode/norm"

	"morrow/internal/pattern"
)

var (
	orderPrefix = pattern.Lazy(`^(\d+)[-_. ]+`)
	yearPrefix  = pattern.Lazy(`^(?:19|20)\d\d[-_. ]`)
	datePrefix  = pattern.Lazy(`^(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?:[-_. ]+|$)`)
	timePrefix  = pattern.Lazy(`^(?:[01]\d|2[0-3])[-_. ](?:[0-5]\d[-_. ])?`)
)

// stem is an item's name in NFC: that of its folder, or of its file without the
// extension.
func stem(name string) string {
	name = norm.NFC.String(name)
	if dir := article(name); dir != "" {
		return dir
	}
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// keyOf is the identity that a file's name gives: without order prefix and
// extension, in lower case. A date stays part of it, and so does a year, so
// that "2026 review" and "2027 review" are two items.
func keyOf(name string) string { return strings.ToLower(unordered(stem(name))) }

// unordered drops a number that only sorts: 010-first, 10_first, "1. First".
func unordered(s string) string {
	m := orderPrefix().FindStringSubmatchIndex(s)
	switch {
	case m == nil, m[1] == len(s), dateLen(s) > 0, yearPrefix().MatchString(s):
		return s
	case s[m[3]:m[1]] == "." && s[m[1]] >= '0' && s[m[1]] <= '9': // 3.5 is one number
		return s
	}
	return s[m[1]:]
}

// dateLen is the length of a date with its separator at the start of s.
func dateLen(s string) int {
	m := datePrefix().FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	if _, err := time.Parse(time.DateOnly, m[1]+"-"+m[2]+"-"+m[3]); err != nil {
		return 0
	}
	return len(m[0])
}

// dayOf is the date that a file's name begins with, behind its order, at
// midnight UTC.
func dayOf(name string) (day time.Time, ok bool) {
	m := datePrefix().FindStringSubmatch(unordered(stem(name)))
	if m == nil {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, m[1]+"-"+m[2]+"-"+m[3])
	return day, err == nil
}

// wordsOf is what a file's name says beside order, date and time; the whole
// stem where that is only digits.
func wordsOf(name string) string {
	s := unordered(stem(name))
	n := dateLen(s)
	if n == 0 {
		return s
	}
	words := s[n:]
	words = words[len(timePrefix().FindString(words)):]
	if strings.IndexFunc(words, unicode.IsLetter) < 0 {
		return s
	}
	return words
}

// titleOf makes a file's name readable.
func titleOf(name string) string {
	words := wordsOf(name)
	if strings.IndexFunc(words, unicode.IsLetter) < 0 {
		return words
	}
	if !strings.Contains(words, " ") {
		words = strings.Join(strings.FieldsFunc(words, func(r rune) bool { return r == '-' || r == '_' }), " ")
	}
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// order sorts names as people number them: 2 before 10, case aside, and a name
// before a longer one that begins with it.
type order struct{ stem, name string }

func orderOf(name string) order {
	return order{strings.ToLower(stem(name)), strings.ToLower(norm.NFC.String(name))}
}

func (o order) compare(p order) int {
	return cmp.Or(natural.Compare(o.stem, p.stem), natural.Compare(o.name, p.name))
}
