package markup

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// readTOML reads a TOML document whose first line is the file's line'th. The
// decoder checks it, the parser beneath it gives the values as written.
func readTOML(src []byte, line int) ([]Value, error) {
	var checked map[string]any
	if err := toml.Unmarshal(src, &checked); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			row, _ := at.Position()
			return nil, faultAt(line+row-1, "TOML can't be read here (%s)", strings.TrimPrefix(err.Error(), "toml: "))
		}
		return nil, faultAt(line, "TOML can't be read (%v)", err)
	}
	r := tomlReader{before: line - 1}
	r.parser.Reset(src)
	root := Value{Kind: Map}
	table := &root
	for r.parser.NextExpression() {
		switch e := r.parser.Expression(); e.Kind {
		case unstable.Table:
			table = r.descend(&root, e.Key())
		case unstable.ArrayTable:
			list := r.descend(&root, e.Key())
			list.Kind = List
			list.Items = append(list.Items, Value{Line: r.line(e.Child()), Kind: Map})
			table = &list.Items[len(list.Items)-1]
		default: // a key and its value
			r.assign(table, e)
		}
	}
	if err := r.parser.Error(); err != nil {
		return nil, faultAt(line, "TOML can't be read (%v)", err)
	}
	return root.Items, unique(root.Items)
}

// tomlReader turns the expressions of a document that is known to be valid
// into Values.
type tomlReader struct {
	parser unstable.Parser
	before int
}

// descend walks down a dotted key, making what is missing. A list on the way
// stands for its last entry.
func (r *tomlReader) descend(at *Value, key unstable.Iterator) *Value {
	for key.Next() {
		if at.Kind == List && len(at.Items) > 0 {
			at = &at.Items[len(at.Items)-1]
		}
		at = r.child(at, key.Node())
	}
	return at
}

func (r *tomlReader) child(at *Value, key *unstable.Node) *Value {
	name := string(key.Data)
	for i := range at.Items {
		if at.Items[i].Key == name {
			return &at.Items[i]
		}
	}
	at.Items = append(at.Items, Value{Key: name, Line: r.line(key), Kind: Map})
	return &at.Items[len(at.Items)-1]
}

func (r *tomlReader) line(key *unstable.Node) int {
	return r.before + fileLine(r.parser.Data(), int(key.Raw.Offset))
}

func (r *tomlReader) assign(table *Value, e *unstable.Node) {
	v := r.descend(table, e.Key())
	r.fill(v, e.Value())
}

func (r *tomlReader) fill(v *Value, n *unstable.Node) {
	switch n.Kind {
	case unstable.Array:
		v.Kind = List
		for it := n.Children(); it.Next(); {
			item := Value{Line: v.Line}
			r.fill(&item, it.Node())
			v.Items = append(v.Items, item)
		}
	case unstable.InlineTable:
		v.Kind = Map
		for it := n.Children(); it.Next(); {
			r.assign(v, it.Node())
		}
	default:
		v.Kind, v.Text = Scalar, string(n.Data)
	}
}
