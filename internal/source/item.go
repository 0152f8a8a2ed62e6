package source

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"morrow/internal/markup"
	"morrow/internal/pattern"
)

// parsed is what a file says, whatever the hour and the zone.
type parsed struct {
	item   Item // without NotBefore
	dates  []moment
	typ    markup.Value // the post type that it names, if it does
	state  State
	reason string
	wait   time.Duration // while held for being young
}

// isItem says whether the file was read and may go out, if not now.
func (p parsed) isItem() bool { return p.state == Ready || p.state == Held && p.item.Name != "" }

func faulty(format string, args ...any) parsed {
	return parsed{state: Faulty, reason: fmt.Sprintf(format, args...)}
}

func held(format string, args ...any) parsed {
	return parsed{state: Held, reason: fmt.Sprintf(format, args...)}
}

var wholePage = pattern.Lazy(`(?i)^\s*(?:<!doctype|<html)`)

// parse reads a file's text.
func parse(name string, data []byte) parsed {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return faulty("the file is empty; write it or delete it")
	case len(bytes.Trim(data, "\x00")) == 0:
		return faulty("the file holds only NUL bytes: a cloud placeholder or a broken copy; download or restore it")
	}
	front, body, line, err := markup.Split(data)
	if err != nil {
		return faulty("%v", err)
	}
	f := newFields(front.Values)
	p := parsed{state: Ready, item: Item{
		Key: keyOf(name), Name: name, HTML: isHTML(name),
		Title: f.text("title"), Slug: f.text("slug"), Excerpt: f.text("excerpt", "summary", "description"),
		Body: body, BodyLine: line,
		Categories: f.ownTerms("categories", "category"), Tags: f.ownTerms("tags", "tag"),
		Author: f.author(), Featured: f.featured(), Settings: f.readSettings(),
	}}
	if found := f.texts("type", "posttype"); len(found) > 0 {
		p.typ = found[0]
	}
	p.readTitle(f)
	if p.item.Slug == "" {
		p.item.Slug = wordsOf(name)
	}
	p.readDays(f)
	hold := p.draftSign(f)
	f.unread()
	p.item.Warnings = f.warnings
	switch {
	case hold != "": // a draft may have faults: it is at work
		p.state, p.reason = Held, hold
	case f.fault != nil:
		p.state, p.reason = Faulty, f.fault.Error()
	case len(bytes.TrimSpace(p.item.Body)) == 0:
		p.state, p.reason = Faulty, "there is no text below the title or front matter; write it, or mark the file with draft: true"
	case p.item.HTML && wholePage().Match(body):
		p.state, p.reason = Faulty, fmt.Sprintf("line %d: a whole HTML page; keep what stands inside its <body>", line)
	}
	return p
}

// readTitle settles the title: front matter, else the heading that the body
// begins with, which then is no part of the body, else the file's name.
func (p *parsed) readTitle(f *fields) {
	it := &p.item
	if !it.HTML {
		heading, rest, lines := markup.LeadingTitle(it.Body)
		switch {
		case heading == "":
		case it.Title == "":
			it.Title, it.Body, it.BodyLine = heading, rest, it.BodyLine+lines
		case it.Title == heading:
			f.warn(it.BodyLine+lines-1, "the text begins with its title, which the page then shows twice")
		}
	}
	if it.Title == "" {
		it.Title = titleOf(it.Name)
	}
}

// readDays reads the day that the item is pinned to and the moments before
// which it may not go out.
func (p *parsed) readDays(f *fields) {
	if v, ok := f.one("publishon"); ok {
		if err := checkDay(v.Text); err != nil {
			f.fail(v.Line, "%s: %v", v.Key, err)
		}
		p.item.PublishOn = v.Text
	}
	for _, v := range f.texts("date", "publishdate", "pubdate") {
		p.addDate(f, v)
	}
	if day, ok := dayOf(p.item.Name); ok && len(p.dates) == 0 {
		p.dates = append(p.dates, moment{wall: day})
	}
}

func (p *parsed) addDate(f *fields, v markup.Value) {
	m, err := parseMoment(v.Text)
	if err != nil {
		f.fail(v.Line, "%s: %v", v.Key, err)
	}
	p.dates = append(p.dates, m)
}

// draftSign says why the author does not want the item to go out; "" if
// nothing says so.
func (p *parsed) draftSign(f *fields) string {
	for _, v := range f.texts("draft", "isdraft", "wip", "private", "isprivate", "hidden", "unpublished") {
		if yes, known := parseBool(v.Text); yes {
			return sign(v)
		} else if !known {
			f.fail(v.Line, "%s must be true or false", v.Key)
		}
	}
	for _, v := range f.texts("publish", "published", "ispublished", "ready") {
		if yes, known := parseBool(v.Text); !known {
			p.addDate(f, v) // some write the date here
		} else if !yes {
			return sign(v)
		}
	}
	for _, v := range f.texts("status", "poststatus", "visibility") {
		if !meansReady(v.Text) {
			return sign(v)
		}
	}
	if v, ok := f.one("password"); ok {
		return fmt.Sprintf("line %d: %s: a post behind a password is not made; take the line out to publish the text openly", v.Line, v.Key)
	}
	return ""
}

func sign(v markup.Value) string {
	return fmt.Sprintf("line %d: %s: %s; take the line out when the text is ready", v.Line, v.Key, v.Text)
}

// meansReady: an unknown status holds the item, since a text that waits is
// better than one that is public too early.
func meansReady(status string) bool {
	switch strings.ToLower(status) {
	case "publish", "published", "public", "future", "scheduled", "ready", "final", "done", "complete", "completed", "approved":
		return true
	}
	return false
}

// of settles what depends on the post type that the job makes, a REST base:
// in a front matter "post" and "posts" are one.
func (p parsed) of(typ string) parsed {
	singular := func(s string) string { return strings.TrimSuffix(fold(s), "s") }
	if p.state == Ready && p.typ.Text != "" && singular(p.typ.Text) != singular(typ) {
		p.state = Faulty
		p.reason = fmt.Sprintf("line %d: %s: %s, but this job makes %s; take the line out, or put the file into another job's folder", p.typ.Line, p.typ.Key, p.typ.Text, typ)
	}
	return p
}

// in settles what depends on the site's zone and the hour.
func (p parsed) in(loc *time.Location, now time.Time) parsed {
	for _, m := range p.dates {
		if at := m.in(loc); at.After(p.item.NotBefore) {
			p.item.NotBefore = at
		}
	}
	if p.state != Ready || p.item.PublishOn == "" {
		return p
	}
	day, _ := time.ParseInLocation(time.DateOnly, p.item.PublishOn, loc)
	switch end := day.AddDate(0, 0, 1); {
	case !now.Before(end):
		p.state = Faulty
		p.reason = fmt.Sprintf("publish_on %s is over: change or remove the line", p.item.PublishOn)
	case !p.item.NotBefore.Before(end):
		p.state = Faulty
		p.reason = fmt.Sprintf("publish_on %s is over before the file's date, %s; correct one", p.item.PublishOn, p.item.NotBefore.In(loc).Format(time.DateTime))
	}
	return p
}
