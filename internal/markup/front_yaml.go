package markup

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML reads a YAML mapping whose first line is the file's line'th.
func readYAML(src []byte, line int) ([]Value, error) {
	root, err := parseYAML(src)
	if err != nil {
		return nil, yamlFault(src, line, err)
	}
	if root == nil || isNull(root) {
		return nil, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, faultAt(line+root.Line-1, "front matter must be lines of the form \"key: value\" (if --- is meant as a separator, write ***)")
	}
	r := yamlReader{before: line - 1, left: maxValues}
	v, err := r.value("", root, 0)
	return v.Items, err
}

// parseYAML returns the only document of src, nil when it is empty.
func parseYAML(src []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(src))
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("a second document begins here")
		}
		return nil, err
	}
	return doc.Content[0], nil
}

// yamlFault finds the line at fault. The library names the line where the
// enclosing mapping began, often the first one, so the fault is looked for
// right after the longest run of lines that can be read.
func yamlFault(src []byte, line int, err error) error {
	const patience = 500 // lines; each costs a parse
	lines := bytes.SplitAfter(src, []byte("\n"))
	good := min(len(lines), patience) - 1
	for ; good > 0; good-- {
		if _, err := parseYAML(bytes.Join(lines[:good], nil)); err == nil {
			break
		}
	}
	msg := regexp.MustCompile(`^yaml: (line \d+: )?`).ReplaceAllString(err.Error(), "")
	if strings.HasPrefix(strings.TrimLeft(string(lines[good]), " "), "\t") {
		return faultAt(line+good, "a tab indents this line, YAML wants blanks (%s)", msg)
	}
	return faultAt(line+good, "YAML can't be read here; a value with a colon or a special character belongs in quotes (%s)", msg)
}

// yamlReader turns nodes into Values. left bounds what aliases can multiply.
type yamlReader struct{ before, left int }

func (r *yamlReader) value(key string, n *yaml.Node, depth int) (Value, error) {
	v := Value{Key: key, Line: r.before + n.Line}
	if r.left--; r.left < 0 || depth > maxDepth {
		return v, faultAt(v.Line, "front matter is nested or repeated too much")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(key, n.Alias, depth+1)
	case yaml.SequenceNode:
		v.Kind = List
		for _, c := range n.Content {
			item, err := r.value("", c, depth+1)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
	case yaml.MappingNode:
		v.Kind = Map
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			if k.Kind != yaml.ScalarNode {
				return v, faultAt(r.before+k.Line, "a key must be a word (text that begins with [ or { belongs in quotes)")
			}
			item, err := r.value(k.Value, n.Content[i+1], depth+1)
			if err != nil {
				return v, err
			}
			item.Line = r.before + k.Line
			v.Items = append(v.Items, item)
		}
		return v, unique(v.Items)
	default:
		if !isNull(n) {
			v.Kind, v.Text = Scalar, n.Value
		}
	}
	return v, nil
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }
