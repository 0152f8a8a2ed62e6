package fakewp_test

import (
	"net/http"
	"strings"
	"time"
)

func writeChecks() []check {
	return []check{
		{"the same post twice is two posts", func(w *wp) { // B28
			body := fields{"title": "Same", "slug": "same", "status": "future", "date_gmt": utc(in(time.Hour))}
			first, second := w.create(body), w.create(body)
			w.equal("slugs", []string{first.str("slug"), second.str("slug")}, []string{"same", "same-2"})
		}},
		{"a request whose connection broke is carried out", func(w *wp) { // B26
			w.hangUp("/wp/v2/posts", `{"title":"x","status":"draft","slug":"cut"}`)
			deadline := time.Now().Add(30 * time.Second)
			for len(w.get("/wp/v2/posts", "status", "draft").slugs()) == 0 {
				if time.Now().After(deadline) {
					w.Fatal("the post never came")
				}
			}
		}},
		{"a draft's slug is unique when its status is sent", func(w *wp) {
			w.equal("first", w.create(fields{"slug": "d", "status": "draft"}).str("slug"), "d")
			w.equal("second", w.create(fields{"slug": "d", "status": "draft"}).str("slug"), "d-2")
			w.equal("without status", w.create(fields{"slug": "d"}).str("slug"), "d")
			r := w.create(fields{"status": "draft"})
			w.equal("no slug", r.str("slug"), "")
			w.equal("update", w.update(r.id(), fields{"slug": "d"}).str("slug"), "d-3")
		}},
		{"settings of a post", func(w *wp) { // B47
			r := w.create(fields{
				"status": "draft", "sticky": true, "format": "aside", "comment_status": "closed", "ping_status": "closed", "meta": fields{"no_such_key": "x"},
			})
			w.equal("stored", []any{r.value("sticky"), r.value("format"), r.value("comment_status"), r.value("ping_status")}, []any{true, "aside", "closed", "closed"})
			w.equal("meta", r.value("meta"), w.create(fields{"status": "draft"}).value("meta"))
			w.post("/wp/v2/posts", fields{"title": "x", "format": "no-such"}).fails(http.StatusBadRequest, "rest_invalid_param")
			w.post("/wp/v2/posts", fields{"title": "x", "template": "no-such.php"}).fails(http.StatusBadRequest, "rest_invalid_param")
		}},
		{"a draft committed twice is one post", func(w *wp) {
			id := w.create(fields{"slug": "c", "status": "draft"}).id()
			at := in(26 * time.Hour)
			for range 2 {
				r := w.update(id, fields{"status": "future", "date_gmt": utc(at), "slug": "c"})
				w.equal("answer", []string{r.str("status"), r.str("date"), r.str("date_gmt"), r.str("slug")},
					[]string{"future", seoul(at), utc(at), "c"})
			}
			w.equal("posts", w.get("/wp/v2/posts", "status", "any").slugs(), []string{"c"})
		}},
		{"future too near is published at once", tooNear},
		{"future to a trashed post revives it", func(w *wp) {
			id := w.create(fields{"slug": "r", "status": "draft"}).id()
			w.post("/wp/v2/posts/"+itoa(id)+"?_method=DELETE", nil).is(http.StatusOK)
			r := w.update(id, fields{"status": "future", "date_gmt": utc(in(time.Hour))})
			w.equal("revived", []string{r.str("status"), r.str("slug")}, []string{"future", "r"})
		}},
		{"future to a published post takes it offline", func(w *wp) { // B12
			r := w.create(fields{"slug": "live", "status": "publish"})
			w.page(r.str("link")).is(http.StatusOK)
			r2 := w.update(r.id(), fields{"date_gmt": utc(in(time.Hour))})
			w.equal("status", r2.str("status"), "future")
			w.by("", "").page(r.str("link")).is(http.StatusNotFound)
		}},
		{"future to a deleted post is 404", func(w *wp) {
			id := w.create(fields{"slug": "gone", "status": "draft"}).id()
			r := w.post("/wp/v2/posts/"+itoa(id)+"?_method=DELETE&force=true", nil).is(http.StatusOK)
			w.equal("deleted", r.value("deleted"), any(true))
			w.equal("previous", r.str("previous.slug"), "gone")
			w.post("/wp/v2/posts/"+itoa(id), fields{"status": "future", "date_gmt": utc(in(time.Hour))}).
				fails(http.StatusNotFound, "rest_post_invalid_id")
		}},
		{"a withdrawal floats", func(w *wp) {
			at := in(30 * time.Hour)
			id := w.create(fields{"slug": "w", "status": "future", "date_gmt": utc(at)}).id()
			r := w.update(id, fields{"status": "draft"})
			w.equal("plain draft keeps the date", r.str("date_gmt"), utc(at))
			if r.str("date") == r.str("modified") {
				w.Errorf("a dated draft floats: %s", r.text)
			}
			w.update(id, fields{"status": "future"})
			r = w.update(id, fields{"status": "draft", "date": nil})
			w.equal("floats", r.str("date"), r.str("modified"))
			w.equal("its date_gmt", r.str("date_gmt"), r.str("modified_gmt"))
			w.equal("slug", r.str("slug"), "w")
			at = at.Add(time.Hour)
			r = w.update(id, fields{"status": "future", "date_gmt": utc(at)})
			w.equal("committed again", []string{r.str("status"), r.str("date_gmt"), r.str("slug")},
				[]string{"future", utc(at), "w"})
		}},
		{"a draft made with a date has it as modified date too", func(w *wp) {
			at := in(30 * time.Hour)
			r := w.create(fields{"status": "draft", "date_gmt": utc(at)})
			w.equal("date", r.str("date_gmt"), utc(at))
			w.equal("modified", r.str("modified_gmt"), utc(at))
			r = w.update(r.id(), fields{"title": "Saved again"})
			w.equal("date", r.str("date_gmt"), utc(at))
			if r.str("modified_gmt") == utc(at) {
				w.Error("the modified date stays after an update")
			}
		}},
		{"date wins over date_gmt", func(w *wp) {
			a, b := in(30*time.Hour), in(40*time.Hour)
			r := w.create(fields{"status": "future", "date": seoul(a), "date_gmt": utc(b)})
			w.equal("date_gmt", r.str("date_gmt"), utc(a))
		}},
		{"a date's zone is honoured", func(w *wp) { // B01
			at := in(30 * time.Hour)
			for _, body := range []fields{
				{"date": seoul(at)},
				{"date": utc(at) + "Z"},
				{"date": seoul(at) + "+09:00"},
				{"date": seoul(at) + "+09"},
				{"date": utc(at) + ".500Z"},
				{"date_gmt": utc(at)},
				{"date_gmt": seoul(at) + "+09:00"},
				{"date": strings.Replace(seoul(at), "T", " ", 1)},
			} {
				body["status"] = "future"
				r := w.create(body)
				w.equal("date_gmt", r.str("date_gmt"), utc(at))
				w.equal("date", r.str("date"), seoul(at))
			}
		}},
		{"sloppy dates", sloppyDates},
		{"a missed post is published with its date kept", func(w *wp) {
			id := w.missed()
			before := w.get("/wp/v2/posts/"+itoa(id), "context", "edit")
			w.equal("missed", before.str("status"), "future")
			r := w.update(id, fields{"status": "publish"})
			w.equal("after", []string{r.str("status"), r.str("date_gmt")}, []string{"publish", before.str("date_gmt")})
		}},
		{"WP-Cron publishes what is due", func(w *wp) {
			id := w.due()
			w.page(w.home + "/wp-cron.php?doing_wp_cron").is(http.StatusOK)
			r := w.get("/wp/v2/posts/"+itoa(id), "context", "edit")
			w.equal("status", r.str("status"), "publish")
			w.page(r.str("link")).is(http.StatusOK)
		}},
		{"trash and back", trashAndBack},
		{"delete by header and by method", func(w *wp) {
			id := w.create(fields{"status": "draft"}).id()
			req := w.request(http.MethodPost, w.root+"/wp/v2/posts/"+itoa(id), http.NoBody)
			req.Header.Set("X-HTTP-Method-Override", "DELETE")
			r := w.send(req).is(http.StatusOK)
			w.equal("status", r.str("status"), "trash")
			w.send(w.request(http.MethodDelete, w.root+"/wp/v2/posts/"+itoa(id), http.NoBody)).
				fails(http.StatusGone, "rest_already_trashed")
		}},
		{"nothing to store", func(w *wp) {
			w.post("/wp/v2/posts", fields{}).fails(http.StatusBadRequest, "empty_content")
			w.post("/wp/v2/posts", fields{"title": "", "content": ""}).fails(http.StatusBadRequest, "empty_content")
		}},
		{"bad bytes", func(w *wp) { // B35
			for _, body := range []string{"{\"title\":\"\xff\"}", `{"title":"\ud800"}`, "\ufeff{\"title\":\"x\"}", `{"title":`} {
				w.raw("/wp/v2/posts", "application/json", []byte(body)).fails(http.StatusBadRequest, "rest_invalid_json")
			}
			w.raw("/wp/v2/posts", "text/plain", []byte(`{"title":"x"}`)).fails(http.StatusBadRequest, "empty_content")
			w.raw("/wp/v2/posts", "application/x-www-form-urlencoded", []byte("title=x")).is(http.StatusCreated)
			r := w.raw("/wp/v2/posts", "application/json; charset=utf-8", []byte(`{"title":"\ud83d\ude00"}`))
			w.equal("title", r.is(http.StatusCreated).str("title.raw"), "😀")
		}},
		{"words and ids that are none", func(w *wp) { // B05, B41
			w.post("/wp/v2/posts", fields{"title": "x", "status": "scheduled"}).fails(http.StatusBadRequest, "rest_invalid_param")
			w.post("/wp/v2/posts", fields{"title": "x", "tags": []string{"name"}}).fails(http.StatusBadRequest, "rest_invalid_param")
			w.post("/wp/v2/posts", fields{"title": "x", "author": 99999}).fails(http.StatusBadRequest, "rest_invalid_author")
			// 1 is a category, no tag.
			r := w.create(fields{"categories": []int{99999}, "tags": []int{99999, 1}, "featured_media": 99999})
			w.equal("dropped", []any{r.value("categories"), r.value("tags"), r.value("featured_media")},
				[]any{[]any{}, []any{}, 0.0})
			r = w.create(fields{})
			w.equal("default category", r.value("categories"), any([]any{1.0}))
		}},
		{"unregistered meta is dropped", func(w *wp) { // B47
			r := w.create(fields{"meta": fields{"morrow": "x"}, "unknown_field": 1})
			w.equal("meta", r.value("meta.morrow"), nil)
		}},
		{"links and guid", func(w *wp) {
			at := in(-30 * time.Hour)
			r := w.create(fields{"slug": "l", "status": "publish", "date_gmt": utc(at)})
			id := itoa(r.id())
			w.equal("location", r.header.Get("Location"), w.root+"/wp/v2/posts/"+id)
			w.equal("guid", r.str("guid.raw"), r.str("link"))
			w.equal("link", r.str("link"), w.home+"/"+strings.ReplaceAll(seoul(at)[:10], "-", "/")+"/l/")
			r = w.create(fields{"slug": "m", "status": "future", "date_gmt": utc(in(time.Hour))})
			w.equal("link of a scheduled post", r.str("link"), w.home+"/?p="+itoa(r.id()))
			w.equal("its guid", r.str("guid.raw"), r.str("link"))
		}},
		{"clocks of New York", func(w *wp) {
			w.zone("America/New_York")
			for local, gmt := range map[string]string{
				"2030-03-10T01:59:59": "2030-03-10T06:59:59",
				"2030-03-10T02:30:00": "2030-03-10T07:30:00", // in the gap
				"2030-03-10T03:30:00": "2030-03-10T07:30:00",
				"2030-11-03T01:30:00": "2030-11-03T05:30:00", // the first of two
				"2030-11-03T02:00:00": "2030-11-03T07:00:00",
				"2030-07-01T08:00:00": "2030-07-01T12:00:00",
			} {
				w.equal(local, w.create(fields{"status": "future", "date": local}).str("date_gmt"), gmt)
			}
			r := w.create(fields{"status": "future", "date_gmt": "2030-11-03T06:30:00"})
			w.equal("second of two", r.str("date"), "2030-11-03T01:30:00")
		}},
	}
}

func tooNear(w *wp) { // B03
	for _, tt := range []struct {
		name string
		at   string
		want string
	}{
		{"past", utc(in(-time.Hour)), "publish"},
		{"no date", "", "publish"},
		{"half a minute", utc(in(30 * time.Second)), "publish"},
		{"ten minutes", utc(in(10 * time.Minute)), "future"},
	} {
		body := fields{"title": tt.name, "status": "future"}
		if tt.at != "" {
			body["date_gmt"] = tt.at
		}
		w.equal("create, "+tt.name, w.create(body).str("status"), tt.want)
		id := w.create(fields{"status": "draft"}).id()
		w.equal("update, "+tt.name, w.update(id, body).str("status"), tt.want)
	}
	r := w.create(fields{"status": "publish", "date_gmt": utc(in(time.Hour))})
	w.equal("publish ahead", r.str("status"), "future")
}

func sloppyDates(w *wp) { // B10
	for _, bad := range []string{
		"2027-01-01", "2027-01-01T08:00", "2027-01-01T8:00:00", "2027-01-01T08:00:00+0900", "2027-13-01T00:00:00",
		"2027-01-32T00:00:00", "2027-01-01T25:00:00", "tomorrow", "",
	} {
		w.post("/wp/v2/posts", fields{"title": "x", "date": bad}).fails(http.StatusBadRequest, "rest_invalid_param")
	}
	for sent, stored := range map[string]string{
		"2030-02-30T08:00:00": "2030-03-02T08:00:00",
		"2030-01-01T24:00:00": "2030-01-02T00:00:00",
	} {
		w.equal(sent, w.create(fields{"date": sent}).str("date"), stored)
	}
}

func trashAndBack(w *wp) {
	id := w.create(fields{"slug": "t", "status": "publish"}).id()
	r := w.post("/wp/v2/posts/"+itoa(id)+"?_method=DELETE", nil).is(http.StatusOK)
	w.equal("in the trash", []string{r.str("status"), r.str("slug")}, []string{"trash", "t__trashed"})
	w.equal("slug is free", w.create(fields{"slug": "t", "status": "publish"}).str("slug"), "t")
	w.equal("any status leaves the trash out", w.get("/wp/v2/posts", "status", "any").slugs(), []string{"t"})
	w.update(id, fields{"status": "trash", "title": "Renamed in the trash"})
	r = w.update(id, fields{"status": "draft", "slug": "other"})
	w.equal("back, with the slug it had", []string{r.str("status"), r.str("slug")}, []string{"draft", "t"})
	r = w.update(id, fields{"status": "publish"})
	w.equal("published", r.str("slug"), "t-2")

	id = w.create(fields{"slug": strings.Repeat("a", 200), "status": "draft"}).id()
	r = w.post("/wp/v2/posts/"+itoa(id)+"?_method=DELETE", nil).is(http.StatusOK)
	w.equal("long slug", r.str("slug"), strings.Repeat("a", 191)+"__trashed")
	w.equal("renamed in the trash", w.update(id, fields{"slug": "u"}).str("slug"), "u")
	w.equal("the trash yields", w.create(fields{"slug": "u", "status": "publish"}).str("slug"), "u")
	w.equal("and steps aside", w.get("/wp/v2/posts/"+itoa(id), "context", "edit").str("slug"), "u__trashed")
}
