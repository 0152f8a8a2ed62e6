package source

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"morrow/internal/markup"
)

// fields reads front matter by key. The first fault stays; what is read after
// it is worthless.
type fields struct {
	values   []markup.Value
	folded   []string // their keys
	warnings []string
	fault    error
}

func newFields(values []markup.Value) *fields {
	f := &fields{values: values, folded: make([]string, len(values))}
	for i, v := range values {
		f.folded[i] = fold(v.Key)
	}
	return f
}

func (f *fields) fail(line int, format string, args ...any) {
	if f.fault == nil {
		f.fault = fmt.Errorf("line %d: %s", line, fmt.Sprintf(format, args...))
	}
}

func (f *fields) warn(line int, format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf("line %d: %s", line, fmt.Sprintf(format, args...)))
}

// fold makes publish_on, publish-on, publishOn and "Publish On" one key.
func fold(key string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
}

// find returns the values of the keys, in the order of keys, null ones left
// out. Keys are given folded.
func (f *fields) find(keys ...string) []markup.Value {
	var found []markup.Value
	for _, key := range keys {
		for i, v := range f.values {
			if v.Kind != markup.Null && f.folded[i] == key {
				found = append(found, v)
			}
		}
	}
	return found
}

// one returns the value of key, which may be spelled twice only if both
// spellings agree.
func (f *fields) one(key string) (markup.Value, bool) {
	found := f.find(key)
	if len(found) == 0 {
		return markup.Value{}, false
	}
	v := found[0]
	if v.Kind == markup.List && len(v.Items) == 1 {
		v.Kind, v.Text = v.Items[0].Kind, v.Items[0].Text
	}
	if v.Kind != markup.Scalar {
		f.fail(v.Line, "%s must be one text; if it begins with [ or {, put it in quotes", v.Key)
	}
	for _, other := range found[1:] {
		if other.Text != found[0].Text {
			f.fail(other.Line, "%s contradicts %s in line %d; keep one", other.Key, v.Key, v.Line)
		}
	}
	v.Text = strings.TrimSpace(v.Text)
	return v, v.Text != ""
}

// text is the first of the keys that has a text.
func (f *fields) text(keys ...string) string {
	for _, key := range keys {
		if v, ok := f.one(key); ok {
			return v.Text
		}
	}
	return ""
}

// terms is the union of the keys' names in the order written. A text is parted
// at its commas; an entry of a list is not, so that a name may have a comma.
func (f *fields) terms(keys ...string) []string {
	var names []string
	for _, v := range f.find(keys...) {
		switch v.Kind {
		case markup.Scalar:
			for part := range strings.SplitSeq(v.Text, ",") {
				names = append(names, termName(part))
			}
		case markup.List:
			names = append(names, f.listed(v.Key, v.Items)...)
		default:
			f.fail(v.Line, "%s must be a list of names", v.Key)
		}
	}
	var unique []string
	for _, name := range names {
		if name != "" && !slices.ContainsFunc(unique, func(u string) bool { return strings.EqualFold(u, name) }) {
			unique = append(unique, name)
		}
	}
	return unique
}

// listed reads a list of names, of lists of names (Hexo's nested categories,
// and what YAML makes of [[Note]]) or of objects {name, slug, checked}.
func (f *fields) listed(key string, items []markup.Value) []string {
	var names []string
	for _, item := range items {
		switch item.Kind {
		case markup.Null:
			f.warn(item.Line, "an empty entry of %s is left out (YAML takes #word for a remark; write \"#word\")", key)
		case markup.Scalar:
			names = append(names, termName(item.Text))
		case markup.List:
			names = append(names, f.listed(key, item.Items)...)
		case markup.Map:
			entry := newFields(item.Items)
			name := termName(entry.text("name", "title"))
			if checked, ok := parseBool(entry.text("checked")); ok && !checked {
				continue
			}
			if name == "" {
				f.fail(item.Line, "an entry of %s has no name", key)
			}
			names = append(names, name)
		}
	}
	return names
}

// termName is a term as meant: without the marks of a hashtag or a wiki link.
func termName(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "#")
	if inner, ok := strings.CutPrefix(s, "[["); ok && strings.HasSuffix(inner, "]]") {
		s = strings.TrimSuffix(inner, "]]")
		if _, shown, ok := strings.Cut(s, "|"); ok {
			s = shown
		}
	}
	return strings.Join(strings.Fields(s), " ")
}

func parseBool(s string) (value, ok bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "yes", "on", "y", "1":
		return true, true
	case "false", "no", "off", "n", "0":
		return false, true
	}
	return false, false
}

// suggest warns of keys that look like a slip for one that Morrow reads.
func (f *fields) suggest() {
	known := []string{
		"title", "slug", "excerpt", "summary", "description", "categories", "category", "tags", "tag", "author",
		"publish_on", "date", "publish_date", "draft", "status", "publish", "published", "private", "password",
	}
	for i, v := range f.values {
		key := f.folded[i]
		if slices.ContainsFunc(known, func(k string) bool { return fold(k) == key }) {
			continue
		}
		for _, k := range known {
			if oneSlip(key, fold(k)) {
				f.warn(v.Line, "%s is not read; is %s meant?", v.Key, k)
				break
			}
		}
	}
}

// oneSlip: one letter too many, missing, wrong, or two swapped.
func oneSlip(a, b string) bool {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	swapped := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return len(a) <= 1 && len(b) <= 1 || swapped
}
