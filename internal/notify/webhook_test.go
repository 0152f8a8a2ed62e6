package notify

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSignature holds the signature to one that OpenSSL made:
// printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac k3y
func TestSignature(t *testing.T) {
	t.Parallel()
	const want = "sha256=fd5a70e965043f7df6309c2c3b5ff5a8ffa99b1f5175e9a311459e73c4634d4a"
	if got := signature("k3y", "1700000000", []byte(`{"a":1}`)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestWebhook: the body is JSON with a line for each event, and signed as it
// was sent.
func TestWebhook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{}
		n := newNotifier(&shelf{}, w)
		n.Observe(t.Context(), looks(booked(), empty()))
		_ = n.Send(t.Context())
		reqs := w.requests()
		if len(reqs) != 1 {
			t.Fatalf("%d requests", len(reqs))
		}
		r := reqs[0]
		now := strconv.FormatInt(time.Now().Unix(), 10)
		if got := r.header.Get(TimestampHeader); got != now {
			t.Errorf("timestamp %q, want %q", got, now)
		}
		if got := r.header.Get(SignatureHeader); got != signature(hookKey, now, r.body) {
			t.Errorf("signature %q is not the body's", got)
		}
		if r.url != hookAddress || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("sent to %s as %s", r.url, r.header.Get("Content-Type"))
		}
		var got map[string]any
		if err := json.Unmarshal(r.body, &got); err != nil {
			t.Fatal(err)
		}
		stamp := time.Now().UTC().Format(time.RFC3339)
		here := time.Now().Format(time.RFC3339)
		want := map[string]any{
			"sent": stamp, "host": "host", "title": "Morrow: nothing booked, booked",
			"text": "daily on blog: nothing is booked\ndaily on blog: booked 010.md\n— host",
			"events": []any{
				map[string]any{"kind": "nothing_booked", "site": "blog", "job": "daily", "subject": "08:00", "text": "nothing is booked", "state": "begun", "at": here, "since": here},
				map[string]any{"kind": "booked", "site": "blog", "job": "daily", "text": "booked 010.md", "state": "happened", "at": here},
			},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("body (-want +got):\n%s", diff)
		}
	})
}

// TestNoRedirect: a message goes where it was addressed to.
func TestNoRedirect(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{status: http.StatusTemporaryRedirect, location: "https://other.example.com/"}
		n := newNotifier(&shelf{}, w)
		errs := n.Test(t.Context())
		if len(w.requests()) != 1 || errs[0] == nil || !strings.Contains(errs[0].Error(), "redirect") {
			t.Errorf("%d requests, error %v", len(w.requests()), errs[0])
		}
	})
}

// TestTransportError: a cause is told without the address, whoever put it in.
func TestTransportError(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"refused", "refused " + hookAddress, "refused s3cretpath", "refused t0kenvalue", "refused " + hookKey} {
		w := &web{err: errors.New(text)}
		n := newNotifier(&shelf{}, w)
		err := n.Test(t.Context())[0]
		want := "send to hook.example.com: refused"
		if text != "refused" {
			want += " [redacted]"
		}
		if err == nil || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}
