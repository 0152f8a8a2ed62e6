package source

import (
	"strings"

	"morrow/internal/markup"
)

// Featured is the featured image that an item's front matter names.
type Featured struct {
	File string // as written: a path, an address, an id; empty for none
	Alt  string
	Line int // of the item's file
}

// featured is the first featured image that is named, in whatever words.
func (f *fields) featured() Featured {
	for _, v := range f.find("featuredimage", "featureimage", "featuredmedia", "image", "cover", "coverimage", "images",
		"featured", "feature", "thumbnail", "thumb", "banner", "hero", "heroimage", "headerimage", "postimage", "ogimage") {
		if img := imageOf(v); img.File != "" {
			if img.Alt == "" {
				img.Alt = f.text(fold(v.Key) + "alt")
			}
			img.Line = v.Line
			return img
		}
	}
	return Featured{}
}

// imageOf is the image that a value names, as text, list or object
// ({image, alt, …}); a bare yes or no is another matter.
func imageOf(v markup.Value) Featured {
	switch v.Kind {
	case markup.Scalar:
		if _, isBool := parseBool(v.Text); !isBool {
			return Featured{File: imageFile(v.Text)}
		}
	case markup.List:
		for _, item := range v.Items {
			if img := imageOf(item); img.File != "" {
				return img
			}
		}
	case markup.Map:
		f := newFields(v.Items)
		return Featured{File: imageFile(f.text("image", "url", "src", "path", "file", "filename")), Alt: f.text("alt", "alttext", "caption")}
	case markup.Null:
	}
	return Featured{}
}

// imageFile is a file as meant: without the marks of a wiki link or an embed.
func imageFile(s string) string {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutSuffix(strings.TrimPrefix(strings.TrimPrefix(s, "!"), "[["), "]]"); ok {
		s, _, _ = strings.Cut(inner, "|")
	}
	return strings.TrimSpace(s)
}
