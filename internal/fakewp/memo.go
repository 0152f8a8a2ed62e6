package fakewp

import (
	"bytes"
	"encoding/json"
)

// memo keeps what many requests ask for in the same words. A history of the
// simulation lists the same few posts thousands of times.
type memo struct {
	trees map[string]tree // of the values of _fields
	posts map[answered]json.RawMessage
}

// answered is what the JSON of a post follows from: a Post is never changed in
// place, and what else counts stays as it is, save the zone.
type answered struct {
	post                  *Post
	context, fields, home string
}

func newMemo() *memo {
	return &memo{trees: make(map[string]tree), posts: make(map[answered]json.RawMessage)}
}

// wanted are the fields that a request asks for.
func (c *call) wanted() tree {
	text := c.params.text("_fields")
	if text == nil {
		return fieldTree(c.params.words("_fields"))
	}
	t, ok := c.memo.trees[*text]
	if !ok {
		t = fieldTree(c.params.words("_fields"))
		c.memo.trees[*text] = t
	}
	return t
}

// show is render, with no more than the fields asked for.
func (c *call) show(p *Post, context string) any {
	fields := c.params.text("_fields")
	if fields == nil {
		return c.render(p, context)
	}
	key := answered{p, context, *fields, c.home}
	row, ok := c.memo.posts[key]
	if !ok {
		var err error
		if row, err = encode(pickItem(c.render(p, context), c.fields)); err != nil {
			panic("fakewp: " + err.Error()) // maps, texts and numbers have a JSON
		}
		c.memo.posts[key] = row
	}
	return row
}

// encode writes JSON as WordPress does, <, > and & as they are.
func encode(data any) ([]byte, error) {
	if rows, ok := data.([]any); ok && len(rows) > 0 {
		return encodeRows(rows)
	}
	if row, ok := data.(json.RawMessage); ok {
		return row, nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(data)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// encodeRows spares the encoder's second look at rows that are JSON already.
func encodeRows(rows []any) ([]byte, error) {
	b := []byte("[")
	for i, row := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		text, err := encode(row)
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return append(b, ']'), nil
}
