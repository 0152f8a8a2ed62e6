package fakewp_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"morrow/internal/fakewp"
)

func TestPerson(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{Timezone: "Asia/Seoul"})
	at := in(30 * time.Hour)
	id := s.InsertPost(fakewp.Post{Title: "Mine", Content: "Body", Status: "future", DateGMT: at.Format(time.DateTime)})
	p, _ := s.Post(id)
	w.equal("inserted", []string{p.Status, p.Slug, p.Date}, []string{"future", "mine", at.Add(9 * time.Hour).Format(time.DateTime)})
	w.equal("instant", p.Instant(), at)

	later := at.Add(time.Hour)
	s.EditPost(id, func(p *fakewp.Post) { p.DateGMT = later.Format(time.DateTime) })
	p, _ = s.Post(id)
	w.equal("moved", p.Date, later.Add(9*time.Hour).Format(time.DateTime))

	s.EditPost(id, func(p *fakewp.Post) { p.Date = "2040-01-01 09:00:00" })
	p, _ = s.Post(id)
	w.equal("moved on the site's clock", p.DateGMT, "2040-01-01 00:00:00")

	copied, _ := s.Post(s.CopyPost(id))
	w.equal("copy", []string{copied.Status, copied.Slug, copied.Content}, []string{"draft", "", "Body"})
	w.equal("copy floats", copied.Floats(), true)

	w.equal("trash", s.TrashPost(id), true)
	w.equal("trash again", s.TrashPost(id), false)
	p, _ = s.Post(id)
	w.equal("trashed", []string{p.Status, p.Slug}, []string{"trash", "mine__trashed"})
	w.equal("delete", s.DeletePost(id), true)
	w.equal("left", len(s.Posts()), 1)
	w.equal("edit what is gone", s.EditPost(id, func(*fakewp.Post) {}), false)

	tag := s.AddTerm("post_tag", "R & D")
	w.equal("tag", w.get("/wp/v2/tags/"+itoa(int(tag))).str("name"), "R &amp; D")
}

// WP-Cron is woken by any visit, and its work is seen by the next one.
func TestCronWakesWithVisits(t *testing.T) {
	t.Parallel()
	for _, dead := range []bool{false, true} {
		t.Run(fmt.Sprint("dead ", dead), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s, w := emulated(t, fakewp.Options{CronDead: dead})
				id := s.InsertPost(fakewp.Post{
					Title: "Soon", Status: "future", DateGMT: in(time.Hour).Format(time.DateTime),
				})
				time.Sleep(2 * time.Hour)
				w.page(w.home + "/").is(http.StatusOK)
				page := w.page(w.home + "/").is(http.StatusOK)
				want := "publish"
				if dead {
					want = "future"
					w.page(w.home + "/wp-cron.php")
				}
				p, _ := s.Post(id)
				w.equal("status", p.Status, want)
				w.equal("listed", strings.Contains(page.text, "Soon"), !dead)
			})
		})
	}
}

// A floating draft's date moves with every save, also when its own date is
// sent back; a date of its own stays.
func TestFloatingDraftsMove(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, w := emulated(t, fakewp.Options{})
		r := w.create(fields{"status": "draft"})
		for _, send := range []string{"title", "date"} {
			time.Sleep(time.Hour)
			got := w.update(r.id(), fields{send: r.value(send)})
			w.equal("date", got.str("date"), utc(in(0)))
			w.equal("modified", got.str("modified"), utc(in(0)))
			r = got
		}
		time.Sleep(time.Hour)
		dated := w.update(r.id(), fields{"date_gmt": utc(in(time.Hour))})
		time.Sleep(time.Hour)
		w.equal("dated", w.update(r.id(), fields{"title": "once more"}).str("date"), dated.str("date"))
	})
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 25 {
				if status, _, _, err := w.try("same"); err != nil || status != http.StatusCreated {
					t.Errorf("status %d, %v", status, err)
				}
				s.Posts()
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, p := range s.Posts() {
		seen[p.Slug] = true
	}
	w.equal("slugs", len(seen), 200)
}

func TestNoAppPasswords(t *testing.T) { // B49
	t.Parallel()
	_, w := emulated(t, fakewp.Options{NoAppPasswords: true})
	w.equal("announced", w.get("/", "_fields", "authentication").value("authentication.application-passwords"), nil)
	w.get("/wp/v2/users/me").fails(http.StatusUnauthorized, "rest_not_logged_in")
}

func TestPlainOffset(t *testing.T) {
	t.Parallel()
	_, w := emulated(t, fakewp.Options{GMTOffset: 5.75})
	r := w.create(fields{"status": "future", "date_gmt": "2035-01-01T00:00:00"})
	w.equal("date", r.str("date"), "2035-01-01T05:45:00")
	index := w.get("/")
	w.equal("offset", index.value("gmt_offset"), any(5.75))
	w.equal("zone", index.value("timezone_string"), any(""))
}

// Slugs of digits clash with date archives only in some structures (B34).
func TestNumericSlugs(t *testing.T) {
	t.Parallel()
	for structure, want := range map[string]string{
		"/%postname%/":                         "12-2",
		"/%year%/%postname%/":                  "12-2",
		"/%year%/%monthnum%/%postname%/":       "12-2",
		"/%year%/%monthnum%/%day%/%postname%/": "12",
	} {
		_, w := emulated(t, fakewp.Options{Permalinks: structure})
		w.equal(structure, w.create(fields{"slug": "12", "status": "draft"}).str("slug"), want)
	}
}

// A list asked for again in the same words is the site's as it is now.
func TestListedAgain(t *testing.T) {
	t.Parallel()
	s, w := emulated(t, fakewp.Options{Timezone: "Asia/Seoul"})
	id := s.InsertPost(fakewp.Post{Title: "A & B", Content: "<p>x</p>", Status: "draft"})
	title := func(context string) string {
		return w.get("/wp/v2/posts", "status", "draft", "context", context, "_fields", "title,date_gmt").text
	}
	before, changes := title("edit"), s.Changes()
	w.equal("again", title("edit"), before)
	w.equal("changes, unchanged", s.Changes(), changes)
	if shown := title("view"); shown == before || !strings.Contains(before, "A & B") {
		t.Errorf("the contexts edit and view answer %s and %s", before, shown)
	}
	s.EditPost(id, func(p *fakewp.Post) { p.Title = "C" })
	edited := title("edit")
	if !strings.Contains(edited, `"C"`) || s.Changes() == changes {
		t.Errorf("after an edit: %s, %d changes", edited, s.Changes())
	}
	s.SetZone("Europe/Berlin")
	if moved := title("edit"); moved == edited {
		t.Errorf("in another zone still %s", moved)
	}
	changes = s.Changes()
	s.DeletePost(id)
	if s.Changes() == changes {
		t.Error("a deletion is no change")
	}
}

func BenchmarkList(b *testing.B) {
	s := fakewp.New(fakewp.Options{})
	for i := range 100 {
		s.InsertPost(fakewp.Post{
			Title: fmt.Sprint("Post ", i), Content: strings.Repeat("word ", 300), Status: "future",
			DateGMT: in(time.Duration(i+1) * 24 * time.Hour).Format(time.DateTime),
		})
	}
	password := s.AddUser("boss", "administrator")
	for b.Loop() {
		req, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "http://fake.test/wp-json/wp/v2/posts?status=future"+
			"&context=edit&per_page=100&_fields=id,date_gmt,content.raw&after="+in(0).Format("2006-01-02T15:04:05Z"), http.NoBody)
		if err != nil {
			b.Fatal(err)
		}
		req.SetBasicAuth("boss", password)
		resp, err := s.RoundTrip(req)
		if err != nil || resp.StatusCode != http.StatusOK {
			b.Fatal(resp, err)
		}
		_ = resp.Body.Close() // never fails here
	}
}
