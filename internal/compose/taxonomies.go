package compose

import (
	"context"
	"maps"
	"slices"
	"strings"

	"morrow/internal/pattern"
)

// plainBase is what a REST base may look like before it is put into a path.
var plainBase = pattern.Lazy(`^[A-Za-z0-9_-]+$`)

// checkTaxonomies turns the names of taxonomies that a file gives into their
// REST bases, by the site's own list: any other name would be that of a route
// which makes something else, such as pages or users. The error is the site's;
// what is wrong with a name is told in its wish.
func (c *Composer) checkTaxonomies(ctx context.Context, list []wish) error {
	own := func(w wish) bool { return w.kind == category || w.kind == tag }
	if !slices.ContainsFunc(list, func(w wish) bool { return !own(w) }) {
		return nil
	}
	bases, err := c.o.Client.Taxonomies(ctx)
	if err != nil {
		return err
	}
	there := slices.DeleteFunc(slices.Sorted(maps.Values(bases)), func(base string) bool { return !plainBase().MatchString(base) })
	for i, w := range list {
		name := string(w.kind)
		if base, ok := bases[name]; ok && !slices.Contains(there, name) {
			name = base
		}
		if !own(w) && !slices.Contains(there, name) {
			list[i].wrong = faultf("the site's REST API has no taxonomy %q: write one of %s under `taxonomies:`", w.kind, strings.Join(there, ", "))
		}
		list[i].kind = taxonomy(name)
	}
	return nil
}
