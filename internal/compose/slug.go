package compose

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"morrow/internal/pattern"
	"morrow/internal/source"
)

// maxSlug leaves room in WordPress's 200 bytes for its own "-2" and
// "__trashed".
const maxSlug = 180

var (
	hyphens  = pattern.Lazy(`-+`)
	reserved = pattern.Lazy(`^(\d+|feed|rdf|rss2?|atom|embed|trackback|comments|page\d*|comment-page(-\d+)?|wp-(admin|content|includes|json|login))$`)
)

// Slug is the slug of an item, without asking the site: the wished one, else
// made from the key or the title, in the form that WordPress stores (lower
// case, everything but ASCII percent-encoded). It is a fixed point of
// WordPress's sanitize_title in every locale and of what wp_unique_post_slug
// refuses (feeds, embed, numbers), so a suffix that WordPress adds always
// means that another post has the slug.
//
// A slug may itself end like a suffix ("part-2"): who looks for copies of
// "part" by "part-2" must tell them from a post of that name by the marker.
func Slug(it source.Item) string {
	for _, wish := range []string{it.Slug, it.Key, it.Title} {
		if s := clean(wish); s != "" {
			return encode(unreserve(s))
		}
	}
	return "post-" + shortHash(it.Key+"\x00"+it.Title)
}

// clean does what WordPress does to a title (sanitize_title with its remove_accents),
// and keeps of all other characters letters, digits and their marks alone: that
// is a subset which no version of WordPress changes any further.
func clean(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		s = plain // a slug copied from WordPress or from an address
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(strings.ToValidUTF8(s, "")) {
		b.WriteString(cleanRune(r))
	}
	s = norm.NFC.String(strings.ReplaceAll(b.String(), "__trashed", "")) // WordPress's mark of a trashed post
	return strings.Trim(hyphens().ReplaceAllString(s, "-"), "-")
}

func cleanRune(r rune) string {
	switch {
	case r == '_', '0' <= r && r <= '9', 'a' <= r && r <= 'z':
		return string(r)
	case r == '-', r == '.', r == '/', unicode.IsSpace(r), unicode.Is(unicode.Pd, r):
		return "-"
	case r == '×':
		return "x"
	case r < 0x80 && !unicode.IsLetter(r):
		return ""
	case unicode.Is(unicode.Latin, r):
		return latin(r)
	case 0x2b0 <= r && r <= 0x36f, unicode.Is(unicode.Variation_Selector, r):
		return "" // accents on their own, and what picks an emoji's form
	case unicode.In(r, unicode.L, unicode.N, unicode.Mn, unicode.Mc):
		return string(unicode.ToLower(r))
	case unicode.In(r, unicode.Po, unicode.Ps, unicode.Pe):
		return "-" // 【】：、 part words
	}
	return ""
}

// latin writes a letter without accents, as WordPress's remove_accents does.
func latin(r rune) string {
	var b strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		if unicode.Is(unicode.Latin, part) {
			b.WriteString(ascii(part))
		}
	}
	return b.String()
}

// ascii writes a Latin letter that no accent explains.
func ascii(r rune) string {
	switch r = unicode.ToLower(r); r {
	case 'ß':
		return "s"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'þ':
		return "th"
	}
	const odd, plain = "øđðłıħŋŧĸɑ", "oddlihntka"
	if i := slices.Index([]rune(odd), r); i >= 0 {
		return plain[i : i+1]
	}
	return string(r)
}

// unreserve changes what WordPress would give a suffix or answer with
// something else than the post.
func unreserve(s string) string {
	if reserved().MatchString(s) {
		return "post-" + s
	}
	return s
}

// encode writes s as WordPress's utf8_uri_encode does, cut at a whole
// character and told apart by a hash where it is too long.
func encode(s string) string {
	var b strings.Builder
	room := 0
	for _, r := range s {
		part := strings.ToLower(url.PathEscape(string(r)))
		if b.Len()+len(part) <= maxSlug-len("-01234567") {
			room = b.Len() + len(part)
		}
		b.WriteString(part)
	}
	whole := b.String()
	if len(whole) <= maxSlug {
		return whole
	}
	return strings.TrimRight(whole[:room], "-") + "-" + shortHash(whole)
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
