package publish

import (
	"context"
	"slices"

	"morrow/internal/compose"
	"morrow/internal/source"
	"morrow/wpclient"
)

// A draft that a person handed over is its own item: nothing is created for it,
// and nothing of it deleted. Its commit sends its content again, with the
// marker, and so needs an account from which WordPress filters nothing.

// handed finds out whether a handed draft may be booked. The list it comes from
// is all that there is to know: a draft that is booked is in none.
func (r *run) handed(ctx context.Context, it source.Item) (d compose.Draft, f finding, err error) {
	if ok, err := r.may(ctx, "unfiltered_html"); err != nil || !ok {
		if err == nil {
			err = needsPerson("book %s: the account %q lacks the right unfiltered_html, and WordPress could strip a person's text as it is sent again: use an administrator or editor", it.Name, r.job.User)
		}
		return d, f, err
	}
	d, err = r.compose.Render(ctx, it)
	return d, finding{fate: reuse, draft: it.Post}, err
}

// sameDraft says whether nobody touched a handed draft between two readings.
func sameDraft(a, b wpclient.Post) bool {
	return a.Status == "draft" && b.Status == "draft" && a.Modified == b.Modified && a.Date == b.Date &&
		a.Title == b.Title && a.Content == b.Content && a.Excerpt == b.Excerpt && a.Slug == b.Slug &&
		slices.Equal(a.Categories, b.Categories) && slices.Equal(a.Tags, b.Tags)
}
