package fakewp

import (
	"time"
)

// What a person does in the dashboard. All of it is done by the
// administrator, and follows the same rules as a write by REST.

// InsertPost stores a new post and returns its id. Type is "post" when empty,
// Author the administrator when 0; a status publish or future follows the
// date, which Date or DateGMT gives. It panics when WordPress would refuse.
func (s *Server) InsertPost(p Post) (id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Type == "" {
		p.Type = "post"
	}
	if p.Author == 0 {
		p.Author = 1
	}
	if p.CommentStatus == "" {
		p.CommentStatus, p.PingStatus = "open", "open"
	}
	if p.Title == "" && p.Content == "" {
		p.Title = "A person's post"
	}
	p.ID = 0
	return s.mustSave(p, nil, true).ID
}

// EditPost changes a post as a person would who opens and saves it. It
// reports whether the post exists.
func (s *Server) EditPost(id int64, edit func(*Post)) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.site.byID[id]
	if before == nil {
		return false
	}
	p := *before
	edit(&p)
	p.ID = id
	if p.Date != before.Date && p.DateGMT == before.DateGMT {
		p.DateGMT = ""
	} else if p.DateGMT != before.DateGMT && p.Date == before.Date {
		p.Date = ""
	}
	s.mustSave(p, before, p.Date != before.Date || p.DateGMT != before.DateGMT)
	return true
}

// TrashPost moves a post to the trash. It reports whether it was there to be
// moved.
func (s *Server) TrashPost(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.site.byID[id]
	if p == nil || p.Status == "trash" {
		return false
	}
	_, fault := s.site.trash(s.site.users[0], p, s.opts.Now())
	return fault == nil
}

// DeletePost removes a post for good. It reports whether it existed.
func (s *Server) DeletePost(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	exists := s.site.byID[id] != nil
	s.site.drop(id)
	return exists
}

// CopyPost does what plugins that duplicate posts do: a draft without a slug,
// with the same text, marker included. It returns the copy's id, 0 when there
// is no such post.
func (s *Server) CopyPost(id int64) (copied int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.site.byID[id]
	if p == nil {
		return 0
	}
	q := Post{
		Type: p.Type, Status: "draft", Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Author: p.Author,
		Categories: p.Categories, Tags: p.Tags, FeaturedMedia: p.FeaturedMedia,
		CommentStatus: p.CommentStatus, PingStatus: p.PingStatus,
	}
	return s.mustSave(q, nil, false).ID
}

// AddTerm makes a "category" or a "post_tag" and returns its id.
func (s *Server) AddTerm(taxonomy, name string) (id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name = termName(name)
	return s.site.addTerm(taxonomy, name, sanitizeTitle(name, true), 0).id
}

// RenameTerm gives a term another name, and the slug of that.
func (s *Server) RenameTerm(id int64, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.site.terms {
		if t.id == id {
			t.name, t.slug = termName(name), sanitizeTitle(name, true)
		}
	}
}

// Posts returns all posts, pages and media, by id.
func (s *Server) Posts() []Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Post, len(s.site.posts))
	for i, p := range s.site.posts {
		out[i] = *p
	}
	return out
}

// Changes counts the changes of posts so far: as long as it stays the same,
// Posts does too.
func (s *Server) Changes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.site.changes
}

// Post returns one post; ok is false when there is none with that id.
func (s *Server) Post(id int64) (p Post, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.site.byID[id]; found != nil {
		return *found, true
	}
	return Post{}, false
}

func (s *Server) mustSave(p Post, before *Post, dated bool) *Post {
	stored, fault := s.site.save(s.site.users[0], p, before, dated, s.opts.Now().Truncate(time.Second))
	if fault != nil {
		panic("fakewp: " + fault.Message)
	}
	if stored.GUID == "" {
		stored.GUID = "http://fakewp.invalid/?p=" + itoa(stored.ID)
	}
	return stored
}
