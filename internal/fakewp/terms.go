package fakewp

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
)

// term is a category or a tag. Its name is stored HTML-escaped.
type term struct {
	id                   int64
	taxonomy, name, slug string
	parent               int64
}

func taxonomyByBase(base string) string {
	if base == "tags" {
		return "post_tag"
	}
	return "category"
}

func (s *site) term(id int64) *term {
	if id < 1 || id > int64(len(s.terms)) {
		return nil
	}
	return s.terms[id-1]
}

func (s *site) addTerm(taxonomy, name, slug string, parent int64) *term {
	t := &term{int64(len(s.terms) + 1), taxonomy, name, slug, parent}
	s.terms = append(s.terms, t)
	return t
}

func (c *call) dispatchTerm(taxonomy string, id int64, hasID, read bool) (int, any, *wpError) {
	switch {
	case hasID && read:
		t := c.term(id)
		if t == nil || t.taxonomy != taxonomy {
			return 0, nil, fail(http.StatusNotFound, "rest_term_invalid", "Term does not exist.")
		}
		return http.StatusOK, c.renderTerm(t), nil
	case !hasID && read:
		return c.listTerms(taxonomy)
	case !hasID && c.method == http.MethodPost:
		return c.createTerm(taxonomy)
	}
	return 0, nil, noRoute()
}

func (c *call) listTerms(taxonomy string) (int, any, *wpError) {
	p := &c.params
	perPage, page := p.positive("per_page", 10, 100), p.positive("page", 1, 1<<31)
	context := p.enum("context", "view", "view", "embed", "edit")
	orderBy := p.enum("orderby", "name", "id", "include", "name", "slug", "include_slugs", "term_group",
		"description", "count")
	descending := p.enum("order", "asc", "asc", "desc") == "desc"
	search, slugs, parent := strings.ToLower(p.search()), p.words("slug"), p.integer("parent")
	include, hideEmpty := p.integers("include"), p.boolean("hide_empty")
	if fault := p.invalid(); fault != nil {
		return 0, nil, fault
	}
	if context == "edit" && !c.user.can(editTerms(taxonomy)) {
		return 0, nil, c.forbidden("rest_forbidden_context",
			"Sorry, you are not allowed to edit terms in this taxonomy.")
	}
	for i, slug := range slugs {
		slugs[i] = sanitizeTitle(slug, true)
	}
	var found []*term
	for _, t := range c.terms {
		if t.taxonomy == taxonomy &&
			(search == "" || strings.Contains(strings.ToLower(t.name), search) || strings.Contains(t.slug, search)) &&
			(slugs == nil || slices.Contains(slugs, t.slug)) &&
			(len(include) == 0 || slices.Contains(include, t.id)) &&
			(parent == nil || *parent == t.parent) && (!hideEmpty || c.countTerm(t) > 0) {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b *term) int {
		if descending {
			a, b = b, a
		}
		switch orderBy {
		case "id":
			return cmp.Compare(a.id, b.id)
		case "slug":
			return cmp.Compare(a.slug, b.slug)
		}
		return cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	rows := make([]any, len(found))
	for i, t := range found {
		rows[i] = c.renderTerm(t)
	}
	return http.StatusOK, c.page(rows, page, perPage), nil
}

func editTerms(taxonomy string) string {
	if taxonomy == "category" {
		return "manage_categories"
	}
	return "edit_posts"
}

// createTerm is wp_insert_term behind the route: names are compared without
// regard to ASCII case, categories among those of the same parent.
func (c *call) createTerm(taxonomy string) (int, any, *wpError) {
	p := &c.params
	name, slug, parent := p.str("name"), p.str("slug"), p.integer("parent")
	if fault := p.invalid(); fault != nil {
		return 0, nil, fault
	}
	if name == nil {
		e := fail(http.StatusBadRequest, "rest_missing_callback_param", "Missing parameter(s): name")
		e.Data["params"] = []string{"name"}
		return 0, nil, e
	}
	if !c.user.can(editTerms(taxonomy)) {
		return 0, nil, c.forbidden("rest_cannot_create", "Sorry, you are not allowed to create terms in this taxonomy.")
	}
	t := term{taxonomy: taxonomy, name: termName(*name)}
	switch {
	case t.name == "":
		return 0, nil, fail(http.StatusInternalServerError, "empty_term_name", "A name is required for this term.")
	case len([]rune(t.name)) > 200:
		return 0, nil, fail(http.StatusInternalServerError, "db_insert_error",
			"Could not insert term into the database.")
	case parent != nil && taxonomy != "category":
		return 0, nil, fail(http.StatusBadRequest, "rest_taxonomy_not_hierarchical",
			"Cannot set parent term, taxonomy is not hierarchical.")
	case parent != nil && *parent != 0 && c.term(*parent) == nil:
		return 0, nil, fail(http.StatusBadRequest, "rest_term_invalid", "Parent term does not exist.")
	}
	set(&t.parent, parent)
	t.slug = sanitizeTitle(t.name, true)
	if slug != nil && *slug != "" {
		t.slug = sanitizeTitle(*slug, true)
	}
	if old := c.sameName(t, slug != nil && *slug != ""); old != nil {
		e := fail(http.StatusBadRequest, "term_exists", "A term with the name provided already exists in this taxonomy.")
		if taxonomy == "category" {
			e.Message = "A term with the name provided already exists with this parent."
		}
		e.Data["term_id"] = old.id
		return 0, nil, e
	}
	added := c.addTerm(t.taxonomy, t.name, c.freeTermSlug(t), t.parent)
	c.out.Set("Location", c.restURL("/wp/v2/"+termBase(taxonomy)+"/"+itoa(added.id)))
	return http.StatusCreated, c.renderTerm(added), nil
}

// termName cleans a name as the pre_term_name filters do: text only, escaped.
func termName(s string) string {
	s = strings.Join(strings.Fields(stripTags(s)), " ")
	return strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(normalizeEntities(s))
}

func (c *call) sameName(t term, slugGiven bool) *term {
	for _, o := range c.terms {
		if o.taxonomy == t.taxonomy && o.parent == t.parent && asciiLower(o.name) == asciiLower(t.name) &&
			(!slugGiven || o.slug == t.slug) {
			return o
		}
	}
	return nil
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func (c *call) freeTermSlug(t term) string {
	taken := func(slug string) bool {
		return slices.ContainsFunc(c.terms, func(o *term) bool { return o.taxonomy == t.taxonomy && o.slug == slug })
	}
	slug := t.slug
	for n := int64(2); taken(slug); n++ {
		slug = t.slug + "-" + itoa(n)
	}
	return slug
}

func termBase(taxonomy string) string {
	if taxonomy == "post_tag" {
		return "tags"
	}
	return "categories"
}

func (s *site) countTerm(t *term) int {
	n := 0
	for _, p := range s.posts {
		if p.Status == "publish" && (slices.Contains(p.Categories, t.id) || slices.Contains(p.Tags, t.id)) {
			n++
		}
	}
	return n
}

func (c *call) renderTerm(t *term) map[string]any {
	m := map[string]any{
		"id": t.id, "count": c.countTerm(t), "description": "", "name": t.name, "slug": t.slug,
		"taxonomy": t.taxonomy, "meta": []any{},
		"link": c.home + "/" + strings.TrimPrefix(t.taxonomy, "post_") + "/" + t.slug + "/",
	}
	if t.taxonomy == "category" {
		m["parent"] = t.parent
	}
	return m
}
