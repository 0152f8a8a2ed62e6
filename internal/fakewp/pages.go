package fakewp

import (
	"encoding/xml"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// servePage answers what is not REST: the front page, public posts, WP-Cron.
func (c *call) servePage(path string, q url.Values) (int, []byte) {
	c.out.Set("Content-Type", "text/html; charset=UTF-8")
	if path == "/wp-cron.php" {
		c.publishDue(c.now)
		return http.StatusOK, nil
	}
	if path == "/xmlrpc.php" {
		c.out.Set("Content-Type", "text/xml; charset=UTF-8")
		return http.StatusOK, c.xmlrpc()
	}
	for _, name := range []string{"p", "page_id"} {
		if id, err := strconv.ParseInt(q.Get(name), 10, 64); err == nil {
			return c.servePost(c.byID[id])
		}
	}
	if path == "" || path == "/" || path == "/index.php" {
		return http.StatusOK, c.frontPage()
	}
	i := slices.IndexFunc(c.posts, func(p *Post) bool {
		return c.permalink(p) == c.home+strings.TrimSuffix(escapedPath(path), "/")+"/"
	})
	if i < 0 {
		return c.notFound()
	}
	return c.servePost(c.posts[i])
}

// escapedPath brings a path into the lower-case percent form of slugs.
func escapedPath(path string) string {
	var b strings.Builder
	for i := range len(path) {
		if path[i] < 0x80 {
			b.WriteByte(path[i])
		} else {
			b.WriteString(percent(path[i : i+1]))
		}
	}
	return b.String()
}

func (c *call) servePost(p *Post) (int, []byte) {
	if p == nil || !c.user.canRead(p) {
		return c.notFound()
	}
	return http.StatusOK, htmlPage(p.Title, "<article><h1>"+ampersands(p.Title)+"</h1>\n<time>"+p.Date+"</time>\n"+
		renderContent(p.Content)+"</article>\n<p><a href=\""+c.home+"/\">All posts</a></p>\n")
}

func (c *call) notFound() (int, []byte) {
	return http.StatusNotFound, htmlPage("Page not found", "<h1>Page not found</h1>\n")
}

// frontPage lists the published posts, newest first.
func (c *call) frontPage() []byte {
	var public []*Post
	for _, p := range c.posts {
		if p.Type == "post" && p.Status == "publish" {
			public = append(public, p)
		}
	}
	slices.SortStableFunc(public, func(a, b *Post) int { return strings.Compare(b.Date, a.Date) })
	var b strings.Builder
	b.WriteString("<h1>Fake WordPress</h1>\n<ul>\n")
	for _, p := range public {
		b.WriteString("<li><time>" + p.Date + "</time> <a href=\"" + html.EscapeString(c.permalink(p)) + "\">" +
			ampersands(p.Title) + "</a></li>\n")
	}
	b.WriteString("</ul>\n")
	return htmlPage("Fake WordPress", b.String())
}

func htmlPage(title, body string) []byte {
	return []byte("<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" +
		html.EscapeString(title) + "</title></head>\n<body>\n" + body + "</body>\n</html>\n")
}

// xmlrpc answers wp.getUsersBlogs, whose two parameters are a login;
// the list of blogs is left empty, since nobody reads it.
func (c *call) xmlrpc() []byte {
	var said struct {
		Texts []string `xml:"params>param>value>string"`
	}
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n<methodResponse>"
	if xml.Unmarshal(c.body, &said) == nil && len(said.Texts) == 2 && !c.opts.NoAppPasswords && c.account(said.Texts[0], said.Texts[1]) != nil {
		return []byte(head + "<params><param><value><array><data></data></array></value></param></params></methodResponse>\n")
	}
	return []byte(head + "<fault><value><struct>" +
		"<member><name>faultCode</name><value><int>403</int></value></member>" +
		"<member><name>faultString</name><value><string>Incorrect username or password.</string></value></member>" +
		"</struct></value></fault></methodResponse>\n")
}
