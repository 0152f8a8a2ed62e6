package compose_test

import (
	"strings"
	"testing"
	"time"

	"morrow/internal/compose"
	"morrow/internal/source"
	"morrow/internal/wptest"
	"morrow/wpclient"
)

// TestSettingsOnWordPress: settings, terms of another taxonomy and registered
// meta are kept, on drafts and by the commit.
func TestSettingsOnWordPress(t *testing.T) {
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetOptions(t, map[string]any{"wptest_plugin": 1})
		client := discovered(t, s, s.User, s.Password)
		it := item(func(it *source.Item) {
			it.Settings = source.Settings{
				Sticky: new(true), CommentStatus: "closed", PingStatus: "closed", Format: "aside",
				Taxonomies: map[string][]string{"genres": {"Noir & co", "Jazz"}},
				Meta:       map[string]any{"mood": "3 < 4 & \"so\"", "views": "010", "score": "1.50", "shown": "true"},
			}
		})
		d, err := compose.New(compose.Options{Client: client, Job: "daily", Host: "pc"}).Compose(t.Context(), it)
		if err != nil {
			t.Fatal(err)
		}
		p := book(t, client, d, time.Now().Add(24*time.Hour).Truncate(time.Second))
		if ids, _ := d.Extra["genres"].([]int64); len(ids) != 2 {
			t.Errorf("got the genres %v", ids)
		}
		// The commit's answer does not bear them: ask once more, by sending them.
		p, err = client.Update(t.Context(), "posts", p.ID, wpclient.Fields{Extra: d.Extra}, nil)
		if err != nil {
			t.Fatal(err)
		}
		check(t, d, p, "future", true)
	})
}

// TestB47MetaThatIsNotRegistered: WordPress takes it with 201 and drops it.
func TestB47MetaThatIsNotRegistered(t *testing.T) {
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		client := discovered(t, s, s.User, s.Password)
		for _, plugin := range []int{0, 1} {
			s.SetOptions(t, map[string]any{"wptest_plugin": plugin})
			d := composed(t, item(func(it *source.Item) { it.Meta = map[string]any{"moood": "x"} }))
			f, err := d.Prepare(slot(), 0)
			if err != nil {
				t.Fatal(err)
			}
			p, err := client.Create(t.Context(), "posts", f)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Verify(p); err == nil || !strings.Contains(err.Error(), `does not know the meta key "moood"`) {
				t.Errorf("got %v", err)
			}
		}
	})
}

// TestRefusedSettingsOnWordPress: what WordPress does not accept it says, and
// what it drops is found.
func TestRefusedSettingsOnWordPress(t *testing.T) {
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		client := discovered(t, s, s.User, s.Password)
		for name, change := range map[string]func(*source.Item){
			"template": func(it *source.Item) { it.Template = "no-such.php" },
		} {
			d := composed(t, item(change))
			f, err := d.Prepare(slot(), 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.Create(t.Context(), "posts", f); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		d, err := compose.New(compose.Options{Client: client}).Compose(t.Context(), item(func(it *source.Item) {
			it.Taxonomies = map[string][]string{"genres": {"Jazz"}}
		}))
		if err == nil || !strings.Contains(err.Error(), `no taxonomy "genres"`) {
			t.Errorf("got %+v, %v", d.Extra, err)
		}
	})
}

// TestPluginsPostTypeOnWordPress: a draft of a plugin's post type is verified
// and scheduled like a post.
func TestPluginsPostTypeOnWordPress(t *testing.T) {
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		s.SetOptions(t, map[string]any{"wptest_plugin": 1})
		client := discovered(t, s, s.User, s.Password)
		d, err := compose.New(compose.Options{Client: client, Job: "daily", Host: "pc"}).Compose(t.Context(), item(func(it *source.Item) {
			it.Excerpt = "Short & sweet"
			it.Taxonomies = map[string][]string{"genres": {"Jazz"}}
		}))
		if err != nil {
			t.Fatal(err)
		}
		f, err := d.Prepare(slot(), 0)
		if err != nil {
			t.Fatal(err)
		}
		p, err := client.Create(t.Context(), "podcasts", f)
		if err != nil {
			t.Fatal(err)
		}
		check(t, d, p, "draft", false)
		if f, err = d.Commit(time.Now().Add(24*time.Hour), p.ID); err != nil {
			t.Fatal(err)
		}
		if p, err = client.Update(t.Context(), "podcasts", p.ID, f, nil); err != nil {
			t.Fatal(err)
		}
		check(t, d, p, "future", true)
		l, err := client.List(t.Context(), wpclient.Query{Type: "podcasts", Statuses: []string{"future"}})
		if err != nil || len(l.Posts) != 1 || !compose.Read(l.Posts[0]).Own {
			t.Errorf("got %+v, %v", l, err)
		}
	})
}
