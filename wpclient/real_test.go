package wpclient

import (
	"bytes"
	"image"
	"image/png"
	"net/url"
	"testing"
	"time"

	"morrow/internal/wptest"

	"github.com/google/go-cmp/cmp"
)

// on makes a client of a real site that has discovered it.
func on(t *testing.T, s *wptest.Site, login, pass string) (*Client, Facts) {
	t.Helper()
	c, err := New(Options{URL: s.URL, User: login, Password: pass})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	f, err := c.Discover(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

func TestRealDiscover(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetZone(t, "Asia/Seoul")
		_, f := on(t, s, s.User, s.Password)
		if f.Root != s.URL+"/wp-json/" || f.Home != s.URL || f.Timezone != "Asia/Seoul" || f.GMTOffset != 9 || !f.AppPasswords {
			t.Errorf("got %+v", f)
		}
		if !f.User.Capabilities["publish_posts"] || !f.User.Capabilities["edit_others_posts"] || f.User.Login != s.User || f.User.ID == 0 {
			t.Errorf("got %+v", f.User)
		}
	})
}

// B52 and a zone without a name.
func TestRealB52PlainPermalinks(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetPlainPermalinks(t)
		s.SetOffset(t, 5.75)
		c, f := on(t, s, s.User, s.Password)
		if want := s.URL + "/index.php?rest_route=/"; f.Root != want || f.Timezone != "" || f.GMTOffset != 5.75 {
			t.Errorf("got %+v, want root %s", f, want)
		}
		p, err := c.Create(t.Context(), "posts", Fields{Status: new("draft"), Title: new("x")})
		if err != nil {
			t.Fatal(err)
		}
		l, err := c.List(t.Context(), Query{Statuses: []string{"draft"}})
		if err != nil || len(l.Posts) != 1 || l.Posts[0].ID != p.ID {
			t.Errorf("got %+v, %v", l, err)
		}
	})
}

func TestRealWrongLogin(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		for _, login := range []string{s.User, "nobody"} {
			c, err := New(Options{URL: s.URL, User: login, Password: "xxxx xxxx xxxx xxxx xxxx xxxx"})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Discover(t.Context())
			contains(t, err, "log in: 401 rest_not_logged_in", "user or application password are wrong")
			if e := asError(t, err); e.Status != 401 {
				t.Errorf("got %+v", e)
			}
			// A list tells less than users/me, but it is an error, too.
			if err := c.Use(Facts{Root: s.URL + "/wp-json/"}); err != nil {
				t.Fatal(err)
			}
			_, err = c.List(t.Context(), Query{Statuses: []string{"future"}})
			contains(t, err, "list posts: 400 rest_invalid_param", "the login did not work")
			c.Close()
		}
	})
}

// The life of a booking: draft, found by slug, scheduled, listed in its
// window, withdrawn, trashed, deleted.
func TestRealBooking(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetZone(t, "America/New_York")
		c, _ := on(t, s, s.User, s.Password)
		ctx := t.Context()
		slot := time.Now().Add(48 * time.Hour).Truncate(time.Minute).UTC()
		content := "<!-- wp:paragraph {\"metadata\":{\"morrow\":\"x\"}} -->\n<p>R &amp; D “가”</p>\n<!-- /wp:paragraph -->"
		draft, err := c.Create(ctx, "posts", Fields{
			Status: new("draft"), Slug: new("가-나"), Title: new("R & D <b>"), Content: &content, Excerpt: new("short"),
		})
		if err != nil {
			t.Fatal(err)
		}
		if draft.Status != "draft" || !draft.Floats() || draft.Content != content || draft.Title != "R & D <b>" || draft.Excerpt != "short" {
			t.Errorf("draft %+v", draft)
		}
		found, err := c.List(ctx, Query{Slugs: []string{"가-나", "가-나-2"}, Statuses: []string{"publish", "future", "draft", "pending", "private", "trash"}})
		if err != nil || len(found.Posts) != 1 || found.Total != 1 || time.Since(found.Date).Abs() > time.Minute {
			t.Fatalf("by slug: %+v, %v", found, err)
		}
		if d := cmp.Diff(draft, found.Posts[0]); d != "" {
			t.Errorf("list and create differ:\n%s", d)
		}
		booked, err := c.Update(ctx, "posts", draft.ID, Fields{Status: new("future"), DateGMT: &slot}, func() error { return nil })
		if err != nil || booked.Status != "future" || !booked.DateGMT.Equal(slot) || booked.Floats() {
			t.Fatalf("booked %+v, %v; want %v", booked, err, slot)
		}
		inWindow := func(from, to time.Duration) int {
			t.Helper()
			l, err := c.List(ctx, Query{After: slot.Add(from), Before: slot.Add(to), Statuses: []string{"future", "publish"}})
			if err != nil {
				t.Fatal(err)
			}
			return len(l.Posts)
		}
		if n := inWindow(-time.Second, time.Second); n != 1 {
			t.Errorf("%d posts at the slot, want 1", n)
		}
		if n := inWindow(0, time.Hour); n != 0 {
			t.Errorf("after is not exclusive: %d posts", n)
		}
		back, err := c.Update(ctx, "posts", draft.ID, Fields{Status: new("draft"), ClearDate: true}, nil)
		if err != nil || !back.Floats() || back.Content != content {
			t.Errorf("withdrawn %+v, %v", back, err)
		}
		if err := c.Trash(ctx, "posts", draft.ID); err != nil {
			t.Error(err)
		}
		if p, err := c.Read(ctx, "posts", draft.ID); err != nil || p.Status != "trash" {
			t.Errorf("read %+v, %v", p, err)
		}
		if err := c.Delete(ctx, "posts", draft.ID); err != nil {
			t.Error(err)
		}
		_, err = c.Update(ctx, "posts", draft.ID, Fields{Status: new("future"), DateGMT: &slot}, nil)
		if e := asError(t, err); e.Status != 404 || e.Code != "rest_post_invalid_id" || !e.Refused {
			t.Errorf("update of a deleted post: %+v", e)
		}
	})
}

// B17: what WordPress says of a page too far, and of too long a page.
func TestRealB17Pages(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		c, f := on(t, s, s.User, s.Password)
		root, err := url.Parse(f.Root)
		if err != nil {
			t.Fatal(err)
		}
		s.InsertPost(t, wptest.Post{Title: "x", Status: "publish", Date: time.Now().Add(-time.Hour)})
		var rows []row
		_, err = c.get(t.Context(), "list posts", root, "wp/v2/posts", url.Values{"page": {"2"}, "per_page": {"100"}}, &rows)
		if !pastTheEnd(err) {
			t.Errorf("page 2 of 1: %v", err)
		}
		_, err = c.get(t.Context(), "list posts", root, "wp/v2/posts", url.Values{"per_page": {"101"}}, &rows)
		contains(t, err, "400 rest_invalid_param")
		if pastTheEnd(err) {
			t.Error("taken for the end of the list")
		}
	})
}

// An author account does not see others' scheduled posts, but they are
// counted; B36: a contributor may not schedule.
func TestRealB36Roles(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		ctx := t.Context()
		slot := time.Now().Add(48 * time.Hour).Truncate(time.Minute)
		f := Fields{Status: new("future"), DateGMT: &slot, Title: new("x"), Content: new("x")}
		editor, _ := on(t, s, s.User, s.Password)
		if _, err := editor.Create(ctx, "posts", f); err != nil {
			t.Fatal(err)
		}
		author, facts := on(t, s, "anna", s.AddUser(t, "anna", "author"))
		l, err := author.List(ctx, Query{After: slot.Add(-time.Hour), Before: slot.Add(time.Hour), Statuses: []string{"future", "publish"}})
		if err != nil || len(l.Posts) != 0 || l.Hidden() != 1 {
			t.Errorf("author sees %d rows, %d hidden, %v; want 0, 1", len(l.Posts), l.Hidden(), err)
		}
		if facts.User.Capabilities["edit_others_posts"] || !facts.User.Capabilities["publish_posts"] {
			t.Errorf("author may %v", facts.User.Capabilities)
		}
		contributor, _ := on(t, s, "conrad", s.AddUser(t, "conrad", "contributor"))
		_, err = contributor.Create(ctx, "posts", f)
		contains(t, err, "403 rest_cannot_publish", "role author or higher")
		if !asError(t, err).Refused {
			t.Error("not called refused")
		}
	})
}

// B39, B41: terms; accounts; B43: an upload.
func TestRealB39B43TermsUsersMedia(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		ctx := t.Context()
		c, f := on(t, s, s.User, s.Password)
		made, err := c.CreateTerm(ctx, "tags", "R & D", 0)
		if err != nil || made.Name != "R & D" {
			t.Fatalf("made %+v, %v", made, err)
		}
		for _, name := range []string{"R & D", "r & d"} {
			again, err := c.CreateTerm(ctx, "tags", name, 0)
			if d := cmp.Diff(made, again); d != "" || err != nil {
				t.Errorf("%s: %v\n%s", name, err, d)
			}
			found, err := c.Terms(ctx, "tags", name)
			if d := cmp.Diff([]Term{made}, found); d != "" || err != nil {
				t.Errorf("%s: %v\n%s", name, err, d)
			}
		}
		if none, err := c.Terms(ctx, "tags", "else"); err != nil || len(none) != 0 {
			t.Errorf("found %v, %v", none, err)
		}
		s.InsertPost(t, wptest.Post{Title: "x", Status: "publish", Date: time.Now().Add(-time.Hour)})
		users, err := c.Users(ctx, s.User)
		if err != nil || len(users) != 1 || users[0].ID != f.User.ID {
			t.Errorf("users %+v, %v", users, err)
		}
		var img bytes.Buffer
		if err := png.Encode(&img, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
			t.Fatal(err)
		}
		m, err := c.Upload(ctx, Upload{Name: "사진 1.png", Type: "image/png", Body: &img, Size: int64(img.Len())})
		if err != nil || m.ID == 0 {
			t.Errorf("upload: %+v, %v", m, err)
		}
		if p, err := c.Create(ctx, "posts", Fields{Title: new("x"), Tags: new([]int64{made.ID}), FeaturedMedia: &m.ID}); err != nil || p.FeaturedMedia != m.ID || len(p.Tags) != 1 {
			t.Errorf("post %+v, %v", p, err)
		}
	})
}
