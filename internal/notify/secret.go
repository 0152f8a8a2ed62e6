package notify

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	redacted = "[redacted]"
	// shortest is the length from which on a part of an address may be a secret
	// of its own; shorter ones would take half of any text out.
	shortest = 4
)

// redact takes an address out of a text, whole or in parts, in every spelling
// in which a library or a server may give it back. The host stays: it tells
// people which service is meant.
func redact(text string, secrets ...string) string {
	var parts []string
	for _, s := range secrets {
		parts = append(parts, pieces(s)...)
	}
	var old []string
	for _, p := range parts {
		old = append(old, spellings(p)...)
	}
	slices.SortFunc(old, func(a, b string) int { return len(b) - len(a) }) // no rest of a longer one stays
	for _, o := range slices.Compact(old) {
		text = replaceFold(text, o, redacted)
	}
	return text
}

// replaceFold is strings.ReplaceAll without regard to the case of ASCII
// letters, which escapes and hosts come in both.
func replaceFold(text, old, with string) string {
	var b strings.Builder
	lower, find := asciiLower(text), asciiLower(old)
	for {
		i := strings.Index(lower, find)
		if i < 0 {
			return b.String() + text
		}
		b.WriteString(text[:i] + with)
		text, lower = text[i+len(old):], lower[i+len(old):]
	}
}

// asciiLower keeps the length of a text, as strings.ToLower does not.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// pieces are an address and those of its parts that may be secret, or that a
// service puts together in another way.
func pieces(address string) []string {
	out := []string{address}
	if u, err := url.Parse(address); err == nil {
		whole := []string{u.Path, u.EscapedPath(), u.RequestURI(), u.Fragment}
		if u.User != nil {
			password, _ := u.User.Password()
			whole = append(whole, u.User.Username(), password, u.User.Username()+":"+password)
		}
		for _, values := range u.Query() {
			whole = append(whole, values...)
		}
		if !strings.Contains(u.Host, ".") { // a token stands where other addresses have a host
			whole = append(whole, u.Hostname())
		}
		for _, w := range whole {
			out = append(out, w)
			out = append(out, strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("/,;:-=&? ", r) })...)
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return len(s) < shortest || isWord(strings.ToLower(s)) })
}

// isWord says of the words that services have in their addresses that they are
// no secrets.
func isWord(s string) bool {
	return slices.Contains([]string{"auto", "json", "http", "https", "true", "localhost", "plain", "none", "hook", "hooks", "webhook", "api", "ping"}, s)
}

// spellings are the forms in which a text is sent and shown.
func spellings(s string) []string {
	quoted := strconv.Quote(s)
	inJSON, _ := json.Marshal(s) // a string never fails
	return []string{
		quoted[1 : len(quoted)-1], string(inJSON[1 : len(inJSON)-1]),
		s, url.QueryEscape(s), url.PathEscape(s), hex.EncodeToString([]byte(s)),
		base64.StdEncoding.EncodeToString([]byte(s)), base64.RawStdEncoding.EncodeToString([]byte(s)),
		base64.URLEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)),
	}
}
