package wpclient

import (
	"context"
	"io"
	"net/http"
	"net/url"
)

// Wake asks for wp-cron.php and the front page, as a visitor would: either
// makes WordPress publish what is due (spawn_cron, wp_cron). What they answer
// does not matter; the posts tell whether it helped.
func (c *Client) Wake(ctx context.Context) {
	for _, page := range []*url.URL{c.site.JoinPath("wp-cron.php"), c.site.JoinPath("/")} {
		_, _ = c.page(ctx, page)
	}
}

// Page asks for a public page without credentials and gives its HTTP status,
// redirects followed.
func (c *Client) Page(ctx context.Context, link string) (status int, err error) {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" {
		return 0, &Error{Op: "read public page", Unsent: true, Message: "the post's link is no address"}
	}
	return c.page(ctx, u)
}

func (c *Client) page(ctx context.Context, u *url.URL) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), http.NoBody)
	if err != nil {
		return 0, &Error{Op: "read public page", Unsent: true, Err: err}
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Cache-Control", "no-cache")
	visitor := http.Client{Transport: c.http.GetClient().Transport}
	res, err := visitor.Do(req)
	if err != nil {
		return 0, c.fail(&Error{Op: "read public page", Message: "no answer from " + u.Host, Err: err})
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, maxBody))
	return res.StatusCode, res.Body.Close()
}
