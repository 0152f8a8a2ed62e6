package compose

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"morrow/wpclient"
)

// Memory remembers which file of a site has which content (journal.Journal
// does). It spares a look at worst: what it says is checked against the site.
type Memory interface {
	Media(ctx context.Context, site, hash string) (id int64, url string, err error)
	SaveMedia(ctx context.Context, site, hash string, id int64, url string) error
}

// forgetful remembers nothing.
type forgetful struct{}

func (forgetful) Media(context.Context, string, string) (int64, string, error) { return 0, "", nil }

func (forgetful) SaveMedia(context.Context, string, string, int64, string) error { return nil }

// slugs are those of a file on every site: by them it is found again, and so
// is uploaded once. The second is what WordPress makes of the first where a
// file in the trash, or one that another machine uploaded meanwhile, has it.
func (f file) slugs() []string { return []string{"morrow-" + f.hash, "morrow-" + f.hash + "-2"} }

// is says whether a file of the site has this content.
func (f file) is(m wpclient.Media) bool { return slices.Contains(f.slugs(), m.Slug) }

// find gives what the site has of the pictures, by the hash of their content.
func (c *Composer) find(ctx context.Context, list []picture) (map[string]wpclient.Media, error) {
	found, err := c.recall(ctx, list)
	if err != nil {
		return nil, err
	}
	var slugs []string
	missing := unfound(list, found)
	for _, p := range missing {
		slugs = append(slugs, p.file.slugs()...)
	}
	if len(slugs) == 0 {
		return found, nil
	}
	there, err := c.o.Client.MediaBySlug(ctx, slugs...)
	if err != nil {
		return nil, err
	}
	for _, p := range missing {
		if at := slices.IndexFunc(there, p.file.is); at >= 0 {
			found[p.file.hash] = there[at]
			c.remember(ctx, p.file, there[at])
		}
	}
	return found, nil
}

// recall gives those of the pictures that are remembered and still there. An
// id alone proves nothing: a site that was set up anew gives it to another.
func (c *Composer) recall(ctx context.Context, list []picture) (map[string]wpclient.Media, error) {
	found := make(map[string]wpclient.Media, len(list))
	known := make(map[int64]struct{ hash, url string })
	for _, p := range unfound(list, nil) {
		// A memory that fails is one that knows nothing.
		if id, url, err := c.o.Memory.Media(ctx, c.o.Site, p.file.hash); err == nil && id != 0 {
			known[id] = struct{ hash, url string }{p.file.hash, url}
		}
	}
	if len(known) == 0 {
		return found, nil
	}
	there, err := c.o.Client.MediaByID(ctx, slices.Sorted(maps.Keys(known))...)
	if err != nil {
		return nil, err
	}
	for _, m := range there {
		if k := known[m.ID]; m.URL == k.url {
			found[k.hash] = m
		}
	}
	return found, nil
}

func (c *Composer) remember(ctx context.Context, f file, m wpclient.Media) {
	// What can't be remembered is found by its slug.
	_ = c.o.Memory.SaveMedia(ctx, c.o.Site, f.hash, m.ID, m.URL)
}

// unfound are the pictures that are not on the site, each content once.
func unfound(list []picture, found map[string]wpclient.Media) (missing []picture) {
	for _, p := range list {
		_, there := found[p.file.hash]
		if !there && !slices.ContainsFunc(missing, func(q picture) bool { return q.file.hash == p.file.hash }) {
			missing = append(missing, p)
		}
	}
	return missing
}

// upload puts a picture into the library. It is sent once: where nobody knows
// what became of it, the site is asked. A *Fault means the picture, any other
// error the site.
func (c *Composer) upload(ctx context.Context, root string, p picture, step string) (wpclient.Media, error) {
	f, err := p.file.open(root)
	if err != nil {
		return wpclient.Media{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	m, err := c.o.Client.Upload(ctx, wpclient.Upload{
		Name: p.file.name, Type: p.file.mime, Size: p.file.size, Slug: p.file.slugs()[0], Title: p.file.title(), Alt: p.alt,
		Body: &meter{file: f, size: p.file.size, step: step, tell: c.o.Progress},
	})
	if err != nil {
		if err = refusal(err); isFault(err) {
			return m, err
		}
		there, lookErr := c.o.Client.MediaBySlug(ctx, p.file.slugs()...)
		if lookErr != nil || len(there) == 0 {
			return m, err
		}
		m = there[0]
	}
	c.remember(ctx, p.file, m)
	return m, nil
}

// refusal sorts the error of an upload: a *Fault is about the file, or about
// the rights of the account, which the next picture lacks too.
func refusal(err error) error {
	var e *wpclient.Error
	if !errors.As(err, &e) {
		return err
	}
	switch {
	case e.Status == http.StatusRequestEntityTooLarge:
		return faultf("is too large for the site: make it smaller, or raise the server's limit (client_max_body_size, post_max_size)")
	case e.Code == "rest_cannot_create":
		return faultf("can't be uploaded by this account: give it the role author or higher (upload_files)")
	case e.Refused, e.Status == http.StatusForbidden, e.Status == http.StatusNotAcceptable, e.Status == http.StatusUnsupportedMediaType:
		return faultf("is not taken by the site: %v", err)
	}
	return err
}

// open opens the file that was examined.
func (f file) open(root string) (*os.File, error) {
	file, err := os.OpenInRoot(root, filepath.FromSlash(f.path))
	if err != nil {
		return nil, &Fault{unread(err).Error()}
	}
	info, err := file.Stat()
	if err != nil || info.Size() != f.size || !info.ModTime().Equal(f.modified) {
		_ = file.Close()
		return nil, faultf("is being changed; it is looked at again next time")
	}
	return file, nil
}

// meter tells how far a file has been read.
type meter struct {
	file       io.Reader
	size, read int64
	step       string
	tell       func(string) // may be nil
	told       int64        // percent
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.file.Read(p)
	m.read += int64(n)
	if percent := m.read * 100 / m.size; m.tell != nil && percent != m.told {
		m.told = percent
		m.tell(fmt.Sprintf("%s, %d %%", m.step, percent))
	}
	return n, err
}
