package wpclient

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rs/zerolog"
)

// forms are all shapes in which the password could be seen.
func forms() []string {
	stripped := strings.ReplaceAll(password, " ", "")
	return []string{
		password, stripped, url.QueryEscape(password), url.PathEscape(password),
		base64.StdEncoding.EncodeToString([]byte(user + ":" + password)),
		base64.StdEncoding.EncodeToString([]byte(user + ":" + stripped)),
	}
}

// The password stands in no error and no log, even where the site or the
// network throws it back.
func TestPasswordLeaksNowhere(t *testing.T) {
	t.Parallel()
	everything := strings.Join(forms(), " | ")
	for _, tt := range []struct {
		name      string
		transport http.RoundTripper
	}{
		{"WordPress error", inMemory{saysJSON(400, wpErr(400, everything, everything))}},
		{"server error", inMemory{saysJSON(500, wpErr(500, everything, everything))}},
		{"title of a page", inMemory{says(403, "text/html", "<title>"+everything+"</title>")}},
		{"short title of a page", inMemory{says(403, "text/html", "<title>"+forms()[4]+"</title>")}},
		{"cut in the middle", inMemory{says(403, "text/html", "<title>"+strings.Repeat("x", 62)+" "+password+"yyyy</title>")}},
		{"text before JSON", inMemory{saysJSON(200, everything)}},
		{"text after JSON", inMemory{saysJSON(200, "[]"+password)}},
		{"redirect", inMemory{saysJSON(302, "", "Location", "https://"+user+":"+url.PathEscape(password)+"@www.example.com/"+url.PathEscape(password)+"?p="+url.QueryEscape(password))}},
		{"broken redirect", inMemory{saysJSON(302, "", "Location", "https://"+user+":"+password+"@%zz")}},
		{"root on another host", inMemory{webPage("", "Link", link("https://"+user+":"+forms()[1]+"@evil.example.net/"+forms()[1]+"/"))}},
		{"cache header", inMemory{saysJSON(200, "[]", "X-Cache", "HIT "+password)}},
		{"media type", inMemory{says(200, "text/"+forms()[1], "[]")}},
		{"date", inMemory{saysJSON(200, "["+postJSON(t, 1, map[string]any{"date": password})+"]")}},
		{"status", inMemory{saysJSON(200, "["+postJSON(t, 1, map[string]any{"status": password})+"]")}},
		{"transport error", &failing{err: errors.New("bad header Authorization: Basic " + forms()[4])}},
		{"address in an error", &failing{err: &url.Error{Op: "Get", URL: "https://" + user + ":" + password + "@x", Err: errors.New(password)}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				c := newClient(t, tt.transport, func(o *Options) { o.Logger = zerolog.New(&log) })
				var errs []error
				note := func(err error) { errs = append(errs, err) }
				ctx := t.Context()
				_, err := c.List(ctx, Query{Statuses: []string{"future"}})
				note(err)
				_, err = c.Read(ctx, "posts", 1)
				note(err)
				_, err = c.Create(ctx, "posts", Fields{})
				note(err)
				_, err = c.Update(ctx, "posts", 1, Fields{}, func() error { return errors.New(password) })
				note(err)
				note(c.Trash(ctx, "posts", 1))
				note(c.Delete(ctx, "posts", 1))
				_, err = c.Terms(ctx, "tags", password)
				note(err)
				_, err = c.CreateTerm(ctx, "tags", password, 0)
				note(err)
				_, err = c.Users(ctx, password)
				note(err)
				_, err = c.Upload(ctx, Upload{Name: password, Type: "image/png", Body: strings.NewReader("x"), Size: 1})
				note(err)
				_, err = c.Discover(ctx)
				note(err)
				failed := 0
				for _, err := range errs {
					if err == nil {
						continue
					}
					failed++
					for e := err; e != nil; e = errors.Unwrap(e) {
						noSecret(t, fmt.Sprintf("%v %+v %#v", e, e, e))
					}
				}
				if failed < 2 {
					t.Errorf("only %d errors: this proves little", failed)
				}
				noSecret(t, log.String())
			})
		})
	}
}

func noSecret(t *testing.T, s string) {
	t.Helper()
	for _, f := range append(forms(), password[:len(password)-4]) {
		if strings.Contains(s, f) {
			t.Errorf("the password stands in %s", s)
		}
	}
}

// The log of an exchange says where and how, not what.
func TestExchangeIsLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := newClient(t, inMemory{saysJSON(200, "[]")}, func(o *Options) { o.Logger = zerolog.New(&log) })
	if _, err := c.List(t.Context(), Query{Search: "private"}); err != nil {
		t.Fatal(err)
	}
	got := log.String()
	for _, want := range []string{`"level":"debug"`, `"method":"GET"`, `"route":"wp/v2/posts"`, `"status":200`, `"elapsed_ms":`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
	if strings.Contains(got, "private") || strings.Count(got, "\n") != 1 {
		t.Errorf("logged %s", got)
	}
}
