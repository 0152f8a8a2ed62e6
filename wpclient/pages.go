package wpclient

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"strconv"
)

// perPage is the most that WordPress gives: 101 answers 400.
const perPage = 100

// get asks for one route and decodes the verified answer into dst.
func (c *Client) get(ctx context.Context, op string, root *url.URL, route string, q url.Values, dst any) (answer, error) {
	q = maps.Clone(q)
	// Some caches ignore the headers that forbid their use, but a new address
	// misses in all of them.
	q.Set("_", strconv.FormatInt(c.rand(math.MaxInt64), 36))
	a, err := c.send(ctx, request{
		op: op, route: route, method: http.MethodGet, url: join(root, route, q),
		header: map[string]string{"Accept": "application/json", "Cache-Control": "no-cache"},
	})
	if err != nil {
		return a, err
	}
	return a, c.readJSON(op, a, dst)
}

// listing is a list to be read.
type listing[T any] struct {
	op, route string
	query     url.Values
	limit     int // rows of the only page wanted; 0 for all pages
	id        func(T) int64
	check     func(T) error // says what an entry lacks
}

// pages is a whole, verified list.
type pages[T any] struct {
	rows  []T
	total int    // X-WP-Total, -1 when missing or less than the rows
	last  answer // of the last page
}

// all reads the list until it is complete, and once more from its start when
// that fails in a way that may pass.
func (l listing[T]) all(ctx context.Context, c *Client) (p pages[T], err error) {
	root, err := c.root(l.op)
	if err != nil {
		return p, err
	}
	err = c.read(ctx, func() (err error) {
		p, err = l.once(ctx, c, root)
		return err
	})
	return p, err
}

func (l listing[T]) once(ctx context.Context, c *Client, root *url.URL) (pages[T], error) {
	p := pages[T]{total: -1}
	q := maps.Clone(l.query)
	q.Set("per_page", strconv.Itoa(perPage))
	if l.limit > 0 {
		q.Set("per_page", strconv.Itoa(min(l.limit, perPage)))
	}
	seen := map[int64]bool{}
	for page := 1; ; page++ {
		if page > 1 {
			q.Set("page", strconv.Itoa(page))
		}
		var rows []T
		a, err := c.get(ctx, l.op, root, l.route, q, &rows)
		if page > 1 && (p.total < 0 || (page-1)*perPage >= p.total) && pastTheEnd(err) {
			return p, nil
		}
		if err != nil {
			return p, err
		}
		total, before := wpHeader(a.header, "X-Wp-Total"), len(p.rows)
		if page > 1 && total != p.total && p.total >= 0 {
			return p, c.unverified(l.op, a, fmt.Sprintf("the list changed while it was read: %d entries, then %d", p.total, total))
		}
		if err := l.add(&p, rows, seen); err != nil {
			return p, c.unverified(l.op, a, err.Error())
		}
		p.last, p.total = a, total
		if p.total < len(p.rows) {
			p.total = -1 // missing, or written by a plugin that always says 1
		}
		switch {
		// A plugin may give fewer rows a page than were asked for: without a
		// total only an empty page proves the end.
		case l.limit > 0,
			p.total >= 0 && page*perPage >= p.total && page >= wpHeader(a.header, "X-Wp-Totalpages"),
			p.total < 0 && len(rows) == 0:
			return p, nil
		case len(rows) > 0 && len(p.rows) == before:
			return p, c.unverified(l.op, a, fmt.Sprintf("page %d repeats what came before", page))
		}
	}
}

// add takes the rows of one page, each id once: a list that shifts between
// two pages shows a row twice.
func (l listing[T]) add(p *pages[T], rows []T, seen map[int64]bool) error {
	if rows == nil {
		return errors.New("the answer is no list")
	}
	for i, r := range rows {
		if err := l.check(r); err != nil {
			return fmt.Errorf("entry %d of the list: %w", i+1, err)
		}
		if !seen[l.id(r)] {
			seen[l.id(r)] = true
			p.rows = append(p.rows, r)
		}
	}
	return nil
}

// pastTheEnd is how WordPress answers a page after the last one.
func pastTheEnd(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == http.StatusBadRequest && e.Code == "rest_post_invalid_page_number"
}

// wpHeader is a count in the headers of a list, -1 when there is none.
func wpHeader(h http.Header, name string) int {
	n, err := strconv.Atoi(h.Get(name))
	if err != nil || n < 0 {
		return -1
	}
	return n
}
