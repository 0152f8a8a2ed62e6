package compose

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"morrow/internal/source"
)

// extra are the fields of an item's settings, terms aside.
func extra(s source.Settings) map[string]any {
	fields := map[string]any{}
	if s.Sticky != nil {
		fields["sticky"] = *s.Sticky
	}
	for key, value := range map[string]string{
		"comment_status": s.CommentStatus, "ping_status": s.PingStatus, "template": s.Template, "format": s.Format,
	} {
		if value != "" {
			fields[key] = value
		}
	}
	if len(s.Meta) > 0 {
		fields["meta"] = s.Meta
	}
	return fields
}

// verifyExtra compares the further fields of a write's answer with what was
// sent. WordPress drops what it does not know without a word.
func (d Draft) verifyExtra(stored map[string]any) error {
	if stored == nil { // not the answer of a write
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(d.Extra)) {
		if key == "meta" {
			if err := verifyMeta(d.Item.Meta, stored[key]); err != nil {
				return err
			}
			continue
		}
		if !alike(d.Extra[key], stored[key]) {
			return fmt.Errorf("WordPress did not keep %s: sent %v, stored %v; is it right for this type of post, and may the account set it?", key, d.Extra[key], stored[key])
		}
	}
	return nil
}

func verifyMeta(sent map[string]any, stored any) error {
	kept, _ := stored.(map[string]any) // a list, empty, where no key is registered
	for _, key := range slices.Sorted(maps.Keys(sent)) {
		if sent[key] == nil {
			continue // deletes the key
		}
		if _, ok := kept[key]; !ok {
			return fmt.Errorf("WordPress does not know the meta key %q: it must be registered with show_in_rest (register_post_meta), or taken out of `meta:`", key)
		}
		if !alike(sent[key], kept[key]) {
			return fmt.Errorf("WordPress did not keep the meta key %q: sent %v, stored %v", key, sent[key], kept[key])
		}
	}
	return nil
}

// alike says whether a value from JSON is what was sent, a text perhaps turned
// into the type that it is registered with. Lists of term ids may have more: a
// plugin adds its own.
func alike(sent, stored any) bool {
	switch sent := sent.(type) {
	case []int64:
		ids, ok := stored.([]any)
		return ok && !slices.ContainsFunc(sent, func(id int64) bool { return !slices.Contains(ids, any(float64(id))) })
	case []any:
		list, ok := stored.([]any)
		return ok && slices.EqualFunc(sent, list, alike)
	case map[string]any:
		m, ok := stored.(map[string]any)
		return ok && maps.EqualFunc(sent, m, alike)
	case string:
		return alikeText(sent, stored)
	}
	return sent == stored
}

func alikeText(sent string, stored any) bool {
	switch stored := stored.(type) {
	case string:
		return normal(sent) == normal(stored)
	case float64:
		n, err := strconv.ParseFloat(sent, 64)
		return err == nil && n == stored
	case bool:
		yes, err := strconv.ParseBool(sent)
		return err == nil && yes == stored
	}
	return false
}
