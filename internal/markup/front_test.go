package markup_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/markup"
)

func scalar(key string, line int, text string) markup.Value {
	return markup.Value{Key: key, Line: line, Kind: markup.Scalar, Text: text}
}

func list(key string, line int, items ...markup.Value) markup.Value {
	return markup.Value{Key: key, Line: line, Kind: markup.List, Items: items}
}

func mapping(key string, line int, items ...markup.Value) markup.Value {
	return markup.Value{Key: key, Line: line, Kind: markup.Map, Items: items}
}

type parted struct {
	Format string
	Values []markup.Value
	Body   string
	Line   int
}

func split(t *testing.T, in string) parted {
	t.Helper()
	front, body, line, err := markup.Split([]byte(in))
	if err != nil {
		t.Fatalf("Split(%q): %v", in, err)
	}
	return parted{front.Format, front.Values, string(body), line}
}

func checkSplit(t *testing.T, in string, want parted) {
	t.Helper()
	if diff := cmp.Diff(want, split(t, in)); diff != "" {
		t.Errorf("Split(%q): (-want +got)\n%s", in, diff)
	}
}

// checkFault wants an error in line whose text holds part.
func checkFault(t *testing.T, in string, line int, part string) {
	t.Helper()
	_, _, _, err := markup.Split([]byte(in))
	var fault *markup.FrontError
	if !errors.As(err, &fault) {
		t.Fatalf("Split(%q): error %v, want a FrontError in line %d", in, err, line)
	}
	if fault.Line != line || !strings.Contains(fault.Msg, part) {
		t.Errorf("Split(%q): %v; want line %d and %q", in, fault, line, part)
	}
}

func encode16(s string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func TestB57BOM(t *testing.T) {
	t.Parallel()
	const text = "---\ntitle: 봄 🌱\ndraft: true\n---\nHi\n"
	want := parted{"yaml", []markup.Value{scalar("title", 2, "봄 🌱"), scalar("draft", 3, "true")}, "Hi\n", 5}
	for name, in := range map[string]string{
		"plain":           text,
		"UTF-8":           "\ufeff" + text,
		"doubled":         "\ufeff\ufeff" + text,
		"UTF-16 LE":       encode16(text, false),
		"UTF-16 BE":       encode16(text, true),
		"UTF-16, doubled": encode16("\ufeff"+text, true),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkSplit(t, in, want)
		})
	}
}

func TestSplitRefusesOtherEncodings(t *testing.T) {
	t.Parallel()
	cut := encode16("a\nb", false)
	for name, tt := range map[string]struct {
		in   string
		line int
		part string
	}{
		"Latin-1":             {"a\nb\ncaf\xe9\n", 3, "not UTF-8"},
		"code page 949":       {"---\ntitle: \xb0\xa1\n---\n", 2, "not UTF-8"},
		"UTF-16 without mark": {"a\x00\n\x00b\x00", 1, "NUL"},
		"half a character":    {cut[:len(cut)-1], 2, "UTF-16"},
		"lone high surrogate": {"\xff\xfe\n\x00\x00\xd8a\x00", 2, "UTF-16"},
		"lone low surrogate":  {"\xfe\xff\x00\n\xdc\x00\x00a", 2, "UTF-16"},
		"cut surrogate pair":  {"\xff\xfe\x00\xd8", 1, "UTF-16"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkFault(t, tt.in, tt.line, tt.part)
		})
	}
}

func TestB58Fences(t *testing.T) {
	t.Parallel()
	title := []markup.Value{scalar("title", 2, "A")}
	for name, tt := range map[string]struct {
		in   string
		want parted
	}{
		"LF":                      {"---\ntitle: A\n---\nHi\n", parted{"yaml", title, "Hi\n", 4}},
		"CRLF":                    {"---\r\ntitle: A\r\n---\r\nHi\r\n", parted{"yaml", title, "Hi\n", 4}},
		"CR":                      {"---\rtitle: A\r---\rHi\r", parted{"yaml", title, "Hi\n", 4}},
		"blanks after the fences": {"--- \ntitle: A\n---\t \nHi\n", parted{"yaml", title, "Hi\n", 4}},
		"closed at end of file":   {"---\ntitle: A\n---", parted{"yaml", title, "", 4}},
		"closed by dots":          {"---\ntitle: A\n...\nHi\n", parted{"yaml", title, "Hi\n", 4}},
		"named":                   {"---yaml\ntitle: A\n---\nHi\n", parted{"yaml", title, "Hi\n", 4}},
		"after blank lines":       {"\n \n---\ntitle: A\n---\nHi\n", parted{"yaml", []markup.Value{scalar("title", 4, "A")}, "Hi\n", 6}},
		"empty":                   {"---\n---\nHi\n", parted{"yaml", nil, "Hi\n", 3}},
		"only a comment":          {"---\n# note\n---\nHi\n", parted{"yaml", nil, "Hi\n", 4}},
		"a longer line inside":    {"---\ntitle: A\n---\n----\n", parted{"yaml", title, "----\n", 4}},
		"separator in the body":   {"---\ntitle: A\n---\nHi\n\n---\n\nyou\n", parted{"yaml", title, "Hi\n\n---\n\nyou\n", 4}},
		"body begins with one":    {"---\ntitle: A\n---\n---\nHi\n", parted{"yaml", title, "---\nHi\n", 4}},
		"none":                    {"Hi\n---\nyou: me\n---\n", parted{"", nil, "Hi\n---\nyou: me\n---\n", 1}},
		"indented":                {" ---\nHi\n", parted{"", nil, " ---\nHi\n", 1}},
		"nothing at all":          {"", parted{"", nil, "", 1}},
		"blank lines kept":        {"\n\nHi\n", parted{"", nil, "\n\nHi\n", 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkSplit(t, tt.in, tt.want)
		})
	}
}

func TestSplitNeverPublishesAHeader(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in   string
		line int
		part string
	}{
		"YAML not closed":        {"---\ntitle: A\n\nHi\n", 1, "not closed"},
		"not closed, line 3":     {"\n\n---\ntitle: A", 3, "not closed"},
		"TOML not closed":        {"+++\ntitle = 'A'\n---\nHi\n", 1, "add a line +++"},
		"JSON not closed":        {"{\n\"title\": \"A\"\n\nHi\n", 4, "JSON"},
		"JSON cut off":           {"{\"title\": \"A\",\n", 1, "not closed"},
		"separator, not a fence": {"---\nOnce upon a time\n---\nHi\n", 2, "***"},
		"a list":                 {"---\n- a\n---\n", 2, "key: value"},
		"two kinds":              {"---\ntitle: A\n---\n+++\nslug = 'a'\n+++\nHi\n", 5, "second front matter"},
		"twice":                  {"+++\nslug = 'a'\n+++\n\n---\ntitle: A\n---\nHi\n", 6, "second front matter"},
		"second document":        {"---\na: 1\n--- # more\nb: 2\n---\n", 3, "second document"},
		"too large":              {"---\na: " + strings.Repeat("x", 70<<10) + "\n---\n", 2, "limit"},
		"too large JSON":         {"{\"a\": \"" + strings.Repeat("x", 70<<10) + "\"}\n", 1, "limit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkFault(t, tt.in, tt.line, tt.part)
		})
	}
}

func TestB60YAMLFaults(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		yaml string
		line int
		part string
	}{
		"colon in a value":       {"a: 1\ntitle: Part 1: start", 3, "quotes"},
		"at sign":                {"a: 1\ntitle: @name\nb: 2", 3, "quotes"},
		"percent":                {"title: %x", 2, "quotes"},
		"backtick":               {"a: 1\ntitle: `x`", 3, "quotes"},
		"tab indents":            {"tags:\n\t- a", 3, "tab"},
		"tab after a value":      {"a: 1\n\tb: 2", 3, "tab"},
		"key twice":              {"title: A\nb: 2\ntitle: B", 4, "line 2"},
		"key twice, other case":  {"title: A\nTitle: B", 3, "line 2"},
		"nested key twice":       {"a:\n  b: 1\n  b: 2", 4, "line 3"},
		"quote not closed":       {"a: 1\ntitle: \"A\nb: 2\nc: 3", 3, "quotes"},
		"list not closed":        {"a: 1\ntags: [a, b\nc: 3", 3, "quotes"},
		"quote inside quotes":    {"a: 1\nb: 2\ntitle: 'it's'\nc: 3", 4, "quotes"},
		"bracket too many":       {"a: 1\ntags: [a]]\nc: 3", 3, "quotes"},
		"a line of text":         {"a: 1\nb: |\n  text\n\nc: 2\noops\nd: 3", 7, "quotes"},
		"control character":      {"a: 1\nb: \x01", 3, "control"},
		"unknown alias":          {"a: 1\nb: *x", 3, "anchor"},
		"key is a list":          {"a: 1\n[b]: 2", 3, "key must be a word"},
		"endless alias":          {"a: &a [*a]", 2, "too much"},
		"multiplied aliases":     {"a: &a [x,x,x,x,x,x,x,x,x,x]\n" + laughs(), 0, "too much"},
		"nested without measure": {"a: " + strings.Repeat("[", 40) + strings.Repeat("]", 40), 2, "too much"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := "---\n" + tt.yaml + "\n---\nHi\n"
			if tt.line == 0 { // any line
				var fault *markup.FrontError
				_, _, _, err := markup.Split([]byte(in))
				if !errors.As(err, &fault) || !strings.Contains(fault.Msg, tt.part) {
					t.Errorf("error %v, want %q", err, tt.part)
				}
				return
			}
			checkFault(t, in, tt.line, tt.part)
		})
	}
}

// laughs multiplies the list a by ten, nine times over.
func laughs() string {
	var b strings.Builder
	for c := 'b'; c < 'k'; c++ {
		b.WriteString(string(c) + ": &" + string(c) + " [" + strings.Repeat("*"+string(c-1)+",", 10) + "]\n")
	}
	return b.String()
}

func TestB60YAMLAsWritten(t *testing.T) {
	t.Parallel()
	null := func(key string, line int) markup.Value { return markup.Value{Key: key, Line: line} }
	for in, want := range map[string]markup.Value{
		"a: 0123":                  scalar("a", 2, "0123"),
		"a: 1.10":                  scalar("a", 2, "1.10"),
		"a: 1e3":                   scalar("a", 2, "1e3"),
		"a: yes":                   scalar("a", 2, "yes"),
		"a: 2027-01-05":            scalar("a", 2, "2027-01-05"),
		"a: 2027-01-05 07:30:00":   scalar("a", 2, "2027-01-05 07:30:00"),
		"a: 2027-01-05T07:30+0900": scalar("a", 2, "2027-01-05T07:30+0900"),
		"a: '#1: it''s'":           scalar("a", 2, "#1: it's"),
		`a: "null"`:                scalar("a", 2, "null"),
		`a: ""`:                    scalar("a", 2, ""),
		"a: x # note":              scalar("a", 2, "x"),
		"a: >\n  x\n  y\n":         scalar("a", 2, "x y\n"),
		"a:":                       null("a", 2),
		"a: ~":                     null("a", 2),
		"a: null":                  null("a", 2),
		"a: a, b":                  scalar("a", 2, "a, b"),
		"a: [[Note]]":              list("a", 2, list("", 2, scalar("", 2, "Note"))),
		"a:\n- #tag\n- b":          list("a", 2, null("", 3), scalar("", 4, "b")),
		"a: \n  - x\n  - 010":      list("a", 2, scalar("", 3, "x"), scalar("", 4, "010")),
		"a: {b: 1, C: [2]}":        mapping("a", 2, scalar("b", 2, "1"), list("C", 2, scalar("", 2, "2"))),
		"x: &v 1.0\na: *v":         scalar("a", 3, "1.0"),
		"x: &v\na: *v":             null("a", 3),
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			got := split(t, "---\n"+in+"\n---\n")
			if diff := cmp.Diff(want, got.Values[len(got.Values)-1]); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestB62TOML(t *testing.T) {
	t.Parallel()
	const in = `+++
title = "A \"b\" é"   # note
date = 2027-01-05
at = 2027-01-05T07:30:00
zoned = 2027-01-05 07:30:00+09:00
num = 1_000
ratio = 1.10
draft = true
tags = ["x",
  'y']
a.b = 1
cover = {image = "x.png", alt = ""}

[params]
deep.er = "z"
[[menu]]
name = "one"
[[menu]]
name = "two"
[menu.sub]
k = 'v'
+++
Hi
`
	checkSplit(t, in, parted{"toml", []markup.Value{
		scalar("title", 2, `A "b" é`),
		scalar("date", 3, "2027-01-05"),
		scalar("at", 4, "2027-01-05T07:30:00"),
		scalar("zoned", 5, "2027-01-05 07:30:00+09:00"),
		scalar("num", 6, "1_000"),
		scalar("ratio", 7, "1.10"),
		scalar("draft", 8, "true"),
		list("tags", 9, scalar("", 9, "x"), scalar("", 9, "y")),
		mapping("a", 11, scalar("b", 11, "1")),
		mapping("cover", 12, scalar("image", 12, "x.png"), scalar("alt", 12, "")),
		mapping("params", 14, mapping("deep", 15, scalar("er", 15, "z"))),
		list("menu", 16,
			mapping("", 16, scalar("name", 17, "one")),
			mapping("", 18, scalar("name", 19, "two"), mapping("sub", 20, scalar("k", 21, "v")))),
	}, "Hi\n", 23})

	checkSplit(t, "\n---toml\na = 1\n---\nHi\n", parted{"toml", []markup.Value{scalar("a", 3, "1")}, "Hi\n", 5})
	checkSplit(t, "+++\r\n+++\r\nHi\r\n", parted{"toml", nil, "Hi\n", 3})

	for in, want := range map[string]struct {
		line int
		part string
	}{
		"a = 1\nb = x":      {3, "character"},
		"a = 1\na = 2":      {3, "already"},
		"a = 1\nA = 2":      {3, "line 2"},
		"a = 2027-02-30":    {2, "date"},
		"a: 1":              {2, "TOML"},
		"[x]\ny=1\n[x]\n":   {4, "already"},
		"a = 1\n\n\nb = '":  {5, "TOML"},
		"a = [1,\n2\nc = 3": {4, "array"},
	} {
		checkFault(t, "+++\n"+in+"\n+++\n", want.line, want.part)
	}
}

func TestB62JSON(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		in   string
		want parted
	}{
		"bare": {
			"{\n  \"title\": \"A }\",\n  \"n\": 1.10, \"draft\": true,\n  \"x\": null,\n  \"tags\": [\"a\",\n \"b\"],\n  \"m\": {\"k\": \"v\"}\n}\nHi\n",
			parted{"json", []markup.Value{
				scalar("title", 2, "A }"), scalar("n", 3, "1.10"), scalar("draft", 3, "true"),
				{Key: "x", Line: 4},
				list("tags", 5, scalar("", 5, "a"), scalar("", 6, "b")), mapping("m", 7, scalar("k", 7, "v")),
			}, "Hi\n", 9},
		},
		"on one line":           {"{\"a\": \"1\"}", parted{"json", []markup.Value{scalar("a", 1, "1")}, "", 2}},
		"value on its own line": {"{\"a\":\n\n\"1\"}\nHi", parted{"json", []markup.Value{scalar("a", 1, "1")}, "Hi", 4}},
		"after a mark":          {"\ufeff{\"a\": \"1\"} \r\nHi", parted{"json", []markup.Value{scalar("a", 1, "1")}, "Hi", 2}},
		"empty":                 {"{}\nHi", parted{"json", nil, "Hi", 2}},
		"fenced":                {";;;\n{\"a\": \"1\"}\n;;;\nHi", parted{"json", []markup.Value{scalar("a", 2, "1")}, "Hi", 4}},
		"fenced, no braces":     {";;;\n\"a\": \"1\",\n\"b\": false\n;;;\nHi", parted{"json", []markup.Value{scalar("a", 2, "1"), scalar("b", 3, "false")}, "Hi", 5}},
		"fenced, empty":         {";;;\n;;;\nHi", parted{"json", nil, "Hi", 3}},
		"fenced by dashes":      {"---json\n{\"a\": \"1\"}\n---\nHi", parted{"json", []markup.Value{scalar("a", 2, "1")}, "Hi", 4}},
		"a template tag":        {"{{< toc >}}\nHi", parted{"", nil, "{{< toc >}}\nHi", 1}},
		"an attribute list":     {"{: .lead}\nHi", parted{"", nil, "{: .lead}\nHi", 1}},
		"code later in a body":  {"Hi\n{\"a\": 1}\n", parted{"", nil, "Hi\n{\"a\": 1}\n", 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkSplit(t, tt.in, tt.want)
		})
	}
	for in, want := range map[string]struct {
		line int
		part string
	}{
		"{\n\"a\": 1,\n\"A\": 2\n}\n":        {3, "line 2"},
		"{ title: \"x\" }\n":                 {1, "JSON"},
		"{\"a\": 1} Hi\n":                    {1, "new line"},
		"{\n\"a\": 1,\n}\n":                  {3, "JSON"},
		";;;\n{\"a\": 1}\n{\"b\": 1}\n;;;\n": {3, "text after"},
		"---json\ntitle: x\n---\n":           {2, "JSON"},
		"{\"a\":" + strings.Repeat("[", 40) + strings.Repeat("]", 40): {1, "deep"},
	} {
		checkFault(t, in, want.line, want.part)
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{
		"---\ntitle: A\n---\nHi\n", "+++\na.b = [1, {c = 2}]\n[[d]]\ne = 1\n+++\n", "{\"a\": [1, null]}\nHi", ";;;\n\"a\": 1\n;;;\n",
		"\ufeff---\r\na: &x [*x]\r\n...", "\xff\xfea\x00", "---\n? [a]\n: b\n---\n", "---json\n{}\n---\n---\na: b\n---\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		front, body, line, err := markup.Split(data)
		if err != nil {
			var fault *markup.FrontError
			if !errors.As(err, &fault) || fault.Line < 1 || fault.Msg == "" {
				t.Fatalf("error %#v, want a FrontError with a line", err)
			}
			return
		}
		if line < 1 || strings.ContainsAny(string(body), "\r\x00") {
			t.Fatalf("body %q in line %d", body, line)
		}
		if front.Format == "" && (line != 1 || len(front.Values) > 0) {
			t.Fatalf("values %v without front matter", front.Values)
		}
	})
}
