package markup

import (
	"encoding/json"
	"errors"
	"strings"
)

// opening is the opening comment of the block that content begins with: head
// up to the attributes, attrs the JSON object and one space, or empty.
type opening struct{ head, attrs string }

// blank is what \s matches in WordPress's block parser.
const blank = " \t\n\f\r"

// firstBlock reads it as WordPress's block parser does. Every post is read
// several times in a run, so this is no regular expression.
func firstBlock(content string) (opening, bool) {
	rest, ok := blockHead(content)
	if !ok {
		return opening{}, false
	}
	head := content[:len(content)-len(rest)]
	if endsOpening(rest) {
		return opening{head, ""}, true
	}
	if !strings.HasPrefix(rest, "{") {
		return opening{}, false
	}
	for at := range len(rest) {
		if rest[at] != '}' {
			continue
		}
		if end, ok := cutBlank(rest[at+1:]); ok && endsOpening(end) {
			return opening{head, rest[:len(rest)-len(end)]}, true
		}
	}
	return opening{}, false
}

// blockHead gives what follows the name of the block that content begins with.
func blockHead(content string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(strings.TrimLeft(content, blank), "<!--")
	if !ok {
		return "", false
	}
	if rest, ok = cutBlank(rest); !ok {
		return "", false
	}
	if rest, ok = cutName(rest, "wp:"); !ok {
		return "", false
	}
	if named, ok := cutName(rest, "/"); ok {
		rest = named
	}
	return cutBlank(rest)
}

// cutBlank takes the white space off that s begins with; ok is false if there
// is none.
func cutBlank(s string) (rest string, ok bool) {
	rest = strings.TrimLeft(s, blank)
	return rest, len(rest) < len(s)
}

// cutName takes off the prefix and the block's or namespace's name behind it.
func cutName(s, prefix string) (rest string, ok bool) {
	s, ok = strings.CutPrefix(s, prefix)
	if !ok || s == "" || s[0] < 'a' || s[0] > 'z' {
		return "", false
	}
	return strings.TrimLeft(s, "abcdefghijklmnopqrstuvwxyz0123456789_-"), true
}

func endsOpening(s string) bool {
	return strings.HasPrefix(s, "-->") || strings.HasPrefix(s, "/-->")
}

// setAttr gives attrs the string metadata.morrow.
func setAttr(attrs, marker string) (string, error) {
	value := `"morrow":"` + marker + `"`
	if attrs == "" {
		return `{"metadata":{` + value + `}} `, nil
	}
	members, err := readObject(attrs)
	if err != nil {
		return "", err
	}
	metadata, ok := find(members, "metadata")
	if !ok {
		return insert(attrs, members, `"metadata":{`+value+`}`), nil
	}
	object := attrs[metadata.value:metadata.end]
	inner, err := readObject(object)
	if err != nil {
		return "", err
	}
	if old, ok := find(inner, "morrow"); ok {
		object = object[:old.start] + value + object[old.end:]
	} else {
		object = insert(object, inner, value)
	}
	return attrs[:metadata.value] + object + attrs[metadata.end:], nil
}

// cutAttr takes metadata.morrow out of attrs, and what it leaves empty.
func cutAttr(attrs string) (rest, marker string, ok bool) {
	if marker, ok := onlyMarker(attrs); ok {
		return "", marker, true
	}
	members, err := readObject(attrs)
	if err != nil {
		return attrs, "", false
	}
	metadata, ok := find(members, "metadata")
	if !ok {
		return attrs, "", false
	}
	object := attrs[metadata.value:metadata.end]
	inner, err := readObject(object)
	if err != nil {
		return attrs, "", false
	}
	morrow, ok := find(inner, "morrow")
	if !ok || json.Unmarshal([]byte(object[morrow.value:morrow.end]), &marker) != nil {
		return attrs, "", false
	}
	switch {
	case len(inner) > 1:
		return attrs[:metadata.value] + remove(object, inner, morrow) + attrs[metadata.end:], marker, true
	case len(members) > 1:
		return remove(attrs, members, metadata), marker, true
	}
	return "", marker, true
}

// onlyMarker reads what setAttr writes to a block without attributes of its
// own, as most are. It is a shortcut: what it does not know is left to JSON.
func onlyMarker(attrs string) (marker string, ok bool) {
	rest, ok := strings.CutPrefix(attrs, `{"metadata":{"morrow":"`)
	if !ok {
		return "", false
	}
	marker, rest, ok = strings.Cut(rest, `"}}`)
	plain := func(r rune) bool { return r >= ' ' && r <= '~' && r != '"' && r != '\\' }
	if !ok || strings.Trim(rest, blank) != "" || strings.TrimFunc(marker, plain) != "" {
		return "", false
	}
	return marker, true
}

// member is one member of a JSON object: offsets of its key, of its value and
// of the byte after it.
type member struct {
	key               string
	start, value, end int
}

// readObject finds the members of the JSON object that s begins with.
func readObject(s string) ([]member, error) {
	d := json.NewDecoder(strings.NewReader(s))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	var members []member
	for d.More() {
		start := skip(s, int(d.InputOffset()), ", \t\r\n")
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		value := skip(s, int(d.InputOffset()), ": \t\r\n")
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		name, _ := key.(string)
		members = append(members, member{name, start, value, int(d.InputOffset())})
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	return members, nil
}

func skip(s string, at int, chars string) int {
	return len(s) - len(strings.TrimLeft(s[at:], chars))
}

func find(members []member, key string) (member, bool) {
	for _, m := range members {
		if m.key == key {
			return m, true
		}
	}
	return member{}, false
}

// insert puts a member after the last one of object.
func insert(object string, members []member, m string) string {
	if len(members) == 0 {
		return "{" + m + object[1:]
	}
	at := members[len(members)-1].end
	return object[:at] + "," + m + object[at:]
}

// remove takes m and one comma out of object, which has other members too.
func remove(object string, members []member, m member) string {
	for i := range members {
		if members[i] != m {
			continue
		}
		if i > 0 {
			return object[:members[i-1].end] + object[m.end:]
		}
		return object[:m.start] + object[members[1].start:]
	}
	return object
}
