package compose

import (
	"context"
	"fmt"
	"path/filepath"

	"morrow/internal/markup"
	"morrow/internal/source"
)

// Preview renders an item without asking the site: without the ids of terms,
// author and pictures. address gives the address by which the file of a picture
// can be shown here; where it is nil, pictures keep the names that the item
// gives them. What is wrong with a picture is a warning. The error is
// a *Fault, or the end of ctx.
func (c *Composer) Preview(ctx context.Context, it source.Item, address func(path string) string) (Draft, error) {
	d, err := c.Render(ctx, it)
	if err != nil {
		return Draft{}, err
	}
	d.shown = make(map[string]markup.Picture)
	for i, p := range d.pictures {
		switch {
		case d.wrong[i] != nil:
			d.Warnings = append(d.Warnings, fmt.Sprintf("%s %v", p, d.wrong[i]))
		case address != nil && !p.featured:
			d.shown[p.dest] = markup.Picture{URL: address(filepath.Join(it.Root, filepath.FromSlash(p.file.path)))}
		}
	}
	if len(d.shown) == 0 {
		return d, nil
	}
	return d, d.show(c.o.HTML)
}
