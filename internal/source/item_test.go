package source

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// read parses a file as it would be on a site in Seoul.
func read(name, text string) parsed { return parse(name, []byte(text)).in(seoul, noon()) }

func checkItem(t *testing.T, name, text string, want Item) {
	t.Helper()
	p := read(name, text)
	if p.state != Ready {
		t.Fatalf("%s is %s: %s", name, p.state, p.reason)
	}
	if diff := cmp.Diff(want, p.item); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func checkFate(t *testing.T, text string, state State, part string) {
	t.Helper()
	if p := read("a.md", text); p.state != state || !strings.Contains(p.reason, part) {
		t.Errorf("%q is %s, %q; want %s, …%s…", text, p.state, p.reason, state, part)
	}
}

func TestItem(t *testing.T) {
	t.Parallel()
	checkItem(t, "010-First Post.md", `---
title: "Part 1: start"
slug: part-1
description: long
excerpt: Short.
categories: [News, "R & D", news]
category: Life
tags: go, 0123 , , "quoted"
author: jo
publish_on: 2027-01-05
date: 2027-01-04 07:30
layout: post
---

Hi
`, Item{
		Key: "first post", Name: "010-First Post.md", Title: "Part 1: start", Slug: "part-1", Excerpt: "Short.",
		Body: []byte("\nHi\n"), BodyLine: 14, Categories: []string{"News", "R & D", "Life"}, Tags: []string{"go", "0123", `"quoted"`},
		Author: "jo", PublishOn: "2027-01-05", NotBefore: time.Date(2027, 1, 4, 7, 30, 0, 0, seoul),
	})
	checkItem(t, "2_plain-words.md", "Hi\n", Item{
		Key: "plain-words", Name: "2_plain-words.md", Title: "Plain words", Slug: "plain-words", Body: []byte("Hi\n"), BodyLine: 1,
	})
	checkItem(t, "a.md", "\ufeff+++\r\nTitle = 'T'\r\nSummary = 'S'\r\nTags = ['x', 'y']\r\ndate = 2027-01-05T07:30:00Z\r\n+++\r\nHi\r\n", Item{
		Key: "a", Name: "a.md", Title: "T", Slug: "a", Excerpt: "S", Tags: []string{"x", "y"}, Body: []byte("Hi\n"), BodyLine: 7,
		NotBefore: time.Date(2027, 1, 5, 7, 30, 0, 0, time.UTC),
	})
	checkItem(t, "a.html", "{\"title\": \"T\", \"description\": \"D\", \"excerpt\": null}\n<p>Hi</p>", Item{
		Key: "a", Name: "a.html", Title: "T", Slug: "a", Excerpt: "D", HTML: true, Body: []byte("<p>Hi</p>"), BodyLine: 2,
	})
}

func TestTitleFromHeading(t *testing.T) {
	t.Parallel()
	checkItem(t, "a.md", "---\ntags: x\n---\n\n# Hello *you*\n\nHi\n", Item{
		Key: "a", Name: "a.md", Title: "Hello you", Slug: "a", Tags: []string{"x"}, Body: []byte("\nHi\n"), BodyLine: 6,
	})
	checkItem(t, "a.md", "---\ntitle: Hello\n---\n\n# Hello\n\nHi\n", Item{
		Key: "a", Name: "a.md", Title: "Hello", Slug: "a", Body: []byte("\n# Hello\n\nHi\n"), BodyLine: 4,
		Warnings: []string{"line 5: the text begins with its title, which the page then shows twice"},
	})
	checkItem(t, "a.html", "# Hello\n", Item{Key: "a", Name: "a.html", Title: "A", Slug: "a", HTML: true, Body: []byte("# Hello\n"), BodyLine: 1})
}

func TestTerms(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"tags: a, b":               {"a", "b"},
		"tags: [\"a, b\", c]":      {"a, b", "c"},
		"tags:\n  - a b\n  - 1.10": {"a b", "1.10"},
		"tag: a\ntags: b":          {"b", "a"},
		"tags: '#a, ##b'":          {"a", "#b"},
		"tags: C#":                 {"C#"},
		"tags: '[[Note]]'":         {"Note"},
		"tags: [[Note]]":           {"Note"},
		"tags: ['[[page|Shown]]']": {"Shown"},
		"tags: [[A, B], [C]]":      {"A", "B", "C"},
		"tags: [a, A, \" a \"]":    {"a"},
		"tags: 'a\n\n  b'":         {"a b"},
		"tags:":                    nil,
		"tags: ''":                 nil,
		"tags: [{id: 3, name: A, slug: a, checked: true}, {name: B, checked: false}, {title: C}, {slug: d}]": {"A", "C", "d"},
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			p := read("a.md", "---\n"+in+"\n---\nHi\n")
			if diff := cmp.Diff(want, p.item.Tags); diff != "" || p.state != Ready {
				t.Errorf("%s %s (-want +got)\n%s", p.state, p.reason, diff)
			}
			p = read("a.md", "---\n"+strings.NewReplacer("tags", "categories", "tag", "category").Replace(in)+"\n---\nHi\n")
			if diff := cmp.Diff(want, p.item.Categories); diff != "" {
				t.Errorf("as categories: (-want +got)\n%s", diff)
			}
		})
	}
	checkFate(t, "---\na: 1\ntags: {b: 1}\n---\nHi", Faulty, "line 3: tags must be a list")
	checkFate(t, "---\ntags:\n- a\n- {id: 3}\n---\nHi", Faulty, "line 4: an entry of tags has no name")
}

func TestB60NullTagsAreWarnedOf(t *testing.T) {
	t.Parallel()
	p := read("a.md", "---\ntags:\n- #tag\n- b\n---\nHi")
	want := []string{`line 3: an empty entry of tags is left out (YAML takes #word for a remark; write "#word")`}
	if diff := cmp.Diff(want, p.item.Warnings); diff != "" || p.state != Ready {
		t.Errorf("%s (-want +got)\n%s", p.state, diff)
	}
}

func TestSlipsInKeysAreWarnedOf(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"tilte": "title", "categoires": "categories", "publish-onn": "publish_on", "Publshed": "published", "tgs": "tags", "darft": "draft",
		"layout": "", "type": "", "updated": "", "weight": "", "Publish On": "", "cover": "", "Pub-Date": "", "isDraft": "", "comments": "",
	} {
		p := read("a.md", "---\n"+key+":\n---\nHi")
		got := strings.Join(p.item.Warnings, "; ")
		if want != "" {
			want = "line 2: " + key + " is not read; is " + want + " meant?"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

func TestUnknownKeysAreNamed(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"title: T\nlang: ko\nlayout: post\naliases: [/a]\nseries:": "line 3: not read: lang, aliases, series",
		"excerpt: a\ndescription: b\nsummary: c":                   "",
		"categories: a\ntags: b\ntaxonomies: {tags: [c]}":          "",
		"meta: yes":       "line 2: meta is not read: it has no keys and values, its keys being registered meta keys",
		"taxonomies: [a]": "line 2: taxonomies is not read: it has no keys and values, its keys being the taxonomies' REST bases",
		"format: gfm":     `line 2: format is not read: "gfm" is no post format of WordPress`,
	} {
		p := read("a.md", "---\n"+in+"\n---\nHi")
		if got := strings.Join(p.item.Warnings, "; "); got != want || p.state != Ready {
			t.Errorf("%q: %s, %q; want %q", in, p.state, got, want)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for in, want := range map[string]Settings{
		"sticky: true":         {Sticky: &yes},
		"sticky: 0":            {Sticky: &no},
		"pinned: 100":          {Sticky: &yes}, // Hexo
		"comments: false":      {CommentStatus: "closed"},
		"comment_status: Open": {CommentStatus: "open"},
		"allow-comments: yes\nping_status: closed": {CommentStatus: "open", PingStatus: "closed"},
		"template: wide.php":                       {Template: "wide.php"},
		"format: Aside":                            {Format: "aside"},
		"taxonomies: {genre: [a, A, b], mood: 'x, y', empty: , tags: [c]}": {Taxonomies: map[string][]string{"genre": {"a", "b"}, "mood": {"x", "y"}}},
		"meta: {views: 010, on: true, list: [a, 1], map: {b: c}, none: }": {
			Meta: map[string]any{"views": "010", "on": "true", "list": []any{"a", "1"}, "map": map[string]any{"b": "c"}, "none": nil},
		},
	} {
		p := read("a.md", "---\n"+in+"\n---\nHi")
		if diff := cmp.Diff(want, p.item.Settings); diff != "" || p.state != Ready || len(p.item.Warnings) > 0 {
			t.Errorf("%q: %s, %s, %v (-want +got)\n%s", in, p.state, p.reason, p.item.Warnings, diff)
		}
	}
	// Zola's place for tags, and Hugo's TOML.
	p := read("a.md", "+++\n[taxonomies]\ntags = ['a']\ncategories = ['b']\n+++\nHi")
	if got := slices.Concat(p.item.Tags, p.item.Categories); !cmp.Equal(got, []string{"a", "b"}) || p.item.Taxonomies != nil {
		t.Errorf("got %q, %v", got, p.item.Taxonomies)
	}
}

func TestAuthor(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"author: jo": "jo", "author: [jo]": "jo", "authors: [jo, al]": "jo", "author: {name: Jo, login: jo}": "jo",
		"authors: [{name: Jo Doe}]": "Jo Doe", "author:": "", "author: ''\nauthors: al": "al",
	} {
		p := read("a.md", "---\n"+in+"\n---\nHi")
		if p.item.Author != want || (len(p.item.Warnings) > 0) != strings.Contains(in, "al]") {
			t.Errorf("%q: %q, %v; want %q", in, p.item.Author, p.item.Warnings, want)
		}
	}
}

// TestDateInTheName is Jekyll's: not before that day, unless the front matter
// has a date.
func TestDateInTheName(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2027, 1, day, 0, 0, 0, 0, seoul) }
	for _, tt := range []struct {
		name, front string
		want        time.Time
	}{
		{"2027-01-05-a.md", "a: 1", at(5)},
		{"010-20270105_a.md", "a: 1", at(5)},
		{"2027-01-05-08-30-a.md", "a: 1", at(5)}, // the day, whatever the hour
		{"2027-01-05-a.md", "date: 2027-01-07", at(7)},
		{"2027-01-05-a.md", "date: 2027-01-02", at(2)},
		{"2027-13-05-a.md", "a: 1", time.Time{}},
		{"a-2027-01-05.md", "a: 1", time.Time{}},
	} {
		if p := read(tt.name, "---\n"+tt.front+"\n---\nHi"); !p.item.NotBefore.Equal(tt.want) {
			t.Errorf("%s with %s: not before %v, want %v", tt.name, tt.front, p.item.NotBefore, tt.want)
		}
	}
}

func TestItemFaults(t *testing.T) {
	t.Parallel()
	for text, part := range map[string]string{
		"---\ntitle: a: b\n---\nHi":                                    "line 2",
		"---\na: 1\ntitle: [[Note]]\n---\nHi":                          "line 3: title must be one text",
		"---\ntitle: {a: b}\n---\nHi":                                  "line 2: title must be one text",
		"---\nsticky: often\n---\nHi":                                  "line 2: sticky must be true or false",
		"---\ncomments: some\n---\nHi":                                 "line 2: comments must be open or closed",
		"---\npublish_on: 2027-02-30\n---\nHi":                         "line 2: publish_on: the day 2027-02-30 does not exist",
		"---\npublish_on: 2027-1-5\n---\nHi":                           "line 2: publish_on: \"2027-1-5\" must be a day",
		"---\npublish_on: 2027-01-05 07:30\n---\nHi":                   "must be a day",
		"---\npublish_on: tomorrow\n---\nHi":                           "must be a day",
		"---\npublish_on: 2027-01-05\npublish-on: 2027-01-06\n---\nHi": "line 3: publish-on contradicts publish_on in line 2",
		"---\na: 1\ndate: soon\n---\nHi":                               "line 3: date: date \"soon\" can't be read",
		"---\ndate: 2027-02-30\n---\nHi":                               "line 2: date: date \"2027-02-30\" does not exist",
		"---\npublished: soon\n---\nHi":                                "line 2: published: date \"soon\"",
		"---\ndraft: maybe\n---\nHi":                                   "line 2: draft must be true or false",
		"---\ntitle: A\n---\n\n":                                       "no text below",
		"# Only a title\n":                                             "no text below",
		"---\npublish_on: 2027-01-05\ndate: 2027-01-06\n---\nHi":       "publish_on 2027-01-05 is over before the file's date, 2027-01-06 00:00:00",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			checkFate(t, text, Faulty, part)
		})
	}
	if p := read("a.html", "---\ntitle: A\n---\n\n<!DOCTYPE html>\n<html><body>Hi</body></html>"); p.state != Faulty || !strings.Contains(p.reason, "whole HTML page") {
		t.Errorf("a whole page is %s, %q", p.state, p.reason)
	}
	checkFate(t, "---\npublish_on: 2027-01-05\ndate: 2027-01-05 23:59\n---\nHi", Ready, "")
	checkFate(t, "---\npublish_on: 2027-01-05\npublish-on: 2027-01-05\n---\nHi", Ready, "")
	checkFate(t, "---\nauthor: [jo]\ndate:\npublish_on:\ntitle:\n---\nHi", Ready, "")
}

func TestDraftSigns(t *testing.T) {
	t.Parallel()
	for line, state := range map[string]State{
		"draft: true": Held, "Draft: Yes": Held, "draft: on": Held, "draft: 1": Held, "draft: \"true\"": Held, "draft: 'YES'": Held,
		"draft: false": Ready, "draft: no": Ready, "draft: Off": Ready, "draft:": Ready, "draft: ''": Ready,
		"published: false": Held, "publish: no": Held, "published: true": Ready, "publish: yes": Ready, "published: 2020-01-05": Ready,
		"wip: true": Held, "wip: false": Ready, "private: true": Held, "visibility: private": Held, "visibility: public": Ready,
		"status: draft": Held, "status: Private": Held, "status: pending": Held, "status: idea": Held, "status: in review": Held,
		"isDraft: true": Held, "is_draft: false": Ready, "hidden: true": Held, "ready: false": Held, "Ready: yes": Ready, "post_status: draft": Held,
		"status: 'Draft'": Held, "DRAFT: TRUE": Held, "status: [draft]": Held, "unpublished: true": Held, "draft: True # now": Held,
		"status: publish": Ready, "status: Published": Ready, "status: future": Ready, "status: ready": Ready,
		"password: x": Held, "password:": Ready,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			part := ""
			if state == Held {
				part = "line 3: " + strings.ToLower(line[:1])
			}
			p := read("a.md", "---\na: 1\n"+line+"\n---\nHi")
			if p.state != state || !strings.HasPrefix(strings.ToLower(p.reason), part) {
				t.Errorf("%s, %q; want %s", p.state, p.reason, state)
			}
		})
	}
	checkFate(t, "+++\ndraft = true\n+++\nHi", Held, "line 2: draft: true")
	checkFate(t, "{\"draft\": true}\nHi", Held, "line 1: draft: true")
	// A draft is at work: it may be unfinished and wrong.
	checkFate(t, "---\ndraft: true\ndate: soon\n---\n", Held, "draft")
	checkFate(t, "---\npublished: false\n---\n![](x.png)", Held, "published")
}

func TestB61Dates(t *testing.T) {
	t.Parallel()
	const day = "2027-01-05"
	at := func(hour, minute, second int, loc *time.Location) time.Time {
		return time.Date(2027, 1, 5, hour, minute, second, 0, loc)
	}
	india := time.FixedZone("", 5*3600+1800)
	for in, want := range map[string]time.Time{
		day: at(0, 0, 0, seoul), "2027-1-5": at(0, 0, 0, seoul), "2027/01/05": at(0, 0, 0, seoul), "2027.01.05": at(0, 0, 0, seoul),
		day + " 07:30": at(7, 30, 0, seoul), day + "T07:30": at(7, 30, 0, seoul), day + " 7:30": at(7, 30, 0, seoul),
		day + " 07:30:15": at(7, 30, 15, seoul), day + "t07:30:15.123": at(7, 30, 15, seoul), "2027/1/5  7:30:15": at(7, 30, 15, seoul),
		day + "T07:30:15Z": at(7, 30, 15, time.UTC), day + " 07:30 UTC": at(7, 30, 0, time.UTC), day + " 07:30 GMT": at(7, 30, 0, time.UTC),
		day + " 07:30:15 +0530": at(7, 30, 15, india), day + "T07:30+05:30": at(7, 30, 0, india), day + "T07:30:15.5+05:30": at(7, 30, 15, india),
		"Jan 05 2027": at(0, 0, 0, seoul), "January 5, 2027": at(0, 0, 0, seoul), "5 jan 2027": at(0, 0, 0, seoul),
		"Tue, 5 Jan 2027 07:30:15 +0530": at(7, 30, 15, india), "Tue, 05 Jan 2027 07:30:15 +0000": at(7, 30, 15, time.UTC),
		day + " 07:30 +09": at(7, 30, 0, seoul), day + " 07:30:00 -00": at(7, 30, 0, time.UTC),
	} {
		m, err := parseMoment(in)
		if err != nil || !m.in(seoul).Equal(want) {
			t.Errorf("%q is %v, %v; want %v", in, m.in(seoul), err, want)
		}
		// A YAML and a TOML date come through as written, quotes or not.
		if p := read("a.md", "---\ndate: "+in+"\n---\nHi"); p.state != Ready || !p.item.NotBefore.Equal(want) {
			t.Errorf("%q in front matter is %v, %s", in, p.item.NotBefore, p.reason)
		}
	}
	for _, in := range []string{
		"", "soon", "2027", "2027-01", "2027-02-30", "2027-13-01", "2027-00-10", "2027-01-05 24:00:00", "2027-01-05 07:60", "2027-01-05 07",
		"2027-01-05 07:30 KST", "2027-01-05 07:30 +9", "05.01.2027", "01/05/2027", "Janury 5, 2027", "January 32, 2027", "2027-01-05 07:30 pm", "1798588800", "2027-01-05+09:00",
	} {
		if m, err := parseMoment(in); err == nil {
			t.Errorf("%q is read as %v", in, m)
		}
	}
	// The latest date counts.
	p := read("a.md", "---\npublishDate: 2027-01-06\ndate: 2027-01-05\npubdate: 2027-01-04\n---\nHi")
	if want := time.Date(2027, 1, 6, 0, 0, 0, 0, seoul); !p.item.NotBefore.Equal(want) {
		t.Errorf("not before %v, want %v", p.item.NotBefore, want)
	}
}

// B64: a featured image is found under the words that people have for it.
func TestB64FeaturedImage(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Featured{
		"image: x.png": {"x.png", "", 2},
		"a: 1\nfeatured_image: https://e.example/x":           {"https://e.example/x", "", 3},
		"featuredImage: img/사진 1.png\nfeatured_image_alt: 바다": {"img/사진 1.png", "바다", 2},
		"featured_media: 123":                                 {"123", "", 2},
		"thumbnail: x":                                        {"x", "", 2},
		"banner: x":                                           {"x", "", 2},
		"heroImage: ../../assets/x.jpg":                       {"../../assets/x.jpg", "", 2},
		"cover:\n  image: x.png\n  alt: y\n  relative: true":  {"x.png", "y", 2},
		"image:\n  path: /a/x.png\n  lqip: data:x":            {"/a/x.png", "", 2},
		"images: ['', x.png, y.png]":                          {"x.png", "", 2},
		"cover: \"[[pic one.png|300]]\"":                      {"pic one.png", "", 2},
		"cover: [[pic one.png]]":                              {"pic one.png", "", 2},
		"cover: \"![[pic.png]]\"":                             {"pic.png", "", 2},
		"featured: true\nimage: x.png":                        {"x.png", "", 3},
		"image:":                                              {},
		"cover: false":                                        {},
		"cover:\n  image: ''\n  alt: x":                       {},
		"images: []":                                          {},
	} {
		p := parse("a.md", []byte("---\n"+text+"\n---\nHi ![](b.png)"))
		if p.state != Ready || p.item.Featured != want {
			t.Errorf("%s: %s (%s), %+v, want %+v", text, p.state, p.reason, p.item.Featured, want)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ key, slug, title string }{
		"first.md":                      {"first", "first", "First"},
		"010-First_post.md":             {"first_post", "First_post", "First post"},
		"10_first.md":                   {"first", "first", "First"},
		"10.first.md":                   {"first", "first", "First"},
		"1. First-rate post.md":         {"first-rate post", "First-rate post", "First-rate post"},
		"7 things.md":                   {"things", "things", "Things"},
		"3.5 tips.md":                   {"3.5 tips", "3.5 tips", "3.5 tips"},
		"123.md":                        {"123", "123", "123"},
		"12-.md":                        {"12-", "12-", "12-"},
		"2027 review.md":                {"2027 review", "2027 review", "2027 review"},
		"2026-12-01-hello.md":           {"2026-12-01-hello", "hello", "Hello"},
		"2026-12-01-08-hello.md":        {"2026-12-01-08-hello", "hello", "Hello"},
		"2026-12-01-08-30-hello.md":     {"2026-12-01-08-30-hello", "hello", "Hello"},
		"20261201_hello.md":             {"20261201_hello", "hello", "Hello"},
		"010-2026-12-01 hello there.md": {"2026-12-01 hello there", "hello there", "Hello there"},
		"2026-12-01.md":                 {"2026-12-01", "2026-12-01", "2026-12-01"},
		"2026-12-01-7.md":               {"2026-12-01-7", "2026-12-01-7", "2026-12-01-7"},
		"2026-12-01-08-30-7.md":         {"2026-12-01-08-30-7", "2026-12-01-08-30-7", "2026-12-01-08-30-7"},
		"2026-13-41-x.md":               {"2026-13-41-x", "2026-13-41-x", "2026 13 41 x"},
		"v1.2 is out.md":                {"v1.2 is out", "v1.2 is out", "V1.2 is out"},
		"010-가나-다라.md":                  {"가나-다라", "가나-다라", "가나 다라"},
		"Cafe\u0301.md":                 {"caf\u00e9", "Caf\u00e9", "Caf\u00e9"},
		"2021-03-04-【1】a／b v2.0 notes.markdown": {"2021-03-04-【1】a／b v2.0 notes", "【1】a／b v2.0 notes", "【1】a／b v2.0 notes"},
	} {
		if key, slug, title := keyOf(name), wordsOf(name), titleOf(name); key != want.key || slug != want.slug || title != want.title {
			t.Errorf("%s: %q, %q, %q; want %q", name, key, slug, title, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("010-a.md", []byte("---\ntitle: A\ntags: [a, {name: b}]\ndate: 2027-01-05\ncover: {image: x}\n---\n# H\n\n![](x.png)\n"))
	f.Add("2026-12-01-08-30-a.html", []byte("{\"publish_on\": \"2027-01-05\"}\n<img src=x>"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		p := parse(name, data).in(seoul, noon())
		if (p.state == Ready) != (p.reason == "") {
			t.Fatalf("%s with reason %q", p.state, p.reason)
		}
		if p.state == Ready && (len(p.item.Body) == 0 || p.item.BodyLine < 1) {
			t.Fatalf("item without text: %+v", p.item)
		}
	})
}

// TestDayThatIsOver passes midnight while the file stays as it was read.
func TestDayThatIsOver(t *testing.T) {
	t.Parallel()
	q := newQueue(t, map[string]string{"a.md": "---\npublish_on: 2026-12-01\n---\nHi", "b.md": "---\npublish_on: 2026-12-01\ndraft: true\n---\nHi"})
	midnight := time.Date(2026, 12, 2, 0, 0, 0, 0, seoul)
	for now, want := range map[time.Time]State{midnight.Add(-time.Second): Ready, midnight: Faulty} {
		q.now = func() time.Time { return now }
		if got := q.entries(); got[0].State != want || got[1].State != Held {
			t.Errorf("at %s: %+v, want %s and held", now, got, want)
		}
	}
	q.now = func() time.Time { return midnight }
	if got, want := q.entries()[0].Reason, "publish_on 2026-12-01 is over: change or remove the line"; got != want {
		t.Errorf("reason = %q, want %q", got, want)
	}
}
