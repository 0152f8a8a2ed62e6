package fakewp

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"morrow/internal/pattern"
)

var (
	octet      = pattern.Lazy(`%([a-fA-F0-9]{2})`)
	octetKept  = pattern.Lazy(`---([a-fA-F0-9]{2})---`)
	entity     = pattern.Lazy(`&.+?;`)
	notSlug    = pattern.Lazy(`[^%a-z0-9 _-]`)
	spaces     = pattern.Lazy(`\s+`)
	dashes     = pattern.Lazy(`-+`)
	onlyDigits = pattern.Lazy(`^[0-9]+$`)
	pagingSlug = pattern.Lazy(`^(page)?\d+$`)
)

// sanitizeTitle is sanitize_title: saving strips accents and writes dashes
// for slashes and the like; a query does not.
func sanitizeTitle(s string, saving bool) string {
	if isPlainSlug(s) {
		return s
	}
	return clean(s, saving)
}

func clean(s string, saving bool) string {
	if saving {
		s = removeAccents(s)
	}
	s = stripTags(s)
	s = octet().ReplaceAllString(s, "---$1---")
	s = strings.ReplaceAll(s, "%", "")
	s = octetKept().ReplaceAllString(s, "%$1")
	s = uriEncode(strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307")), 200, false)
	s = strings.ToLower(s)
	if saving {
		s = dashEntities(s)
		s = dashOctets(s)
	}
	s = entity().ReplaceAllString(s, "")
	s = strings.ReplaceAll(s, ".", "-")
	s = notSlug().ReplaceAllString(s, "")
	s = spaces().ReplaceAllString(s, "-")
	s = dashes().ReplaceAllString(s, "-")
	return strings.Trim(s, "-")
}

// isPlainSlug: sanitizeTitle has nothing to change. It may miss some such slugs.
func isPlainSlug(s string) bool {
	if len(s) > 200 || strings.Trim(s, "-") != s || strings.Contains(s, "--") {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

func removeAccents(s string) string {
	ascii := func(r rune) bool { return r < 0x80 }
	if strings.IndexFunc(s, func(r rune) bool { return !ascii(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFC.String(s) {
		if plain, ok := unaccent(r); ok {
			b.WriteString(plain)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// stripTags is PHP's strip_tags.
func stripTags(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '<' || i+1 == len(s) || isSpace(s[i+1]) {
			b.WriteByte(s[i])
			i++
			continue
		}
		i += tagLength(s[i:])
	}
	return b.String()
}

// tagLength is the length of the tag or comment that s begins with; quotes
// hide what ends it, and a tag inside a tag must end first.
func tagLength(s string) int {
	if strings.HasPrefix(s, "<!--") {
		if end := strings.Index(s[2:], "-->"); end >= 0 {
			return end + 5
		}
		return len(s)
	}
	depth, quote := 0, byte(0)
	for i := 1; i < len(s); i++ {
		switch ch := s[i]; {
		case (ch == '"' || ch == '\'') && quote == 0:
			quote = ch
		case ch == quote:
			quote = 0
		case ch == '<' && quote == 0 && i+1 < len(s) && !isSpace(s[i+1]):
			depth++
		case ch == '>' && depth > 0:
			depth--
		case ch == '>' && quote == 0:
			return i + 1
		}
	}
	return len(s)
}

func isSpace(c byte) bool { return c == ' ' || (c >= '\t' && c <= '\r') }

// uriEncode is utf8_uri_encode: percent form of what is not ASCII, at most
// limit bytes, never half a character.
func uriEncode(s string, limit int, ascii bool) string {
	var b strings.Builder
	for _, r := range s {
		enc := string(r)
		switch {
		case r >= 0x80:
			enc = strings.ToLower(percent(enc))
		case ascii:
			enc = strings.ReplaceAll(url.QueryEscape(enc), "+", "%20")
		}
		if b.Len()+len(enc) > limit {
			break
		}
		b.WriteString(enc)
	}
	return b.String()
}

func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02x", s[i])
	}
	return b.String()
}

func dashEntities(s string) string {
	if strings.Contains(s, "&") {
		for _, e := range []string{"&nbsp;", "&#160;", "&ndash;", "&#8211;", "&mdash;", "&#8212;"} {
			s = strings.ReplaceAll(s, e, "-")
		}
	}
	return strings.ReplaceAll(s, "/", "-")
}

// dashOctets handles signs in percent form: some vanish, some become a dash.
func dashOctets(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 1
		plain := s[i : i+1]
		for _, size := range []int{9, 6} {
			if s[i] != '%' || i+size > len(s) {
				continue
			}
			if out, ok := signOctets(s[i : i+size]); ok {
				n, plain = size, out
				break
			}
		}
		b.WriteString(plain)
		i += n
	}
	return b.String()
}

// signOctets says what sanitize_title_with_dashes makes of one sign.
func signOctets(enc string) (string, bool) {
	switch enc {
	case "%c2%a0", "%e2%80%93", "%e2%80%94",
		"%e2%80%80", "%e2%80%81", "%e2%80%82", "%e2%80%83", "%e2%80%84", "%e2%80%85", "%e2%80%86", "%e2%80%87",
		"%e2%80%88", "%e2%80%89", "%e2%80%8a", "%e2%80%a8", "%e2%80%a9", "%e2%80%af":
		return "-", true
	case "%c2%ad", "%c2%a1", "%c2%bf", "%c2%ab", "%c2%bb", "%e2%80%b9", "%e2%80%ba",
		"%e2%80%98", "%e2%80%99", "%e2%80%9c", "%e2%80%9d", "%e2%80%9a", "%e2%80%9b", "%e2%80%9e", "%e2%80%9f",
		"%e2%80%a2", "%c2%a9", "%c2%ae", "%c2%b0", "%e2%80%a6", "%e2%84%a2",
		"%c2%b4", "%cb%8a", "%cc%81", "%cd%81", "%cc%80", "%cc%84", "%cc%8c",
		"%e2%80%8b", "%e2%80%8c", "%e2%80%8d", "%e2%80%8e", "%e2%80%8f",
		"%e2%80%aa", "%e2%80%ab", "%e2%80%ac", "%e2%80%ad", "%e2%80%ae", "%ef%bb%bf", "%ef%bf%bc":
		return "", true
	case "%c3%97":
		return "x", true
	}
	return "", false
}

// nameSlug makes the slug of a post that has none, from its title; drafts
// stay without.
func (s *site) nameSlug(p *Post) {
	switch {
	case p.Slug != "":
		p.Slug = sanitizeTitle(p.Slug, true)
	case !isDraft(p.Status):
		p.Slug = sanitizeTitle(p.Title, true)
	}
}

// settleSlug gives a post its final slug, around the trash: what goes there
// frees its slug, what comes back takes it again, and a trashed post yields
// the slug to one that wants it.
func (s *site) settleSlug(p *Post, before *Post) {
	if before != nil && before.Status == "trash" && p.Status != "trash" && p.desiredSlug != "" {
		p.Slug, p.desiredSlug = p.desiredSlug, ""
	}
	if p.Status != "trash" && p.Slug != "" {
		for _, other := range slices.Clone(s.posts) {
			if other.Status == "trash" && other.Slug == p.Slug && other.ID != p.ID {
				q := *other
				addTrashedSuffix(&q)
				s.put(&q)
			}
		}
	}
	if p.Status == "trash" && before != nil && before.Status != "trash" {
		p.Slug = before.Slug
		addTrashedSuffix(p)
	}
	p.Slug = s.uniqueSlug(p.Slug, p, p.Status)
}

func addTrashedSuffix(p *Post) {
	if strings.HasSuffix(p.Slug, "__trashed") {
		return
	}
	p.desiredSlug = p.Slug
	p.Slug = truncateSlug(p.Slug, 191) + "__trashed"
}

// uniqueSlug is wp_unique_post_slug: drafts keep any slug; others get the
// first free of slug, slug-2, slug-3…, and never a word that means something
// else in an address.
func (s *site) uniqueSlug(slug string, p *Post, status string) string {
	if isDraft(status) {
		return slug
	}
	view := s
	if s.slugView != nil {
		view = s.slugView
	}
	if !view.slugTaken(slug, p) && !s.slugReserved(slug, p) {
		return slug
	}
	for n := 2; ; n++ {
		suffix := "-" + strconv.Itoa(n)
		if alt := truncateSlug(slug, 200-len(suffix)) + suffix; !view.slugTaken(alt, p) {
			return alt
		}
	}
}

func (s *site) slugTaken(slug string, p *Post) bool {
	return slices.ContainsFunc(s.posts, func(o *Post) bool {
		if o.ID == p.ID || o.Slug != slug {
			return false
		}
		switch p.Type {
		case "attachment":
			return true
		case "page":
			return (o.Type == "page" || o.Type == "attachment") && o.Parent == p.Parent
		}
		return o.Type == p.Type
	})
}

func (s *site) slugReserved(slug string, p *Post) bool {
	switch slug {
	case "feed", "rdf", "rss", "rss2", "atom", "embed":
		return true
	}
	switch p.Type {
	case "page":
		return pagingSlug().MatchString(slug)
	case "post":
		stored := s.byID[p.ID]
		return (stored == nil || stored.Slug != slug) && s.looksLikeDate(slug)
	}
	return false
}

// looksLikeDate reports whether a slug of digits would be taken for a part of
// a date archive's address.
func (s *site) looksLikeDate(slug string) bool {
	n, err := strconv.Atoi(slug)
	if !onlyDigits().MatchString(slug) || (err == nil && n == 0) || s.opts.Plain {
		return false
	}
	parts := strings.FieldsFunc(s.opts.Permalinks, func(r rune) bool { return r == '/' })
	i := slices.Index(parts, "%postname%")
	switch {
	case i == 0:
		return true
	case i < 0 || err != nil:
		return false
	case parts[i-1] == "%year%":
		return n < 13
	case parts[i-1] == "%monthnum%":
		return n < 32
	}
	return false
}

// truncateSlug is _truncate_post_slug.
func truncateSlug(slug string, limit int) string {
	if len(slug) > limit {
		if decoded, err := url.PathUnescape(slug); err != nil || decoded == slug {
			slug = slug[:limit]
		} else {
			slug = uriEncode(decoded, limit, true)
		}
	}
	return strings.TrimRight(slug, "-")
}
