package notify

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// shelf is a Memory that processes share.
type shelf struct {
	mu   sync.Mutex
	kept []byte
	err  error // of writing
}

func (s *shelf) ChangeNotes(_ context.Context, f func([]byte) ([]byte, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	out, err := f(s.kept)
	if err != nil || s.err != nil {
		return s.err
	}
	s.kept = out
	return nil
}

// noShelf keeps nothing, as a journal that could not be opened.
type noShelf struct{}

func (noShelf) ChangeNotes(context.Context, func([]byte) ([]byte, error)) error { return nil }

// web is the other side: it records what it is sent.
type web struct {
	mu       sync.Mutex
	status   int           // 200 if 0
	location string        // where it redirects to
	err      error         // instead of an answer
	hang     chan struct{} // if not nil, no answer comes before it is closed, whatever the request's context says
	reqs     []request
}

type request struct {
	at     time.Time
	url    string
	header http.Header
	body   []byte
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.reqs = append(w.reqs, request{time.Now(), r.URL.String(), r.Header, body})
	status, hang, location, fault := w.status, w.hang, w.location, w.err
	w.mu.Unlock()
	if hang != nil {
		<-hang
	}
	if status == 0 {
		status = http.StatusOK
	}
	if fault != nil {
		return nil, fault
	}
	header := http.Header{}
	switch {
	case r.URL.String() == location:
		status = http.StatusOK
	case location != "":
		header.Set("Location", location)
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

func (w *web) set(f func(*web)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f(w)
}

func (w *web) requests() []request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]request(nil), w.reqs...)
}

// texts are the messages that came since the last call, as people read them,
// without the host's line.
func (w *web) texts(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, r := range w.requests() {
		var m message
		if err := json.Unmarshal(r.body, &m); err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimSuffix(m.Text, "\n— host"))
	}
	w.set(func(w *web) { w.reqs = nil })
	return out
}

const (
	hookAddress = "https://hook.example.com/s3cretpath?token=t0kenvalue"
	hookKey     = "k3ykeykey"
)

func hook(kinds ...Kind) Address {
	return Address{Name: "#1", Kinds: kinds, Secret: func(context.Context) (string, string, error) { return hookAddress, hookKey, nil }}
}

// newNotifier makes one that tells a single webhook.
func newNotifier(m Memory, w *web, change ...func(*Options)) *Notifier {
	o := Options{Addresses: []Address{hook()}, Memory: m, Host: "host", Transport: w, Logger: zerolog.Nop()}
	for _, f := range change {
		f(&o)
	}
	return New(o)
}

// looks are Looks of the job daily.
func looks(events ...Event) Look {
	l := Look{Job: "daily", Saw: []Kind{Empty, Failed, Unseen, LockHeld, QueueLow}}
	for _, e := range events {
		e.Job, e.Site = "daily", "blog"
		l.Events = append(l.Events, e)
	}
	return l
}

func booked() Event { return Event{Kind: Booked, Text: "booked 010.md"} }
func empty() Event  { return Event{Kind: Empty, Subject: "08:00", Text: "nothing is booked"} }
func down() Event   { return Event{Kind: Unseen, Text: "no answer"} }
