package markup

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sample() Marker {
	return Marker{
		Job: "daily", Slot: time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC),
		Item: "첫 글", Text: "0a1b", Host: "my--pc", ID: 12,
	}
}

const encoded = "v1;job=daily;slot=2026-11-30T23:00:00Z;item=%EC%B2%AB%20%EA%B8%80;text=0a1b;host=my-%2Dpc;id=12"

func TestSetMarker(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ content, want string }{
		"paragraph": {
			"<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->",
			`<!-- wp:paragraph {"metadata":{"morrow":"` + encoded + `"}} -->` + "\n<p>a</p>\n<!-- /wp:paragraph -->",
		},
		"other attributes keep their text": {
			"\n <!-- wp:x/y  { \"b\" : [1.0,{\"c\":\"}\\u002d\\u002d\u003e\"}], \"a\":2 }  -->z",
			"\n <!-- wp:x/y  { \"b\" : [1.0,{\"c\":\"}\\u002d\\u002d\u003e\"}], \"a\":2,\"metadata\":{\"morrow\":\"" + encoded + "\"} }  -->z",
		},
		"other metadata stays": {
			`<!-- wp:group {"metadata":{"name":"x"},"a":1} -->`,
			`<!-- wp:group {"metadata":{"name":"x","morrow":"` + encoded + `"},"a":1} -->`,
		},
		"block without content": {`<!-- wp:spacer {"height":"9px"} /-->`, `<!-- wp:spacer {"height":"9px","metadata":{"morrow":"` + encoded + `"}} /-->`},
		"older marker":          {`<!-- wp:p {"metadata":{"morrow":"v1;job=;item=;text=;host="}} -->`, `<!-- wp:p {"metadata":{"morrow":"` + encoded + `"}} -->`},
		"damaged marker":        {`<!-- wp:p {"metadata":{"morrow":"v7;?","name":"x"}} -->`, `<!-- wp:p {"metadata":{"morrow":"` + encoded + `","name":"x"}} -->`},
		"html":                  {"<p>a</p>", "<p>a</p>\n<!-- morrow " + encoded + " -->"},
		"html, older marker":    {"<p>a</p>\n<!-- morrow v1;job=;item=;text=;host= -->\n", "<p>a</p>\n<!-- morrow " + encoded + " -->"},
		"text before blocks":    {"a<!-- wp:p -->", "a<!-- wp:p -->\n<!-- morrow " + encoded + " -->"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := SetMarker(tc.content, sample())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if _, m, ok := CutMarker(got); !ok || m != sample() {
				t.Errorf("CutMarker found %+v, %v", m, ok)
			}
		})
	}
}

func TestSetMarkerMalformed(t *testing.T) {
	t.Parallel()
	for _, content := range []string{`<!-- wp:p {"a":} -->`, `<!-- wp:p {"metadata":"x"} -->`, `<!-- wp:p {"metadata":[1]} -->`} {
		if got, err := SetMarker(content, sample()); err == nil {
			t.Errorf("SetMarker(%q) = %q, want an error", content, got)
		}
	}
}

func TestCutMarker(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		content, rest string
		ok            bool
	}{
		"after the editor's re-ordering": {
			`<!-- wp:heading {"metadata":{"name":"x","morrow":"` + encoded + `"},"level":3} -->`,
			`<!-- wp:heading {"metadata":{"name":"x"},"level":3} -->`, true,
		},
		"first of two": {
			`<!-- wp:heading {"metadata":{"morrow":"` + encoded + `"},"level":3} -->`,
			`<!-- wp:heading {"level":3} -->`, true,
		},
		"escaped as JSON may": {
			`<!-- wp:p {"metadata":{"morrow":"` + strings.ReplaceAll(encoded, "-", `\u002d`) + `"}} -->`,
			`<!-- wp:p -->`, true,
		},
		"comment and blank": {"<p>a</p>\n<!-- morrow " + encoded + " -->\n", "<p>a</p>", true},
		"only a comment":    {"<!-- morrow " + encoded + " -->", "", true},
		"no marker":         {"<!-- wp:p -->a", "", false},
		"in the second block": {
			`<!-- wp:p -->a<!-- /wp:p --><!-- wp:p {"metadata":{"morrow":"` + encoded + `"}} -->`, "", false,
		},
		"in prose":        {"<p>&lt;!-- morrow " + encoded + " --&gt;</p>", "", false},
		"in code":         {"<!-- wp:code --><pre><code>{\"metadata\":{\"morrow\":\"" + encoded + "\"}} <!-- morrow " + encoded + " --></code></pre><!-- /wp:code -->", "", false},
		"comment amid":    {"<!-- morrow " + encoded + " --><p>a</p>", "", false},
		"unknown version": {`<!-- wp:p {"metadata":{"morrow":"` + strings.Replace(encoded, "v1", "v2", 1) + `"}} -->`, "", false},
		"unknown field":   {"<!-- morrow " + encoded + ";x=y -->", "", false},
		"field twice":     {"<!-- morrow " + strings.Replace(encoded, "job=daily", "job=daily;job=x", 1) + " -->", "", false},
		"field missing":   {"<!-- morrow " + strings.Replace(encoded, ";text=0a1b", "", 1) + " -->", "", false},
		"cut off":         {"<!-- morrow " + encoded[:40] + " -->", "", false},
		"broken escape":   {"<!-- morrow " + strings.Replace(encoded, "%20", "%2", 1) + " -->", "", false},
		"bad id":          {"<!-- morrow " + strings.Replace(encoded, "id=12", "id=0012", 1) + " -->", "", false},
		"bad slot":        {"<!-- morrow " + strings.Replace(encoded, "11-30", "13-40", 1) + " -->", "", false},
		"not a string":    {`<!-- wp:p {"metadata":{"morrow":12}} -->`, "", false},
		"empty":           {"", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := tc.rest
			if !tc.ok {
				want = tc.content
			}
			rest, m, ok := CutMarker(tc.content)
			if ok != tc.ok || rest != want {
				t.Errorf("CutMarker = %q, %v; want %q, %v", rest, ok, want, tc.ok)
			}
			if ok && m != sample() {
				t.Errorf("marker %+v", m)
			}
		})
	}
}

// Any strings survive, in a form that has nothing an HTML comment, JSON or
// kses could stumble over.
func TestMarkerRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		nasty := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			`a"b`, "--", "-->", "<b>", ";id=9", "job=x;", "\n", "한글 😀", "R&D", "&#91;", "[x]", "%41", "+", "\xff", "---",
		}))
		m := Marker{
			Job: nasty.Draw(t, "job"), Item: nasty.Draw(t, "item"), Text: nasty.Draw(t, "text"),
			Host: nasty.Draw(t, "host"), ID: rapid.Int64().Draw(t, "id"),
		}
		if sec := rapid.Int64Range(0, 1<<33).Draw(t, "slot"); sec > 0 {
			m.Slot = time.Unix(sec, 0).UTC()
		}
		content := rapid.SampledFrom([]string{
			"", "a\n", "\n", "<p>x</p>", "<!-- wp:p -->\na", `<!-- wp:p {"a":1} /-->`, `<!-- wp:p {"metadata":{"a":"--"}, "b":[] } -->x`,
		}).Draw(t, "content")
		got, err := SetMarker(content, m)
		if err != nil {
			t.Fatal(err)
		}
		if s := m.encode(); strings.Contains(s, "--") || strings.ContainsAny(s, "\"'<>&[]\\\n ") {
			t.Fatalf("unsafe %q", s)
		}
		if !strings.Contains(got, "morrow") {
			t.Fatalf("a search for morrow would miss %q", got)
		}
		rest, back, ok := CutMarker(got)
		if !ok || rest != content || back != m {
			t.Fatalf("CutMarker(%q) = %q, %+v, %v", got, rest, back, ok)
		}
	})
}

func FuzzCutMarker(f *testing.F) {
	f.Add(`<!-- wp:p {"metadata":{"morrow":"` + encoded + `"},"a":[{}]} -->x`)
	f.Add("a\n<!-- morrow " + encoded + " -->")
	f.Fuzz(func(t *testing.T, content string) {
		rest, m, ok := CutMarker(content)
		if !ok {
			if rest != content {
				t.Fatalf("rest %q of %q", rest, content)
			}
			return
		}
		again, err := SetMarker(rest, m)
		if err != nil {
			t.Fatalf("SetMarker(%q): %v", rest, err)
		}
		if _, back, ok := CutMarker(again); !ok || back != m {
			t.Fatalf("second CutMarker(%q) = %+v, %v", again, back, ok)
		}
	})
}

// FuzzFirstBlock holds firstBlock to the expression of WordPress's block parser
// (WP_Block_Parser::next_token), for an opening at the start of the content.
func FuzzFirstBlock(f *testing.F) {
	parser := regexp.MustCompile(`(?s)^(\s*<!--\s+wp:(?:[a-z][a-z0-9_-]*/)?[a-z][a-z0-9_-]*\s+)(\{.*?\}\s+)?/?-->`)
	for _, content := range []string{
		"", "<!-- wp:p -->", " \n<!--\twp:a-1/b_2\f{\"a\":{} }  } /-->x", "<!-- wp:p /-->", "<!-- wp:p/ -->", "<!-- wp:/p -->", "<!-- wp:1 -->",
		"<!-- wp:p-->", "<!--wp:p -->", "<!-- wp:p {} -->", "<!-- wp:p {}-->", "<!-- wp:p {a -->} -->", "<!-- wp:p {a} -- >", "<!-- wp:a/b/c -->",
		"<!-- wp:P -->", "<!-- wp:p x -->", "<!-- /wp:p -->", "<!-- wp:p {}\v-->", "<!-- wp: -->", "<!-- wp:a/ {} -->", "<!-- wp:a/1 -->",
	} {
		f.Add(content)
	}
	f.Fuzz(func(t *testing.T, content string) {
		var want opening
		m := parser.FindStringSubmatch(content)
		if m != nil {
			want = opening{m[1], m[2]}
		}
		if got, ok := firstBlock(content); got != want || ok != (m != nil) {
			t.Errorf("firstBlock(%q) = %+v, %v; want %+v, %v", content, got, ok, want, m != nil)
		}
	})
}

// FuzzOnlyMarker holds the shortcut to what JSON says.
func FuzzOnlyMarker(f *testing.F) {
	f.Add(`{"metadata":{"morrow":"` + encoded + `"}} `)
	f.Add(`{"metadata":{"morrow":"a"}},"b":1} `)
	f.Add(`{"metadata":{"morrow":"a\u002d"}}`)
	f.Add(`{"metadata":{"morrow":"a"}}{`)
	f.Add("{\"metadata\":{\"morrow\":\"\xff\"}}\n")
	f.Fuzz(func(t *testing.T, attrs string) {
		got, ok := onlyMarker(attrs)
		if !ok {
			return
		}
		var want struct {
			Metadata struct {
				Morrow string `json:"morrow"`
			} `json:"metadata"`
		}
		d := json.NewDecoder(strings.NewReader(attrs))
		if err := d.Decode(&want); err != nil || got != want.Metadata.Morrow {
			t.Errorf("onlyMarker(%q) = %q, JSON says %q, %v", attrs, got, want.Metadata.Morrow, err)
		}
	})
}
