package fakewp

import (
	"mime"
	"mime/multipart"
	"net/http"
	"path"
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
	kind, ok := mediaType(name)
	if !ok {
		return 0, nil, fail(http.StatusInternalServerError, "rest_upload_sideload_error",
			"Sorry, you are not allowed to upload this file type.")
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	p := Post{
		Type: "attachment", Status: "inherit", Author: c.user.id, Title: stem, Mime: kind,
		CommentStatus: "open", PingStatus: "closed", Slug: stem,
	}
	set(&p.Title, c.params.text("title"))
	stored, fault := c.save(c.user, p, nil, false, c.now)
	if fault != nil {
		return 0, nil, fault
	}
	stored.GUID = c.home + "/wp-content/uploads/" + stored.Date[:4] + "/" + stored.Date[5:7] + "/" +
		stored.Slug + path.Ext(name)
	c.out.Set("Location", c.restURL("/wp/v2/media/"+itoa(stored.ID)))
	return http.StatusCreated, c.render(stored, "edit"), nil
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

// mediaType is the type of an allowed file by its ending. SVG is not allowed.
func mediaType(name string) (string, bool) {
	switch strings.ToLower(path.Ext(name)) {
	case ".jpg", ".jpeg":
		return "image/jpeg", true
	case ".png":
		return "image/png", true
	case ".gif":
		return "image/gif", true
	case ".webp":
		return "image/webp", true
	case ".pdf":
		return "application/pdf", true
	case ".mp3":
		return "audio/mpeg", true
	case ".mp4":
		return "video/mp4", true
	}
	return "", false
}
