package publish

import (
	"strings"
	"testing"
	"time"

	"morrow/internal/compose"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/wpclient"
)

var seoul = time.FixedZone("KST", 9*3600) //nolint:gochecknoglobals // a constant

// day is a slot at 08:00 of a day in Seoul that has the whole day as window.
func day(d int) slots.Slot {
	start := time.Date(2026, 12, d, 0, 0, 0, 0, seoul)
	return slots.Slot{Job: "daily", At: start.Add(8 * time.Hour), Window: slots.Window{Start: start, End: start.AddDate(0, 0, 1)}}
}

// at is a person's post with a date.
func at(id int64, status string, t time.Time) wpclient.Post {
	return wpclient.Post{
		ID: id, Type: "post", Status: status, DateGMT: t.UTC(), Date: t.Format("2006-01-02T15:04:05"),
		Modified: "2026-11-01T10:00:00", Slug: "a-post", Title: "A post", Author: 1, Categories: []int64{1},
	}
}

// draftOf is an item as compose would send it.
func draftOf(t *testing.T, job, key, text string) compose.Draft {
	t.Helper()
	d, err := compose.New(compose.Options{Job: job, Host: "here"}).Render(
		t.Context(), source.Item{Key: key, Name: key + ".md", Title: "Title of " + key, Slug: key, Body: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// stored is the post that WordPress would hold after fields were sent.
func stored(id int64, status string, f wpclient.Fields, err error) wpclient.Post {
	if err != nil {
		panic(err)
	}
	p := at(id, status, time.Date(2026, 12, 2, 8, 0, 0, 0, seoul))
	p.Title, p.Slug, p.Content, p.Excerpt = *f.Title, *f.Slug, *f.Content, ""
	if status == "draft" {
		p.Date = p.Modified
	}
	return p
}

func prepared(id int64, d compose.Draft) wpclient.Post {
	f, err := d.Prepare(day(2).At, 0)
	return stored(id, "draft", f, err)
}

func committed(id int64, status string, d compose.Draft) wpclient.Post {
	f, err := d.Commit(day(2).At, id)
	p, perr := d.Prepare(day(2).At, id)
	if perr != nil {
		panic(perr)
	}
	p.Content = f.Content
	return stored(id, status, p, err)
}

func TestDecide(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 12, 1, 12, 0, 0, 0, seoul)
	slot := day(2)
	mine := filler{job: "daily", jobs: []string{"daily", "evening"}, statuses: []string{"future", "publish"}}
	ours := committed(7, "future", draftOf(t, "daily", "first", "Text."))
	theirs := committed(8, "future", draftOf(t, "evening", "other", "Text."))
	renamed := committed(9, "future", draftOf(t, "before-the-rename", "other", "Text."))
	elsewhere := renamed
	elsewhere.Content = strings.Replace(renamed.Content, "slot=2026-12-01T23:00:00Z", "slot=2026-12-02T09:00:00Z", 1)
	copied := theirs
	copied.ID = 10
	floating := at(11, "pending", slot.At)
	floating.Modified = floating.Date

	for _, tc := range []struct {
		name string
		now  time.Time
		seen []wpclient.Post
		with func(*filler)
		want state
		post int64
		ours bool
	}{
		{name: "nothing there", want: free},
		{name: "a person's scheduled post", seen: []wpclient.Post{at(3, "future", slot.At)}, want: taken, post: 3},
		{name: "B23 published at the slot", seen: []wpclient.Post{at(3, "publish", slot.At)}, want: taken, post: 3},
		{name: "anywhere in the window", seen: []wpclient.Post{at(3, "future", slot.Window.Start)}, want: taken, post: 3},
		{name: "at the window's end", seen: []wpclient.Post{at(3, "future", slot.Window.End)}, want: free},
		{name: "before the window", seen: []wpclient.Post{at(3, "future", slot.Window.Start.Add(-time.Second))}, want: free},
		{name: "a draft", seen: []wpclient.Post{at(3, "draft", slot.At)}, want: free},
		{name: "a dated pending post, not asked for", seen: []wpclient.Post{at(3, "pending", slot.At)}, want: free},
		{
			name: "a dated pending post, asked for", seen: []wpclient.Post{at(3, "pending", slot.At)},
			with: func(f *filler) { f.statuses = append(f.statuses, "pending") }, want: taken, post: 3,
		},
		{
			name: "a pending post without a date of its own", seen: []wpclient.Post{floating},
			with: func(f *filler) { f.statuses = append(f.statuses, "pending") }, want: free,
		},
		{name: "ours before a person's", seen: []wpclient.Post{at(3, "future", slot.At), ours}, want: taken, post: 7, ours: true},
		{name: "the lowest of a person's", seen: []wpclient.Post{at(5, "future", slot.At), at(3, "future", slot.At)}, want: taken, post: 3},
		{name: "another job's booking", seen: []wpclient.Post{theirs}, want: free},
		{name: "a copy of another job's booking", seen: []wpclient.Post{copied}, want: taken, post: 10},
		{name: "a booking made before the job was renamed", seen: []wpclient.Post{renamed}, want: taken, post: 9, ours: true},
		{name: "a booking of a job that another machine has, for another slot", seen: []wpclient.Post{elsewhere}, want: free},
		{
			name: "our own booking, of another category than the scope's", seen: []wpclient.Post{ours},
			with: func(f *filler) { f.category = 5 }, want: taken, post: 7, ours: true,
		},
		{name: "another category", seen: []wpclient.Post{at(3, "future", slot.At)}, with: func(f *filler) { f.category = 5 }, want: free},
		{name: "the category of the scope", seen: []wpclient.Post{at(3, "future", slot.At)}, with: func(f *filler) { f.category = 1 }, want: taken, post: 3},
		{name: "another author", seen: []wpclient.Post{at(3, "future", slot.At)}, with: func(f *filler) { f.author = 5 }, want: free},
		{name: "B03 too late", now: slot.At.Add(-15 * time.Minute), want: tooLate},
		{name: "just early enough", now: slot.At.Add(-15*time.Minute - time.Second), want: free},
		{name: "taken outranks too late", now: slot.At.Add(-time.Minute), seen: []wpclient.Post{ours}, want: taken, post: 7, ours: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f, now := mine, noon
			if tc.with != nil {
				tc.with(&f)
			}
			if !tc.now.IsZero() {
				now = tc.now
			}
			v := decide(now, 15*time.Minute, []slots.Slot{slot}, tc.seen, f)[0]
			var post int64
			if v.post != nil {
				post = v.post.ID
			}
			if v.state != tc.want || post != tc.post || v.ours != tc.ours {
				t.Errorf("got %s by post %d (ours %t: %s), want %s by %d (ours %t)", v.state, post, v.ours, v.reason, tc.want, tc.post, tc.ours)
			}
		})
	}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	f := filler{job: "daily", jobs: []string{"daily", "evening"}}
	d := draftOf(t, "daily", "first", "The text.")
	edited := draftOf(t, "daily", "first", "Another text.")
	touched := func(p wpclient.Post) wpclient.Post { p.Title = "A person's title"; return p }
	dated := func(p wpclient.Post) wpclient.Post { p.Date = "2026-12-05T08:00:00"; return p }
	withSlug := func(p wpclient.Post, slug string) wpclient.Post { p.Slug = slug; return p }
	withID := func(p wpclient.Post, id int64) wpclient.Post { p.ID = id; return p }
	person := withSlug(at(3, "publish", day(1).At), "first")

	for _, tc := range []struct {
		name   string
		rows   []wpclient.Post
		hidden int
		want   fate
		draft  int64
		extra  int
	}{
		{name: "nothing", want: fresh},
		{name: "our draft", rows: []wpclient.Post{prepared(5, d)}, want: reuse, draft: 5},
		{name: "our draft, withdrawn from a slot", rows: []wpclient.Post{committed(5, "draft", d)}, want: reuse, draft: 5},
		{name: "our draft of an earlier text of the file", rows: []wpclient.Post{prepared(5, edited)}, want: reuse, draft: 5},
		{name: "two drafts", rows: []wpclient.Post{withSlug(prepared(6, d), "first-2"), prepared(5, d)}, want: reuse, draft: 5, extra: 1},
		{name: "our draft, edited on the site", rows: []wpclient.Post{touched(prepared(5, d))}, want: held},
		{name: "our draft, given a date by a person", rows: []wpclient.Post{dated(committed(5, "draft", d))}, want: settled},
		{name: "in the trash", rows: []wpclient.Post{withSlug(committed(5, "trash", d), "first__trashed")}, want: settled},
		{name: "in the trash, edited before", rows: []wpclient.Post{withSlug(touched(committed(5, "trash", d)), "first__trashed")}, want: settled},
		{name: "scheduled", rows: []wpclient.Post{committed(5, "future", d)}, want: settled},
		{name: "public", rows: []wpclient.Post{committed(5, "publish", d)}, want: settled},
		{name: "pending", rows: []wpclient.Post{committed(5, "pending", d)}, want: settled},
		{name: "scheduled, and a second draft", rows: []wpclient.Post{committed(5, "future", d), withSlug(prepared(6, d), "first-2")}, want: settled, extra: 1},
		{name: "B69 the file was edited after it was booked", rows: []wpclient.Post{committed(5, "future", edited)}, want: held},
		{name: "the post was edited after it was booked", rows: []wpclient.Post{touched(committed(5, "publish", d))}, want: held},
		{name: "a person's post", rows: []wpclient.Post{person}, want: held},
		{name: "a person's post in the trash", rows: []wpclient.Post{withSlug(at(3, "trash", day(1).At), "first__trashed")}, want: held},
		{name: "a person's post with a suffix of its own", rows: []wpclient.Post{withSlug(person, "first-2")}, want: fresh},
		{name: "another item of ours has the slug", rows: []wpclient.Post{withSlug(committed(5, "publish", draftOf(t, "daily", "second", "x")), "first")}, want: held},
		{name: "another job's item has the slug", rows: []wpclient.Post{committed(5, "publish", draftOf(t, "evening", "first", "The text."))}, want: held},
		{name: "a public copy of our post", rows: []wpclient.Post{withID(committed(5, "publish", d), 9)}, want: held},
		{name: "our draft, published by hand", rows: []wpclient.Post{stored(5, "publish", must(d.Prepare(day(2).At, 0)), nil)}, want: held},
		{name: "a post that we may not see", hidden: 1, want: held},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := classify(tc.rows, tc.hidden, d, f)
			if got.fate != tc.want || got.draft.ID != tc.draft || len(got.extra) != tc.extra {
				t.Errorf("got fate %d, draft %d, %d extra (%s), want %d, %d, %d", got.fate, got.draft.ID, len(got.extra), got.reason, tc.want, tc.draft, tc.extra)
			}
			if (got.fate == held || got.fate == settled) && got.reason == "" {
				t.Error("no reason given")
			}
		})
	}
}

func must(f wpclient.Fields, err error) wpclient.Fields {
	if err != nil {
		panic(err)
	}
	return f
}

func TestPlan(t *testing.T) {
	t.Parallel()
	item := func(key string, with func(*source.Item)) source.Entry {
		it := source.Item{Key: key, Name: key + ".md"}
		if with != nil {
			with(&it)
		}
		return source.Entry{Name: it.Name, State: source.Ready, Item: &it}
	}
	entries := []source.Entry{
		item("later", func(i *source.Item) { i.NotBefore = day(4).At.Add(-time.Hour) }),
		{Name: "draft.md", State: source.Held},
		item("first", nil),
		item("pinned", func(i *source.Item) { i.PublishOn = "2026-12-03" }),
		item("gone", func(i *source.Item) { i.PublishOn = "2026-11-03" }),
		item("second", nil),
	}
	want := map[string]time.Time{"first.md": day(2).At, "pinned.md": day(3).At, "later.md": day(4).At, "second.md": day(5).At}
	for _, f := range Plan([]slots.Slot{day(2), day(3), day(4), day(5)}, entries) {
		if !f.Slot.Equal(want[f.Entry.Name]) {
			t.Errorf("%s: got slot %s, want %s", f.Entry.Name, f.Slot, want[f.Entry.Name])
		}
	}
}
