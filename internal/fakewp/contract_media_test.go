package fakewp_test

import (
	"net/http"
	"net/url"
	"strings"
)

// dot is a PNG of one pixel.
const dot = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00\x00\x00IEND\xaeB`\x82"

func mediaChecks() []check {
	return []check{
		{"an upload", func(w *wp) {
			r := w.upload(dot, `attachment; filename="dot.png"; filename*=UTF-8''%EC%A0%90.png`).is(http.StatusCreated)
			w.equal("type", []string{r.str("mime_type"), r.str("media_type"), r.str("slug"), r.str("status")}, []string{"image/png", "image", "dot", "inherit"})
			w.equal("size", []any{r.value("media_details.width"), r.value("media_details.height")}, []any{1.0, 1.0})
			w.equal("address", strings.HasPrefix(r.str("source_url"), w.home+"/wp-content/uploads/"), true)
			w.equal("read", w.by("", "").get("/wp/v2/media/"+itoa(r.id())).str("source_url"), r.str("source_url"))
			p := w.create(fields{"featured_media": r.id()})
			w.equal("featured", p.value("featured_media"), r.value("id"))
		}},
		{"an upload that is refused", func(w *wp) { // B43
			w.upload(dot, "").fails(http.StatusBadRequest, "rest_upload_no_content_disposition")
			w.upload(dot, `attachment; filename*=UTF-8''dot.png`).fails(http.StatusBadRequest, "rest_upload_invalid_disposition")
			w.upload("", `attachment; filename="dot.png"`).fails(http.StatusBadRequest, "rest_upload_no_data")
			w.upload("<svg/>", `attachment; filename="dot.svg"`).fails(http.StatusInternalServerError, "rest_upload_sideload_error")
			w.upload("some text", `attachment; filename="dot.png"`).fails(http.StatusInternalServerError, "rest_upload_sideload_error")
			w.equal("stored", len(w.get("/wp/v2/media").slugs()), 0)
		}},
		{"an upload's slug, title and alt stand in the query", func(w *wp) {
			q := []string{"slug", "morrow-0123456789abcdef0123", "title", "제목", "alt_text", "글 \"x\" & y"}
			const name = `attachment; filename="dot.png"`
			r := w.as("author").upload(dot, name, q...).is(http.StatusCreated)
			w.equal("said", []string{r.str("slug"), r.str("title.raw"), r.str("alt_text")}, []string{q[1], q[3], q[5]})
			again := w.upload(dot, name, q...).is(http.StatusCreated)
			w.equal("a second one", again.str("slug"), q[1]+"-2")
			w.equal("its file", again.str("source_url"), strings.TrimSuffix(r.str("source_url"), ".png")+"-1.png")
			// Every account sees whose they are not, in the context view.
			for _, other := range []*wp{w, w.as("contributor")} {
				w.equal("by slug", other.get("/wp/v2/media", "slug", q[1]+",none").slugs(), []string{q[1]})
				w.equal("by id", other.get("/wp/v2/media", "include", itoa(r.id())+",99999").slugs(), []string{q[1]})
			}
		}},
	}
}

// upload sends a file with query parameters in pairs.
func (w *wp) upload(body, disposition string, query ...string) reply {
	w.Helper()
	q := url.Values{}
	for i := 0; i < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	req := w.request(http.MethodPost, w.root+"/wp/v2/media?"+q.Encode(), strings.NewReader(body))
	req.Header.Set("Content-Type", "image/png")
	if disposition != "" {
		req.Header.Set("Content-Disposition", disposition)
	}
	return w.send(req)
}
