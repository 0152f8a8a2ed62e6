package compose

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"morrow/internal/source"
	"morrow/wpclient"
)

// maxTerm is the width of WordPress's column; a longer name answers 500.
const maxTerm = 200

// settle finds the ids of the item's terms and author.
func (c *Composer) settle(ctx context.Context, d *Draft) error {
	found := wished(d.Item)
	if err := c.checkTaxonomies(ctx, found); err != nil {
		return err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4) // polite to a small site
	for i, t := range found {
		g.Go(func() (err error) {
			if err = t.wrong; err == nil {
				found[i].term, err = c.term(ctx, t.kind, t.name)
			}
			if isFault(err) && c.o.WithoutTerms {
				found[i].warning, err = fmt.Sprintf("the %s is left out: %v", t.kind.word(), err), nil
			}
			return err
		})
	}
	if d.Item.Author != "" {
		g.Go(func() (err error) {
			d.Author, err = c.author(ctx, oneLine(d.Item.Author))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, t := range found {
		if t.warning != "" {
			d.Warnings = append(d.Warnings, t.warning)
			continue
		}
		d.add(t.kind, t.id)
	}
	return nil
}

// add gives the draft a term, once.
func (d *Draft) add(kind taxonomy, id int64) {
	switch kind {
	case category:
		d.Categories = withID(d.Categories, id)
	case tag:
		d.Tags = withID(d.Tags, id)
	default:
		ids, _ := d.Extra[string(kind)].([]int64)
		d.Extra[string(kind)] = withID(ids, id)
	}
}

func withID(ids []int64, id int64) []int64 {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

// wish is a term that an item names.
type wish struct {
	kind  taxonomy
	name  string
	wrong error // a *Fault, where the site has no such taxonomy
	term
}

// wished are the terms of an item's taxonomies, each once.
func wished(it source.Item) (all []wish) {
	add := func(kind taxonomy, list []string) {
		for _, name := range names(list) {
			all = append(all, wish{kind: kind, name: name})
		}
	}
	add(category, it.Categories)
	add(tag, it.Tags)
	for _, kind := range slices.Sorted(maps.Keys(it.Taxonomies)) {
		add(taxonomy(kind), it.Taxonomies[kind])
	}
	return all
}

// names brings the wished names into the form that WordPress keeps, each once.
func names(wished []string) []string {
	var list []string
	for _, w := range wished {
		w = norm.NFC.String(oneLine(w))
		same := func(n string) bool { return strings.EqualFold(n, w) }
		if w != "" && !slices.ContainsFunc(list, same) {
			list = append(list, w)
		}
	}
	return list
}

// taxonomy is the REST base of a taxonomy.
type taxonomy string

const (
	category taxonomy = "categories"
	tag      taxonomy = "tags"
)

// word is what people call one of its terms.
func (t taxonomy) word() string {
	switch t {
	case category:
		return "category"
	case tag:
		return "tag"
	}
	return string(t)
}

// term is what became of one name.
type term struct {
	id      int64
	warning string // set instead of id in a dry run
}

func (c *Composer) term(ctx context.Context, kind taxonomy, name string) (term, error) {
	if !utf8.ValidString(name) || utf8.RuneCountInString(name) > maxTerm {
		return term{}, faultf("the %s %.40q… is longer than %d characters or not text: change it in the file", kind.word(), name, maxTerm)
	}
	terms, err := c.o.Client.Terms(ctx, string(kind), name)
	if err != nil {
		return term{}, err
	}
	id, err := matchTerm(terms, kind, name)
	if err != nil || id != 0 {
		return term{id: id}, err
	}
	if path := pathOf(kind, name); len(path) > 1 {
		return c.atPath(ctx, path, name)
	}
	return c.newTerm(ctx, kind, name, 0)
}

// newTerm creates a term below parent.
func (c *Composer) newTerm(ctx context.Context, kind taxonomy, name string, parent int64) (term, error) {
	if c.o.ReadOnly {
		return term{warning: "would create " + kind.word() + " " + name}, nil
	}
	made, err := c.o.Client.CreateTerm(ctx, string(kind), name, parent)
	var refused *wpclient.Error
	if errors.As(err, &refused) && refused.Refused {
		switch refused.Status {
		case http.StatusForbidden:
			return term{}, faultf("the %s %q does not exist and the account may not create it: create it on the site, or take it out of `%s:` in the file", kind.word(), name, kind)
		case http.StatusBadRequest:
			return term{}, faultf("WordPress refuses the %s %q (%s): change it in the file", kind.word(), name, refused.Message)
		}
	}
	return term{id: made.ID}, err
}

// pathOf parts a category's name where it is that of one below another:
// News/Local.
func pathOf(kind taxonomy, name string) (path []string) {
	if kind != category {
		return nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if part = strings.TrimSpace(part); part != "" {
			path = append(path, part)
		}
	}
	return path
}

// atPath finds the category at the end of a path and creates what lacks of it.
// name is the path as written.
func (c *Composer) atPath(ctx context.Context, path []string, name string) (term, error) {
	var at term
	for _, part := range path {
		terms, err := c.o.Client.Terms(ctx, string(category), part)
		if err != nil {
			return term{}, err
		}
		below := slices.DeleteFunc(terms, func(t wpclient.Term) bool { return t.Parent != at.id })
		id, err := matchTerm(below, category, part)
		switch {
		case err != nil:
			return term{}, err
		case id != 0:
			at.id = id
			continue
		case c.o.ReadOnly:
			return c.newTerm(ctx, category, name, 0)
		}
		if at, err = c.newTerm(ctx, category, part, at.id); err != nil {
			return term{}, err
		}
	}
	return at, nil
}

// matchTerm finds the term of that very name, else of that slug; 0 for none.
func matchTerm(terms []wpclient.Term, kind taxonomy, name string) (int64, error) {
	var named []wpclient.Term
	for _, t := range terms {
		if strings.EqualFold(norm.NFC.String(t.Name), name) {
			named = append(named, t)
		}
	}
	if len(named) == 1 {
		return named[0].ID, nil
	}
	for _, t := range terms {
		if strings.EqualFold(t.Slug, name) {
			return t.ID, nil
		}
	}
	if len(named) > 1 {
		return 0, faultf("the site has %d of the %s %q: write the slug of the one that is meant (%s, …), or its path (like News/Local)", len(named), kind.word(), name, named[0].Slug)
	}
	return 0, nil
}

func (c *Composer) author(ctx context.Context, name string) (int64, error) {
	users, err := c.o.Client.Users(ctx, name)
	if err != nil {
		return 0, err
	}
	return matchUser(users, name)
}

// matchUser finds the account of that login, else of that slug, else of that
// name.
func matchUser(users []wpclient.User, name string) (int64, error) {
	for _, of := range []func(wpclient.User) string{
		func(u wpclient.User) string { return u.Login },
		func(u wpclient.User) string { return u.Slug },
		func(u wpclient.User) string { return u.Name },
	} {
		var ids []int64
		for _, u := range users {
			if strings.EqualFold(norm.NFC.String(of(u)), norm.NFC.String(name)) {
				ids = append(ids, u.ID)
			}
		}
		switch {
		case len(ids) == 1:
			return ids[0], nil
		case len(ids) > 1:
			return 0, faultf("the site has %d accounts of the name %q: write the login of the one that is meant in `author:`", len(ids), name)
		}
	}
	return 0, faultf("the site has no author %q that this account can see: write a login in `author:`, or leave it out", name)
}
