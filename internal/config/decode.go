package config

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// reader walks the nodes of one file and gathers what is wrong with them.
type reader struct {
	file     string
	env      func(string) (string, bool)
	problems []Problem
	warn     func(text string)
	// secretless: passwords are not taken from the environment.
	secretless bool
	keyring    func(account string) (string, error)
}

// child reads a part of the same file whose problems are its own.
func (r *reader) child() *reader {
	c := *r
	c.problems = nil
	return &c
}

// setter reads a value into its place, or says under path what is wrong.
type setter func(n *yaml.Node, path string)

// fields are the known keys of a mapping.
type fields map[string]setter

// lines are those of a mapping's keys, and its own under "".
type lines map[string]int

// at is a key's line, or the mapping's own where the key is not written.
func (l lines) at(key string) int {
	if line, ok := l[key]; ok {
		return line
	}
	return l[""]
}

func (l lines) has(key string) bool { return l[key] > 0 }

// count tells how many of the keys there are.
func (l lines) count(keys ...string) (n int) {
	for _, key := range keys {
		if l.has(key) {
			n++
		}
	}
	return n
}

func (r *reader) fail(line int, path, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, Key: path, Msg: fmt.Sprintf(format, args...)})
}

// misshapen is fail for what the example shows how to write.
func (r *reader) misshapen(line int, path, format string, args ...any) {
	r.fail(line, path, format, args...)
	r.hint("config.example.yaml shows every key")
}

// hint says what to do about the problem that was told last.
func (r *reader) hint(text string) { r.problems[len(r.problems)-1].Hint = text }

// mapping reads a mapping whose path is where and tells its keys' lines.
func (r *reader) mapping(n *yaml.Node, where string, known fields) lines {
	n = resolve(n)
	seen := lines{"": n.Line}
	if n.Kind != yaml.MappingNode {
		r.misshapen(n.Line, where, "want keys and values, got %s", describe(n))
		return seen
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		path := join(where, key.Value)
		set, ok := known[key.Value]
		before := ""
		if i > 0 {
			before = n.Content[i-2].Value
		}
		if !ok && mayBeSecret(key.Value, before, known) {
			r.fail(key.Line, where, "has an unknown key that looks like a part of a password or of an address; put that in 'single quotes'")
			continue
		}
		if !ok {
			r.misshapen(key.Line, path, "unknown key%s", suggest(key.Value, slices.Sorted(maps.Keys(known))))
			continue
		}
		if seen.has(key.Value) {
			r.fail(key.Line, path, "written twice, first in line %d", seen[key.Value])
			continue
		}
		seen[key.Value] = key.Line
		set(value, path)
	}
	return seen
}

// nested makes a setter of a mapping in a mapping.
func (r *reader) nested(known fields) setter {
	return func(n *yaml.Node, path string) { r.mapping(n, path, known) }
}

// parsed reads a scalar by a function.
func (r *reader) parsed(parse func(string) error) setter {
	return func(n *yaml.Node, path string) {
		s, ok := r.scalar(n, path)
		if !ok {
			return
		}
		if err := parse(s); err != nil {
			r.fail(n.Line, path, "%s", err)
		}
	}
}

// text reads any scalar as it is written, ${NAME} expanded.
func (r *reader) text(dst *string) setter {
	return r.parsed(func(s string) error {
		*dst = s
		return nil
	})
}

// each reads a list of scalars, or a single one as a list of one.
func (r *reader) each(start func(), parse func(string) error) setter {
	return func(n *yaml.Node, path string) {
		start()
		items := []*yaml.Node{n}
		if list := resolve(n); list.Kind == yaml.SequenceNode {
			items = list.Content
		}
		for _, item := range items {
			r.parsed(parse)(item, path)
		}
	}
}

func (r *reader) texts(dst *[]string) setter {
	return r.each(func() { *dst = nil }, func(s string) error {
		*dst = append(*dst, s)
		return nil
	})
}

func (r *reader) boolean(dst *bool) setter {
	return r.parsed(func(s string) error {
		switch s {
		case "true":
			*dst = true
		case "false":
			*dst = false
		default:
			return fmt.Errorf("want true or false, got %q", s)
		}
		return nil
	})
}

func (r *reader) integer(dst *int, low, high int) setter {
	return r.parsed(func(s string) error {
		v, err := strconv.Atoi(s)
		if err != nil || v < low || v > high {
			return fmt.Errorf("want a whole number from %d to %d, got %q", low, high, s)
		}
		*dst = v
		return nil
	})
}

// duration reads a duration from a second to high.
func (r *reader) duration(dst *time.Duration, high time.Duration) setter {
	const low = time.Second
	return r.parsed(func(s string) error {
		v, err := time.ParseDuration(s)
		switch {
		case err != nil:
			return fmt.Errorf("want a duration like 15m, 1h30m or 45s, got %q", s)
		case v < low || v > high:
			return fmt.Errorf("want a duration from %s to %s, got %q", short(low), short(high), s)
		}
		*dst = v
		return nil
	})
}

func (r *reader) oneOf(dst *string, words ...string) setter {
	return r.parsed(func(s string) error {
		if !slices.Contains(words, s) {
			return fmt.Errorf("want %s, got %q", strings.Join(words, " or "), s)
		}
		*dst = s
		return nil
	})
}

// scalar gives a scalar's text as written, whatever type YAML would make of
// it, with ${NAME} expanded.
func (r *reader) scalar(n *yaml.Node, path string) (string, bool) {
	v := resolve(n)
	switch {
	case v.Kind != yaml.ScalarNode:
		r.misshapen(n.Line, path, "want a single value, got %s", describe(v))
		return "", false
	case v.Tag == "!!null":
		r.fail(n.Line, path, "has no value; give it one or take the key out")
		return "", false
	}
	s, unset, err := expand(v.Value, r.env)
	if err == nil && len(unset) == 0 && strings.TrimSpace(s) == "" {
		err = errors.New("is empty; give it a value or take the key out")
	}
	if err != nil {
		r.fail(n.Line, path, "%s", err)
	}
	for _, name := range unset {
		if slices.Contains(passwordKeys(), path[strings.LastIndex(path, ".")+1:]) && !usualVariable(name) {
			r.fail(n.Line, path, "names an environment variable that is not set; in a password write $${ for a literal ${")
			continue
		}
		r.fail(n.Line, path, "environment variable %s is not set", name)
		r.hint(setVariable(name))
	}
	return s, err == nil && len(unset) == 0
}

// setVariable is how the shell from which Morrow is started sets a variable.
func setVariable(name string) string {
	if runtime.GOOS == "windows" {
		return fmt.Sprintf("$env:%s = '…'", name)
	}
	return fmt.Sprintf("export %s='…'", name)
}

// expand replaces each ${NAME} by the environment's value and tells the names
// that have none. $${ stands for ${.
func expand(s string, env func(string) (string, bool)) (text string, unset []string, err error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "${")
		if !found {
			out.WriteString(s)
			return out.String(), unset, err
		}
		if strings.HasSuffix(before, "$") {
			out.WriteString(before + "{")
			s = rest
			continue
		}
		out.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !closed || !isVariable(name) {
			return "", unset, errors.New("a ${ begins no ${NAME}; write $${ for a literal ${")
		}
		value, set := env(name)
		if !set {
			unset = append(unset, name)
		}
		out.WriteString(value)
		s = after
	}
}

func isVariable(name string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	return strings.Trim(name, letters+"0123456789") == "" && strings.Trim(name[:min(1, len(name))], letters) == "" && name != ""
}

// usualVariable says whether a name is written as those of variables are. In a
// password the other ones may be a part of it.
func usualVariable(name string) bool { return name == strings.ToUpper(name) }

// literal says whether a value is written out rather than taken from the
// environment.
func literal(n *yaml.Node) bool { return !strings.Contains(resolve(n).Value, "${") }

// resolve follows an alias to what it stands for.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "keys and values"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	default:
		return "a single value"
	}
}

func join(where, key string) string {
	if where == "" {
		return key
	}
	return where + "." + key
}

func suggest(got string, known []string) string {
	if near := Nearest(got, known); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return "; known here: " + strings.Join(known, ", ")
}

// short writes a duration without its zero parts: 15m, not 15m0s.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
