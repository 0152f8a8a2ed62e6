package compose

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"morrow/wpclient"
)

// maxTerm is the width of WordPress's column; a longer name answers 500.
const maxTerm = 200

// settle finds the ids of the item's terms and author.
func (c *Composer) settle(ctx context.Context, d *Draft) error {
	categories, tags := names(d.Item.Categories), names(d.Item.Tags)
	found := make([]term, len(categories)+len(tags))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4) // polite to a small site
	for i, name := range append(categories, tags...) {
		kind := category
		if i >= len(categories) {
			kind = tag
		}
		g.Go(func() (err error) {
			found[i], err = c.term(ctx, kind, name)
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
	for i, t := range found {
		ids := &d.Categories
		if i >= len(categories) {
			ids = &d.Tags
		}
		switch {
		case t.warning != "":
			d.Warnings = append(d.Warnings, t.warning)
		case !slices.Contains(*ids, t.id):
			*ids = append(*ids, t.id)
		}
	}
	return nil
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
	if t == category {
		return "category"
	}
	return "tag"
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
	switch {
	case err != nil || id != 0:
		return term{id: id}, err
	case c.o.ReadOnly:
		return term{warning: "would create " + kind.word() + " " + name}, nil
	}
	made, err := c.o.Client.CreateTerm(ctx, string(kind), name)
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
		return 0, faultf("the site has %d of the %s %q: write the slug of the one that is meant (%s, …)", len(named), kind.word(), name, named[0].Slug)
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
