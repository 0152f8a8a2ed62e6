package wpclient

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Term is a category, a tag or a term of another taxonomy, its name decoded.
type Term struct {
	ID     int64
	Name   string
	Slug   string
	Parent int64
}

const termFields = "id,name,slug,parent"

// Terms lists the terms of a taxonomy ("categories", "tags") whose name may
// match search; the caller compares exactly.
func (c *Client) Terms(ctx context.Context, taxonomy, search string) ([]Term, error) {
	q := url.Values{"_fields": {termFields}, "orderby": {"id"}, "order": {"asc"}}
	if s := searchable(search); s != "" {
		q.Set("search", s)
	}
	p, err := listing[termDTO]{
		op: "list " + taxonomy, route: "wp/v2/" + taxonomy, query: q,
		id: func(t termDTO) int64 { return t.ID }, check: termDTO.check,
	}.all(ctx, c)
	if err != nil {
		return nil, err
	}
	terms := make([]Term, len(p.rows))
	for i, t := range p.rows {
		terms[i] = t.term()
	}
	return terms, nil
}

// Taxonomies gives the REST bases of the site's taxonomies by their names, as
// far as WordPress shows them in its REST API (WP_REST_Taxonomies_Controller).
func (c *Client) Taxonomies(ctx context.Context) (map[string]string, error) {
	const op = "list taxonomies"
	root, err := c.root(op)
	if err != nil {
		return nil, err
	}
	var found map[string]struct {
		Base string `json:"rest_base"`
	}
	err = c.read(ctx, func() error {
		found = nil
		// Without _fields: rest_filter_response_fields would look for them beside the names.
		a, err := c.get(ctx, op, root, "wp/v2/taxonomies", url.Values{}, &found)
		if err == nil && len(found) == 0 {
			err = c.unverified(op, a, "the list is empty")
		}
		return err
	})
	bases := make(map[string]string, len(found))
	for name, t := range found {
		bases[name] = t.Base
	}
	return bases, err
}

// searchable is the longest part of a name without characters that WordPress
// stores escaped: it searches names as they are stored.
func searchable(name string) string {
	var longest string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(`&<>"'\`, r) }) {
		if part = strings.TrimSpace(part); len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// CreateTerm makes a term, below parent where that is not 0; term_exists is no
// error, it gives that term (one of that name below the same parent). It is
// sent at most once.
func (c *Client) CreateTerm(ctx context.Context, taxonomy, name string, parent int64) (Term, error) {
	op, route := "create term of "+taxonomy, "wp/v2/"+taxonomy
	if !utf8.ValidString(name) {
		return Term{}, c.fail(&Error{Op: op, Unsent: true, Message: "the name is not valid UTF-8"})
	}
	fields := map[string]any{"name": name}
	if parent != 0 { // which a taxonomy without parents refuses
		fields["parent"] = parent
	}
	var t termDTO
	a, err := c.post(ctx, op, route, url.Values{"_fields": {termFields}}, fields, nil, &t)
	if id, ok := existing(a, err); ok {
		return c.term(ctx, taxonomy, id)
	}
	if err != nil {
		return Term{}, err
	}
	if err := t.check(); err != nil {
		return Term{}, c.unverified(op, a, err.Error())
	}
	return t.term(), nil
}

// existing is the id in the error term_exists.
func existing(a answer, err error) (int64, bool) {
	var e *Error
	if !errors.As(err, &e) || e.Code != "term_exists" {
		return 0, false
	}
	said, _ := wordPressError(a)
	id, err := said.Data.TermID.Int64()
	return id, err == nil && id > 0
}

func (c *Client) term(ctx context.Context, taxonomy string, id int64) (Term, error) {
	op := fmt.Sprintf("read %s/%d", taxonomy, id)
	root, err := c.root(op)
	if err != nil {
		return Term{}, err
	}
	var t termDTO
	err = c.read(ctx, func() error {
		t = termDTO{}
		a, err := c.get(ctx, op, root, fmt.Sprintf("wp/v2/%s/%d", taxonomy, id), url.Values{"_fields": {termFields}}, &t)
		if err == nil && t.check() != nil {
			err = c.unverified(op, a, t.check().Error())
		}
		return err
	})
	return t.term(), err
}

type termDTO struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Slug   string `json:"slug"`
	Parent int64  `json:"parent"` // tags have none
}

func (t termDTO) check() error {
	if t.ID <= 0 || t.Name == "" {
		return errors.New("id or name is missing")
	}
	return nil
}

// term decodes the name: WordPress stores and gives it HTML-escaped.
func (t termDTO) term() Term {
	return Term{ID: t.ID, Name: html.UnescapeString(t.Name), Slug: t.Slug, Parent: t.Parent}
}
