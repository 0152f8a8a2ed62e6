package compose

import (
	"context"

	"morrow/internal/source"
)

// Compose renders and settles.
func (c *Composer) Compose(ctx context.Context, it source.Item) (Draft, error) {
	d, err := c.Render(ctx, it)
	if err != nil {
		return d, err
	}
	return c.Settle(ctx, d)
}
