package compose

import (
	"fmt"
	"path/filepath"

	"morrow/internal/markup"
	"morrow/internal/source"
)

// Preview renders an item without asking the site: without the ids of terms,
// author and pictures. address gives the address by which the file of a picture
// can be shown here; where it is nil, pictures keep the names that the item
// gives them. What is wrong with a picture is a warning. The error is a *Fault.
func (c *Composer) Preview(it source.Item, address func(path string) string) (Draft, error) {
	d, err := c.Render(it)
	if err != nil {
		return Draft{}, err
	}
	d.shown = make(map[string]markup.Picture)
	for _, p := range pictures(it) {
		f, err := c.fileOf(it, p)
		switch {
		case err != nil:
			d.Warnings = append(d.Warnings, fmt.Sprintf("%s %v", p, err))
		case address != nil && !p.featured:
			d.shown[p.dest] = markup.Picture{URL: address(filepath.Join(it.Root, filepath.FromSlash(f.path)))}
		}
	}
	if len(d.shown) == 0 {
		return d, nil
	}
	return d, d.show(c.o.HTML)
}
