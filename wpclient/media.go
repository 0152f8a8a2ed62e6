package wpclient

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// Media is a file in the media library.
type Media struct {
	ID  int64
	URL string
}

// Upload puts a file of size bytes into the media library, streaming it from
// body, which it does not close. It is sent at most once.
func (c *Client) Upload(ctx context.Context, name, mime string, body io.Reader, size int64) (Media, error) {
	const op, route = "upload media", "wp/v2/media"
	root, err := c.root(op)
	if err != nil {
		return Media{}, err
	}
	if size <= 0 {
		return Media{}, c.fail(&Error{Op: op, Unsent: true, Message: asciiName(name) + " is empty"})
	}
	a, err := c.send(ctx, request{
		op: op, route: route, method: http.MethodPost, url: join(root, route, url.Values{"_fields": {"id,source_url"}}),
		header: map[string]string{
			"Accept": "application/json", "Content-Type": mime,
			"Content-Disposition": fmt.Sprintf(`attachment; filename="%s"`, asciiName(name)),
		},
		body: body, size: size,
	})
	if err != nil {
		return Media{}, err
	}
	var m struct {
		ID  int64  `json:"id"`
		URL string `json:"source_url"`
	}
	if err := c.writeJSON(op, a, &m); err != nil {
		return Media{}, err
	}
	if m.ID <= 0 || m.URL == "" {
		return Media{}, c.unverified(op, a, "id or source_url is missing")
	}
	return Media{ID: m.ID, URL: m.URL}, nil
}

// asciiName is a file name for Content-Disposition: WordPress understands only
// the plain form, filename="…", not filename*=.
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
