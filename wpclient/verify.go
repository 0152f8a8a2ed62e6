package wpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"
)

// readJSON decodes the verified answer to a read into dst: 200, not from a
// cache, JSON and nothing but JSON.
func (c *Client) readJSON(op string, a answer, dst any) error {
	if a.status != http.StatusOK {
		return c.refusal(op, a)
	}
	if sign := cacheSign(a.header); sign != "" {
		return c.fail(&Error{
			Op: op, Status: a.status, Cause: FromCache, passing: true,
			Message: "the answer comes from a cache (" + c.plain(sign, 80) + ")",
			Hint:    "tell the cache or CDN to leave the REST API (wp-json, rest_route) alone",
		})
	}
	return c.decode(op, a, dst)
}

// writeJSON decodes the answer to a write into dst. What isn't a whole answer
// leaves the outcome unknown.
func (c *Client) writeJSON(op string, a answer, dst any) error {
	if a.status != http.StatusOK && a.status != http.StatusCreated {
		return c.refusal(op, a)
	}
	return c.decode(op, a, dst)
}

func (c *Client) decode(op string, a answer, dst any) error {
	if !isJSON(a.header) {
		return c.refusal(op, a)
	}
	if err := json.Unmarshal(a.body, dst); err != nil {
		return c.unverified(op, a, c.whyNotJSON(a.body, err))
	}
	return nil
}

// unverified is the error for a 2xx answer that isn't what was asked for.
func (c *Client) unverified(op string, a answer, why string) *Error {
	return c.fail(&Error{Op: op, Status: a.status, Message: why, passing: true})
}

// whyNotJSON tells text around the JSON, such as a PHP notice, from half an
// answer.
func (c *Client) whyNotJSON(body []byte, err error) string {
	text := bytes.TrimSpace(body)
	var syntax *json.SyntaxError
	switch {
	case len(text) == 0:
		return "the answer is empty"
	case text[0] != '{' && text[0] != '[':
		return fmt.Sprintf("the answer has text before its JSON: %q", c.plain(string(text), 80))
	case errors.As(err, &syntax) && strings.Contains(err.Error(), "after top-level value"):
		return fmt.Sprintf("the answer has text after its JSON: %q", c.plain(string(body[syntax.Offset-1:]), 80))
	case errors.As(err, &syntax):
		return "the answer's JSON is cut off or broken: " + err.Error()
	}
	return "the answer has another shape than WordPress gives: " + err.Error()
}

// wpError is the body of a WordPress error (WP_REST_Server::error_to_response).
type wpError struct {
	Code    string  `json:"code"`
	Message *string `json:"message"`
	Data    struct {
		Status int         `json:"status"`
		TermID json.Number `json:"term_id"`
	} `json:"data"`
}

// wordPressError reads the body as a WordPress error. A proxy's own JSON
// error does not repeat the status within.
func wordPressError(a answer) (wpError, bool) {
	var e wpError
	if !isJSON(a.header) || json.Unmarshal(a.body, &e) != nil {
		return e, false
	}
	return e, e.Code != "" && e.Message != nil && e.Data.Status == a.status
}

// refusal is the error for an answer that isn't a success.
//
// Only a WordPress error with a 4xx proves that a write had no effect: for the
// fields sent here WordPress makes every such check before it stores. A 5xx
// can come after it has stored, and so can a redirect (from a plugin) and a
// 403 page (from a firewall that inspects answers). The one exception is the
// 500 with which WordPress refuses a file before it makes the entry for it
// (upload_from_data of the attachments controller).
func (c *Client) refusal(op string, a answer) *Error {
	e := &Error{Op: op, Status: a.status, RetryAfter: retryAfter(a)}
	wp, ok := wordPressError(a)
	switch {
	case ok:
		e.Code, e.Message = wp.Code, c.plain(*wp.Message, 300)
		e.Refused = a.status >= 400 && a.status < 500 || wp.Code == "rest_upload_sideload_error"
	case a.redirects():
		e.Message = "redirected to " + withoutQuery(a.header.Get("Location"))
		e.Hint = c.moved(a)
	case isJSON(a.header):
		e.Message = "JSON that is not from WordPress"
	default:
		e.Message = c.pageMessage(a)
	}
	e.passing = mayPass(a.status)
	if e.Hint == "" {
		e.Hint = hint(e, a)
	}
	return c.fail(e)
}

func mayPass(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return status < 300 || status >= 500
}

// pageMessage names a web page by its title.
func (c *Client) pageMessage(a answer) string {
	title := c.plain(title(a.body), 80)
	switch {
	case len(bytes.TrimSpace(a.body)) == 0:
		return "an empty answer"
	case title != "":
		return fmt.Sprintf("a web page instead of JSON: %q", title)
	case mediaType(a.header) == "text/html":
		return "a web page instead of JSON"
	}
	return fmt.Sprintf("%q instead of JSON", mediaType(a.header))
}

// challenge says whether a bot check stands in front of the site.
func challenge(a answer) bool {
	return a.header.Get("Cf-Mitigated") != "" ||
		mediaType(a.header) == "text/html" && bytes.Contains(bytes.ToLower(a.body), []byte("just a moment"))
}

func mediaType(h http.Header) string {
	t, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return t
}

func isJSON(h http.Header) bool {
	t := mediaType(h)
	return t == "application/json" || strings.HasPrefix(t, "application/") && strings.HasSuffix(t, "+json")
}

// cacheSign is the header that shows an answer from a cache, or "".
func cacheSign(h http.Header) string {
	if age, err := strconv.Atoi(strings.TrimSpace(h.Get("Age"))); err == nil && age > 0 {
		return "Age: " + h.Get("Age")
	}
	for _, name := range []string{
		"X-Cache", "Cf-Cache-Status", "X-Litespeed-Cache", "X-Cache-Status", "X-Proxy-Cache", "Cache-Status",
		"X-Fastcgi-Cache", "X-Nginx-Cache", "X-Kinsta-Cache", "X-Sucuri-Cache",
	} {
		for _, v := range h.Values(name) {
			for _, word := range strings.FieldsFunc(strings.ToLower(v), func(r rune) bool { return !unicode.IsLetter(r) }) {
				switch word {
				case "hit", "stale", "updating", "revalidated":
					return name + ": " + v
				}
			}
		}
	}
	return ""
}

// serverDate is the Date header, zero when there is none.
func serverDate(h http.Header) time.Time {
	t, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return t
}

// retryAfter reads both forms of the header, a date by the server's own clock.
func retryAfter(a answer) time.Duration {
	v := strings.TrimSpace(a.header.Get("Retry-After"))
	if s, err := strconv.Atoi(v); err == nil {
		return max(0, time.Duration(min(s, 1<<30))*time.Second)
	}
	t, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	now := serverDate(a.header)
	if now.IsZero() {
		now = a.at
	}
	return max(0, t.Sub(now).Round(time.Second))
}

// title is the <title> of a page, "" if it has none.
func title(page []byte) string {
	z := html.NewTokenizer(bytes.NewReader(page))
	for z.Next() != html.ErrorToken {
		if t := z.Token(); t.Type == html.StartTagToken && t.Data == "title" {
			z.Next()
			return z.Token().Data
		}
	}
	return ""
}

// plain makes text from the site fit for one line of a message: no tags, no
// entities, no control characters, no secrets (half ones neither), at most
// limit runes.
func (c *Client) plain(s string, limit int) string {
	var b strings.Builder
	z := html.NewTokenizer(io.LimitReader(strings.NewReader(s), 4<<10))
	for z.Next() != html.ErrorToken {
		if t := z.Token(); t.Type == html.TextToken {
			b.WriteString(t.Data)
		}
	}
	text := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, b.String())
	text = c.secrets.Replace(strings.Join(strings.Fields(text), " "))
	if r := []rune(text); len(r) > limit {
		text = string(r[:limit]) + "…"
	}
	return text
}
