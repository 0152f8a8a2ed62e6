package wpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	localTime  = "2006-01-02T15:04:05"
	postFields = "id,type,status,date,date_gmt,modified,modified_gmt,slug,link,title.raw,content.raw,excerpt.raw," +
		"author,categories,tags,featured_media"
)

// List asks for posts, all pages of them. Reads are retried within ctx.
func (c *Client) List(ctx context.Context, q Query) (List, error) {
	typ := q.Type
	if typ == "" {
		typ = "posts"
	}
	p, err := listing[row]{
		op: "list " + typ, route: "wp/v2/" + typ, query: q.values(), limit: q.Limit,
		id: func(r row) int64 { return r.ID },
		check: func(r row) error {
			if len(q.Statuses) > 0 && !slices.Contains(q.Statuses, r.Status) && !slices.Contains(q.Statuses, "any") {
				return fmt.Errorf("status %q was not asked for", r.Status)
			}
			if len(q.Slugs) > 0 && r.Slug != nil && !slices.ContainsFunc(q.Slugs, func(s string) bool { return sameSlug(s, *r.Slug) }) {
				return fmt.Errorf("slug %q was not asked for", *r.Slug)
			}
			return r.check(typ)
		},
	}.all(ctx, c)
	if err != nil {
		return List{}, err
	}
	l := List{Posts: make([]Post, len(p.rows)), Total: p.total, Date: serverDate(p.last.header), At: p.last.at}
	for i, r := range p.rows {
		l.Posts[i] = r.post()
	}
	return l, nil
}

// sameSlug takes a slug as WordPress stores it, percent-encoded in small
// letters, for the text that it encodes too.
func sameSlug(asked, stored string) bool {
	plain := func(s string) string {
		if text, err := url.PathUnescape(s); err == nil {
			s = text
		}
		return strings.ToLower(s)
	}
	return plain(asked) == plain(stored)
}

// values is the query as WordPress wants it. after and before are compared
// with the stored local time, but a zone in the value is honoured.
func (q Query) values() url.Values {
	v := url.Values{
		"context": {"edit"}, "_fields": {postFields},
		"orderby": {q.OrderBy}, "order": {q.Order},
	}
	if q.OrderBy == "" {
		v.Set("orderby", "id")
	}
	if q.Order == "" {
		v.Set("order", "asc")
	}
	set := func(key, value string) {
		if value != "" {
			v.Set(key, value)
		}
	}
	if !q.After.IsZero() {
		set("after", q.After.UTC().Format(time.RFC3339))
	}
	if !q.Before.IsZero() {
		set("before", q.Before.UTC().Format(time.RFC3339))
	}
	set("status", strings.Join(q.Statuses, ","))
	set("slug", strings.Join(q.Slugs, ","))
	set("search", q.Search)
	set("categories", commas(q.Categories))
	set("tags", commas(q.Tags))
	if q.Author != 0 {
		set("author", strconv.FormatInt(q.Author, 10))
	}
	return v
}

func commas(ids []int64) string {
	var texts []string
	for _, id := range ids {
		texts = append(texts, strconv.FormatInt(id, 10))
	}
	return strings.Join(texts, ",")
}

// Read asks for one post by id; typ is its REST base.
func (c *Client) Read(ctx context.Context, typ string, id int64) (Post, error) {
	op := fmt.Sprintf("read %s/%d", typ, id)
	root, err := c.root(op)
	if err != nil {
		return Post{}, err
	}
	var r row
	err = c.read(ctx, func() error {
		r = row{}
		q := url.Values{"context": {"edit"}, "_fields": {postFields}}
		a, err := c.get(ctx, op, root, fmt.Sprintf("wp/v2/%s/%d", typ, id), q, &r)
		if err != nil {
			return err
		}
		return c.checkRow(op, a, r, typ, id)
	})
	return r.post(), err
}

// Create makes a post. It is sent at most once.
func (c *Client) Create(ctx context.Context, typ string, f Fields) (Post, error) {
	return c.writePost(ctx, "create "+typ, typ, 0, f, nil)
}

// Update changes a post of ours. It is sent at most once. check, if not nil,
// is called when the request is ready and again when its connection stands,
// just before the first byte leaves; its error stops the request, unsent.
func (c *Client) Update(ctx context.Context, typ string, id int64, f Fields, check func() error) (Post, error) {
	return c.writePost(ctx, fmt.Sprintf("update %s/%d", typ, id), typ, id, f, check)
}

func (c *Client) writePost(ctx context.Context, op, typ string, id int64, f Fields, check func() error) (Post, error) {
	route := "wp/v2/" + typ
	if id != 0 {
		route += "/" + strconv.FormatInt(id, 10)
	}
	body, err := f.values()
	if err != nil {
		return Post{}, c.fail(&Error{Op: op, Unsent: true, Err: err})
	}
	var r row
	wanted := strings.Join(append([]string{postFields}, slices.Sorted(maps.Keys(f.Extra))...), ",")
	a, err := c.post(ctx, op, route, url.Values{"_fields": {wanted}}, body, check, &r)
	if err != nil {
		return Post{}, err
	}
	p := r.post()
	p.Extra = extra(a.body, f.Extra)
	return p, c.checkRow(op, a, r, typ, id)
}

// extra are those of the fields that were sent which the answer bears.
func extra(body []byte, sent map[string]any) map[string]any {
	var all map[string]any
	if len(sent) == 0 || json.Unmarshal(body, &all) != nil {
		return nil
	}
	maps.DeleteFunc(all, func(key string, _ any) bool {
		_, ok := sent[key]
		return !ok
	})
	return all
}

// checkRow verifies the answer about one post; id is 0 for a new one.
func (c *Client) checkRow(op string, a answer, r row, typ string, id int64) error {
	if err := r.check(typ); err != nil {
		return c.unverified(op, a, "the post: "+err.Error())
	}
	if id != 0 && r.ID != id {
		return c.unverified(op, a, fmt.Sprintf("the answer is about post %d", r.ID))
	}
	return nil
}

// Trash moves a post to the trash. It is sent at most once.
func (c *Client) Trash(ctx context.Context, typ string, id int64) error {
	var r struct {
		ID     int64  `json:"id"`
		Status string `json:"status"`
	}
	op := fmt.Sprintf("trash %s/%d", typ, id)
	a, err := c.post(ctx, op, fmt.Sprintf("wp/v2/%s/%d", typ, id), url.Values{"_method": {"DELETE"}, "_fields": {"id,status"}}, nil, nil, &r)
	if err == nil && (r.ID != id || r.Status != "trash") {
		return c.unverified(op, a, fmt.Sprintf("the post's status is %q, not trash", r.Status))
	}
	return err
}

// Delete removes a post for good. It is sent at most once.
func (c *Client) Delete(ctx context.Context, typ string, id int64) error {
	var r struct {
		Deleted bool `json:"deleted"`
	}
	op := fmt.Sprintf("delete %s/%d", typ, id)
	a, err := c.post(ctx, op, fmt.Sprintf("wp/v2/%s/%d", typ, id), url.Values{"_method": {"DELETE"}, "force": {"true"}, "_fields": {"deleted"}}, nil, nil, &r)
	if err == nil && !r.Deleted {
		return c.unverified(op, a, "the answer does not say that the post is deleted")
	}
	return err
}

// post sends one write, once. Every write is a POST: firewalls block PUT and
// DELETE, and WordPress takes the method from _method.
func (c *Client) post(ctx context.Context, op, route string, q url.Values, fields map[string]any, check func() error, dst any) (answer, error) {
	root, err := c.root(op)
	if err != nil {
		return answer{}, err
	}
	body := []byte("{}")
	if fields != nil {
		if body, err = json.Marshal(fields); err != nil {
			return answer{}, c.fail(&Error{Op: op, Unsent: true, Err: err})
		}
	}
	a, err := c.send(ctx, request{
		op: op, route: route, method: http.MethodPost, url: join(root, route, q),
		header: map[string]string{"Accept": "application/json", "Content-Type": "application/json"},
		body:   bytes.NewReader(body), size: int64(len(body)), check: check,
	})
	if err != nil {
		return a, err
	}
	return a, c.writeJSON(op, a, dst)
}

// values is what is sent: zoneless date_gmt, which WordPress takes as UTC.
// Text that isn't UTF-8 is an error, since JSON would bear it altered.
func (f Fields) values() (map[string]any, error) {
	v := map[string]any{}
	if f.ClearDate && f.DateGMT != nil {
		return nil, errors.New("a date is both set and cleared")
	}
	if f.ClearDate {
		v["date"] = nil
	}
	if f.DateGMT != nil {
		v["date_gmt"] = f.DateGMT.UTC().Format(localTime)
	}
	for key, s := range map[string]*string{"status": f.Status, "slug": f.Slug, "title": f.Title, "content": f.Content, "excerpt": f.Excerpt} {
		if s == nil {
			continue
		}
		if !utf8.ValidString(*s) {
			return nil, fmt.Errorf("the %s is not valid UTF-8: save the file as UTF-8", key)
		}
		v[key] = *s
	}
	for key, n := range map[string]*int64{"author": f.Author, "featured_media": f.FeaturedMedia} {
		if n != nil {
			v[key] = *n
		}
	}
	for key, ids := range map[string]*[]int64{"categories": f.Categories, "tags": f.Tags} {
		if ids != nil {
			v[key] = append([]int64{}, *ids...) // never null
		}
	}
	for key, value := range f.Extra {
		if isOwn(key) {
			return nil, fmt.Errorf("%q is not a further field", key)
		}
		v[key] = value
	}
	return v, nil
}

// isOwn says whether a field has, or must have, a place of its own in Fields.
func isOwn(key string) bool {
	for own := range strings.SplitSeq(postFields, ",") {
		if name, _, _ := strings.Cut(own, "."); name == key {
			return true
		}
	}
	return key == "password" || key == "_method"
}
