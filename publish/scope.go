package publish

import (
	"context"
	"strings"
	"time"
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
	for _, t := range terms {
		if strings.EqualFold(t.Name, name) || t.Slug == name {
			return t.ID, nil
		}
	}
	return 0, needsPerson("find the category of `scope`: the site has no category %q; make it there, or mend `scope: {category: …}`", name)
}

func (r *run) authorID(ctx context.Context, name string) (int64, error) {
	if name == "" {
		return 0, nil
	}
	users, err := r.client.Users(ctx, name)
	if err != nil {
		return 0, err
	}
	for _, u := range users {
		if strings.EqualFold(u.Slug, name) || strings.EqualFold(u.Name, name) {
			return u.ID, nil
		}
	}
	return 0, needsPerson("find the author of `scope`: the site shows no author %q; mend `scope: {author: …}`", name)
}
