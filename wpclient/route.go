package wpclient

import (
	"fmt"
	"net/url"
	"strings"
)

// asRoot gives a REST root the ending that routes are joined to.
func asRoot(u *url.URL) *url.URL {
	if u.Query().Has("rest_route") || strings.HasSuffix(u.Path, "/") {
		return u
	}
	return u.JoinPath("/")
}

// join is the address of a route under a REST root. With plain permalinks the
// root carries the route in its query, https://x/index.php?rest_route=/, so
// the route goes there and q beside it.
func join(root *url.URL, route string, q url.Values) *url.URL {
	u, all := root, root.Query()
	if all.Has("rest_route") {
		all.Set("rest_route", strings.TrimSuffix(all.Get("rest_route"), "/")+"/"+route)
	} else if route != "" { // else JoinPath would drop the root's slash
		u = root.JoinPath(route)
	}
	for k, v := range q {
		all[k] = v
	}
	joined := *u
	joined.RawQuery = all.Encode()
	return &joined
}

// root is the REST root, once it is known.
func (c *Client) root(op string) (*url.URL, error) {
	k := c.known.Load()
	if k == nil {
		return nil, c.fail(&Error{Op: op, Unsent: true, Message: "the REST root is not known yet: discover it first"})
	}
	return k.root, nil
}

// moved names the address that a redirect points to, as it should stand in
// the configuration.
func (c *Client) moved(a answer) string {
	to, err := a.url.Parse(a.header.Get("Location"))
	if err != nil || origin(to) == c.origin {
		return "the redirect was not followed, since it would change the request"
	}
	if strings.EqualFold(to.Hostname(), wordpressCom) {
		return "WordPress.com's own API can't schedule a post safely"
	}
	key, base := "url", c.site
	if c.api != nil {
		key, base = "api", c.api
	}
	route := strings.TrimPrefix(a.url.Path, base.Path)
	to.Path, to.RawPath = strings.TrimSuffix(to.Path, route), ""
	return fmt.Sprintf("the password goes to no other host or scheme: if that address is yours, put %s into %s:", withoutQuery(to.String()), key)
}
