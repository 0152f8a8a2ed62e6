package markup

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Whatever the text, Blocks closes each block that it opens, in order, writes
// attributes that can be read, and text that a browser leaves as it is.
func FuzzBlocks(f *testing.F) {
	posts, err := filepath.Glob("testdata/posts/*.md")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(posts, "testdata/corpus.md") {
		body, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body))
	}
	f.Add("- a\n\n  > b\n  1. c\n\n<div>\n\n| a |\n|-|\n\n</div>")
	f.Fuzz(func(t *testing.T, md string) {
		if delimiter().MatchString(md) {
			t.Skip("the author's own blocks pass as they are")
		}
		md = strings.NewReplacer("\r", "\n", "\x00", "").Replace(md) // as Split has it
		out, _, err := Blocks([]byte(md), Options{Image: uploaded})
		if err != nil {
			return
		}
		if fault := malformed(out); fault != "" {
			t.Fatalf("%q: %s in\n%s", md, fault, out)
		}
		if _, _, err := HTML([]byte(md), Options{}); err != nil {
			t.Fatal(err)
		}
		Images([]byte(md))
	})
}

// malformed names what is wrong with block markup.
func malformed(blocks string) string {
	comment := regexp.MustCompile(`(?s)<!-- (/?)wp:([a-z-]+) (\{.*?\} )?-->`)
	text := regexp.MustCompile(`(?s)^\n<(p|h[1-6])(?: [^<>]*)?>(.*)</(?:p|h[1-6])>\n$`)
	var open []string
	begin := 0 // of the content of the last block opened
	for _, m := range comment.FindAllStringSubmatchIndex(blocks, -1) {
		name := blocks[m[4]:m[5]]
		if m[6] >= 0 && !json.Valid([]byte(blocks[m[6]:m[7]])) {
			return "attributes " + blocks[m[6]:m[7]]
		}
		if m[2] == m[3] {
			open, begin = append(open, name), m[1]
			continue
		}
		if len(open) == 0 || open[len(open)-1] != name {
			return fmt.Sprintf("%s is closed while open are %v", name, open)
		}
		open = open[:len(open)-1]
		if name != "paragraph" && name != "heading" {
			continue
		}
		inner := text.FindStringSubmatch(blocks[begin:m[0]])
		if inner == nil {
			return name + " " + blocks[begin:m[0]]
		}
		if strings.Count(inner[2], "<") > 500 {
			continue // the parser gives up at 512 open elements
		}
		if canonical, ok := asBrowser("p", inner[2]); !ok || canonical != inner[2] || strings.HasSuffix(canonical, " ") {
			return fmt.Sprintf("%s, which a browser reads as %q,", blocks[begin:m[0]], canonical)
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("%v is left open", open)
	}
	return ""
}

// TestMixedLines: no mixture of lines may panic or give malformed blocks.
func TestMixedLines(t *testing.T) {
	t.Parallel()
	tries := 3_000
	if os.Getenv("MORROW_FULL") != "" {
		tries = 200_000
	}
	for _, md := range mixtures(t, tries) {
		out, _, err := Blocks([]byte(md), Options{Image: uploaded})
		if err != nil {
			t.Fatal(err)
		}
		if fault := malformed(out); fault != "" {
			t.Fatalf("%q: %s in\n%s", md, fault, out)
		}
	}
}

// mixtures are texts of lines of the corpus put together at random, indented,
// quoted and cut; the same ones each time.
func mixtures(t *testing.T, n int) []string {
	t.Helper()
	var lines, mixed []string
	texts := corpus(t)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		lines = append(lines, strings.Split(texts[name], "\n")...)
	}
	before := []string{"", "", "", "> ", ">\t ", "- ", "  ", "    ", "1. ", "| ", "\t", "<b>", "</b>", "%%", "[[", "\\", "&#13;", "\u2028"}
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	for len(mixed) < n {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			line := pick(lines)
			if r.IntN(3) == 0 {
				cut := r.IntN(len(line) + 1)
				line = line[:cut] + pick(before) + line[cut+r.IntN(len(line)-cut+1):]
			}
			b.WriteString(pick(before) + line + strings.Repeat("\n", 1+r.IntN(2)))
		}
		md := strings.ToValidUTF8(strings.NewReplacer("\r", "", "\x00", "").Replace(b.String()), "")
		if !delimiter().MatchString(md) { // the author's own blocks pass as they are
			mixed = append(mixed, md)
		}
	}
	return mixed
}
