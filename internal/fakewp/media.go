package fakewp

import (
	"bytes"
	"image"
	_ "image/gif" // what DecodeConfig knows
	_ "image/jpeg"
	_ "image/png"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"slices"
	"strings"
)

// upload is POST /wp/v2/media. The bytes are not kept, only the entry.
func (c *call) upload() (int, any, *wpError) {
	if !c.user.can("upload_files") {
		return 0, nil, c.forbidden("rest_cannot_create", "Sorry, you are not allowed to create posts as this user.")
	}
	name, fault := c.uploadName()
	if fault != nil {
		return 0, nil, fault
	}
	kind, ok := c.mediaType(name)
	if !ok {
		return 0, nil, fail(http.StatusInternalServerError, "rest_upload_sideload_error",
			"Sorry, you are not allowed to upload this file type.")
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	p := Post{
		Type: "attachment", Status: "inherit", Author: c.user.id, Title: stem, Mime: kind,
		CommentStatus: "open", PingStatus: "closed", Slug: stem,
	}
	if slug := c.params.str("slug"); slug != nil && *slug != "" {
		p.Slug = *slug
	}
	set(&p.Title, c.params.text("title"))
	set(&p.Alt, c.params.str("alt_text"))
	if size, _, err := image.DecodeConfig(bytes.NewReader(c.body)); err == nil {
		p.Width, p.Height = size.Width, size.Height
	}
	stored, fault := c.save(c.user, p, nil, false, c.now)
	if fault != nil {
		return 0, nil, fault
	}
	stored.GUID = c.freeAddress(c.home+"/wp-content/uploads/"+stored.Date[:4]+"/"+stored.Date[5:7]+"/"+stem, path.Ext(name))
	c.out.Set("Location", c.restURL("/wp/v2/media/"+itoa(stored.ID)))
	return http.StatusCreated, c.render(stored, "edit"), nil
}

// freeAddress is where a file is stored whose name may be taken
// (wp_unique_filename).
func (c *call) freeAddress(stem, ext string) string {
	address := stem + ext
	for n := int64(1); slices.ContainsFunc(c.posts, func(p *Post) bool { return p.GUID == address }); n++ {
		address = stem + "-" + itoa(n) + ext
	}
	return address
}

// uploadName finds the file's name in a form or in Content-Disposition.
func (c *call) uploadName() (string, *wpError) {
	media, opts, err := mime.ParseMediaType(c.header.Get("Content-Type"))
	if err == nil && media == "multipart/form-data" {
		parts := multipart.NewReader(strings.NewReader(string(c.body)), opts["boundary"])
		for {
			part, err := parts.NextPart()
			if err != nil {
				return "", fail(http.StatusBadRequest, "rest_upload_no_data", "No data supplied.")
			}
			if part.FormName() == "file" {
				return part.FileName(), nil
			}
		}
	}
	disposition := c.header.Get("Content-Disposition")
	switch {
	case len(c.body) == 0:
		return "", fail(http.StatusBadRequest, "rest_upload_no_data", "No data supplied.")
	case c.header.Get("Content-Type") == "":
		return "", fail(http.StatusBadRequest, "rest_upload_no_content_type", "No Content-Type supplied.")
	case disposition == "":
		return "", fail(http.StatusBadRequest, "rest_upload_no_content_disposition", "No Content-Disposition supplied.")
	}
	for _, part := range strings.Split(disposition, ";")[1:] {
		if key, value, _ := strings.Cut(part, "="); strings.TrimSpace(key) == "filename" {
			if name := strings.Trim(strings.TrimSpace(value), `"`); name != "" {
				return name, nil
			}
		}
	}
	return "", fail(http.StatusBadRequest, "rest_upload_invalid_disposition",
		"Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as "+
			"`attachment; filename=\"image.png\"` or similar.")
}

// mediaType is the type of an allowed file by its ending, and of a picture by
// its bytes too (wp_check_filetype_and_ext). SVG is not allowed.
func (c *call) mediaType(name string) (string, bool) {
	kind := ""
	switch strings.ToLower(path.Ext(name)) {
	case ".jpg", ".jpeg":
		kind = "image/jpeg"
	case ".png":
		kind = "image/png"
	case ".gif":
		kind = "image/gif"
	case ".webp":
		kind = "image/webp"
	case ".avif":
		return "image/avif", !strings.HasPrefix(c.opts.Version, "6.1")
	case ".pdf":
		return "application/pdf", true
	case ".mp3":
		return "audio/mpeg", true
	case ".mp4":
		return "video/mp4", true
	}
	return kind, kind != "" && http.DetectContentType(c.body) == kind
}
