//go:build linux

package e2e

import (
	"strings"
	"testing"
	"time"

	"morrow/internal/wptest"
)

// TestHandedDrafts: drafts of a person, in the editor's blocks and in the
// classic editor's HTML, are booked as they are.
func TestHandedDrafts(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.source, r.jobKeys = "{drafts: {category: uncategorized}}", "ahead: 2"
		r.configure()
		texts := []string{
			"<!-- wp:heading {\"level\":3} -->\n<h3 class=\"wp-block-heading\">A & B</h3>\n<!-- /wp:heading -->\n\n<!-- wp:html -->\n<iframe src=\"https://example.org/\"></iframe>\n<!-- /wp:html -->",
			"Plain text &mdash; of the <b>classic</b> editor,\n\nin two paragraphs. [gallery ids=\"1,2\"]",
		}
		for i, text := range texts {
			r.site.InsertPost(r, wptest.Post{Title: strings.Repeat("Handed ", i+1), Content: text})
		}
		r.run("run", "--json").want(r, 3, "nothing_to_book") // they are being written
		r.site.Age(r, time.Hour)
		before := r.site.Posts(r)
		r.run("run", "--json").want(r, 0, "booked")
		r.scheduled(r.slot, r.slot.AddDate(0, 0, 1))
		for i, p := range r.site.Posts(r) {
			if p.ID != before[i].ID || p.Title != before[i].Title || unmarked(p.Content) != before[i].Content {
				r.Errorf("post %d was\n%s\nand is\n%s", p.ID, before[i].Content, p.Content)
			}
		}
		r.run("run", "--json").want(r, 0, "already_booked")
		r.scheduled(r.slot, r.slot.AddDate(0, 0, 1))
	})
}

// unmarked is a content without Morrow's marker, as a text.
func unmarked(content string) string {
	for _, cut := range [][2]string{{`,"metadata":{"morrow":"`, `"}`}, {"\n\n<!-- morrow", "-->"}, {"\n<!-- morrow", "-->"}} {
		before, rest, ok := strings.Cut(content, cut[0])
		if _, after, closed := strings.Cut(rest, cut[1]); ok && closed {
			return before + after
		}
	}
	return content
}
