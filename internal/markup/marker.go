package markup

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"morrow/internal/pattern"
)

// Marker is the machine-readable trace in a post of ours.
type Marker struct {
	Job  string
	Slot time.Time // to the second; zero on a draft that has no slot yet
	Item string    // the item's Key
	Text string    // hash of the item's text, see compose
	Sent string    // hash of the post's text where pictures make that another; else empty
	Host string
	ID   int64 // the post's own id, from the commit on; 0 before
}

// SetMarker returns content with m as its marker, in place of an older one:
// the attribute metadata.morrow of the first block, all other attributes left
// as they are to the byte, or a comment at the end where the content does not
// begin with a block. The error means that the first block is malformed.
//
// Neither stands in the page that visitors read as text. WordPress keeps both
// for accounts without unfiltered_html (measured on 6.1.9), and its search
// finds the word morrow in them. The block editor of 6.1 to 6.4 drops the
// attribute when a person saves the post there; that of 6.5 and later keeps it.
func SetMarker(content string, m Marker) (string, error) {
	if rest, _, ok := CutMarker(content); ok {
		content = rest
	}
	b, ok := firstBlock(content)
	if !ok {
		return content + "\n<!-- morrow " + m.encode() + " -->", nil
	}
	attrs, err := setAttr(b.attrs, m.encode())
	if err != nil {
		return "", fmt.Errorf("read the attributes of the first block: %w", err)
	}
	return b.head + attrs + content[len(b.head)+len(b.attrs):], nil
}

var markerComment = pattern.Lazy(`^<!-- morrow (v1;[^ <>]*) -->\s*$`)

// CutMarker finds the marker and returns the content without it, just as it
// was before SetMarker, save that an empty attribute object or an empty
// metadata of the first block goes with it. ok is false, and rest is content,
// when there is no marker or it is damaged or of an unknown version. Text that
// only speaks of a marker, in code or in prose, is none.
func CutMarker(content string) (rest string, m Marker, ok bool) {
	if b, found := firstBlock(content); found {
		attrs, text, cut := cutAttr(b.attrs)
		if cut {
			if m, ok = decodeMarker(text); !ok {
				return content, Marker{}, false
			}
			return b.head + attrs + content[len(b.head)+len(b.attrs):], m, true
		}
	}
	at := strings.LastIndex(content, "<!-- morrow ")
	if at < 0 {
		return content, Marker{}, false
	}
	comment := markerComment().FindStringSubmatch(content[at:])
	if comment == nil {
		return content, Marker{}, false
	}
	if m, ok = decodeMarker(comment[1]); !ok {
		return content, Marker{}, false
	}
	return strings.TrimSuffix(content[:at], "\n"), m, true
}

// encode writes the one form of m. Its alphabet is such that neither JSON, an
// HTML comment, WordPress's block serialiser nor its kses changes a byte.
func (m Marker) encode() string {
	b := append(make([]byte, 0, 200), "v1"...)
	field := func(name, value string) {
		b = append(append(append(append(b, ';'), name...), '='), value...)
	}
	field("job", escapeField(m.Job))
	if !m.Slot.IsZero() {
		field("slot", m.Slot.UTC().Format(time.RFC3339))
	}
	field("item", escapeField(m.Item))
	field("text", escapeField(m.Text))
	if m.Sent != "" {
		field("sent", escapeField(m.Sent))
	}
	field("host", escapeField(m.Host))
	if m.ID != 0 {
		field("id", strconv.FormatInt(m.ID, 10))
	}
	return string(b)
}

// decodeMarker reads what encode writes and nothing else: a marker that
// somebody changed is no marker.
func decodeMarker(s string) (Marker, bool) {
	var m Marker
	for f := range strings.SplitSeq(s, ";") {
		name, value, _ := strings.Cut(f, "=")
		text, err := url.PathUnescape(value)
		switch name {
		case "job":
			m.Job = text
		case "slot":
			m.Slot, err = time.Parse(time.RFC3339, value)
			m.Slot = m.Slot.UTC()
		case "item":
			m.Item = text
		case "text":
			m.Text = text
		case "sent":
			m.Sent = text
		case "host":
			m.Host = text
		case "id":
			m.ID, err = strconv.ParseInt(value, 10, 64)
		}
		if err != nil {
			return Marker{}, false
		}
	}
	if m.encode() != s {
		return Marker{}, false
	}
	return m, true
}

// inField are the bytes that escapeField leaves as they are.
const inField = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

// escapeField percent-encodes all but letters, digits, dots, underscores and
// single hyphens: two would end an HTML comment.
func escapeField(s string) string {
	if strings.Trim(s, inField) == "" && !strings.Contains(s, "--") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if strings.IndexByte(inField, c) >= 0 && (c != '-' || i == 0 || s[i-1] != '-') {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
