package fakewp

import (
	"net/http"
	"strconv"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func (c *call) find(t postType, id int64) (*Post, *wpError) {
	p := c.byID[id]
	if p == nil || p.Type != t.name {
		return nil, fail(http.StatusNotFound, "rest_post_invalid_id", "Invalid post ID.")
	}
	return p, nil
}

func (c *call) read(t postType, id int64) (int, any, *wpError) {
	context := c.params.enum("context", "view", "view", "embed", "edit")
	if fault := c.params.invalid(); fault != nil {
		return 0, nil, fault
	}
	p, fault := c.find(t, id)
	if fault != nil {
		return 0, nil, fault
	}
	if context == "edit" && !c.user.canEdit(p) {
		return 0, nil, c.forbidden("rest_forbidden_context", "Sorry, you are not allowed to edit this post.")
	}
	if !c.user.canRead(p) {
		return 0, nil, c.forbidden("rest_forbidden", "Sorry, you are not allowed to do that.")
	}
	return http.StatusOK, c.show(p, context), nil
}

func (c *call) create(t postType) (int, any, *wpError) {
	w, fault := c.parseWrite(nil)
	if fault != nil {
		return 0, nil, fault
	}
	if fault := c.maySend(t, w, "create"); fault != nil {
		return 0, nil, fault
	}
	if !c.user.can("edit_" + t.caps) {
		return 0, nil, c.forbidden("rest_cannot_create", "Sorry, you are not allowed to create posts as this user.")
	}
	if _, sent := c.params.get("id"); sent {
		return 0, nil, fail(http.StatusBadRequest, "rest_post_exists", "Cannot create existing post.")
	}
	p := Post{Type: t.name, Author: c.user.id, CommentStatus: "open", PingStatus: "open"}
	if t.name == "page" {
		p.CommentStatus, p.PingStatus = "closed", "closed"
	}
	dated, fault := c.apply(w, t, &p)
	if fault != nil {
		return 0, nil, fault
	}
	// Only a status that was sent makes a draft's slug unique: without one
	// p.Status is still empty.
	if p.Slug != "" && isDraft(p.Status) {
		p.Slug = c.uniqueSlug(p.Slug, &p, "publish")
	}
	stored, fault := c.save(c.user, p, nil, dated, c.now)
	if fault != nil {
		return 0, nil, fault
	}
	stored.GUID = c.permalink(stored)
	c.attach(w, stored)
	c.out.Set("Location", c.restURL("/wp/v2/"+t.base+"/"+itoa(stored.ID)))
	return http.StatusCreated, c.render(stored, "edit"), nil
}

func (c *call) update(t postType, id int64) (int, any, *wpError) {
	w, fault := c.parseWrite(c.byID[id])
	if fault != nil {
		return 0, nil, fault
	}
	before, fault := c.find(t, id)
	if fault != nil {
		return 0, nil, fault
	}
	if !c.user.canEdit(before) {
		return 0, nil, c.forbidden("rest_cannot_edit", "Sorry, you are not allowed to edit this post.")
	}
	if fault := c.maySend(t, w, "update"); fault != nil {
		return 0, nil, fault
	}
	p := *before
	dated, fault := c.apply(w, t, &p)
	if fault != nil {
		return 0, nil, fault
	}
	if w.slug != nil && p.Slug != "" && isDraft(p.Status) {
		p.Slug = c.uniqueSlug(p.Slug, &p, "publish")
	}
	stored, fault := c.save(c.user, p, before, dated, c.now)
	if fault != nil {
		return 0, nil, fault
	}
	c.attach(w, stored)
	return http.StatusOK, c.render(stored, "edit"), nil
}

func (c *call) remove(t postType, id int64) (int, any, *wpError) {
	p, fault := c.find(t, id)
	if fault != nil {
		return 0, nil, fault
	}
	if !c.user.canDelete(p) {
		return 0, nil, c.forbidden("rest_cannot_delete", "Sorry, you are not allowed to delete this post.")
	}
	if c.params.boolean("force") {
		previous := c.render(p, "edit")
		c.drop(id)
		return http.StatusOK, map[string]any{"deleted": true, "previous": previous}, nil
	}
	if p.Status == "trash" {
		return 0, nil, fail(http.StatusGone, "rest_already_trashed", "The post has already been deleted.")
	}
	p, fault = c.trash(c.user, p, c.now)
	if fault != nil {
		return 0, nil, fault
	}
	return http.StatusOK, c.render(p, "edit"), nil
}

// write is the body of a create or an update; nil means not sent.
type write struct {
	status, slug, title, content, excerpt, password *string
	date, dateGMT, comments, pings, format          *string
	author, media, parent, menuOrder                *int64
	categories, tags                                []int64
	sticky                                          *bool
}

func (c *call) parseWrite(before *Post) (write, *wpError) {
	p := &c.params
	w := write{
		date: c.dateParam("date"), dateGMT: c.dateParam("date_gmt"),
		slug: p.str("slug"), title: p.text("title"), content: p.text("content"), excerpt: p.text("excerpt"),
		password: p.str("password"), author: p.integer("author"), media: p.integer("featured_media"),
		parent: p.integer("parent"), menuOrder: p.integer("menu_order"),
		categories: p.integers("categories"), tags: p.integers("tags"),
	}
	if s := p.str("status"); s != nil && (before == nil || before.Status != *s) {
		p.enum("status", "", "publish", "future", "draft", "pending", "private")
		w.status = s
	}
	if s := p.str("comment_status"); s != nil {
		p.enum("comment_status", "", "open", "closed")
		w.comments = s
	}
	if s := p.str("ping_status"); s != nil {
		p.enum("ping_status", "", "open", "closed")
		w.pings = s
	}
	if s := p.str("format"); s != nil { // get_post_format_slugs
		p.enum("format", "", "standard", "aside", "chat", "gallery", "link", "image", "quote", "status", "video", "audio")
		w.format = s
	}
	if s := p.str("template"); s != nil && *s != "" { // check_template; the theme has none
		p.reject("template", "rest_not_in_enum", "template is not one of .")
	}
	if v, _ := p.get("sticky"); v != nil {
		b := p.boolean("sticky")
		w.sticky = &b
	}
	if w.slug != nil {
		clean := sanitizeTitle(*w.slug, true)
		w.slug = &clean
	}
	return w, p.invalid()
}

func (c *call) dateParam(name string) *string {
	v, _ := c.params.get(name)
	if v == nil {
		return nil
	}
	s, ok := v.(string)
	if !ok {
		c.params.reject(name, "rest_invalid_type", name+" is not of type string,null.")
		return nil
	}
	if _, _, ok := parseDate(s); !ok {
		c.params.reject(name, "rest_invalid_date", "Invalid date.")
		return nil
	}
	return &s
}

// maySend checks the rights that depend on what is sent.
func (c *call) maySend(t postType, w write, verb string) *wpError {
	if w.author != nil && *w.author != 0 && (c.user == nil || *w.author != c.user.id) && !c.user.can("edit_others_"+t.caps) {
		return c.forbidden("rest_cannot_edit_others", "Sorry, you are not allowed to "+verb+" posts as this user.")
	}
	if w.sticky != nil && *w.sticky && !c.user.can("edit_others_"+t.caps) && !c.user.can("publish_"+t.caps) {
		return c.forbidden("rest_cannot_assign_sticky", "Sorry, you are not allowed to make posts sticky.")
	}
	return nil
}

// apply is prepare_item_for_database: it puts what was sent over the post.
// dated says that a date was sent that differs from the stored one.
func (c *call) apply(w write, t postType, p *Post) (dated bool, _ *wpError) {
	set(&p.Title, w.title)
	set(&p.Content, w.content)
	set(&p.Excerpt, w.excerpt)
	set(&p.Slug, w.slug)
	set(&p.Password, w.password)
	set(&p.Parent, w.parent)
	set(&p.MenuOrder, w.menuOrder)
	set(&p.Sticky, w.sticky)
	set(&p.CommentStatus, w.comments)
	set(&p.PingStatus, w.pings)
	set(&p.Format, w.format)
	if w.status != nil {
		switch *w.status {
		case "publish", "future", "private":
			if !c.user.can("publish_" + t.caps) {
				return false, c.forbidden("rest_cannot_publish",
					"Sorry, you are not allowed to publish posts in this post type.")
			}
		}
		p.Status = *w.status
	}
	if w.author != nil && *w.author != 0 {
		if *w.author < 0 || *w.author > int64(len(c.users)) {
			return false, fail(http.StatusBadRequest, "rest_invalid_author", "Invalid author ID.")
		}
		p.Author = *w.author
	}
	return c.applyDate(w, p), nil
}

func (c *call) applyDate(w write, p *Post) (dated bool) {
	switch {
	case w.date != nil:
		if local, gmt, _ := c.dates(*w.date, false); local != p.Date {
			p.Date, p.DateGMT, dated = local, gmt, true
		}
	case w.dateGMT != nil:
		p.Date, p.DateGMT, _ = c.dates(*w.dateGMT, true)
		dated = true
	}
	if c.params.null("date") || c.params.null("date_gmt") {
		p.Date, p.DateGMT = "", ""
	}
	return dated
}

func set[T any](dst *T, v *T) {
	if v != nil {
		*dst = *v
	}
}

// attach sets what WordPress sets after the post is stored; what does not
// exist is left out without a word.
func (c *call) attach(w write, p *Post) {
	if w.categories != nil && p.Type == "post" {
		p.Categories = c.known("category", w.categories)
	}
	if w.tags != nil && p.Type == "post" {
		p.Tags = c.known("post_tag", w.tags)
	}
	if w.media != nil {
		if m := c.byID[*w.media]; *w.media == 0 || (m != nil && m.Type == "attachment") {
			p.FeaturedMedia = *w.media
		}
	}
}
