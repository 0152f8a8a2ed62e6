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
	folded   []string        // their keys
	read     map[string]bool // folded keys that were asked for
	warnings []string
	fault    error
}

func newFields(values []markup.Value) *fields {
	f := &fields{values: values, folded: make([]string, len(values)), read: make(map[string]bool)}
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
		f.read[key] = true
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

// texts are the values of the keys that have a text.
func (f *fields) texts(keys ...string) (found []markup.Value) {
	for _, key := range keys {
		if v, ok := f.one(key); ok {
			found = append(found, v)
		}
	}
	return found
}

// text is the first of the keys that has a text.
func (f *fields) text(keys ...string) string {
	if found := f.texts(keys...); len(found) > 0 {
		return found[0].Text
	}
	return ""
}

// author is a login or a name, alone, in a list, or in an object. WordPress has
// one author; of several the first is taken.
func (f *fields) author() string {
	for _, v := range f.find("author", "authors") {
		of := v
		if v.Kind == markup.List && len(v.Items) > 0 {
			of = v.Items[0]
		}
		name := strings.TrimSpace(of.Text)
		if of.Kind == markup.Map {
			name = newFields(of.Items).text("login", "username", "name")
		}
		if name == "" {
			continue
		}
		if len(v.Items) > 1 && v.Kind == markup.List {
			f.warn(v.Line, "WordPress has one author: of %s the first, %s, is taken", v.Key, name)
		}
		return name
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
	return unique(names)
}

// unique leaves out empty names, and those that stand before in other case.
func unique(names []string) (kept []string) {
	for _, name := range names {
		if name != "" && !slices.ContainsFunc(kept, func(k string) bool { return strings.EqualFold(k, name) }) {
			kept = append(kept, name)
		}
	}
	return kept
}

// take adds what was said of values inside a value of f.
func (f *fields) take(inner *fields) {
	f.warnings = append(f.warnings, inner.warnings...)
	if f.fault == nil {
		f.fault = inner.fault
	}
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
			name := termName(entry.text("name", "title", "slug"))
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

// unread warns of the keys that nothing asked for: of what looks like a slip by
// itself, of the rest in one line.
func (f *fields) unread() {
	known := []string{
		"title", "slug", "excerpt", "summary", "description", "categories", "category", "tags", "tag", "author",
		"publish_on", "date", "publish_date", "draft", "status", "publish", "published", "private", "password", "sticky", "template", "taxonomies",
	}
	var rest []string
	line := 0
	for i, v := range f.values {
		key := f.folded[i]
		if f.read[key] || needless(key) {
			continue
		}
		if at := slices.IndexFunc(known, func(k string) bool { return oneSlip(key, fold(k)) }); at >= 0 {
			f.warn(v.Line, "%s is not read; is %s meant?", v.Key, known[at])
			continue
		}
		if line == 0 {
			line = v.Line
		}
		rest = append(rest, v.Key)
	}
	if len(rest) > 0 {
		f.warn(line, "not read: %s", strings.Join(rest, ", "))
	}
}

// needless keys steer how other programs lay out or keep the file; on the site
// nobody misses them.
func needless(key string) bool {
	switch key {
	case "layout", "weight", "toc", "cssclass", "cssclasses", "id", "uid", "uuid", "markup",
		"created", "createdat", "modified", "updated", "updatedat", "updateddate", "lastmod", "lastmodified", "lastmodifiedat":
		return true
	}
	return false
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
