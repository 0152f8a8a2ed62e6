package fakewp

import (
	"html"
	"slices"
	"strconv"
	"strings"

	"morrow/internal/pattern"
)

// tagRules says which attributes an element may have.
type tagRules func(element string) (attrs string, ok bool)

// ksesPost is wp_kses_post, which WordPress runs over the text of accounts
// without unfiltered_html. Known simplifications: object elements lose their
// attributes, and functions in style values are refused.
func ksesPost(s string) string { return kses(s, postTagAttrs, true) }

// ksesTitle is what runs over their titles.
func ksesTitle(s string) string { return kses(s, titleTagAttrs, false) }

var (
	controls     = pattern.Lazy(`[\x00-\x08\x0B\x0C\x0E-\x1F]`)
	namedEntity  = pattern.Lazy(`&amp;([A-Za-z]{2,8}[0-9]{0,2});`)
	decEntity    = pattern.Lazy(`&amp;#(0*[0-9]{1,7});`)
	hexEntity    = pattern.Lazy(`&amp;#[Xx](0*[0-9A-Fa-f]{1,6});`)
	markup       = pattern.Lazy(`<!--.*?(?:-->|$)|<[^>]*(?:>|$)|>`)
	element      = pattern.Lazy(`^<\s*(/\s*)?([a-zA-Z0-9-]+)([^>]*)>?$`)
	manyDashes   = pattern.Lazy(`--+`)
	closingSlash = pattern.Lazy(`\s*/\s*$`)
)

func kses(s string, rules tagRules, global bool) string {
	s = controls().ReplaceAllString(s, "")
	s = normalizeEntities(s)
	s = escapeLessThan(s)
	s = filterBlocks(s, rules, global)
	return ksesSplit(s, rules, global)
}

func ksesSplit(s string, rules tagRules, global bool) string {
	return markup().ReplaceAllStringFunc(s, func(m string) string { return ksesTag(m, rules, global) })
}

// normalizeEntities escapes every & that does not begin an entity WordPress
// knows, and writes numeric ones with three digits (wp_kses_normalize_entities).
func normalizeEntities(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	s = strings.ReplaceAll(s, "&", "&amp;")
	s = namedEntity().ReplaceAllStringFunc(s, func(m string) string {
		name := m[len("&amp;") : len(m)-1]
		if strings.Contains(knownEntities, " "+name+" ") {
			return "&" + name + ";"
		}
		return m
	})
	s = decEntity().ReplaceAllStringFunc(s, func(m string) string {
		n, err := strconv.Atoi(m[len("&amp;#") : len(m)-1])
		if m == "&amp;#0;" {
			return "" // PHP takes "0" for nothing
		}
		if err != nil || !validRune(n) {
			return m
		}
		digits := strconv.Itoa(n)
		return "&#" + strings.Repeat("0", max(0, 3-len(digits))) + digits + ";"
	})
	return hexEntity().ReplaceAllStringFunc(s, func(m string) string {
		digits := m[len("&amp;#x") : len(m)-1]
		n, err := strconv.ParseInt(digits, 16, 32)
		if err != nil || !validRune(int(n)) {
			return "&amp;#x" + digits + ";"
		}
		return "&#x" + strings.TrimLeft(digits, "0") + ";"
	})
}

func validRune(n int) bool {
	return n == 0x9 || n == 0xa || n == 0xd || (n >= 0x20 && n <= 0xd7ff) ||
		(n >= 0xe000 && n <= 0xfffd) || (n >= 0x10000 && n <= 0x10ffff)
}

// escapeLessThan escapes a < that another < follows before any >
// (wp_pre_kses_less_than). It destroys a block delimiter whose attributes
// hold a bare <.
func escapeLessThan(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		end := strings.IndexAny(s[1:], "<>") + 1
		switch {
		case end == 0:
			b.WriteString(escapeHTML(s))
			return b.String()
		case s[end] == '>':
			b.WriteString(s[:end+1])
			s = s[end+1:]
		default:
			b.WriteString(escapeHTML(s[:end]))
			s = s[end:]
		}
	}
}

// escapeHTML is esc_html: entities stay as they are.
func escapeHTML(s string) string {
	return strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#039;").Replace(normalizeEntities(s))
}

// ksesTag is wp_kses_split2: one comment, tag or stray >.
func ksesTag(tag string, rules tagRules, global bool) string {
	tag = strings.ReplaceAll(tag, `\"`, `"`)
	if tag[0] != '<' {
		return "&gt;"
	}
	if strings.HasPrefix(tag, "<!--") {
		return ksesComment(tag, rules, global)
	}
	m := element().FindStringSubmatch(tag)
	if m == nil {
		return ""
	}
	name := m[2]
	attrs, ok := rules(strings.ToLower(name))
	switch {
	case !ok:
		return ""
	case m[1] != "":
		return "</" + name + ">"
	}
	slash := ""
	if closingSlash().MatchString(m[3]) {
		slash = " /"
	}
	var b strings.Builder
	for _, a := range parseAttrs(m[3]) {
		if a.allowed(attrs, global) {
			b.WriteString(" " + strings.NewReplacer("<", "", ">", "").Replace(a.String()))
		}
	}
	return "<" + name + b.String() + slash + ">"
}

// ksesComment keeps a comment, filtered inside, its dashes collapsed.
func ksesComment(tag string, rules tagRules, global bool) string {
	text := strings.NewReplacer("<!--", "", "-->", "").Replace(tag)
	for {
		next := kses(text, rules, global)
		if next == text {
			break
		}
		text = next
	}
	if text == "" {
		return ""
	}
	text = manyDashes().ReplaceAllString(text, "-")
	return "<!--" + strings.TrimSuffix(text, "-") + "-->"
}

// attr is one attribute of a tag; quote is 0 when it has no value.
type attr struct {
	name, value string
	quote       byte
}

func (a attr) String() string {
	if a.quote == 0 {
		return a.name
	}
	return a.name + "=" + string(a.quote) + a.value + string(a.quote)
}

func (a *attr) allowed(own string, global bool) bool {
	name := strings.ToLower(a.name)
	const everywhere = "aria-describedby aria-details aria-label aria-labelledby aria-hidden " +
		"class dir id lang style title role xml:lang"
	switch {
	case slices.Contains(strings.Fields(own), name):
	case global && slices.Contains(strings.Fields(everywhere), name):
	case global && dataAttr().MatchString(name):
	default:
		return false
	}
	if name == "style" {
		a.value = safeCSS(a.value)
		return a.value != ""
	}
	return true
}

var (
	dataAttr    = pattern.Lazy(`^data(?:-[a-z0-9_]+)+$`)
	attrName    = pattern.Lazy(`^[_a-zA-Z][-_a-zA-Z0-9:.]*`)
	attrEquals  = pattern.Lazy(`^\s*=\s*`)
	attrValue   = pattern.Lazy(`^(?:"([^"]*)"|'([^']*)'|([^\s"']+))(?:\s+|/?$)`)
	attrGarbage = pattern.Lazy(`^("[^"]*("|$)|'[^']*('|$)|\S)*\s*`)
)

// parseAttrs is wp_kses_hair. A name that comes twice counts once.
func parseAttrs(s string) []attr {
	var out []attr
	add := func(a attr) {
		if !slices.ContainsFunc(out, func(o attr) bool { return o.name == a.name }) {
			out = append(out, a)
		}
	}
	s = strings.TrimLeft(s, " \t\r\n\f")
	for s != "" {
		name := attrName().FindString(s)
		if name == "" {
			s = s[max(1, len(attrGarbage().FindString(s))):]
			continue
		}
		s = s[len(name):]
		eq := attrEquals().FindString(s)
		if eq == "" {
			if rest := strings.TrimLeft(s, " \t\r\n\f"); rest != s || s == "" {
				add(attr{name: name})
				s = rest
				continue
			}
			s = s[max(1, len(attrGarbage().FindString(s))):]
			continue
		}
		s = s[len(eq):]
		m := attrValue().FindStringSubmatch(s)
		if m == nil {
			s = s[len(attrGarbage().FindString(s)):]
			continue
		}
		a := attr{name, m[1] + m[2] + m[3], '"'}
		if s[0] == '\'' {
			a.quote = '\''
		}
		if isURIAttr(name) {
			a.value = safeURL(a.value)
		}
		add(a)
		s = s[len(m[0]):]
	}
	return out
}

func isURIAttr(name string) bool {
	switch strings.ToLower(name) {
	case "action", "archive", "background", "cite", "classid", "codebase", "data", "formaction", "href", "icon",
		"longdesc", "manifest", "poster", "profile", "src", "usemap", "xmlns":
		return true
	}
	return false
}

var colon = pattern.Lazy(`(?i):|&#0*58;|&#x0*3a;|&colon;`)

// safeURL takes away protocols that are not allowed, until none is left
// (wp_kses_bad_protocol).
func safeURL(s string) string {
	s = controls().ReplaceAllString(s, "")
	for range 6 {
		i := colon().FindStringIndex(s)
		if i == nil || strings.Contains(s[:i[0]], "/?") {
			return s
		}
		protocol := strings.ToLower(strings.Join(strings.Fields(html.UnescapeString(s[:i[0]])), ""))
		rest := strings.TrimSpace(s[i[1]:])
		if allowedProtocol(protocol) {
			return protocol + ":" + rest
		}
		s = rest
	}
	return ""
}

func allowedProtocol(p string) bool {
	switch p {
	case "http", "https", "ftp", "ftps", "mailto", "news", "irc", "irc6", "ircs", "gopher", "nntp", "feed",
		"telnet", "mms", "rtsp", "sms", "svn", "tel", "fax", "xmpp", "webcal", "urn":
		return true
	}
	return false
}

// safeCSS keeps declarations of known properties with plain values
// (safecss_filter_attr).
func safeCSS(s string) string {
	var kept []string
	for _, decl := range strings.Split(strings.NewReplacer("\n", "", "\r", "", "\t", "").Replace(s), ";") {
		decl = strings.TrimSpace(decl)
		property, _, hasValue := strings.Cut(decl, ":")
		known := !hasValue || strings.Contains(safeStyles, " "+strings.TrimSpace(property)+" ")
		if decl != "" && known && !strings.ContainsAny(decl, `\(&=}`) && !strings.Contains(decl, "/*") {
			kept = append(kept, decl)
		}
	}
	return strings.Join(kept, ";")
}

var targetLink = pattern.Lazy(`(?i)<a\s([^>]*target\s*=[^>]*)>`)

// targetedLinkRel adds rel="noopener" to links with a target, for every
// account (wp_targeted_link_rel).
func targetedLinkRel(s string) string {
	return targetLink().ReplaceAllStringFunc(s, func(m string) string {
		attrs := parseAttrs(m[3 : len(m)-1])
		named := func(name string) int {
			return slices.IndexFunc(attrs, func(a attr) bool { return a.name == name })
		}
		if named("target") < 0 {
			return m
		}
		rel := attr{"rel", "noopener", '"'}
		if i := named("rel"); i >= 0 {
			words := strings.Fields(attrs[i].value)
			if !slices.Contains(words, "noopener") {
				words = append(words, "noopener")
			}
			rel.value = strings.Join(words, " ")
			attrs[i] = rel
		} else {
			attrs = append(attrs, rel)
		}
		parts := make([]string, len(attrs))
		for i, a := range attrs {
			parts[i] = a.String()
		}
		return "<a " + strings.Join(parts, " ") + ">"
	})
}
