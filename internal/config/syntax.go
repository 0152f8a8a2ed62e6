package config

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// longestFlow is over how many lines a bracket or a quote may stay open and
// still be told from one that is never closed.
const longestFlow = 100

// readable says whether text is YAML, as far as it goes.
func readable(text []byte) bool {
	var n yaml.Node
	err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&n)
	return err == nil || errors.Is(err, io.EOF)
}

// brokenLine is the line, from 1, from which on text can't be read. The
// library's own number is that of the mapping around it, or one off.
func brokenLine(text []byte) int {
	lines := bytes.SplitAfter(text, []byte("\n"))
	upTo := func(n int) []byte { return bytes.Join(lines[:n], nil) }
	good := 0
	for good < len(lines) {
		good += sort.Search(len(lines)-good, func(i int) bool { return !readable(upTo(good + i + 1)) })
		// It may be the first line of a bracket that is closed further down.
		closed := good + 1
		for closed <= min(len(lines), good+longestFlow) && !readable(upTo(closed)) {
			closed++
		}
		if closed > min(len(lines), good+longestFlow) {
			break
		}
		good = closed
	}
	return min(good+1, len(lines))
}

// inWords says what is wrong with a line that can't be read, by what the
// library says of it and by the line itself.
func inWords(said, line string) string {
	said = strings.TrimPrefix(said, "yaml: ")
	const quote = "a value that begins with one of @ ` % * & needs quotes"
	if strings.Contains(said, "tab character") || strings.Contains(said, "cannot start any token") && strings.Contains(line, "\t") {
		return "indent with spaces, not with tabs"
	}
	for _, w := range []struct{ said, words string }{
		{"did not find expected ',' or", "a bracket that is opened here is not closed, or a comma is missing"},
		{"did not find expected node content", "a bracket that is opened here is not closed, or a value is missing"},
		{"found unexpected end of stream", "a quote that is opened here is not closed"},
		{"unknown escape character", `a \ in "double quotes" begins an escape; use 'single quotes'`},
		{"mapping values are not allowed", "a colon too many: put a value with a colon in quotes, and begin each key as far in as its neighbours"},
		{"could not find expected ':'", "no key and value: a colon and a blank are missing, or the line is not as far in as it should be"},
		{"did not find expected '-'", "the entries of a list begin with a dash, each as far in as the others"},
		{"cannot start any token", quote},
		{"unknown anchor", quote},
		{"expected alphabetic or numeric", quote},
		{"UTF-8", "is not UTF-8; save the file in that encoding"},
		{"control characters", "holds a control character; delete it"},
		{"did not find expected key", "does not fit the lines above it: begin each key as far in as its neighbours, and close quotes"},
	} {
		if strings.Contains(said, w.said) {
			return w.words
		}
	}
	// What the library quotes of the text may be a password.
	quoted := regexp.MustCompile("'[^']*'|\"[^\"]*\"|`[^`]*`")
	return "can't be read as YAML: " + quoted.ReplaceAllString(said, "…")
}
