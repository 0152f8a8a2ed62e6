package fakewp

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// call is one request being handled.
type call struct {
	*site
	memo   *memo
	now    time.Time
	user   *account // nil when anonymous
	home   string   // "https://host/prefix"
	method string
	params params
	header http.Header // of the request
	body   []byte
	out    http.Header // of the answer
	fields tree        // asked for by _fields
	hidden []int64     // posts counted but not shown
}

// handle answers one request; s.mu is held.
func (s *Server) handle(m message, p plan, now time.Time) *answer {
	st := s.site
	if p.snapshot != nil {
		st = p.snapshot
	}
	st.slugView = p.slugView
	defer func() { st.slugView = nil }()

	c := &call{
		site: st, memo: s.memo, now: now, hidden: p.hidden, home: m.home + s.opts.Prefix, header: m.req.Header, body: m.body,
		out: http.Header{"Date": {now.UTC().Format(http.TimeFormat)}},
	}
	if !p.noAuth && !s.opts.NoAppPasswords {
		c.user = st.authenticate(m.req)
	}
	c.out.Set("Link", "<"+c.restURL("/")+`>; rel="https://api.w.org/"`)
	c.method = m.method

	route, isREST := s.restRoute(m)
	a := &answer{header: c.out, cut: -1}
	if isREST {
		a.status, a.body = c.serveREST(m, route)
	} else {
		route = m.req.URL.Path
		c.method = m.req.Method
		c.user = nil // application passwords are for REST alone
		a.status, a.body = c.servePage(strings.TrimPrefix(route, s.opts.Prefix), m.query)
	}
	if m.req.Method == http.MethodHead {
		a.body = nil
	}
	s.note(m, c.method, route, c.user, a.status, now)
	// WordPress starts WP-Cron in the background while it answers: the
	// publishing is seen by the next request.
	s.site.publishDue(now)
	return a
}

func method(r *http.Request, query url.Values) string {
	if m := query.Get("_method"); m != "" {
		return strings.ToUpper(m)
	}
	if m := r.Header.Get("X-HTTP-Method-Override"); m != "" {
		return strings.ToUpper(m)
	}
	return r.Method
}

// restRoute finds the REST route in ?rest_route= or, with pretty permalinks,
// in the path.
func (s *Server) restRoute(m message) (string, bool) {
	if q := m.query.Get("rest_route"); q != "" {
		return "/" + strings.Trim(q, "/"), true
	}
	rest, ok := strings.CutPrefix(m.req.URL.Path, s.opts.Prefix+"/wp-json")
	if !ok || s.opts.Plain || (rest != "" && rest[0] != '/') {
		return "", false
	}
	return "/" + strings.Trim(rest, "/"), true
}

// restURL is the address of a REST route, which starts with "/".
func (c *call) restURL(route string) string {
	if c.opts.Plain {
		return c.home + "/index.php?rest_route=" + route
	}
	return c.home + "/wp-json" + route
}

func (c *call) serveREST(m message, route string) (int, []byte) {
	c.out.Set("Content-Type", "application/json; charset=UTF-8")
	c.out.Set("X-Robots-Tag", "noindex")
	c.out.Set("X-Content-Type-Options", "nosniff")
	if c.user != nil {
		c.out.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
		c.out.Set("Cache-Control", "no-cache, must-revalidate, max-age=0")
	}
	var (
		status int
		data   any
		fault  *wpError
	)
	if c.params, fault = parseParams(m, c.method); fault == nil {
		c.fields = c.wanted()
		status, data, fault = c.dispatch(route)
	}
	if fault != nil {
		status, data = fault.status, fault
	} else if c.fields != nil {
		data = pick(data, c.fields)
	}
	body, err := encode(data)
	if err != nil {
		return http.StatusInternalServerError, []byte(err.Error())
	}
	return status, body
}

func (c *call) dispatch(route string) (int, any, *wpError) {
	if route == "/" {
		return http.StatusOK, c.index(), nil
	}
	rest, ok := strings.CutPrefix(route, "/wp/v2/")
	if !ok {
		return 0, nil, noRoute()
	}
	base, idText, hasID := strings.Cut(rest, "/")
	id, err := strconv.ParseInt(idText, 10, 64)
	isMe := base == "users" && idText == "me"
	if hasID && err != nil && !isMe {
		return 0, nil, noRoute()
	}
	read := c.method == http.MethodGet || c.method == http.MethodHead
	switch base {
	case "posts", "pages":
		return c.dispatchPost(typeByBase(base), id, hasID, read)
	case "categories", "tags":
		return c.dispatchTerm(taxonomyByBase(base), id, hasID, read)
	case "taxonomies":
		if read && !hasID {
			return http.StatusOK, map[string]any{
				"category": map[string]any{"rest_base": "categories"}, "post_tag": map[string]any{"rest_base": "tags"},
			}, nil
		}
	case "users":
		if read && (!hasID || isMe) {
			return c.dispatchUser(isMe)
		}
	case "media":
		switch {
		case hasID && read:
			return c.read(typeByBase(base), id)
		case read:
			return c.list(typeByBase(base))
		case !hasID && c.method == http.MethodPost:
			return c.upload()
		}
	}
	return 0, nil, noRoute()
}

func (c *call) dispatchPost(t postType, id int64, hasID, read bool) (int, any, *wpError) {
	switch {
	case !hasID && read:
		return c.list(t)
	case !hasID && c.method == http.MethodPost:
		return c.create(t)
	case hasID && read:
		return c.read(t, id)
	case hasID && (c.method == http.MethodPost || c.method == http.MethodPut || c.method == http.MethodPatch):
		return c.update(t, id)
	case hasID && c.method == http.MethodDelete:
		return c.remove(t, id)
	}
	return 0, nil, noRoute()
}

// index is the answer to the REST root.
func (c *call) index() map[string]any {
	auth := map[string]any{}
	if !c.opts.NoAppPasswords {
		auth["application-passwords"] = map[string]any{"endpoints": map[string]any{
			"authorization": c.home + "/wp-admin/authorize-application.php",
		}}
	}
	offset := c.opts.GMTOffset
	if c.opts.Timezone != "" {
		_, sec := c.now.In(c.zone).Zone()
		offset = float64(sec) / 3600
	}
	return map[string]any{
		"name": "Fake WordPress", "description": "", "url": c.home, "home": c.home,
		"gmt_offset": offset, "timezone_string": c.opts.Timezone,
		"namespaces":     []string{"oembed/1.0", "wp/v2"},
		"authentication": auth,
		"routes":         map[string]any{},
	}
}

// wpError is an error as WordPress words it.
type wpError struct {
	status  int
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data"`
}

func fail(status int, code, message string) *wpError {
	return &wpError{status, code, message, map[string]any{"status": status}}
}

func noRoute() *wpError {
	return fail(http.StatusNotFound, "rest_no_route", "No route was found matching the URL and request method.")
}

// forbidden is 401 for the anonymous and 403 for accounts
// (rest_authorization_required_code).
func (c *call) forbidden(code, message string) *wpError {
	if c.user == nil {
		return fail(http.StatusUnauthorized, code, message)
	}
	return fail(http.StatusForbidden, code, message)
}
