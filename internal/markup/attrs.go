package markup

import (
	"encoding/json"
	"errors"
	"strings"

	"morrow/internal/pattern"
)

// opening is the opening comment of the block that content begins with: head
// up to the attributes, attrs the JSON object and one space, or empty.
type opening struct{ head, attrs string }

var blockOpening = pattern.Lazy(`(?s)^(\s*<!--\s+wp:(?:[a-z][a-z0-9_-]*/)?[a-z][a-z0-9_-]*\s+)(\{.*?\}\s+)?/?-->`)

// firstBlock reads it as WordPress's block parser does.
func firstBlock(content string) (opening, bool) {
	m := blockOpening().FindStringSubmatch(content)
	if m == nil {
		return opening{}, false
	}
	return opening{m[1], m[2]}, true
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
