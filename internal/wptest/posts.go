package wptest

import (
	"testing"
	"time"
)

// stamp is how WordPress stores an instant or a local time.
const stamp = "2006-01-02 15:04:05"

// Post is a row of wp_posts.
type Post struct {
	ID      int
	Type    string // "post" when empty
	Status  string // "draft" when empty
	Slug    string
	Title   string
	Content string
	Excerpt string
	Author  string // login; "editor" when empty

	// Date is the instant of publication. Zero for a draft that floats.
	Date time.Time
	// Local and Modified are the columns post_date and post_modified as stored,
	// in the site's zone. Read only.
	Local, Modified string
}

// InsertPost writes a post as its author would at the dashboard, with the
// filters of the author's rights, and returns its id. The request does not
// appear in Requests.
func (s *Site) InsertPost(t testing.TB, p Post) (id int) {
	t.Helper()
	if p.Author == "" {
		p.Author = "editor"
	}
	return s.save(t, p.Author, p)
}

// EditPost changes the fields of p that are not zero, author excepted, in the
// post p.ID, as that user would at the dashboard.
func (s *Site) EditPost(t testing.TB, login string, p Post) {
	t.Helper()
	s.save(t, login, p)
}

func (s *Site) save(t testing.TB, login string, p Post) (id int) {
	t.Helper()
	post := map[string]any{}
	for name, value := range map[string]string{
		"post_type": p.Type, "post_status": p.Status, "post_name": p.Slug,
		"post_title": p.Title, "post_content": p.Content, "post_excerpt": p.Excerpt,
	} {
		if value != "" {
			post[name] = value
		}
	}
	if !p.Date.IsZero() {
		post["post_date_gmt"] = p.Date.UTC().Format(stamp)
	}
	if p.ID != 0 {
		post["ID"] = p.ID
	}
	var saved struct {
		ID int `json:"id"`
	}
	s.control(t, "save", map[string]any{"user": login, "post": post}, &saved)
	return saved.ID
}

// TrashPost moves a post to the trash, as a person would.
func (s *Site) TrashPost(t testing.TB, id int) {
	t.Helper()
	s.control(t, "trash", map[string]int{"id": id}, nil)
}

// DeletePost deletes a post for good.
func (s *Site) DeletePost(t testing.TB, id int) {
	t.Helper()
	s.control(t, "delete", map[string]int{"id": id}, nil)
}

// MovePost gives a post, and its WP-Cron event if it has one, another instant
// and touches nothing else: a scheduled post can be brought to its slot, or
// past it.
func (s *Site) MovePost(t testing.TB, id int, to time.Time) {
	t.Helper()
	s.control(t, "move", map[string]any{"id": id, "date_gmt": to.UTC().Format(stamp)}, nil)
}

// Age makes all posts look as if nobody had touched them for so much longer.
// Drafts without a date of their own stay such.
func (s *Site) Age(t testing.TB, by time.Duration) {
	t.Helper()
	s.control(t, "age", map[string]int{"seconds": int(by.Seconds())}, nil)
}

// Unschedule takes away the WP-Cron event of a scheduled post: it will miss its
// schedule.
func (s *Site) Unschedule(t testing.TB, id int) {
	t.Helper()
	s.control(t, "unschedule", map[string]int{"id": id}, nil)
}

// Posts reads every post of any status straight from the database, lowest id
// first. Revisions and other types are not among them: see PostsOfType.
func (s *Site) Posts(t testing.TB) []Post {
	t.Helper()
	return s.PostsOfType(t, "post")
}

// PostsOfType is Posts for another type ("page", "attachment", "revision").
func (s *Site) PostsOfType(t testing.TB, postType string) []Post {
	t.Helper()
	var rows []struct {
		ID                                                  int
		Type, Status, Slug, Title, Content, Excerpt, Author string
		Date, Modified                                      string
		DateGMT                                             string `json:"date_gmt"`
	}
	s.control(t, "posts", map[string]string{"type": postType}, &rows)
	posts := make([]Post, 0, len(rows))
	for _, r := range rows {
		p := Post{
			ID: r.ID, Type: r.Type, Status: r.Status, Slug: r.Slug, Title: r.Title, Content: r.Content,
			Excerpt: r.Excerpt, Author: r.Author, Local: r.Date, Modified: r.Modified,
		}
		if r.DateGMT != "0000-00-00 00:00:00" {
			date, err := time.Parse(stamp, r.DateGMT)
			if err != nil {
				t.Fatalf("read date of post %d: %v", r.ID, err)
			}
			p.Date = date
		}
		posts = append(posts, p)
	}
	return posts
}
