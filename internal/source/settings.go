package source

import (
	"slices"
	"strconv"
	"strings"

	"morrow/internal/markup"
)

// Settings are WordPress's own options of a post. Empty ones are left to the
// site.
type Settings struct {
	Sticky        *bool
	CommentStatus string // open or closed
	PingStatus    string // open or closed
	Template      string // the theme's file
	Format        string // one of WordPress's post formats
	// Taxonomies are the names of terms by the taxonomy's REST base.
	Taxonomies map[string][]string
	// Meta are registered meta keys with their values: texts, lists of them, or
	// maps. WordPress turns a text into the type that the key is registered with.
	Meta map[string]any
}

// readSettings reads the settings that are WordPress's own.
func (f *fields) readSettings() Settings {
	return Settings{
		Sticky:        f.sticky(),
		CommentStatus: f.openClosed("commentstatus", "comments", "comment", "allowcomments"),
		PingStatus:    f.openClosed("pingstatus", "pings", "trackbacks", "allowpings"),
		Template:      f.text("template"),
		Format:        f.postFormat(),
		Taxonomies:    f.taxonomies(),
		Meta:          f.meta(),
	}
}

// sticky reads a truth, or the rank that Hexo has there.
func (f *fields) sticky() *bool {
	found := f.texts("sticky", "pinned")
	if len(found) == 0 {
		return nil
	}
	v := found[0]
	yes, known := parseBool(v.Text)
	if rank, err := strconv.Atoi(v.Text); err == nil {
		yes, known = rank > 0, true
	}
	if !known {
		f.fail(v.Line, "%s must be true or false", v.Key)
	}
	return &yes
}

// openClosed is the first of the keys that says open or closed, or a truth.
func (f *fields) openClosed(keys ...string) string {
	for _, v := range f.texts(keys...) {
		yes, known := parseBool(v.Text)
		switch text := strings.ToLower(v.Text); {
		case known && yes, text == "open":
			return "open"
		case known, text == "closed":
			return "closed"
		}
		f.fail(v.Line, "%s must be open or closed, true or false", v.Key)
	}
	return ""
}

// postFormat leaves out what other programs mean by format.
func (f *fields) postFormat() string {
	for _, v := range f.texts("postformat", "format") {
		// get_post_format_strings of WordPress
		known := []string{"standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio"}
		if format := strings.ToLower(v.Text); slices.Contains(known, format) {
			return format
		}
		f.warn(v.Line, "%s is not read: %q is no post format of WordPress", v.Key, v.Text)
	}
	return ""
}

// taxonomies reads the terms of taxonomies other than category and tag, whose
// names may stand there too.
func (f *fields) taxonomies() map[string][]string {
	found := map[string][]string{}
	for _, v := range f.maps("taxonomies", "its keys being the taxonomies' REST bases") {
		inner := newFields(v.Items)
		for _, t := range v.Items {
			if t.Kind == markup.Null || ownTaxonomy(t.Key) {
				continue
			}
			if names := inner.terms(fold(t.Key)); len(names) > 0 {
				found[t.Key] = names
			}
		}
		f.take(inner)
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

func ownTaxonomy(key string) bool {
	switch fold(key) {
	case "categories", "category", "tags", "tag":
		return true
	}
	return false
}

// ownTerms are the names of categories or tags, at the top and under
// taxonomies.
func (f *fields) ownTerms(keys ...string) []string {
	var under []markup.Value
	for _, v := range f.find("taxonomies") {
		under = append(under, v.Items...)
	}
	nested := newFields(under)
	names := unique(append(f.terms(keys...), nested.terms(keys...)...))
	f.take(nested)
	return names
}

// meta reads the values of registered meta keys.
func (f *fields) meta() map[string]any {
	found := map[string]any{}
	for _, v := range f.maps("meta", "its keys being registered meta keys") {
		for _, m := range v.Items {
			found[m.Key] = plain(m)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// maps are the values of a key that have keys of their own.
func (f *fields) maps(key, what string) (found []markup.Value) {
	for _, v := range f.find(key) {
		if v.Kind != markup.Map {
			f.warn(v.Line, "%s is not read: it has no keys and values, %s", v.Key, what)
			continue
		}
		found = append(found, v)
	}
	return found
}

// plain is a value as JSON has it.
func plain(v markup.Value) any {
	switch v.Kind {
	case markup.Null:
		return nil
	case markup.List:
		list := make([]any, 0, len(v.Items))
		for _, item := range v.Items {
			list = append(list, plain(item))
		}
		return list
	case markup.Map:
		m := make(map[string]any, len(v.Items))
		for _, item := range v.Items {
			m[item.Key] = plain(item)
		}
		return m
	case markup.Scalar:
	}
	return v.Text
}
