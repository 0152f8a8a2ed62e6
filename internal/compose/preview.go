package compose

import "morrow/internal/source"

// Preview is an item as it would be sent, the site unasked: without the ids of
// terms, author and pictures. The error is a *Fault.
func (c *Composer) Preview(it source.Item) (Draft, error) { return c.render(it) }
