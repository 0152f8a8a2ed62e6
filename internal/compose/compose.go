// Package compose turns an item into what is sent to WordPress.
package compose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"morrow/internal/markup"
	"morrow/internal/source"
	"morrow/wpclient"
)

// Options of a Composer.
type Options struct {
	// Client settles terms, authors and media; it may be nil where no item
	// names any.
	Client *wpclient.Client
	Job    string
	Host   string
	HTML   bool // format: html instead of blocks
	// Resolve only what exists: a dry run creates no term and uploads nothing.
	ReadOnly bool
	// WithoutTerms: an item goes without a term that can't be found or created,
	// with a warning; else that is its fault.
	WithoutTerms bool
	// WithoutMedia: an item goes without a picture that can't be uploaded,
	// with a warning; else that is its fault.
	WithoutMedia bool
	// Memory knows what was uploaded to Site, under that name; nil for none.
	Memory Memory
	Site   string
	Now    func() time.Time // nil means time.Now
	// Progress, if not nil, is told how far an upload is.
	Progress func(step string)
}

// Composer makes drafts of one job's items. It may be used concurrently.
type Composer struct{ o Options }

// New makes a Composer.
func New(o Options) *Composer {
	if o.Memory == nil {
		o.Memory = forgetful{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Composer{o}
}

// Fault is a reason why an item can't be posted before someone mends it.
type Fault struct{ Reason string } //nolint:errname // the word that people are shown and the design uses

func (f *Fault) Error() string { return f.Reason }

func faultf(format string, args ...any) *Fault { return &Fault{fmt.Sprintf(format, args...)} }

func isFault(err error) bool {
	var f *Fault
	return errors.As(err, &f)
}

// Draft is an item as it is sent: rendered, its terms, author and pictures
// resolved.
type Draft struct {
	Item       source.Item
	Title      string // plain text
	Slug       string // as WordPress stores it, see Slug
	Excerpt    string // plain text
	Content    string // without a marker
	Categories []int64
	Tags       []int64
	Author     int64 // 0 for the account in use
	Featured   int64 // id of the featured image, 0 for none
	// Extra are further fields, see wpclient.Fields.
	Extra map[string]any
	// Text is a hash of title, excerpt and content as the item has them, and of
	// what its local pictures show: so it is known without asking the site, and
	// the same whatever the site makes of the pictures. One that can't be had
	// counts as the name that the item gives it.
	Text     string
	Warnings []string

	job, host string
	pictures  []picture
	wrong     []error // with each of the pictures, nil for a sound one
	// shown are the pictures of the site, by the names that the item gives them.
	shown   map[string]markup.Picture
	leftOut map[string]bool
	// sent is the hash of what is sent where there are pictures, which make
	// that another than Text; else empty.
	sent string
}

// Settle finds the ids of a rendered draft's terms, author and pictures on the
// site, which is asked nothing when the item names none. Missing terms are
// created and missing pictures uploaded, unless ReadOnly: then a warning says
// so. A *Fault means the item, any other error the site.
func (c *Composer) Settle(ctx context.Context, d Draft) (Draft, error) {
	pictures, err := c.sound(&d)
	if err != nil {
		return Draft{}, err
	}
	if err := c.settle(ctx, &d); err != nil {
		return Draft{}, err
	}
	if err := c.settleMedia(ctx, &d, pictures); err != nil {
		return Draft{}, err
	}
	return d, nil
}

// Makes says whether an item would be sent as the text of that hash (see
// Draft.Text), the site unasked. Where pictures of it can't be had any more it
// is enough that the rest is the same.
func (c *Composer) Makes(ctx context.Context, it source.Item, text string) bool {
	d, err := c.Render(ctx, it)
	named, _, _ := strings.Cut(text, picturesMark)
	lost := slices.ContainsFunc(d.wrong, func(why error) bool { return why != nil })
	return err == nil && (d.Text == text || lost && d.sent == named)
}

// Render makes the draft of an item, the site unasked: what a look-up of the
// item needs. It is not to be sent before it is settled, and what is wrong with
// a picture is told then. The error is a *Fault, or the end of ctx.
func (c *Composer) Render(ctx context.Context, it source.Item) (Draft, error) {
	if it.Post.ID != 0 {
		return c.handed(it)
	}
	d := Draft{
		Item: it, Title: oneLine(it.Title), Slug: Slug(it), Excerpt: strings.TrimSpace(it.Excerpt),
		Extra: extra(it.Settings), Warnings: append([]string(nil), it.Warnings...), job: c.o.Job, host: c.o.Host,
	}
	if !utf8.ValidString(d.Title + d.Excerpt) {
		return Draft{}, faultf("the title or excerpt is not valid UTF-8: save the file as UTF-8")
	}
	if d.Title == "" {
		return Draft{}, faultf("it has no title: add `title:` at the top of the file")
	}
	content, warnings, err := d.content(c.o.HTML)
	if err != nil {
		return Draft{}, &Fault{err.Error()}
	}
	for _, w := range warnings {
		d.Warnings = append(d.Warnings, fmt.Sprintf("line %d: %s", max(it.BodyLine, 1)-1+w.Line, w.Msg))
	}
	if err := d.keep(content); err != nil {
		return Draft{}, &Fault{err.Error()}
	}
	return d, c.gather(ctx, &d)
}

// show renders the item again, with its pictures on the site.
func (d *Draft) show(asHTML bool) error {
	content, _, err := d.content(asHTML)
	if err == nil {
		err = d.keep(content)
	}
	if err != nil {
		return &Fault{err.Error()}
	}
	d.sent = d.hash()
	return nil
}

// hash is the same for what is sent and for what WordPress makes of it for any
// account.
func (d *Draft) hash() string {
	return textHash(markup.EscapeText(d.Title), markup.EscapeText(d.Excerpt), d.Content)
}

func (d *Draft) content(asHTML bool) (string, []markup.Warning, error) {
	content, warnings, err := d.renderBody(asHTML)
	if err != nil {
		return "", nil, err
	}
	if strings.TrimSpace(content) == "" {
		return "", nil, faultf("it has no text")
	}
	return content, warnings, nil
}

func (d *Draft) renderBody(asHTML bool) (string, []markup.Warning, error) {
	it := d.Item
	o := markup.Options{
		Image: func(img markup.Image) (markup.Picture, bool) {
			p, ok := d.shown[img.Dest]
			return p, ok
		},
		LeaveOut: func(img markup.Image) bool { return d.leftOut[img.Dest] },
	}
	switch {
	case it.HTML:
		content, err := markup.Raw(it.Body, !asHTML, o)
		return content, nil, err
	case asHTML:
		return markup.HTML(it.Body, o)
	}
	return markup.Blocks(it.Body, o)
}

// Prepare is the body that makes the draft (or brings a leftover draft of
// ours, id not 0, to this text). It bears no date, so that the draft floats.
func (d Draft) Prepare(slot time.Time, id int64) (wpclient.Fields, error) {
	content, err := markup.SetMarker(d.Content, d.marker(slot, id))
	if err != nil {
		return wpclient.Fields{}, fmt.Errorf("mark the post: %w", err)
	}
	f := wpclient.Fields{
		Title: new(markup.EscapeText(d.Title)), Slug: new(d.Slug),
		Excerpt: new(markup.EscapeText(d.Excerpt)), Content: &content,
	}
	if id == 0 {
		f.Status = new("draft")
	}
	if len(d.Categories) > 0 { // none means the site's default category
		f.Categories = new(d.Categories)
	}
	if len(d.Tags) > 0 || id != 0 {
		f.Tags = new(append([]int64{}, d.Tags...))
	}
	if d.Author != 0 {
		f.Author = new(d.Author)
	}
	if d.Featured != 0 || id != 0 {
		f.FeaturedMedia = new(d.Featured)
	}
	f.Extra = d.Extra
	return f, nil
}

// Commit is the body that turns draft id into the scheduled post of slot.
func (d Draft) Commit(slot time.Time, id int64) (wpclient.Fields, error) {
	content, err := markup.SetMarker(d.Content, d.marker(slot, id))
	if err != nil {
		return wpclient.Fields{}, fmt.Errorf("mark the post: %w", err)
	}
	f := wpclient.Fields{Status: new("future"), DateGMT: &slot, Content: &content}
	if d.Slug != "" { // else a draft that was handed over without one
		f.Slug = new(d.Slug)
	}
	return f, nil
}

func (d Draft) marker(slot time.Time, id int64) markup.Marker {
	return markup.Marker{Job: d.job, Slot: slot, Item: d.Item.Key, Text: d.Text, Sent: d.sent, Host: d.host, ID: id}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
