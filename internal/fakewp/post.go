package fakewp

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// noDate is what WordPress stores as the GMT date of a draft that floats.
const noDate = "0000-00-00 00:00:00"

// Post is a post, page or attachment as the database has it. Dates are in
// the layout time.DateTime: Date and Modified on the site's wall clock,
// DateGMT and ModifiedGMT in UTC. A draft that floats has the DateGMT
// "0000-00-00 00:00:00".
type Post struct {
	ID                        int64
	Type, Status              string
	Title, Content, Excerpt   string
	Slug                      string
	Author                    int64
	Date, DateGMT             string
	Modified, ModifiedGMT     string
	Categories, Tags          []int64
	FeaturedMedia             int64
	Parent, MenuOrder         int64
	Sticky                    bool
	Format                    string // empty for standard
	Password                  string
	CommentStatus, PingStatus string
	GUID                      string

	// Of an attachment; sizes are 0 where the file is no picture.
	Mime, Alt     string
	Width, Height int

	trashedFrom string // status before the trash (_wp_trash_meta_status)
	desiredSlug string // slug before the trash (_wp_desired_post_slug)
	revised     bool   // has a revision
}

// Floats reports whether the post is a draft without a date of its own.
func (p Post) Floats() bool { return p.DateGMT == noDate }

// Instant is the post's date, or the zero time when it floats.
func (p Post) Instant() time.Time {
	t, err := time.Parse(time.DateTime, p.DateGMT)
	if err != nil {
		return time.Time{}
	}
	return t
}

// save is wp_insert_post, and wp_update_post when before is not nil: p is the
// merged post. dated says that the caller set the date on purpose
// (edit_date). It returns the stored post.
func (s *site) save(u *account, p Post, before *Post, dated bool, now time.Time) (*Post, *wpError) {
	nowGMT := now.UTC().Format(time.DateTime)
	nowLocal := now.In(s.zone).Format(time.DateTime)

	if before != nil && !dated && isDraft(before.Status) && before.DateGMT == noDate {
		p.Date, p.DateGMT = nowLocal, ""
	}
	s.filterText(u, &p)
	if p.Type != "attachment" && p.Title == "" && p.Content == "" && p.Excerpt == "" {
		return nil, fail(http.StatusBadRequest, "empty_content", "Content, title, and excerpt are empty.")
	}
	if p.Status == "" {
		p.Status = "draft"
	}
	if p.Type == "post" && len(p.Categories) == 0 {
		p.Categories = []int64{1}
	}
	if p.Status == "pending" && !u.can("publish_"+typeByName(p.Type).caps) {
		p.Slug = ""
	}
	s.nameSlug(&p)
	s.resolveDate(&p, nowLocal)
	p.Modified, p.ModifiedGMT = nowLocal, nowGMT
	if before == nil {
		p.Modified, p.ModifiedGMT = p.Date, p.DateGMT
	}
	if p.Type != "attachment" {
		p.Status = scheduleStatus(p.Status, p.DateGMT, now)
	}
	s.settleSlug(&p, before)
	if before != nil {
		if !before.revised || p.Title != before.Title || p.Content != before.Content || p.Excerpt != before.Excerpt {
			p.revised = true
			s.lastPost++ // a revision takes an id
		}
	}
	if s.filter != nil {
		s.filter(&p)
	}
	stored := &p
	s.put(stored)
	if stored.Slug == "" && !isDraft(stored.Status) {
		// No title to make a slug of: the id serves.
		slug := sanitizeTitle(stored.Title, true)
		if slug == "" {
			slug = itoa(stored.ID)
		}
		stored.Slug = s.uniqueSlug(slug, stored, stored.Status)
	}
	return stored, nil
}

func isDraft(status string) bool {
	return status == "draft" || status == "pending" || status == "auto-draft"
}

// resolveDate fills the date in that was not given.
func (s *site) resolveDate(p *Post, nowLocal string) {
	if p.Date == "" || p.Date == noDate {
		p.Date = nowLocal
		if p.DateGMT != "" && p.DateGMT != noDate {
			p.Date = s.toLocal(p.DateGMT)
		}
	}
	if p.DateGMT == "" || p.DateGMT == noDate {
		p.DateGMT = noDate
		if !isDraft(p.Status) {
			p.DateGMT = s.toGMT(p.Date)
		}
	}
}

// scheduleStatus turns publish into future and back: what lies a minute or
// more ahead is scheduled, all else is published at once.
func scheduleStatus(status, dateGMT string, now time.Time) string {
	if status != "publish" && status != "future" {
		return status
	}
	at, err := time.Parse(time.DateTime, dateGMT)
	if err == nil && at.Sub(now.Truncate(time.Second)) >= time.Minute {
		return "future"
	}
	return "publish"
}

// filterText is what WordPress does to text on its way into the database. It
// takes the merged post, so an update filters the text stored before, too.
func (s *site) filterText(u *account, p *Post) {
	if !u.can("unfiltered_html") {
		p.Title = ksesTitle(p.Title)
		p.Content = ksesPost(p.Content)
		p.Excerpt = ksesPost(p.Excerpt)
	}
	p.Title = strings.TrimSpace(targetedLinkRel(p.Title))
	p.Content = targetedLinkRel(p.Content)
	p.Excerpt = targetedLinkRel(p.Excerpt)
}

// trash is wp_trash_post.
func (s *site) trash(u *account, p *Post, now time.Time) (*Post, *wpError) {
	q := *p
	q.trashedFrom = p.Status
	q.Status = "trash"
	return s.save(u, q, p, false, now)
}

// known keeps the term ids that exist; others are dropped without a word
// (wp_set_object_terms).
func (s *site) known(taxonomy string, ids []int64) []int64 {
	out := []int64{}
	for _, id := range ids {
		if t := s.term(id); t != nil && t.taxonomy == taxonomy && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}
