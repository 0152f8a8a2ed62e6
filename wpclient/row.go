package wpclient

import (
	"fmt"
	"strings"
	"time"
)

// row is a post as it travels, with what is needed to tell "missing" from
// "empty".
type row struct {
	ID            int64   `json:"id"`
	Type          string  `json:"type"`
	Status        string  `json:"status"`
	Date          string  `json:"date"`
	DateGMT       instant `json:"date_gmt"`
	Modified      string  `json:"modified"`
	ModifiedGMT   instant `json:"modified_gmt"`
	Slug          *string `json:"slug"` // empty for a draft that was given none
	Link          string  `json:"link"`
	Title         rawText `json:"title"`
	Content       rawText `json:"content"`
	Excerpt       rawText `json:"excerpt"`
	Author        int64   `json:"author"`
	Categories    []int64 `json:"categories"`
	Tags          []int64 `json:"tags"`
	FeaturedMedia int64   `json:"featured_media"`
}

// rawText is a rendered field, of which only the stored text is asked for.
type rawText struct {
	Raw *string `json:"raw"`
}

func (t rawText) text() string {
	if t.Raw == nil {
		return ""
	}
	return *t.Raw
}

// instant is a date without zone that means UTC. WordPress writes null for a
// date that isn't set.
type instant struct {
	seen bool
	time time.Time
}

func (i *instant) UnmarshalJSON(b []byte) error {
	i.seen = true
	if string(b) == "null" {
		return nil
	}
	t, err := time.Parse(`"`+localTime+`"`, string(b))
	i.time = t
	return err
}

// check says what of a whole answer is missing. typ is the REST base: pages
// have no excerpt or terms, and custom types may lack title and content.
func (r row) check(typ string) error {
	var missing []string
	need := func(name string, ok bool) {
		if !ok {
			missing = append(missing, name)
		}
	}
	need("id", r.ID > 0)
	need("type", r.Type != "")
	need("status", r.Status != "")
	need("date", r.Date != "")
	need("date_gmt", r.DateGMT.seen)
	need("modified", r.Modified != "")
	need("slug", r.Slug != nil)
	need("link", r.Link != "")
	if typ == "posts" {
		need("title.raw", r.Title.Raw != nil)
		need("content.raw", r.Content.Raw != nil)
	}
	if len(missing) > 0 {
		return fmt.Errorf("%s missing", strings.Join(missing, ", "))
	}
	if want := map[string]string{"posts": "post", "pages": "page"}[typ]; want != "" && r.Type != want {
		return fmt.Errorf("%d is a %s, not a %s", r.ID, r.Type, want)
	}
	for _, local := range []string{r.Date, r.Modified} {
		if _, err := time.Parse(localTime, local); err != nil {
			return fmt.Errorf("%q is not a date", local)
		}
	}
	if (r.Status == "future" || r.Status == "publish") && r.DateGMT.time.IsZero() {
		return fmt.Errorf("post %d is %s without date_gmt", r.ID, r.Status)
	}
	return nil
}

func (r row) post() Post {
	p := Post{
		ID: r.ID, Type: r.Type, Status: r.Status,
		Date: r.Date, DateGMT: r.DateGMT.time, Modified: r.Modified, ModifiedGMT: r.ModifiedGMT.time,
		Link: r.Link, Title: r.Title.text(), Content: r.Content.text(), Excerpt: r.Excerpt.text(),
		Author: r.Author, Categories: r.Categories, Tags: r.Tags, FeaturedMedia: r.FeaturedMedia,
	}
	if r.Slug != nil {
		p.Slug = *r.Slug
	}
	return p
}
