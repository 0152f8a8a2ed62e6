package fakewp

import (
	"cmp"
	"html"
	"strings"

	"morrow/internal/pattern"
)

// render is prepare_item_for_response: one post in a context.
func (c *call) render(p *Post, context string) map[string]any {
	base := typeByName(p.Type).base
	m := map[string]any{
		"id": p.ID, "type": p.Type, "status": p.Status, "slug": p.Slug,
		"date": rest(p.Date), "date_gmt": rest(c.shownGMT(p.Date, p.DateGMT)),
		"modified": rest(p.Modified), "modified_gmt": rest(c.shownGMT(p.Modified, p.ModifiedGMT)),
		"author": p.Author, "featured_media": p.FeaturedMedia,
		"comment_status": p.CommentStatus, "ping_status": p.PingStatus, "template": "", "meta": []any{},
	}
	if c.fields.wants("link", "") {
		m["link"] = c.permalink(p)
	}
	if c.fields.wants("_links", "") {
		m["_links"] = map[string]any{
			"self":       []any{map[string]any{"href": c.restURL("/wp/v2/" + base + "/" + itoa(p.ID))}},
			"collection": []any{map[string]any{"href": c.restURL("/wp/v2/" + base)}},
		}
	}
	switch p.Type {
	case "page":
		m["parent"], m["menu_order"] = p.Parent, p.MenuOrder
	case "post":
		m["sticky"], m["format"] = p.Sticky, cmp.Or(p.Format, "standard")
		m["categories"], m["tags"] = ids(p.Categories), ids(p.Tags)
	case "attachment":
		m["source_url"], m["mime_type"], m["media_type"], m["alt_text"] = p.GUID, p.Mime, "file", p.Alt
		m["media_details"] = map[string]any{}
		if p.Width > 0 {
			m["media_details"] = map[string]any{"width": p.Width, "height": p.Height, "sizes": map[string]any{}}
		}
		if strings.HasPrefix(p.Mime, "image/") {
			m["media_type"] = "image"
		}
	}
	c.renderText(m, p, context == "edit")
	if context == "edit" {
		m["password"], m["permalink_template"] = p.Password, c.home+c.opts.Permalinks
		if c.fields.wants("generated_slug", "") {
			m["generated_slug"] = sanitizeTitle(p.Title, true)
		}
	}
	return m
}

// shownGMT stands in for the GMT date that a floating draft lacks.
func (c *call) shownGMT(local, gmt string) string {
	if gmt == noDate {
		return c.toGMT(local)
	}
	return gmt
}

// renderText adds the fields that have a raw and a rendered member.
func (c *call) renderText(m map[string]any, p *Post, raw bool) {
	for _, f := range []struct {
		name, raw string
		rendered  func() string
	}{
		{"guid", p.GUID, func() string { return p.GUID }},
		{"title", p.Title, func() string { return ampersands(p.Title) }},
		{"content", p.Content, func() string { return renderContent(p.Content) }},
		{"excerpt", p.Excerpt, func() string { return renderExcerpt(p) }},
	} {
		v := map[string]any{}
		if c.fields.wants(f.name, "rendered") {
			v["rendered"] = f.rendered()
		}
		if raw {
			v["raw"] = f.raw
		}
		m[f.name] = v
	}
	content := m["content"].(map[string]any)
	content["protected"] = p.Password != ""
	m["excerpt"].(map[string]any)["protected"] = p.Password != ""
	if raw {
		content["block_version"] = 0
		if strings.Contains(p.Content, "<!-- wp:") {
			content["block_version"] = 1
		}
	}
}

// ids keeps an empty list from becoming null.
func ids(l []int64) []int64 {
	if l == nil {
		return []int64{}
	}
	return l
}

// permalink is pretty only for what the public can see; the rest is ?p=ID.
func (c *call) permalink(p *Post) string {
	switch {
	case p.Status != "publish" && p.Status != "private" && p.Status != "inherit", c.opts.Plain:
		if p.Type == "page" {
			return c.home + "/?page_id=" + itoa(p.ID)
		}
		return c.home + "/?p=" + itoa(p.ID)
	case p.Type != "post":
		return c.home + "/" + p.Slug + "/"
	}
	return c.home + permalinkPath(c.opts.Permalinks, p)
}

func permalinkPath(structure string, p *Post) string {
	for _, tag := range [...][2]string{
		{"%year%", p.Date[:4]},
		{"%monthnum%", p.Date[5:7]},
		{"%day%", p.Date[8:10]},
		{"%post_id%", itoa(p.ID)},
		{"%postname%", p.Slug},
	} {
		structure = strings.ReplaceAll(structure, tag[0], tag[1])
	}
	return structure
}

var (
	blockDelimiter = pattern.Lazy(`(?s)<!--\s+/?wp:.*?-->`)
	blankLines     = pattern.Lazy(`\n\s*\n`)
	bareAmpersand  = pattern.Lazy(`&(#?\w+;)?`)
)

// renderContent drops block delimiters and, without blocks, sets paragraphs.
// Other HTML comments stay, as on a real page.
func renderContent(content string) string {
	if strings.Contains(content, "<!-- wp:") {
		return blockDelimiter().ReplaceAllString(content, "")
	}
	var b strings.Builder
	for _, par := range blankLines().Split(strings.TrimSpace(content), -1) {
		if par = strings.TrimSpace(par); par != "" {
			b.WriteString("<p>" + strings.ReplaceAll(par, "\n", "<br />\n") + "</p>\n")
		}
	}
	return b.String()
}

func renderExcerpt(p *Post) string {
	text := p.Excerpt
	if text == "" {
		words := strings.Fields(html.UnescapeString(stripTags(p.Content)))
		if len(words) > 55 {
			words = append(words[:55], "[…]")
		}
		text = html.EscapeString(strings.Join(words, " "))
	}
	if text == "" {
		return ""
	}
	return "<p>" + text + "</p>\n"
}

// ampersands writes a bare & the way WordPress renders titles.
func ampersands(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return bareAmpersand().ReplaceAllStringFunc(s, func(m string) string {
		if m == "&" {
			return "&#038;"
		}
		return m
	})
}
