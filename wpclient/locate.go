package wpclient

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Place is what a visitor without a login learns of a site at an address.
type Place struct {
	// URL is the site's own address, for a configuration: what the site calls
	// its home, at the scheme and host that answer.
	URL string
	// API is the REST root where it can't be discovered from URL; else empty.
	API  string
	Name string
	// Authorize is the page on which a person makes an application password;
	// empty where the site offers none, or hides its index from visitors.
	Authorize string
	// Open: visitors may read the index. What it says is known only then.
	Open         bool
	AppPasswords bool
	// Namespaces of the REST API tell which plugins have routes in it.
	Namespaces []string
	Header     http.Header          // of the front page
	TLS        *tls.ConnectionState // nil for http
	// Date is the server's clock, zero when it does not tell, and At ours.
	Date, At time.Time
}

// Locate finds out what stands at an address as a visitor does, redirects to
// other hosts followed. It needs of the options the URL and sends no login;
// plain http is allowed, since nothing secret travels. Nothing is repeated: a
// person waits. Its errors are of type *Error, or say what is wrong with URL.
func Locate(ctx context.Context, o Options) (Place, error) {
	o.User, o.Password, o.API, o.AllowHTTP = "", "", "", true
	seen := map[string]bool{}
	for range maxRedirects {
		c, err := assemble(o)
		if err != nil {
			return Place{}, err
		}
		seen[o.URL] = true
		to, p, err := c.visit(ctx, seen)
		c.Close()
		if to == "" || err != nil {
			return p, err
		}
		o.URL = to
	}
	return Place{}, &Error{Op: opDiscover, Message: "the site redirects in circles", Hint: "open it in a browser, and give the address that it shows there"}
}

// visit looks at the client's address. next is where to look instead, "" when
// the place is found.
func (c *Client) visit(ctx context.Context, seen map[string]bool) (next string, p Place, err error) {
	a, err := c.frontPage(ctx)
	if err != nil {
		return "", p, err
	}
	p = Place{Header: a.header, TLS: a.tls, Date: serverDate(a.header), At: a.at}
	if a.redirects() {
		to, err := c.site.Parse(a.header.Get("Location"))
		if err != nil || to.Host == "" {
			return "", p, c.refusal(opDiscover, a)
		}
		return siteAddress(to), p, nil
	}
	var root *url.URL
	if s := namedRoot(a); s != "" {
		if root, err = c.site.Parse(s); err != nil || root.Host == "" {
			return "", p, c.fail(&Error{Op: opDiscover, Message: "the site announces a REST API at an address that can't be read"})
		}
	} else if root, err = c.guessRoot(ctx); err != nil {
		if !closed(err) {
			return "", p, err
		}
		p.URL = siteAddress(c.site)
		return "", p, nil
	}
	if origin(root) != c.origin {
		if to := siteAddress(root); !seen[to] {
			return to, p, nil
		}
		// It sends back and forth: behind a proxy that speaks https, WordPress
		// may think that it has plain http.
		moved := *root
		moved.Scheme, moved.Host = c.site.Scheme, c.site.Host
		root, p.API = &moved, moved.String()
	}
	return "", p, c.describe(ctx, asRoot(root), &p)
}

// describe fills in what the index says. One that is closed to visitors leaves
// it empty.
func (c *Client) describe(ctx context.Context, root *url.URL, p *Place) error {
	p.URL = siteAddress(c.site)
	index, err := c.index(ctx, root)
	if err != nil {
		if closed(err) {
			return nil
		}
		return err
	}
	p.Open, p.Name, p.AppPasswords = true, index.Name, index.AppPasswords
	p.Namespaces, p.Authorize = index.namespaces, index.authorize
	if home, err := url.Parse(index.Home); err == nil && home.Host != "" {
		home.Scheme, home.Host = c.site.Scheme, c.site.Host
		p.URL = siteAddress(home)
	}
	return nil
}

// closed says whether it is WordPress, or a plugin of it, that shows a visitor
// nothing.
func closed(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code != "" && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden)
}

// siteAddress is an address without what leads from a site's home to a page
// of WordPress's own, and without a slash at the end.
func siteAddress(u *url.URL) string {
	site := url.URL{Scheme: strings.ToLower(u.Scheme), Host: strings.ToLower(u.Host), Path: u.Path}
	for _, page := range []string{"/wp-admin", "/wp-login.php", "/wp-json", "/wp-content", "/xmlrpc.php", "/index.php"} {
		if at := strings.Index(site.Path, page); at >= 0 {
			site.Path = site.Path[:at]
		}
	}
	site.Path = strings.TrimRight(site.Path, "/")
	return site.String()
}

// Addresses are those that a person can have meant by what was typed, likeliest
// first: the scheme may lack, a page of the dashboard may stand behind it, www
// may be too much or too little. The error says what an address looks like.
func Addresses(typed string) ([]string, error) {
	typed = strings.Trim(strings.TrimSpace(typed), `<>"'`)
	schemes := []string{"https://", "http://"}
	if scheme, rest, ok := strings.Cut(typed, "://"); ok {
		schemes, typed = []string{strings.ToLower(scheme) + "://"}, rest
	}
	var out []string
	for _, scheme := range schemes {
		u, err := url.Parse(scheme + strings.TrimLeft(typed, "/"))
		switch {
		case err != nil, u.Hostname() == "", strings.ContainsAny(u.Host, " @,;"):
			return nil, errors.New("this is no web address; it looks like blog.example.com, as the browser shows it")
		case u.User != nil:
			return nil, errors.New("a user or password stands in the address; give the address alone")
		case u.Scheme != "http" && u.Scheme != "https":
			return nil, fmt.Errorf("a site's address begins with https://, not with %s://", u.Scheme)
		}
		out = append(out, siteAddress(u))
		if other := www(u); other != "" {
			out = append(out, other)
		}
	}
	return out, nil
}

// www is the address with or without www, the other way round; "" where no
// public name stands.
func www(u *url.URL) string {
	if loopback(u.Hostname()) || net.ParseIP(u.Hostname()) != nil || !strings.Contains(u.Host, ".") {
		return ""
	}
	other := *u
	if bare, ok := strings.CutPrefix(strings.ToLower(u.Host), "www."); ok {
		other.Host = bare
	} else {
		other.Host = "www." + u.Host
	}
	return siteAddress(&other)
}

// Find is Locate at the first address of those meant by what was typed at which
// a WordPress answers. Its error is that of the likeliest address. A site whose
// certificate is wrong is not tried without one.
func Find(ctx context.Context, typed string, o Options) (Place, error) {
	candidates, err := Addresses(typed)
	if err != nil {
		return Place{}, err
	}
	var first error
	for _, address := range candidates {
		o.URL = address
		p, err := Locate(ctx, o)
		if err == nil {
			return p, nil
		}
		if first == nil {
			first = err
		}
		if badCertificate(first) || ctx.Err() != nil {
			break
		}
	}
	return Place{}, first
}

func badCertificate(err error) bool {
	var (
		verify  *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
	)
	return errors.As(err, &verify) || errors.As(err, &unknown)
}
