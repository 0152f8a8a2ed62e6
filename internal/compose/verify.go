package compose

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"maps"
	"net/url"
	"slices"
	"strings"

	xhtml "golang.org/x/net/html"

	"morrow/internal/markup"
	"morrow/internal/pattern"
	"morrow/internal/source"
	"morrow/wpclient"
)

// Verify compares a stored post with what was sent, decoded; the error names
// the first difference. It is a *SuffixError when the slug's suffix is the
// only one.
func (d Draft) Verify(p wpclient.Post) error {
	content, m, _ := markup.CutMarker(p.Content)
	for _, c := range []struct{ what, sent, stored string }{
		{"title", markup.EscapeText(d.Title), p.Title},
		{"text", d.Content, content},
		{"excerpt", markup.EscapeText(d.Excerpt), p.Excerpt},
	} {
		if normal(c.sent) != normal(c.stored) {
			return fmt.Errorf("WordPress changed the %s: %s", c.what, difference(c.sent, c.stored))
		}
	}
	if m.Job != d.job || m.Item != d.Item.Key || m.Text != d.Text {
		return fmt.Errorf("WordPress did not keep the marker of post %d, which tells it from others: a plugin takes out block attributes or comments", p.ID)
	}
	if err := d.verifyIDs(p); err != nil {
		return err
	}
	if err := d.verifyExtra(p.Extra); err != nil {
		return err
	}
	return d.verifySlug(p)
}

func (d Draft) verifyIDs(p wpclient.Post) error {
	for _, t := range []struct {
		what         string
		sent, stored []int64
	}{{"category", d.Categories, p.Categories}, {"tag", d.Tags, p.Tags}} {
		for _, id := range t.sent {
			// More may be there: plugins add terms of their own.
			if !slices.Contains(t.stored, id) {
				return fmt.Errorf("WordPress did not keep the %s with id %d", t.what, id)
			}
		}
	}
	if d.Featured != 0 && d.Featured != p.FeaturedMedia {
		return fmt.Errorf("WordPress did not keep the featured image with id %d", d.Featured)
	}
	if d.Author != 0 && d.Author != p.Author {
		return fmt.Errorf("WordPress made account %d the author, not %d", p.Author, d.Author)
	}
	return nil
}

func (d Draft) verifySlug(p wpclient.Post) error {
	sent, stored := decodeSlug(d.Slug), decodeSlug(p.Slug)
	if sent == stored {
		return nil
	}
	suffix, ok := strings.CutPrefix(stored, sent+"-")
	if ok && strings.Trim(suffix, "0123456789") == "" {
		return &SuffixError{Sent: d.Slug, Stored: p.Slug}
	}
	return fmt.Errorf("WordPress changed the slug %s to %s", d.Slug, p.Slug)
}

func decodeSlug(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// Trace is what a post says of its origin.
type Trace struct {
	markup.Marker
	// Ours: there is a marker. Intact: the post's text is still as its marker
	// says. Own: the marker bears the post's own id (else a draft never
	// committed, or a copy). Handed: the post is a draft that a person handed
	// over, and never Morrow's to delete.
	Ours, Intact, Own, Handed bool
}

// Read finds the trace in a post.
func Read(p wpclient.Post) Trace {
	content, m, ok := markup.CutMarker(p.Content)
	if !ok {
		return Trace{}
	}
	return Trace{
		Marker: m, Ours: true, Intact: textHash(p.Title, p.Excerpt, content) == cmp.Or(m.Sent, m.Text),
		Own: m.ID != 0 && m.ID == p.ID, Handed: m.Item == source.DraftKey(p.ID),
	}
}

// textHash is a hash of raw HTML texts, the same before and after WordPress's
// own rewriting of them.
func textHash(title, excerpt, content string) string {
	sum := sha256.Sum256([]byte(normal(title) + "\x00" + normal(excerpt) + "\x00" + normal(content)))
	return hex.EncodeToString(sum[:10])
}

var (
	selfClosing = pattern.Lazy(`\s*/>`)
	relAttr     = pattern.Lazy(`(?i)\srel=("[^"]*"|'[^']*')`)
	reference   = pattern.Lazy(`&(#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);`)
)

// normal brings a raw text and what WordPress stores of it to one form. kses,
// which filters what accounts without unfiltered_html post, rewrites character
// references and sets " />"; wp_targeted_link_rel adds rel="noopener" up to
// WordPress 6.6; a database without utf8mb4 gets emoji as references.
func normal(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	// Most texts have nothing of it, and each look reads every post several times.
	if strings.Contains(s, "/>") {
		s = selfClosing().ReplaceAllString(s, ">")
	}
	if strings.Contains(s, "=") {
		s = relAttr().ReplaceAllString(s, "")
	}
	if strings.Contains(s, "&") {
		s = reference().ReplaceAllStringFunc(s, html.UnescapeString)
	}
	return strings.TrimSpace(s)
}

// difference says where two texts part, and names the elements that are gone.
func difference(sent, stored string) string {
	want, have := elements(sent), elements(stored)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if have[name] < want[name] {
			return fmt.Sprintf("it removed <%s>: this account may not post it; take it out, or use an account that may (unfiltered_html)", name)
		}
	}
	a, b := []rune(normal(sent)), []rune(normal(stored))
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("sent %s, stored %s", excerpt(a, at), excerpt(b, at))
}

func excerpt(text []rune, at int) string {
	const around = 30
	start, end := max(0, at-around), min(len(text), at+around)
	return fmt.Sprintf("“…%s…”", oneLine(string(text[start:end])))
}

// elements counts the elements that a text opens.
func elements(text string) map[string]int {
	count := map[string]int{}
	z := xhtml.NewTokenizer(strings.NewReader(text))
	for kind := z.Next(); kind != xhtml.ErrorToken; kind = z.Next() {
		if kind == xhtml.StartTagToken || kind == xhtml.SelfClosingTagToken {
			name, _ := z.TagName()
			count[string(name)]++
		}
	}
	return count
}

// StoredTitle is the title as the site stores it.
func (d Draft) StoredTitle() string { return markup.EscapeText(d.Title) }
