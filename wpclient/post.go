package wpclient

import "time"

// Post is an entry of the posts route (or of another post type's route) as
// WordPress gives it with context=edit.
type Post struct {
	ID     int64
	Type   string // "post", "page", …
	Status string // publish, future, draft, pending, private, trash, …
	// Date and Modified are the site's local wall clock as WordPress wrote
	// them (2006-01-02T15:04:05); a draft whose Date equals Modified floats.
	Date     string
	Modified string
	// DateGMT is the instant; zero where WordPress gave none.
	DateGMT       time.Time
	ModifiedGMT   time.Time
	Slug          string
	Link          string
	Title         string // raw
	Content       string // raw
	Excerpt       string // raw
	Author        int64
	Categories    []int64
	Tags          []int64
	FeaturedMedia int64
	// Extra are further fields, as JSON has them, that a write sent and the
	// answer bore; nil elsewhere.
	Extra map[string]any
}

// Floats says whether the post is a draft without a date of its own.
func (p Post) Floats() bool { return p.Status == "draft" && p.Date == p.Modified }

// Query narrows a List. Zero values are left out of the request.
type Query struct {
	// Type is the REST base: "posts" when empty.
	Type string
	// After and Before are exclusive, with whole seconds.
	After, Before time.Time
	Statuses      []string
	Slugs         []string
	Search        string
	Categories    []int64
	Tags          []int64
	Author        int64
	// OrderBy and Order default to id, asc: a stable order for paging.
	OrderBy, Order string
	// Limit, if not 0, asks for one page of so many rows.
	Limit int
}

// List is a complete, verified answer to a Query: 200, JSON, an array whose
// entries have what was asked for, and no sign of a cache.
type List struct {
	Posts []Post
	// Total is X-WP-Total, or -1 when the header was missing. WordPress
	// counts posts that it hides from the account, so Total may exceed the rows.
	Total int
	// Date is the server's clock (Date header) and At our wall clock when the
	// answer came.
	Date, At time.Time
}

// Hidden is how many posts WordPress counted and did not show; 0 when the
// total is unknown.
func (l List) Hidden() int { return max(0, l.Total-len(l.Posts)) }

// Fields is the body of a create or an update: only what is not nil is sent.
type Fields struct {
	Status  *string
	DateGMT *time.Time
	// ClearDate sends date: null, which makes a draft float.
	ClearDate     bool
	Slug          *string
	Title         *string
	Content       *string
	Excerpt       *string
	Author        *int64
	Categories    *[]int64
	Tags          *[]int64
	FeaturedMedia *int64
	// Extra are further fields by their REST names (sticky, template, meta, the
	// REST base of a taxonomy, …), as JSON has them. None of the above may be
	// among them.
	Extra map[string]any
}
