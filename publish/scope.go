package publish

import (
	"context"
	"strings"
	"time"

	"morrow/wpclient"
)

// scopeIDs are the ids of the category and the author that `scope` names, kept
// for a day.
type scopeIDs struct {
	category, author int64
	at               time.Time
}

// resolveScope turns the names in `scope` into ids.
func (r *run) resolveScope(ctx context.Context) error {
	want := r.job.Scope
	if want.Category == "" && want.Author == "" {
		return nil
	}
	if age := r.started.Sub(r.scope.at); r.scope.at.IsZero() || age < 0 || age > factsAge {
		ids := scopeIDs{at: r.started}
		var err error
		if ids.category, err = r.categoryID(ctx, want.Category); err != nil {
			return err
		}
		if ids.author, err = r.authorID(ctx, want.Author); err != nil {
			return err
		}
		*r.scope = ids
	}
	r.filler.category, r.filler.author = r.scope.category, r.scope.author
	return nil
}

func (r *run) categoryID(ctx context.Context, name string) (int64, error) {
	if name == "" {
		return 0, nil
	}
	terms, err := r.client.Terms(ctx, "categories", name)
	if err != nil {
		return 0, err
	}
	var ids []int64
	for _, t := range terms {
		if t.Slug == name {
			return t.ID, nil
		}
		if strings.EqualFold(t.Name, name) {
			ids = append(ids, t.ID)
		}
	}
	return only(ids, "category", name)
}

func (r *run) authorID(ctx context.Context, name string) (int64, error) {
	if name == "" {
		return 0, nil
	}
	users, err := r.client.Users(ctx, name)
	if err != nil {
		return 0, err
	}
	for _, of := range []func(wpclient.User) string{
		func(u wpclient.User) string { return u.Login },
		func(u wpclient.User) string { return u.Slug },
		func(u wpclient.User) string { return u.Name },
	} {
		var ids []int64
		for _, u := range users {
			if strings.EqualFold(of(u), name) {
				ids = append(ids, u.ID)
			}
		}
		if len(ids) > 0 {
			return only(ids, "author", name)
		}
	}
	return only(nil, "author", name)
}

// only is the one id that a name of `scope` stands for.
func only(ids []int64, what, name string) (int64, error) {
	switch len(ids) {
	case 1:
		return ids[0], nil
	case 0:
		return 0, needsPerson("find the %[1]s of `scope`: the site shows no %[1]s %[2]q; mend `scope: {%[1]s: …}`", what, name)
	}
	return 0, needsPerson("find the %[1]s of `scope`: the site has %[3]d of the name %[2]q; give the slug in `scope: {%[1]s: …}`", what, name, len(ids))
}
