package fakewp

import (
	"maps"
	"slices"
	"time"
)

// site is the content of one WordPress; the Server's mutex guards it. A Post
// and a term are never changed in place, so a shallow clone is a snapshot.
type site struct {
	opts     Options
	zone     *time.Location
	cronDead bool
	filter   func(*Post)

	posts    []*Post // by id
	byID     map[int64]*Post
	lastPost int64
	changes  int // of posts so far
	terms    []*term
	users    []*account

	// slugView, if not nil, is what the check for free slugs sees of the
	// site (Fault.SlugGap).
	slugView *site
}

func newSite(o Options, zone *time.Location) *site {
	s := &site{opts: o, zone: zone, cronDead: o.CronDead, byID: map[int64]*Post{}}
	s.addTerm("category", "Uncategorized", "uncategorized", 0)
	return s
}

func (s *site) clone() *site {
	c := *s
	c.posts, c.terms, c.users = slices.Clone(s.posts), slices.Clone(s.terms), slices.Clone(s.users)
	c.byID = maps.Clone(s.byID)
	return &c
}

// put stores a new version of a post; one without an id gets the next.
func (s *site) put(p *Post) {
	if p.ID == 0 {
		s.lastPost++
		p.ID = s.lastPost
		s.posts = append(s.posts, p)
	} else {
		i, _ := s.index(p.ID)
		s.posts[i] = p
	}
	s.byID[p.ID] = p
	s.changes++
}

func (s *site) drop(id int64) {
	if i, ok := s.index(id); ok {
		s.posts = slices.Delete(s.posts, i, i+1)
		delete(s.byID, id)
		s.changes++
	}
}

func (s *site) index(id int64) (int, bool) {
	return slices.BinarySearchFunc(s.posts, id, func(p *Post, id int64) int { return int(p.ID - id) })
}

// publishDue does what WP-Cron does with scheduled posts: their dates stay,
// their modified dates too (wp_publish_post).
func (s *site) publishDue(now time.Time) {
	if s.cronDead {
		return
	}
	due := now.UTC().Format(time.DateTime)
	for i, p := range s.posts {
		if p.Status == "future" && p.DateGMT <= due {
			q := *p
			q.Status = "publish"
			s.posts[i], s.byID[q.ID] = &q, &q
			s.changes++
		}
	}
}
