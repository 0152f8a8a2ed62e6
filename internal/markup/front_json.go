package markup

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// opensJSON tells a JSON object from text that begins with a brace: a template
// tag ({{ {% {#) or an attribute list ({: {.).
func opensJSON(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte("{"))
	return ok && (len(rest) == 0 || !strings.ContainsRune("{%#:.", rune(rest[0])))
}

// bareJSON reads the object at the start of text, which is the file's line'th
// line, and takes the rest as body.
func bareJSON(text []byte, line int) (Front, []byte, int, error) {
	r := newJSONReader(text, line)
	v, err := r.next("")
	if err != nil {
		return Front{}, nil, 0, r.fault(err)
	}
	end := int(r.dec.InputOffset())
	if end > maxFront {
		return Front{}, nil, 0, faultAt(line, "front matter of %d KiB, the limit is %d", end>>10, maxFront>>10)
	}
	tail, body, _ := bytes.Cut(text[end:], []byte("\n"))
	if len(bytes.TrimSpace(tail)) > 0 {
		return Front{}, nil, 0, faultAt(r.line(), "text after the } that closes the front matter; begin a new line")
	}
	return Front{Format: "json", Values: v.Items}, body, r.line() + 1, nil
}

// readFencedJSON reads an object, or its members without the braces.
func readFencedJSON(src []byte, line int) ([]Value, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(src), []byte("{")) {
		src = append(append([]byte("{"), src...), '}')
	}
	r := newJSONReader(src, line)
	v, err := r.next("")
	if err != nil {
		return nil, r.fault(err)
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, faultAt(r.line(), "text after the } of the front matter")
	}
	return v.Items, nil
}

// jsonReader turns tokens into Values: tokens have lines, and show a key that
// stands twice.
type jsonReader struct {
	dec   *json.Decoder
	src   []byte
	first int
	depth int
}

func newJSONReader(src []byte, line int) *jsonReader {
	r := &jsonReader{dec: json.NewDecoder(bytes.NewReader(src)), src: src, first: line}
	r.dec.UseNumber()
	return r
}

func (r *jsonReader) line() int { return r.first - 1 + fileLine(r.src, int(r.dec.InputOffset())) }

func (r *jsonReader) next(key string) (Value, error) {
	tok, err := r.dec.Token()
	if err != nil {
		return Value{}, err
	}
	v := Value{Key: key, Line: r.line(), Kind: Scalar}
	switch tok := tok.(type) {
	case nil:
		v.Kind = Null
	case string:
		v.Text = tok
	case json.Number:
		v.Text = tok.String()
	case bool:
		v.Text = strconv.FormatBool(tok)
	case json.Delim:
		if r.depth++; r.depth > maxDepth {
			return v, faultAt(v.Line, "front matter is nested too deeply")
		}
		defer func() { r.depth-- }()
		if tok == '{' {
			v.Kind = Map
			return r.members(v)
		}
		v.Kind = List
		return r.elements(v)
	}
	return v, nil
}

func (r *jsonReader) elements(v Value) (Value, error) {
	for r.dec.More() {
		item, err := r.next("")
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := r.dec.Token()
	return v, err
}

func (r *jsonReader) members(v Value) (Value, error) {
	for r.dec.More() {
		key, err := r.dec.Token()
		if err != nil {
			return v, err
		}
		name, _ := key.(string) // the decoder lets nothing else pass
		line := r.line()
		item, err := r.next(name)
		if err != nil {
			return v, err
		}
		item.Line = line
		v.Items = append(v.Items, item)
	}
	if _, err := r.dec.Token(); err != nil {
		return v, err
	}
	return v, unique(v.Items)
}

func (r *jsonReader) fault(err error) error {
	var own *FrontError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return faultAt(r.first, "the { that opens the front matter is not closed")
	}
	return faultAt(r.line(), "JSON can't be read here (%v)", err)
}
