package wpclient

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/http"
	"strings"
)

// TakesLogin asks WordPress's older interface, XML-RPC, whether it takes the
// login, by wp.getUsersBlogs, which only reads. There the login travels in the
// body: so it tells a wrong password from an Authorization header that a web
// server drops, which REST answers alike (measured on 6.1.9 to 6.7). It takes
// the login password too. An error means that XML-RPC is closed or not reached,
// so that it can't be told.
func (c *Client) TakesLogin(ctx context.Context) (bool, error) {
	const op = "ask XML-RPC"
	var body bytes.Buffer
	body.WriteString(`<?xml version="1.0"?><methodCall><methodName>wp.getUsersBlogs</methodName><params>`)
	login := c.http.UserInfo
	for _, s := range []string{login.Username, login.Password} {
		body.WriteString("<param><value><string>")
		if err := xml.EscapeText(&body, []byte(s)); err != nil {
			return false, c.fail(&Error{Op: op, Unsent: true, Err: err})
		}
		body.WriteString("</string></value></param>")
	}
	body.WriteString("</params></methodCall>")
	a, err := c.send(ctx, request{
		op: op, route: "xmlrpc.php", method: http.MethodPost, url: c.site.JoinPath("xmlrpc.php"),
		header: map[string]string{"Content-Type": "text/xml"}, body: bytes.NewReader(body.Bytes()), size: int64(body.Len()),
	})
	if err != nil {
		return false, err
	}
	var said struct {
		XMLName xml.Name  `xml:"methodResponse"`
		Params  *struct{} `xml:"params"`
		Fault   struct {
			Members []struct {
				Name string `xml:"name"`
				Code string `xml:"value>int"`
			} `xml:"value>struct>member"`
		} `xml:"fault"`
	}
	if a.status != http.StatusOK || !strings.Contains(mediaType(a.header), "xml") || xml.Unmarshal(a.body, &said) != nil {
		return false, c.fail(&Error{Op: op, Status: a.status, Message: "no answer of XML-RPC"})
	}
	if said.Params != nil {
		return true, nil
	}
	for _, m := range said.Fault.Members {
		if m.Name == "faultCode" && m.Code == "403" { // wp_xmlrpc_server::login
			return false, nil
		}
	}
	return false, c.fail(&Error{Op: op, Status: a.status, Message: "XML-RPC refuses: " + c.plain(string(a.body), 120)})
}
