package markup

import (
	"bytes"
	"fmt"
	"strings"
)

// Kind tells what a Value holds.
type Kind int

// Kinds of a Value.
const (
	Null   Kind = iota // written without a value, or as null or ~
	Scalar             // Text
	List               // Items, without keys
	Map                // Items, with keys
)

// Value is one front-matter value. Text is the scalar as its author wrote it,
// quotes and escapes resolved: 0123, 1.10, yes and 2027-01-05 stay text.
type Value struct {
	Key   string // as written
	Line  int    // 1-based line in the file
	Kind  Kind
	Text  string
	Items []Value
}

// Front is a file's front matter in the order written. Format is "yaml",
// "toml", "json", or "" for a file without front matter. No two keys of a
// mapping differ in case alone.
type Front struct {
	Format string
	Values []Value
}

// FrontError is a fault in a file's encoding or front matter. Line is 1-based
// and counts from the start of the file.
type FrontError struct {
	Line int
	Msg  string
}

func (e *FrontError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

func faultAt(line int, format string, args ...any) *FrontError {
	return &FrontError{Line: line, Msg: fmt.Sprintf(format, args...)}
}

const (
	maxFront  = 64 << 10 // bytes between the fences
	maxValues = 10_000   // after aliases are followed
	maxDepth  = 32
)

// Split parts a file into front matter and body. It reads UTF-8, and UTF-16
// with a byte order mark; the mark is dropped and every line end becomes \n.
// bodyLine is the body's first line in the file, 1-based.
//
// Front matter stands at the start of the file, blank lines aside: YAML between
// --- lines (or closed by ...), TOML between +++ lines, JSON from { to its
// matching } or between ;;; lines; ---yaml, ---toml and ---json open it too. What opens front
// matter and can't be read is an error, never body. Every error is a
// *FrontError.
func Split(data []byte) (front Front, body []byte, bodyLine int, err error) {
	text, err := decode(data)
	if err != nil {
		return Front{}, nil, 0, err
	}
	front, body, bodyLine, err = split(text)
	if err != nil || front.Format == "" {
		return front, body, bodyLine, err
	}
	if second, _, _, err := split(body); err == nil && len(second.Values) > 0 {
		return Front{}, nil, 0, faultAt(bodyLine+second.Values[0].Line-1,
			"a second front matter; put both into one (or, if this is text, write the separator as ***)")
	}
	return front, body, bodyLine, nil
}

func split(text []byte) (Front, []byte, int, error) {
	rest, line := text, 1
	for {
		first, after, more := bytes.Cut(rest, []byte("\n"))
		if !more || len(bytes.TrimSpace(first)) > 0 {
			break
		}
		rest, line = after, line+1
	}
	first, after, _ := bytes.Cut(rest, []byte("\n"))
	if f, ok := fenceOf(trimBlanks(first)); ok {
		return fenced(f, after, line)
	}
	if opensJSON(rest) {
		return bareJSON(rest, line)
	}
	return Front{}, text, 1, nil
}

// fence is a pair of lines around front matter.
type fence struct {
	open, format string
	closing      []string
}

func fenceOf(line string) (fence, bool) {
	f := fence{open: line, closing: []string{"---", "..."}}
	switch line {
	case "---", "---yaml":
		f.format = "yaml"
	case "---toml":
		f.format = "toml"
	case "---json":
		f.format = "json"
	case "+++":
		f.format, f.closing = "toml", []string{"+++"}
	case ";;;":
		f.format, f.closing = "json", []string{";;;"}
	default:
		return fence{}, false
	}
	return f, true
}

// fenced reads front matter up to its closing fence. text begins on the line
// after the opening one.
func fenced(f fence, text []byte, opened int) (Front, []byte, int, error) {
	end, line := 0, opened+1
	for rest := text; ; line++ {
		if len(rest) == 0 {
			return Front{}, nil, 0, faultAt(opened, "front matter opened with %s is not closed; add a line %s after it (or, if this is a separator, write ***)", f.open, f.closing[0])
		}
		cur, after, _ := bytes.Cut(rest, []byte("\n"))
		if isClosing(f, trimBlanks(cur)) {
			values, err := readFront(f.format, text[:end], opened+1)
			if err != nil {
				return Front{}, nil, 0, err
			}
			return Front{Format: f.format, Values: values}, after, line + 1, nil
		}
		end, rest = end+len(rest)-len(after), after
	}
}

func isClosing(f fence, line string) bool {
	for _, c := range f.closing {
		if line == c {
			return true
		}
	}
	return false
}

func readFront(format string, src []byte, line int) ([]Value, error) {
	if len(src) > maxFront {
		return nil, faultAt(line, "front matter of %d KiB, the limit is %d; is its closing line missing?", len(src)>>10, maxFront>>10)
	}
	switch format {
	case "yaml":
		return readYAML(src, line)
	case "toml":
		return readTOML(src, line)
	}
	return readFencedJSON(src, line)
}

func trimBlanks(line []byte) string { return strings.TrimRight(string(line), " \t") }

// unique refuses a mapping that has a key twice: which of the two its author
// meant can't be known.
func unique(values []Value) error {
	seen := make(map[string]Value, len(values))
	for _, v := range values {
		key := strings.ToLower(v.Key)
		if first, ok := seen[key]; ok {
			return faultAt(v.Line, "%s stands here and in line %d; keep one", v.Key, first.Line)
		}
		seen[key] = v
	}
	return nil
}
