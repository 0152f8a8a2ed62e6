package fakewp

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"morrow/internal/pattern"
)

// params are a request's parameters in WordPress's order of priority: JSON
// body, form body, query (WP_REST_Request::get_parameter_order).
type params struct {
	sources []map[string]any
	bad     []badParam
}

type badParam struct{ name, code, message string }

func parseParams(m message, method string) (params, *wpError) {
	var p params
	media, _, _ := mime.ParseMediaType(m.req.Header.Get("Content-Type")) // an unreadable type is no JSON
	switch {
	case len(m.body) > 0 && (media == "application/json" || strings.HasSuffix(media, "+json")):
		sent, fault := decodeJSON(m.body)
		if fault != nil {
			return p, fault
		}
		p.sources = append(p.sources, sent)
	case method != http.MethodGet && media == "application/x-www-form-urlencoded":
		if form, err := url.ParseQuery(string(m.body)); err == nil {
			p.sources = append(p.sources, phpQuery(form))
		}
	}
	p.sources = append(p.sources, phpQuery(m.query))
	return p, nil
}

// decodeJSON is as strict as PHP's json_decode: no byte order mark, no bytes
// that are not UTF-8, no lone surrogates.
func decodeJSON(body []byte) (map[string]any, *wpError) {
	invalid := fail(http.StatusBadRequest, "rest_invalid_json", "Invalid JSON body passed.")
	var v any
	if !utf8.Valid(body) || json.Unmarshal(body, &v) != nil || hasLoneSurrogate(string(body)) {
		return nil, invalid
	}
	m, _ := v.(map[string]any) // anything else carries no parameters
	return m, nil
}

// hasLoneSurrogate looks for a \uD800-\uDFFF escape without its other half,
// in text that is otherwise valid JSON.
func hasLoneSurrogate(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		if s[i] != 'u' {
			continue
		}
		n, _ := strconv.ParseUint(s[i+1:i+5], 16, 32) // checked by the decoder
		i += 4
		if n < 0xD800 || n > 0xDFFF {
			continue
		}
		if n > 0xDBFF || !strings.HasPrefix(s[i+1:], `\u`) {
			return true
		}
		low, _ := strconv.ParseUint(s[i+3:i+7], 16, 32)
		if low < 0xDC00 || low > 0xDFFF {
			return true
		}
		i += 6
	}
	return false
}

// phpQuery reads a query as PHP does: the last value of a name wins, and
// "name[]" makes a list.
func phpQuery(q url.Values) map[string]any {
	m := make(map[string]any, len(q))
	for k, vs := range q {
		name, _, isList := strings.Cut(k, "[")
		if !isList {
			m[k] = vs[len(vs)-1]
			continue
		}
		list, _ := m[name].([]any)
		for _, v := range vs {
			list = append(list, v)
		}
		m[name] = list
	}
	return m
}

// get returns the value of a parameter; ok is false when it was not sent.
// JSON null is (nil, true), except where another source has a value.
func (p *params) get(name string) (v any, ok bool) {
	for _, src := range p.sources {
		if x, has := src[name]; has {
			ok = true
			if x != nil {
				return x, true
			}
		}
	}
	return nil, ok
}

// null reports whether a parameter was sent as JSON null.
func (p *params) null(name string) bool {
	v, ok := p.get(name)
	return ok && v == nil
}

func (p *params) reject(name, code, message string) {
	p.bad = append(p.bad, badParam{name, code, message})
}

// invalid is the error about all parameters rejected so far, or nil.
func (p *params) invalid() *wpError {
	if len(p.bad) == 0 {
		return nil
	}
	names := make([]string, len(p.bad))
	messages, details := map[string]any{}, map[string]any{}
	for i, b := range p.bad {
		names[i] = b.name
		messages[b.name] = b.message
		details[b.name] = map[string]any{"code": b.code, "message": b.message, "data": nil}
	}
	e := fail(http.StatusBadRequest, "rest_invalid_param", "Invalid parameter(s): "+strings.Join(names, ", "))
	e.Data["params"], e.Data["details"] = messages, details
	return e
}

// str returns a string parameter, nil when absent or null.
func (p *params) str(name string) *string {
	v, _ := p.get(name)
	if v == nil {
		return nil
	}
	s, ok := v.(string)
	if !ok {
		p.reject(name, "rest_invalid_type", name+" is not of type string.")
		return nil
	}
	return &s
}

// text returns a parameter that may be a string or an object with "raw".
func (p *params) text(name string) *string {
	v, _ := p.get(name)
	if m, ok := v.(map[string]any); ok {
		v = m["raw"]
	}
	s, ok := v.(string)
	if !ok {
		return nil
	}
	return &s
}

// enum returns a string parameter that must be one of some values.
func (p *params) enum(name, fallback string, allowed ...string) string {
	s := p.str(name)
	if s == nil {
		return fallback
	}
	if !slices.Contains(allowed, *s) {
		last := len(allowed) - 1
		p.reject(name, "rest_not_in_enum", name+" is not one of "+
			strings.Join(allowed[:last], ", ")+", and "+allowed[last]+".")
	}
	return *s
}

// integer returns a whole number, nil when absent or null.
func (p *params) integer(name string) *int64 {
	v, _ := p.get(name)
	if v == nil {
		return nil
	}
	n, ok := toInt(v)
	if !ok {
		p.reject(name, "rest_invalid_type", name+" is not of type integer.")
		return nil
	}
	return &n
}

// positive returns a whole number from 1 to high.
func (p *params) positive(name string, fallback, high int64) int64 {
	n := p.integer(name)
	if n == nil {
		return fallback
	}
	if *n < 1 || *n > high {
		p.reject(name, "rest_out_of_bounds", name+" must be between 1 (inclusive) and "+itoa(high)+" (inclusive)")
	}
	return *n
}

// integers returns a list of whole numbers, given as a JSON list, as
// "name[]=" or as "1,2"; nil when absent or null.
func (p *params) integers(name string) []int64 {
	list := p.list(name)
	if list == nil {
		return nil
	}
	out := make([]int64, 0, len(list))
	for i, v := range list {
		n, ok := toInt(v)
		if !ok {
			p.reject(name, "rest_invalid_type", name+"["+strconv.Itoa(i)+"] is not of type integer.")
			return nil
		}
		out = append(out, n)
	}
	return out
}

// list splits at commas and white space what is not a list already
// (wp_parse_list).
func (p *params) list(name string) []any {
	v, _ := p.get(name)
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	case string:
		out := []any{}
		for _, w := range splitList(v) {
			out = append(out, w)
		}
		return out
	default:
		return []any{v}
	}
}

func splitList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(", \t\n\r\f\v", r) })
}

// words returns a list of strings.
func (p *params) words(name string) []string {
	var out []string
	for _, v := range p.list(name) {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

func (p *params) boolean(name string) bool {
	v, _ := p.get(name)
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return v == "1" || strings.EqualFold(v, "true")
	case float64:
		return v == 1
	}
	return false
}

func toInt(v any) (int64, bool) {
	switch v := v.(type) {
	case float64:
		return int64(v), v == float64(int64(v))
	case string:
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		return n, err == nil
	}
	return 0, false
}

var percentOctet = pattern.Lazy(`%[a-fA-F0-9]{2}`)

// search is the search string, cleaned by sanitize_text_field.
func (p *params) search() string {
	s := p.str("search")
	if s == nil {
		return ""
	}
	return strings.Join(strings.Fields(percentOctet().ReplaceAllString(stripTags(*s), "")), " ")
}
