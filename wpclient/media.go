package wpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Media is a file in the media library.
type Media struct {
	ID   int64
	Slug string
	URL  string
	// Width and Height are those of the image at URL, in pixels; 0 where
	// WordPress does not know them, as of a file that is no image or that it
	// has not come to the end with.
	Width, Height int
	IsImage       bool
}

const (
	mediaRoute  = "wp/v2/media"
	mediaFields = "id,slug,source_url,media_type,media_details"
)

// MediaByID lists those of the files that are there. A file that is attached
// to a post which the account may not see is not shown to it.
func (c *Client) MediaByID(ctx context.Context, ids ...int64) ([]Media, error) {
	wanted := make([]string, len(ids))
	for i, id := range ids {
		wanted[i] = strconv.FormatInt(id, 10)
	}
	return c.media(ctx, "include", wanted, func(m mediaDTO) bool { return slices.Contains(ids, m.ID) })
}

// MediaBySlug lists the files that have one of the slugs, whoever uploaded
// them. WordPress gives no two files one slug (wp_unique_post_slug).
func (c *Client) MediaBySlug(ctx context.Context, slugs ...string) ([]Media, error) {
	return c.media(ctx, "slug", slugs, func(m mediaDTO) bool { return slices.Contains(slugs, m.Slug) })
}

// media lists what one parameter narrows the library to. The context view is
// enough, and shows every account what others have uploaded; that of editing
// does not on 6.1 (measured on 6.1.9 to 6.7-alpha). An address can't be
// arbitrarily long, so many are asked for in several requests.
func (c *Client) media(ctx context.Context, by string, wanted []string, asked func(mediaDTO) bool) ([]Media, error) {
	var found []Media
	for some := range slices.Chunk(wanted, perPage) {
		p, err := listing[mediaDTO]{
			op: "list media", route: mediaRoute,
			query: url.Values{by: {strings.Join(some, ",")}, "_fields": {mediaFields}, "orderby": {"id"}, "order": {"asc"}},
			id:    func(m mediaDTO) int64 { return m.ID },
			check: func(m mediaDTO) error {
				if err := m.check(); err != nil || asked(m) {
					return err
				}
				return fmt.Errorf("media %d was not asked for", m.ID)
			},
		}.all(ctx, c)
		if err != nil {
			return nil, err
		}
		for _, m := range p.rows {
			found = append(found, m.media())
		}
	}
	return found, nil
}

type mediaDTO struct {
	ID      int64           `json:"id"`
	Slug    string          `json:"slug"`
	URL     string          `json:"source_url"`
	Type    string          `json:"media_type"`
	Details json.RawMessage `json:"media_details"`
}

func (m mediaDTO) check() error {
	if m.ID <= 0 || m.URL == "" {
		return errors.New("id or source_url is missing")
	}
	return nil
}

func (m mediaDTO) media() Media {
	found := Media{ID: m.ID, Slug: m.Slug, URL: m.URL, IsImage: m.Type == "image"}
	// Plugins write what they like into the details: a size that can't be read
	// is a size that is not known.
	var size struct {
		Width  int `json:"width"`
		Height int `json:"height"`
	}
	if json.Unmarshal(m.Details, &size) == nil {
		found.Width, found.Height = size.Width, size.Height
	}
	return found
}

// Upload is a file on its way into the media library.
type Upload struct {
	Name string // its file name; WordPress gets it in ASCII
	Type string // its media type, "image/png"
	Size int64  // of Body, in bytes
	Body io.Reader
	// Slug is stored as it is where it is free, as WordPress cleans slugs and
	// not reserved; with -2 and so on where it is not.
	Slug, Title string
	Alt         string // what the image shows, in words
}

const (
	// slowest is how slow a connection may be, in bytes a second, before an
	// upload is given up.
	slowest = 64 << 10
	// unasked is the size, in bytes, up to which a file is sent without asking
	// whether it will be taken.
	unasked = 1 << 20
	// maxWords bounds a text in the address of a request, in bytes once it is
	// escaped: servers take some 8 KB in all.
	maxWords = 1500
)

// Upload puts a file into the media library, streaming it from Body, which it
// does not close. It is sent at most once. A text that is too long for the
// request is cut. WordPress scales what is wider or higher than 2560 pixels:
// URL is then that of the scaled one.
func (c *Client) Upload(ctx context.Context, u Upload) (Media, error) {
	const op = "upload media"
	root, err := c.root(op)
	if err != nil {
		return Media{}, err
	}
	if u.Size <= 0 {
		return Media{}, c.fail(&Error{Op: op, Unsent: true, Message: u.Name + " is empty"})
	}
	// The body is the file and nothing else, so the rest goes into the query,
	// which WordPress takes the same (WP_REST_Request::get_parameter_order).
	// Parts of a form would do too, but PHP takes a part of 2 MB by default and
	// a body of 8.
	q := url.Values{"_fields": {mediaFields}}
	for key, text := range map[string]string{"slug": u.Slug, "title": u.Title, "alt_text": u.Alt} {
		if text != "" {
			q.Set(key, shortened(text, maxWords))
		}
	}
	header := map[string]string{
		"Accept": "application/json", "Content-Type": u.Type,
		"Content-Disposition": disposition(u.Name),
	}
	if u.Size > unasked {
		header["Expect"] = "100-continue" // else a 413 drowns in a connection that is closed
	}
	a, err := c.send(ctx, request{
		op: op, route: mediaRoute, method: http.MethodPost, url: join(root, mediaRoute, q), header: header,
		body: u.Body, size: u.Size, extra: time.Duration(u.Size/slowest) * time.Second,
	})
	if err != nil {
		return Media{}, err
	}
	var m mediaDTO
	if err := c.writeJSON(op, a, &m); err != nil {
		return Media{}, err
	}
	if err := m.check(); err != nil {
		return Media{}, c.unverified(op, a, err.Error())
	}
	return m.media(), nil
}

// shortened cuts a text, at a whole character, to what fits into limit bytes
// of a query.
func shortened(s string, limit int) string {
	n := 0
	for at, r := range s {
		if n += len(url.QueryEscape(string(r))); n > limit {
			return s[:at]
		}
	}
	return s
}

// disposition names a file. WordPress reads the plain form alone, filename="…",
// and of that no quotes or semicolons (get_filename_from_disposition); the
// other form tells the true name to whoever stands before it.
func disposition(name string) string {
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`, asciiName(name), strings.ReplaceAll(url.QueryEscape(path.Base(name)), "+", "%20"))
}

// asciiName is a file name that every server can store.
func asciiName(name string) string {
	ext := path.Ext(name)
	clean := func(s string) string {
		return strings.Trim(strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
				return r
			}
			return '-'
		}, s), "-")
	}
	stem := clean(strings.TrimSuffix(path.Base(name), ext))
	if stem == "" {
		stem = "file"
	}
	if ext = clean(ext); ext != "" {
		return stem + "." + ext
	}
	return stem
}
