package compose

import (
	"morrow/internal/markup"
	"morrow/internal/source"
)

// handed is a draft on the site that a person handed over. It goes out as it
// is, with nothing but the marker added; its slug is WordPress's to choose when
// it has none yet.
func (c *Composer) handed(it source.Item) (Draft, error) {
	d := Draft{Item: it, Title: it.Title, Slug: it.Post.Slug, Excerpt: it.Post.Excerpt, job: c.o.Job, host: c.o.Host}
	if err := d.keep(it.Post.Content); err != nil {
		return Draft{}, &Fault{err.Error()}
	}
	d.Text = textHash(it.Post.Title, d.Excerpt, d.Content)
	return d, nil
}

// keep takes content over. Once there and back: a marker copied along with a
// text is dropped, and what is kept is what CutMarker will give of the stored
// post.
func (d *Draft) keep(content string) error {
	marked, err := markup.SetMarker(content, markup.Marker{})
	if err != nil {
		return err
	}
	d.Content, _, _ = markup.CutMarker(marked)
	return nil
}
