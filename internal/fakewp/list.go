package fakewp

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"morrow/internal/pattern"
)

// query is what a list of posts asks for.
type query struct {
	typ                                      string
	context                                  string
	statuses, slugs                          []string
	after, before                            string // local, exclusive; empty for none
	modifiedAfter, modifiedBefore            string
	terms                                    []string
	include, exclude, authors, parents       []int64
	categories, notCategories, tags, notTags []int64
	orderBy                                  string
	ascending                                bool
	page, perPage                            int64
	offset                                   *int64
}

func (c *call) list(t postType) (int, any, *wpError) {
	q, fault := c.parseQuery(t)
	if fault != nil {
		return 0, nil, fault
	}
	if q.context == "edit" && !c.user.can("edit_"+t.caps) {
		return 0, nil, c.forbidden("rest_forbidden_context",
			"Sorry, you are not allowed to edit posts in this post type.")
	}
	var found []*Post
	for _, p := range c.posts {
		if q.matches(p) {
			found = append(found, p)
		}
	}
	q.sort(found)
	total := int64(len(found))
	pages := (total + q.perPage - 1) / q.perPage
	if q.page > pages && total > 0 {
		return 0, nil, fail(http.StatusBadRequest, "rest_post_invalid_page_number",
			"The page number requested is larger than the number of pages available.")
	}
	start := (q.page - 1) * q.perPage
	if q.offset != nil {
		start = *q.offset
	}
	rows := []any{}
	for _, p := range found[min(start, total):min(start+q.perPage, total)] {
		if c.mayList(p, q.context) {
			rows = append(rows, c.show(p, q.context))
		}
	}
	c.counts(total, pages)
	return http.StatusOK, rows, nil
}

// mayList hides posts after they were counted. Up to 6.4 the edit context
// shows only what the account may edit; later versions show what it may read.
func (c *call) mayList(p *Post, context string) bool {
	if slices.Contains(c.hidden, p.ID) {
		return false
	}
	if context == "edit" && strings.HasPrefix(c.opts.Version, "6.1") {
		return c.user.canEdit(p)
	}
	return c.user.canRead(p)
}

func (c *call) counts(total, pages int64) {
	c.out.Set("X-WP-Total", itoa(total))
	c.out.Set("X-WP-TotalPages", itoa(pages))
}

// page cuts a page out of rows and sets the paging headers; past the end it
// is empty.
func (c *call) page(rows []any, page, perPage int64) []any {
	total := int64(len(rows))
	c.counts(total, (total+perPage-1)/perPage)
	start := min((page-1)*perPage, total)
	return rows[start:min(start+perPage, total)]
}

func (c *call) parseQuery(t postType) (query, *wpError) {
	p := &c.params
	// WordPress checks these two in an earlier round than the rest.
	q := query{typ: t.name, page: p.positive("page", 1, 1<<31), perPage: p.positive("per_page", 10, 100)}
	if fault := p.invalid(); fault != nil {
		return q, fault
	}
	q.context = p.enum("context", "view", "view", "embed", "edit")
	q.after, q.before = c.boundParam("after"), c.boundParam("before")
	q.modifiedAfter, q.modifiedBefore = c.boundParam("modified_after"), c.boundParam("modified_before")
	q.statuses = c.statusParam(t)
	q.orderBy = p.enum("orderby", "date", "author", "date", "id", "include", "modified", "parent", "relevance",
		"slug", "include_slugs", "title", "menu_order")
	q.ascending = p.enum("order", "desc", "asc", "desc") == "asc"
	for _, slug := range p.words("slug") {
		q.slugs = append(q.slugs, sanitizeTitle(slug, false))
	}
	q.terms = searchTerms(p.search())
	q.include, q.exclude = p.integers("include"), p.integers("exclude")
	q.authors, q.parents = p.integers("author"), p.integers("parent")
	if t.name == "post" {
		q.parents = nil
		q.categories, q.notCategories = p.integers("categories"), p.integers("categories_exclude")
		q.tags, q.notTags = p.integers("tags"), p.integers("tags_exclude")
	}
	q.offset = p.integer("offset")
	if q.offset != nil && *q.offset < 0 {
		q.offset = nil
	}
	if q.orderBy == "relevance" && len(q.terms) == 0 {
		return q, fail(http.StatusBadRequest, "rest_no_search_term_defined",
			"You need to define a search term to order by relevance.")
	}
	return q, p.invalid()
}

func (c *call) boundParam(name string) string {
	s := c.params.str(name)
	if s == nil {
		return ""
	}
	local, ok := c.bound(*s)
	if !ok {
		c.params.reject(name, "rest_invalid_date", "Invalid date.")
	}
	return local
}

// statusParam is sanitize_post_statuses: any status but the default needs the
// right to edit, whoever the posts belong to.
func (c *call) statusParam(t postType) []string {
	words := c.params.words("status")
	if words == nil && t.name == "attachment" {
		return []string{"inherit"}
	}
	if words == nil {
		return []string{"publish"}
	}
	for i, w := range words {
		words[i] = sanitizeTitle(w, true)
		w = words[i]
		if w == "publish" {
			continue
		}
		if !c.user.can("edit_"+t.caps) && (w != "private" || !c.user.can("read_private_"+t.caps)) {
			c.params.reject("status", "rest_forbidden_status", "Status is forbidden.")
			break
		}
		known := []string{
			"publish", "future", "draft", "pending", "private", "trash", "auto-draft", "inherit",
			"request-pending", "request-confirmed", "request-failed", "request-completed", "any",
		}
		if !slices.Contains(known, w) {
			c.params.reject("status", "rest_not_in_enum",
				"status["+strconv.Itoa(i)+"] is not one of "+strings.Join(known, ", ")+".")
			break
		}
	}
	return words
}

var searchWord = pattern.Lazy(`".*?(?:"|$)|[^\t ",+]+`)

// searchTerms splits a search; all its terms must occur. More than nine, or
// only very short ones, are taken as one sentence (WP_Query::parse_search).
func searchTerms(s string) []string {
	var out []string
	for _, w := range searchWord().FindAllString(s, -1) {
		if strings.HasPrefix(w, `"`) {
			w = strings.Trim(w, `"`)
		} else {
			w = strings.Trim(w, `"' `)
		}
		if w == "" || (len(w) == 1 && w[0]|0x20 >= 'a' && w[0]|0x20 <= 'z') {
			continue
		}
		out = append(out, strings.ToLower(w))
	}
	if s != "" && (len(out) == 0 || len(out) > 9) {
		return []string{strings.ToLower(s)}
	}
	return out
}

func (q *query) matches(p *Post) bool {
	return p.Type == q.typ && q.hasStatus(p.Status) &&
		(q.after == "" || p.Date > q.after) && (q.before == "" || p.Date < q.before) &&
		(q.modifiedAfter == "" || p.Modified > q.modifiedAfter) &&
		(q.modifiedBefore == "" || p.Modified < q.modifiedBefore) &&
		(len(q.slugs) == 0 || slices.Contains(q.slugs, p.Slug)) &&
		(len(q.include) == 0 || slices.Contains(q.include, p.ID)) && !slices.Contains(q.exclude, p.ID) &&
		(len(q.authors) == 0 || slices.Contains(q.authors, p.Author)) &&
		(len(q.parents) == 0 || slices.Contains(q.parents, p.Parent)) &&
		(len(q.categories) == 0 || overlap(q.categories, p.Categories)) && !overlap(q.notCategories, p.Categories) &&
		(len(q.tags) == 0 || overlap(q.tags, p.Tags)) && !overlap(q.notTags, p.Tags) &&
		containsTerms(p, q.terms)
}

func (q *query) hasStatus(status string) bool {
	if slices.Contains(q.statuses, "any") {
		return status != "trash" && status != "auto-draft"
	}
	return slices.Contains(q.statuses, status)
}

func overlap(a, b []int64) bool {
	return slices.ContainsFunc(a, func(x int64) bool { return slices.Contains(b, x) })
}

func containsTerms(p *Post, terms []string) bool {
	if len(terms) == 0 {
		return true
	}
	texts := []string{strings.ToLower(p.Title), strings.ToLower(p.Excerpt), strings.ToLower(p.Content)}
	for _, t := range terms {
		want, exclude := true, strings.TrimPrefix(t, "-")
		if exclude != t {
			want, t = false, exclude
		}
		has := slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, t) })
		if has != want {
			return false
		}
	}
	return true
}

// sort orders by the field asked for. Equal rows come by id, ascending: MySQL
// promises no order there, and a client must not lean on one.
func (q *query) sort(posts []*Post) {
	key := func(a, b *Post) int {
		switch q.orderBy {
		case "id":
			return cmp.Compare(a.ID, b.ID)
		case "modified":
			return cmp.Compare(a.Modified, b.Modified)
		case "slug":
			return cmp.Compare(a.Slug, b.Slug)
		case "title":
			return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
		case "author":
			return cmp.Compare(a.Author, b.Author)
		case "parent":
			return cmp.Compare(a.Parent, b.Parent)
		case "menu_order":
			return cmp.Compare(a.MenuOrder, b.MenuOrder)
		case "include":
			return cmp.Compare(slices.Index(q.include, a.ID), slices.Index(q.include, b.ID))
		case "include_slugs":
			return cmp.Compare(slices.Index(q.slugs, a.Slug), slices.Index(q.slugs, b.Slug))
		default: // date, and relevance, which has no rank here
			return cmp.Compare(a.Date, b.Date)
		}
	}
	listed := q.orderBy == "include" || q.orderBy == "include_slugs"
	slices.SortStableFunc(posts, func(a, b *Post) int {
		if q.ascending || listed {
			return key(a, b)
		}
		return key(b, a)
	})
}
