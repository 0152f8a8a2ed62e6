package wpclient

import (
	"context"
	"crypto/x509"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// failing is a transport without a network behind it.
type failing struct {
	err   error
	calls int
}

func (f *failing) RoundTrip(*http.Request) (*http.Response, error) {
	f.calls++
	return nil, f.err
}

// flaky answers 503 a few times before it is well.
func flaky(bad int, headers ...string) *recorder {
	n := 0
	return &recorder{next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n <= bad {
			says(503, "text/html", "<title>Maintenance</title>", headers...)(w, r)
			return
		}
		saysJSON(200, "[]")(w, r)
	})}
}

// B22: a read that fails for a moment is asked again, and one that keeps
// failing is an error, never an empty list.
func TestB22ReadsAreRetried(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		bad      int
		headers  []string
		deadline time.Duration
		requests int
		elapsed  time.Duration // with Rand 0: half of each pause
		ok       bool
	}{
		{name: "well at once", requests: 1, ok: true},
		{name: "well at last", bad: 3, requests: 4, elapsed: 3500 * time.Millisecond, ok: true},
		{name: "never", bad: 9, requests: 4, elapsed: 3500 * time.Millisecond},
		{name: "Retry-After", bad: 1, headers: []string{"Retry-After", "20"}, requests: 2, elapsed: 20 * time.Second, ok: true},
		{name: "Retry-After past the end", bad: 1, headers: []string{"Retry-After", "20"}, deadline: 10 * time.Second, requests: 1},
		{name: "Retry-After of an hour", bad: 1, headers: []string{"Retry-After", "3600"}, requests: 1},
		{name: "no time left", bad: 9, deadline: 600 * time.Millisecond, requests: 2, elapsed: 500 * time.Millisecond},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if tt.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.deadline)
					defer cancel()
				}
				rec := flaky(tt.bad, tt.headers...)
				c := newClient(t, inMemory{rec}, func(o *Options) { o.Rand = func(int64) int64 { return 0 } })
				start := time.Now()
				_, err := c.List(ctx, Query{})
				if (err == nil) != tt.ok || rec.count() != tt.requests || time.Since(start) != tt.elapsed {
					t.Errorf("got %v after %d requests and %v; want ok %v after %d and %v", err, rec.count(), time.Since(start), tt.ok, tt.requests, tt.elapsed)
				}
				if !tt.ok {
					contains(t, err, "503", "Maintenance")
				}
			})
		})
	}
}

func TestCancelEndsPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(100*time.Millisecond, cancel)
		rec := flaky(9)
		start := time.Now()
		_, err := newClient(t, inMemory{rec}).List(ctx, Query{})
		if d := time.Since(start); err == nil || d != 100*time.Millisecond || rec.count() != 1 {
			t.Errorf("got %v after %v and %d requests", err, d, rec.count())
		}
	})
}

// The pauses follow from Rand alone, so that a simulation can be replayed.
func TestJitterIsSeeded(t *testing.T) {
	t.Parallel()
	pauses := func(seed uint64) (at []time.Duration) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			start := time.Now()
			c := newClient(t, inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				at = append(at, time.Since(start))
				saysJSON(500, "{}")(w, r)
			})}, func(o *Options) { o.Rand = r.Int64N })
			_, _ = c.List(t.Context(), Query{})
		})
		return at
	}
	if d := cmp.Diff(pauses(1), pauses(1)); d != "" {
		t.Errorf("same seed, other pauses:\n%s", d)
	}
	if cmp.Equal(pauses(1), pauses(2)) {
		t.Error("other seed, same pauses")
	}
}

func TestTransportErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		err   error
		calls int
		want  string
	}{
		{"cut", io.ErrUnexpectedEOF, attempts, "no answer from blog.example.com: unexpected EOF"},
		{"certificate", x509.UnknownAuthorityError{}, 1, "certificate is not valid"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := &failing{err: tt.err}
				_, err := newClient(t, f).List(t.Context(), Query{})
				contains(t, err, tt.want)
				if f.calls != tt.calls || !errors.Is(err, tt.err) {
					t.Errorf("asked %d times, want %d; %v", f.calls, tt.calls, err)
				}
				f.calls = 0
				_, err = newClient(t, f).Create(t.Context(), "posts", Fields{})
				if e := asError(t, err); f.calls != 1 || e.Known() {
					t.Errorf("write sent %d times, known %v; want once, unknown", f.calls, e.Known())
				}
			})
		})
	}
}

// B26: a time-out says nothing of what the site did.
func TestB26TimeoutIsUnknown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stored := 0
		slow := inMemory{http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			stored++
			<-r.Context().Done()
		})}
		start := time.Now()
		_, err := newClient(t, late{slow}).Create(t.Context(), "posts", Fields{})
		e := asError(t, err)
		if e.Known() || stored != 1 || time.Since(start) != time.Minute {
			t.Errorf("known %v, stored %d, after %v", e.Known(), stored, time.Since(start))
		}
		contains(t, err, "no answer within 1m0s")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is no time-out", err)
		}
	})
}

// late loses the answer when the request's time is over.
type late struct{ http.RoundTripper }

func (l late) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := l.RoundTripper.RoundTrip(r)
	if cause := r.Context().Err(); cause != nil {
		return nil, cause
	}
	return res, err
}

func TestDeadContextSendsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rec := &recorder{next: saysJSON(200, "[]")}
	c := newClient(t, inMemory{rec})
	_, err := c.List(ctx, Query{})
	if e := asError(t, err); !e.Unsent || rec.count() != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v after %d requests", err, rec.count())
	}
}
