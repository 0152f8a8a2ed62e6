package fakewp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"morrow/internal/pattern"
)

var (
	blockStart  = pattern.Lazy(`<!--\s+(/)?wp:([a-z][a-z0-9_-]*/)?([a-z][a-z0-9_-]*)\s+`)
	blockAttrs  = pattern.Lazy(`(?s)^\{.*?\}\s+(/?-->)`)
	blockEnding = pattern.Lazy(`^(/)?-->`)
)

// delimiter is one block comment of a text.
type delimiter struct {
	start, end   int
	name         string // without "core/"
	attrs        string // JSON, may be empty
	closer, void bool
}

// delimiters finds the block comments as WordPress's block parser does.
func delimiters(s string) []delimiter {
	var out []delimiter
	for pos := 0; ; {
		m := blockStart().FindStringSubmatchIndex(s[pos:])
		if m == nil {
			return out
		}
		d := delimiter{start: pos + m[0], closer: m[2] >= 0, name: s[pos+m[6] : pos+m[7]]}
		if m[4] >= 0 && s[pos+m[4]:pos+m[5]] != "core/" {
			d.name = s[pos+m[4]:pos+m[5]] + d.name
		}
		at := pos + m[1]
		if a := blockAttrs().FindStringSubmatchIndex(s[at:]); a != nil {
			d.attrs = strings.TrimRight(s[at:at+a[2]], " \t\r\n\f")
			at += a[2]
		}
		pos += m[1]
		if e := blockEnding().FindStringSubmatchIndex(s[at:]); e != nil {
			d.void = e[2] >= 0
			d.end = at + e[1]
			pos = d.end
			out = append(out, d)
		}
	}
}

// filterBlocks runs kses over the attributes of blocks and writes the
// delimiters in their normal form (filter_block_content). Blocks left open
// are closed at the end; a closer without an opener ends the parsing.
func filterBlocks(s string, rules tagRules, global bool) string {
	all := delimiters(s)
	if len(all) == 0 {
		return s
	}
	var b strings.Builder
	var open []string
	pos := 0
	for i := 0; i < len(all); i++ {
		d := all[i]
		if d.closer && len(open) == 0 {
			break
		}
		b.WriteString(s[pos:d.start])
		pos = d.end
		if d.closer {
			fmt.Fprintf(&b, "<!-- /wp:%s -->", open[len(open)-1])
			open = open[:len(open)-1]
			continue
		}
		fmt.Fprintf(&b, "<!-- wp:%s ", d.name)
		if attrs := filterAttrs(d.attrs, rules, global); attrs != "" {
			b.WriteString(attrs + " ")
		}
		switch {
		case d.void, d.end == len(s):
			b.WriteString("/-->")
		case i+1 < len(all) && all[i+1].closer && all[i+1].start == d.end:
			b.WriteString("/-->")
			i++
			pos = all[i].end
		default:
			b.WriteString("-->")
			open = append(open, d.name)
		}
	}
	b.WriteString(s[pos:])
	for i := len(open) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "<!-- /wp:%s -->", open[i])
	}
	return b.String()
}

// filterAttrs runs kses over every key and string of a block's attributes and
// keeps their order. What is no JSON object is lost, as in WordPress.
func filterAttrs(attrs string, rules tagRules, global bool) string {
	if attrs == "" {
		return ""
	}
	clean := func(s string) string {
		s = controls().ReplaceAllString(s, "")
		return ksesSplit(escapeLessThan(normalizeEntities(s)), rules, global)
	}
	var b bytes.Buffer
	dec := json.NewDecoder(strings.NewReader(attrs))
	dec.UseNumber()
	if err := copyJSON(dec, &b, clean); err != nil || b.Len() == 0 || b.String() == "[]" {
		return ""
	}
	if _, err := dec.Token(); err != io.EOF {
		return ""
	}
	return strings.ReplaceAll(b.String(), "--", `\u002d\u002d`)
}

// copyJSON copies one JSON value, its strings cleaned. An empty object comes
// out as [], because PHP cannot tell them apart.
func copyJSON(dec *json.Decoder, b *bytes.Buffer, clean func(string) string) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	switch v := tok.(type) {
	case json.Delim:
		return copyJSONList(dec, b, clean, v == '{')
	case string:
		writePHPString(b, clean(v))
	case json.Number:
		b.WriteString(v.String())
	case bool:
		fmt.Fprint(b, v)
	case nil:
		b.WriteString("null")
	}
	return nil
}

func copyJSONList(dec *json.Decoder, b *bytes.Buffer, clean func(string) string, object bool) error {
	if !dec.More() {
		b.WriteString("[]")
		_, err := dec.Token()
		return err
	}
	open, closing := byte('['), byte(']')
	if object {
		open, closing = '{', '}'
	}
	b.WriteByte(open)
	for first := true; dec.More(); first = false {
		if !first {
			b.WriteByte(',')
		}
		if object {
			if err := copyJSON(dec, b, clean); err != nil {
				return err
			}
			b.WriteByte(':')
		}
		if err := copyJSON(dec, b, clean); err != nil {
			return err
		}
	}
	b.WriteByte(closing)
	_, err := dec.Token()
	return err
}

// writePHPString writes a string as serialize_block_attributes does.
func writePHPString(b *bytes.Buffer, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch r {
		case '"', '<', '>', '&', 0x2028, 0x2029:
			fmt.Fprintf(b, `\u%04x`, r)
		case '\\':
			b.WriteString(`\\`)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}
