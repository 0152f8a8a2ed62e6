package notify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// secretForms are the shapes in which a part of an address could be seen.
func secretForms(s string) []string {
	return append(spellings(s), strings.ToLower(s), strings.ToUpper(url.QueryEscape(s)))
}

// TestRedact: of what libraries make of an address and put into their errors
// no secret stays.
func TestRedact(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address string
		text    string
		secrets []string
		stays   string
	}{
		{
			"slack://hook:T0AAAAAAA-B0BBBBBBB-cccCCCcccCCCcccCCC123456@webhook",
			`Post "https://hooks.slack.com/services/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": dial tcp: connection refused`,
			[]string{"T0AAAAAAA", "B0BBBBBBB", "cccCCCcccCCCcccCCC123456"},
			"hooks.slack.com",
		},
		{
			"discord://dis-cord_Token@123456789012", `404 from https://discord.com/api/webhooks/123456789012/dis-cord_Token`,
			[]string{"dis-cord_Token", "123456789012"},
			"discord.com",
		},
		{
			"telegram://110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw@telegram?chats=@myOwnChat",
			`https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage: chat @myOwnChat not found`,
			[]string{"110201543", "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", "myOwnChat"},
			"not found",
		},
		{
			"smtp://me:p%40ss%20w%C3%B6rd@mail.example.com:587/?from=a@example.com&to=b@example.com",
			"auth: p@ss wörd " + strings.Join(spellings("p@ss wörd"), " | ") + " at mail.example.com",
			[]string{"p@ss wörd"},
			"mail.example.com",
		},
		{"ntfy://:tk_12345678@ntfy.sh/topicSecret", "x TOPICSECRET tk_12345678 topicsecret", []string{"topicsecret", "tk_12345678"}, "x "},
	} {
		got := redact(tt.text, tt.address)
		for _, s := range tt.secrets {
			for _, form := range secretForms(s) {
				if strings.Contains(got, form) {
					t.Errorf("%s: %q stays in %q", tt.address, form, got)
				}
			}
		}
		if !strings.Contains(got, tt.stays) {
			t.Errorf("%s: %q is gone from %q", tt.address, tt.stays, got)
		}
	}
}

// TestAddressLeaksNowhere: an address stands in no error, no log, no message and
// not in the memory, even where the other side throws back all that it is sent.
func TestAddressLeaksNowhere(t *testing.T) {
	t.Parallel()
	const word = "s3cretWord"
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = fmt.Fprintf(w, `{"error":%q,"message":%q}`, r.URL.String()+fmt.Sprint(r.Header)+string(body), strings.Join(secretForms(word), " "))
	}))
	t.Cleanup(mirror.Close)
	host := strings.TrimPrefix(mirror.URL, "http://")
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for _, at := range []string{host, strings.TrimPrefix(closed.URL, "http://")} {
		for _, tt := range []struct{ address, key string }{
			{"http://" + at + "/" + word + "?token=" + word, word},
			{"generic+http://" + at + "/" + word + "?token=" + word, ""},
			{"generic://" + at + "/" + word + "?disabletls=yes", ""},
			{"ntfy://user:" + word + "@" + at + "/" + word + "?scheme=http", ""},
			{"gotify://" + at + "/A" + word + "AAAA?disabletls=yes", ""},
			{"mattermost://" + at + "/" + word + "?disabletls=yes", ""},
			{"rocketchat://" + at + "/" + word + "/" + word, ""},
			{"smtp://user:" + word + "@" + at + "/?from=a@example.com&to=" + word + "@example.com", ""},
			{"matrix://user:" + word + "@" + at + "?rooms=" + word + "&disabletls=yes", ""},
		} {
			if at == host && strings.HasPrefix(tt.address, "smtp:") {
				continue // it would wait for the mirror to speak first
			}
			t.Run(tt.address[:4]+" "+at, func(t *testing.T) {
				t.Parallel()
				var log bytes.Buffer
				m := &shelf{}
				n := New(Options{
					Addresses: []Address{{Name: "#1", Secret: func(context.Context) (string, string, error) { return tt.address, tt.key, nil }}},
					Memory:    m, Host: "host", Logger: zerolog.New(&log),
				})
				n.Observe(t.Context(), looks(empty()))
				n.sent(t.Context())
				err := errors.Join(n.Send(t.Context()), n.Test(t.Context())[0])
				if err == nil {
					t.Fatal("delivered: this proves nothing")
				}
				var all strings.Builder
				for e := err; e != nil; e = errors.Unwrap(e) {
					fmt.Fprintf(&all, "%v %+v %#v\n", e, e, e)
				}
				fmt.Fprintf(&all, "%s\n%s", log.String(), m.kept)
				for _, form := range secretForms(word) {
					if strings.Contains(all.String(), form) {
						t.Errorf("%q stands in %s", form, all.String())
					}
				}
			})
		}
	}
}
