package fakewp

import (
	"html"
	"regexp"
	"strings"
)

// render is prepare_item_for_response: one post in a context.
func (c *call) render(p *Post, context string) map[string]any {
	gmt, modifiedGMT := p.DateGMT, p.ModifiedGMT
	if gmt == noDate {
		gmt = c.toGMT(p.Date)
	}
	if modifiedGMT == noDate {
		modifiedGMT = c.toGMT(p.Modified)
	}
	base := typeByName(p.Type).base
	if p.Type == "attachment" {
		base = "media"
	}
	self := c.restURL("/wp/v2/" + base + "/" + itoa(p.ID))
	m := map[string]any{
		"id": p.ID, "type": p.Type, "status": p.Status, "slug": p.Slug, "link": c.permalink(p),
		"date": rest(p.Date), "date_gmt": rest(gmt), "modified": rest(p.Modified), "modified_gmt": rest(modifiedGMT),
		"author": p.Author, "featured_media": p.FeaturedMedia,
		"comment_status": p.CommentStatus, "ping_status": p.PingStatus, "template": "", "meta": []any{},
		"guid":    map[string]any{"rendered": p.GUID},
		"title":   map[string]any{"rendered": ampersands(p.Title)},
		"content": map[string]any{"rendered": renderContent(p.Content), "protected": p.Password != ""},
		"excerpt": map[string]any{"rendered": renderExcerpt(p), "protected": p.Password != ""},
		"_links": map[string]any{
			"self":       []any{map[string]any{"href": self}},
			"collection": []any{map[string]any{"href": c.restURL("/wp/v2/" + base)}},
		},
	}
	if p.Type == "page" {
		m["parent"], m["menu_order"] = p.Parent, p.MenuOrder
	}
	if p.Type == "post" {
		m["sticky"], m["format"] = p.Sticky, "standard"
		m["categories"], m["tags"] = ids(p.Categories), ids(p.Tags)
	}
	if context == "edit" {
		m["guid"].(map[string]any)["raw"] = p.GUID
		m["title"].(map[string]any)["raw"] = p.Title
		m["excerpt"].(map[string]any)["raw"] = p.Excerpt
		content := m["content"].(map[string]any)
		content["raw"], content["block_version"] = p.Content, 0
		if strings.Contains(p.Content, "<!-- wp:") {
			content["block_version"] = 1
		}
		m["password"] = p.Password
		m["permalink_template"], m["generated_slug"] = c.home+c.opts.Permalinks, sanitizeTitle(p.Title, true)
	}
	return m
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
	return strings.NewReplacer("%year%", p.Date[:4], "%monthnum%", p.Date[5:7], "%day%", p.Date[8:10],
		"%postname%", p.Slug, "%post_id%", itoa(p.ID)).Replace(structure)
}

var (
	blockDelimiter = regexp.MustCompile(`(?s)<!--\s+/?wp:.*?-->`)
	blankLines     = regexp.MustCompile(`\n\s*\n`)
	bareAmpersand  = regexp.MustCompile(`&(#?\w+;)?`)
)

// renderContent drops block delimiters and, without blocks, sets paragraphs.
// Other HTML comments stay, as on a real page.
func renderContent(content string) string {
	if strings.Contains(content, "<!-- wp:") {
		return blockDelimiter.ReplaceAllString(content, "")
	}
	var b strings.Builder
	for _, par := range blankLines.Split(strings.TrimSpace(content), -1) {
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
	return bareAmpersand.ReplaceAllStringFunc(s, func(m string) string {
		if m == "&" {
			return "&#038;"
		}
		return m
	})
}
