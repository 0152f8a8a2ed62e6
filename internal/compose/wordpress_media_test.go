package compose_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"morrow/internal/compose"
	"morrow/internal/source"
	"morrow/internal/wptest"
	"morrow/wpclient"
)

// failing spoils the first sending of each upload.
type failing struct {
	stored bool            // after WordPress has stored it, else before
	seen   map[string]bool // by slug
}

func (f failing) RoundTrip(r *http.Request) (*http.Response, error) {
	slug := r.URL.Query().Get("slug")
	if r.Method != http.MethodPost || slug == "" || f.seen[slug] {
		return http.DefaultTransport.RoundTrip(r)
	}
	f.seen[slug] = true
	if !f.stored {
		_ = r.Body.Close()
		return nil, errors.New("cut off")
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		err = errors.Join(errors.New("cut off"), resp.Body.Close())
	}
	return nil, err
}

// A post with twelve pictures, each of whose uploads fails at first: at last
// twelve files, and a post that is as it was sent, whatever the account.
func TestTwelvePicturesOnWordPress(t *testing.T) {
	t.Parallel()
	slot := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Hour)
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		accounts := map[string]string{s.User: s.Password, "author": s.AddUser(t, "author", "author")}
		texts := map[string]bool{}
		for _, tc := range []struct {
			user         string
			stored, kept bool
		}{{s.User, true, false}, {"author", false, true}} {
			for _, p := range s.PostsOfType(t, "attachment") {
				s.DeletePost(t, p.ID)
			}
			client := discovered(t, s, tc.user, accounts[tc.user], failing{tc.stored, map[string]bool{}})
			m := memory{}
			it := twelve(t)
			it.Slug = fmt.Sprintf("twelve-%s-%v", tc.user, tc.stored)
			it.Body = append(it.Body, "and ![inline \"x\" & <y>](images/0.png) text"...)
			it.Featured = source.Featured{File: "images/11.png", Line: 2}
			var d compose.Draft
			failures := 0
			for ; ; failures++ {
				var err error
				if !tc.kept {
					clear(m)
				}
				d, err = compose.New(compose.Options{Client: client, Job: "daily", Memory: m, Site: "blog"}).Compose(t.Context(), it)
				var e *wpclient.Error
				if err == nil {
					break
				} else if !errors.As(err, &e) || failures > 12 {
					t.Fatal(err)
				}
			}
			if want := map[bool]int{true: 0, false: 12}[tc.stored]; failures != want {
				t.Errorf("%+v: %d attempts failed, want %d", tc, failures, want)
			}
			files := s.PostsOfType(t, "attachment")
			if len(files) != 12 {
				t.Errorf("%+v: %d files", tc, len(files))
			}
			p := book(t, client, d, slot)
			texts[d.Text] = true
			if p.FeaturedMedia != d.Featured || d.Featured == 0 {
				t.Errorf("featured %d, want %d", p.FeaturedMedia, d.Featured)
			}
			for _, f := range files {
				if !strings.Contains(p.Content, fmt.Sprintf("wp-image-%d", f.ID)) || !strings.HasPrefix(f.Slug, "morrow-") {
					t.Errorf("file %d, %s, is not in the post", f.ID, f.Slug)
				}
			}
			s.EditPost(t, tc.user, wptest.Post{ID: int(p.ID), Content: strings.Replace(p.Content, `alt="7"`, `alt="seven"`, 1)})
			if p, err := client.Read(t.Context(), "posts", p.ID); err != nil || compose.Read(p).Intact || !compose.Read(p).Ours {
				t.Errorf("a person's edit of an alt: %v, intact %v", err, compose.Read(p).Intact)
			}
		}
		if len(texts) != 1 {
			t.Errorf("one text has the hashes %v", texts)
		}
	})
}

// B41, B43: what WordPress drops or refuses.
func TestB41B43MediaOnWordPress(t *testing.T) {
	t.Parallel()
	eachAccount(t, func(t *testing.T, s *wptest.Site, client *wpclient.Client, role string) {
		t.Helper()
		d, err := compose.New(compose.Options{Client: client, Job: "daily"}).Compose(t.Context(), item())
		if err != nil {
			t.Fatal(err)
		}
		d.Featured = 99999
		f, err := d.Prepare(time.Time{}, 0)
		p, err := client.Create(t.Context(), "posts", must(t, f, err))
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Verify(p); err == nil || !strings.Contains(err.Error(), "did not keep the featured image with id 99999") {
			t.Errorf("Verify: %v", err)
		}
		// An AVIF by its first bytes: 6.1 takes none, later versions don't look further.
		avif := append([]byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf"), role...) // a file of its own
		before := len(s.PostsOfType(t, "attachment"))
		_, err = compose.New(compose.Options{Client: client, Job: "daily"}).Compose(t.Context(), item(func(it *source.Item) {
			it.Root, it.Body = folder(t, map[string][]byte{"a.avif": avif}), []byte("![](a.avif)")
		}))
		var fault *compose.Fault
		refused := errors.As(err, &fault) && strings.Contains(fault.Reason, "not allowed to upload this file type")
		if old := strings.HasPrefix(s.Version, "6.1"); refused != old || !old && err != nil {
			t.Errorf("an AVIF: %v", err)
		}
		if n := len(s.PostsOfType(t, "attachment")) - before; (n == 0) != refused {
			t.Errorf("%d files", n)
		}
	})
}
