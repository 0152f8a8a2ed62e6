package compose

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"morrow/internal/markup"
)

// picturesMark parts what Text says of the item's words from what it says of
// its pictures.
const picturesMark = "."

// gather finds the item's pictures on this machine and gives the draft its
// Text. The site is not asked.
func (c *Composer) gather(ctx context.Context, d *Draft) (err error) {
	d.Text = d.hash()
	if d.pictures = pictures(d.Item); len(d.pictures) == 0 {
		return nil
	}
	if d.wrong, err = c.examine(ctx, d.Item, d.pictures); err != nil {
		return err
	}
	all := sha256.New()
	for _, p := range d.pictures {
		// That of an id or one that can't be had is empty.
		_, _ = fmt.Fprintf(all, "%q\n", cmp.Or(p.file.hash, p.dest)) // a hash takes all
	}
	d.sent = d.Text
	d.Text += picturesMark + hex.EncodeToString(all.Sum(nil)[:10])
	return nil
}

// sound gives those of the draft's pictures with which nothing is wrong.
func (c *Composer) sound(d *Draft) ([]picture, error) {
	if len(d.pictures) == 0 {
		return nil, nil
	}
	d.shown, d.leftOut = make(map[string]markup.Picture), make(map[string]bool)
	var sound []picture
	for i, p := range d.pictures {
		if d.wrong[i] == nil {
			sound = append(sound, p)
		} else if err := c.goWithout(d, p, d.wrong[i]); err != nil {
			return nil, err
		}
	}
	return sound, nil
}

// settleMedia brings the pictures to the media library and puts them into the
// content.
func (c *Composer) settleMedia(ctx context.Context, d *Draft, list []picture) error {
	if last := len(list) - 1; last >= 0 && list[last].id != 0 {
		if err := c.featureID(ctx, d, list[last]); err != nil {
			return err
		}
		list = list[:last]
	}
	if len(list) > 0 {
		if err := c.bring(ctx, d, list); err != nil {
			return err
		}
	}
	if len(d.shown)+len(d.leftOut) > 0 {
		return d.show(c.o.HTML)
	}
	return nil
}

// goWithout leaves a picture out, where the item may go without it; else the
// item has a fault.
func (c *Composer) goWithout(d *Draft, p picture, why error) error {
	if !c.o.WithoutMedia {
		return faultf("%s %v", p, why)
	}
	d.Warnings = append(d.Warnings, fmt.Sprintf("%s is left out: it %v", p, why))
	if !p.featured {
		d.leftOut[p.dest] = true
	}
	return nil
}

// featureID settles a featured image that is named by its id on the site.
func (c *Composer) featureID(ctx context.Context, d *Draft, p picture) error {
	found, err := c.o.Client.MediaByID(ctx, p.id)
	switch {
	case err != nil:
		return err
	case len(found) == 0 || !found[0].IsImage:
		return c.goWithout(d, p, errors.New("is no picture of the site's media library: correct the id"))
	}
	d.Featured = p.id
	return nil
}

// bring finds the pictures on the site and uploads those that are not there.
func (c *Composer) bring(ctx context.Context, d *Draft, list []picture) error {
	found, err := c.find(ctx, list)
	if err != nil {
		return err
	}
	missing := unfound(list, found)
	if c.o.ReadOnly {
		d.warnOfUploads(missing)
		missing = nil
	}
	refused := make(map[string]error)
	for i, p := range missing {
		m, err := c.upload(ctx, d.Item.Root, p, fmt.Sprintf("uploading %s (%d of %d)", p.file.path, i+1, len(missing)))
		if err != nil && !isFault(err) {
			return err
		}
		if err == nil {
			found[p.file.hash] = m
		} else if refused[p.file.hash] = err; !c.o.WithoutMedia {
			break
		}
	}
	for _, p := range list {
		m, there := found[p.file.hash]
		switch why := refused[p.file.hash]; {
		case why != nil:
			if err := c.goWithout(d, p, why); err != nil {
				return err
			}
		case !there: // a dry run, or behind one that was refused
		case p.featured:
			d.Featured = m.ID
		default:
			d.shown[p.dest] = markup.Picture{ID: m.ID, URL: m.URL, Width: m.Width, Height: m.Height}
		}
	}
	return nil
}

func (d *Draft) warnOfUploads(missing []picture) {
	var size int64
	for _, p := range missing {
		size += p.file.size
	}
	switch {
	case len(missing) == 1:
		d.Warnings = append(d.Warnings, fmt.Sprintf("would upload %s (%s)", missing[0].file.path, bytesText(size)))
	case len(missing) > 1:
		d.Warnings = append(d.Warnings, fmt.Sprintf("would upload %d pictures (%s)", len(missing), bytesText(size)))
	}
}

func bytesText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KB", (n+1<<10-1)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
