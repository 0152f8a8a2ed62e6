package fakewp

import "strings"

// pick reduces an answer to the fields asked for. "content.raw" keeps the
// member raw of content (rest_filter_response_fields).
func pick(data any, t tree) any {
	switch d := data.(type) {
	case []any:
		out := make([]any, len(d))
		for i, item := range d {
			out[i] = pickItem(item, t)
		}
		return out
	default:
		return pickItem(d, t)
	}
}

// wants reports whether a field, or one member of it, is asked for, so that
// what costs time is not made for nothing.
func (t tree) wants(field, member string) bool {
	if t == nil {
		return true
	}
	sub, ok := t[field]
	if !ok || sub == nil || member == "" {
		return ok
	}
	_, ok = sub[member]
	return ok
}

// tree has nil for a field wanted whole.
type tree map[string]tree

// fieldTree is nil when no fields are asked for: all are wanted.
func fieldTree(fields []string) tree {
	if fields == nil {
		return nil
	}
	root := tree{}
	for _, f := range fields {
		t := root
		parts := strings.Split(f, ".")
		for i, part := range parts {
			sub, seen := t[part]
			if seen && sub == nil {
				break // already wanted whole
			}
			if i == len(parts)-1 {
				t[part] = nil
				break
			}
			if sub == nil {
				sub = tree{}
				t[part] = sub
			}
			t = sub
		}
	}
	return root
}

func pickItem(data any, t tree) any {
	m, ok := data.(map[string]any)
	if !ok {
		return data
	}
	out := make(map[string]any, len(t))
	for k, sub := range t {
		v, ok := m[k]
		switch {
		case !ok:
		case sub == nil:
			out[k] = v
		default:
			out[k] = pickItem(v, sub)
		}
	}
	return out
}
