package wpclient

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/sync/errgroup"
)

const opDiscover = "find REST API"

// Facts are what is learned of a site once and kept for a day.
type Facts struct {
	Root         string  `json:"root"` // REST root, ends in "/" or "?rest_route=/"
	Name         string  `json:"name"`
	Home         string  `json:"home"`
	Timezone     string  `json:"timezone"`   // IANA name, may be empty
	GMTOffset    float64 `json:"gmt_offset"` // hours
	User         User    `json:"user"`
	AppPasswords bool    `json:"app_passwords"`
}

// Discover finds the REST root, the zone and the account's rights, with
// credentials, and uses the root from then on.
func (c *Client) Discover(ctx context.Context) (Facts, error) {
	root := c.api
	if root == nil {
		err := c.read(ctx, func() (err error) {
			root, err = c.findRoot(ctx)
			return err
		})
		if err != nil {
			return Facts{}, err
		}
	}
	f, err := c.facts(ctx, root)
	if err != nil {
		return Facts{}, err
	}
	return f, c.Use(f)
}

// Use takes facts that were discovered before, so that nothing is asked.
func (c *Client) Use(f Facts) error {
	root, err := c.announced(f.Root)
	if err != nil {
		return err
	}
	c.known.Store(&known{root: root, listUsers: f.User.Capabilities["list_users"]})
	return nil
}

// findRoot asks the site's front page for its REST root: by header, by
// element, else by trying the two places where WordPress has it.
func (c *Client) findRoot(ctx context.Context) (*url.URL, error) {
	a, err := c.frontPage(ctx)
	if err != nil {
		return nil, err
	}
	if a.redirects() {
		return nil, c.refusal(opDiscover, a)
	}
	if s := namedRoot(a); s != "" {
		return c.announced(s)
	}
	return c.guessRoot(ctx)
}

func (c *Client) frontPage(ctx context.Context) (answer, error) {
	return c.send(ctx, request{
		op: opDiscover, route: "front page", method: http.MethodGet, url: c.site,
		header: map[string]string{"Accept": "text/html", "Cache-Control": "no-cache"},
	})
}

// namedRoot is the REST root that a page names, "" if it names none.
func namedRoot(a answer) string { return cmp.Or(linkHeader(a), linkElement(a)) }

// guessRoot tries the places where WordPress has its REST root.
func (c *Client) guessRoot(ctx context.Context) (*url.URL, error) {
	pretty := c.site.JoinPath("wp-json/")
	plain := *c.site.JoinPath("/")
	plain.RawQuery = "rest_route=/"
	var first error
	for _, root := range []*url.URL{pretty, &plain} {
		_, err := c.index(ctx, root)
		if err == nil {
			return root, nil
		}
		var e *Error
		if errors.As(err, &e) && e.Code != "" && e.Code != "rest_no_route" {
			return nil, err // it is WordPress that refuses
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// announced checks a REST root that the site names: the password goes to no
// other host or scheme than the configuration's.
func (c *Client) announced(s string) (*url.URL, error) {
	u, err := c.site.Parse(s)
	switch {
	case err != nil || s == "" || u.Host == "":
		return nil, c.fail(&Error{Op: opDiscover, Message: "the site announces a REST API at an address that can't be read", Hint: "set api:"})
	case u.Hostname() == wordpressCom:
		return nil, c.fail(&Error{
			Op: opDiscover, Message: "the site is hosted on WordPress.com and offers only its own API, which can't schedule a post safely",
			Hint: "a plan that allows plugins has the usual API",
		})
	case origin(u) != c.origin:
		u.User = nil
		return nil, c.fail(&Error{
			Op: opDiscover, Message: fmt.Sprintf("the site announces its REST API on another host or scheme: %s", u),
			Hint: fmt.Sprintf("the password goes nowhere unasked: if that address is yours, put it into url:, or api: %s", u),
		})
	}
	u.User, u.Fragment = nil, ""
	return asRoot(u), nil
}

// linkHeader finds the root in the Link header (rest_output_link_header).
func linkHeader(a answer) string {
	link := regexp.MustCompile(`<([^>]*)>[^<,]*;\s*rel="?https://api\.w\.org/"?`)
	for _, v := range a.header.Values("Link") {
		if m := link.FindStringSubmatch(v); m != nil {
			return m[1]
		}
	}
	return ""
}

// linkElement finds the root in the page's head (rest_output_rsd's neighbour
// rest_output_link_wp_head), for servers that drop the header.
func linkElement(a answer) string {
	z := html.NewTokenizer(bytes.NewReader(a.body))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return ""
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		t := z.Token()
		attr := make(map[string]string, len(t.Attr))
		for _, at := range t.Attr {
			attr[at.Key] = at.Val
		}
		if t.Data == "link" && attr["rel"] == "https://api.w.org/" {
			return attr["href"]
		}
	}
}

// facts asks the index and users/me at once.
func (c *Client) facts(ctx context.Context, root *url.URL) (Facts, error) {
	var (
		f       Facts
		me      User
		meError error
		g       errgroup.Group
	)
	g.Go(func() error {
		return c.read(ctx, func() error {
			index, err := c.index(ctx, root)
			f = index.Facts
			return err
		})
	})
	g.Go(func() error {
		meError = c.read(ctx, func() (err error) {
			me, err = c.me(ctx, root)
			return err
		})
		return nil
	})
	err := g.Wait()
	if meError != nil {
		return Facts{}, c.explainLogin(meError, err == nil && !f.AppPasswords)
	}
	f.User = me
	return f, err
}

// explainLogin adds to a refused login what the index knows of it.
func (c *Client) explainLogin(err error, off bool) error {
	var e *Error
	if off && errors.As(err, &e) && e.Status == http.StatusUnauthorized {
		e.Cause = NoAppPasswords
		e.Hint = "the site offers no application passwords: a security plugin, the host or plain http switches them off"
	}
	return err
}

// siteIndex is what the REST root says of its site.
type siteIndex struct {
	Facts
	namespaces []string
	authorize  string // the page that makes an application password
}

func (c *Client) index(ctx context.Context, root *url.URL) (siteIndex, error) {
	const op = "read site"
	var dto struct {
		Name           string          `json:"name"`
		Home           string          `json:"home"`
		Timezone       string          `json:"timezone_string"`
		Offset         json.RawMessage `json:"gmt_offset"`
		Namespaces     []string        `json:"namespaces"`
		Authentication json.RawMessage `json:"authentication"`
	}
	a, err := c.get(ctx, op, root, "", url.Values{"_fields": {"name,home,timezone_string,gmt_offset,namespaces,authentication"}}, &dto)
	if err != nil {
		return siteIndex{}, err
	}
	if !slices.Contains(dto.Namespaces, "wp/v2") {
		return siteIndex{}, c.fail(&Error{Op: op, Status: a.status, Message: "the REST API of this address has no wp/v2", Hint: "set api: to the REST root of a WordPress site"})
	}
	offset, err := hours(dto.Offset)
	if err != nil {
		return siteIndex{}, c.unverified(op, a, "the site's gmt_offset is not a number")
	}
	// PHP writes an empty list, [], when there is none.
	var auth map[string]json.RawMessage
	_ = json.Unmarshal(dto.Authentication, &auth)
	offer, offered := auth["application-passwords"]
	var passwords struct {
		Endpoints struct {
			Authorization string `json:"authorization"`
		} `json:"endpoints"`
	}
	_ = json.Unmarshal(offer, &passwords)
	return siteIndex{
		Facts: Facts{
			Root: root.String(), Name: html.UnescapeString(dto.Name), Home: dto.Home,
			Timezone: dto.Timezone, GMTOffset: offset, AppPasswords: offered,
		},
		namespaces: dto.Namespaces, authorize: passwords.Endpoints.Authorization,
	}, nil
}

// hours reads gmt_offset, which is a number, or the text of one as it stands
// in the options table.
func hours(b json.RawMessage) (float64, error) {
	s := string(b)
	if len(s) > 0 && s[0] == '"' {
		s = s[1 : len(s)-1]
	}
	if s == "" || s == "null" {
		return 0, nil
	}
	return strconv.ParseFloat(s, 64)
}
