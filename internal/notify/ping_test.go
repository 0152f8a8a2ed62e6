package notify

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
)

const pingAddress = "https://hc.example.com/p1ngsecret?create=1"

func switchAt(address string) Ping {
	return Ping{Secret: func() (string, error) { return address, nil }}
}

// paths are what was pinged, as paths.
func (w *web) paths() (out []string) {
	for _, r := range w.requests() {
		out = append(out, strings.TrimPrefix(r.url, "https://hc.example.com"))
	}
	w.set(func(w *web) { w.reqs = nil })
	return out
}

// TestPulse: a run's start and end are pinged in their order, a failed one as
// such; of jobs with one address all have to be well.
func TestPulse(t *testing.T) {
	t.Parallel()
	const base, query = "/p1ngsecret", "?create=1"
	for _, tt := range []struct {
		name string
		do   func(ctx context.Context, p *Pulse)
		want []string
	}{
		{"well", func(ctx context.Context, p *Pulse) {
			p.Start(ctx, "a", switchAt(pingAddress))
			p.End(ctx, "a", switchAt(pingAddress), true)
		}, []string{base + "/start" + query, base + query}},
		{"unwell", func(ctx context.Context, p *Pulse) {
			p.Start(ctx, "a", switchAt(pingAddress))
			p.End(ctx, "a", switchAt(pingAddress), false)
		}, []string{base + "/start" + query, base + "/fail" + query}},
		{"one of two is unwell, then mended", func(ctx context.Context, p *Pulse) {
			to := switchAt(pingAddress)
			for _, end := range []struct {
				job string
				ok  bool
			}{{"a", false}, {"b", true}, {"a", true}, {"b", true}} {
				p.End(ctx, end.job, to, end.ok)
				p.Wait(ctx)
			}
		}, []string{base + "/fail" + query, base + "/fail" + query, base + query, base + query}},
		{"apart", func(ctx context.Context, p *Pulse) {
			p.End(ctx, "a", switchAt("https://hc.example.com/a"), false)
			p.Wait(ctx)
			p.End(ctx, "b", switchAt("https://hc.example.com/b"), true)
		}, []string{"/a/fail", "/b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &web{}
				p := NewPulse(PulseOptions{Transport: w, Logger: zerolog.Nop()})
				tt.do(t.Context(), p)
				p.Wait(t.Context())
				if diff := cmp.Diff(tt.want, w.paths()); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestPulseHangs: a switch that does not answer makes nobody wait, is given up
// in time, and what waits behind it stays little.
func TestPulseHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		w := &web{}
		p := NewPulse(PulseOptions{Transport: w, Logger: zerolog.Nop()})
		begin := time.Now()
		stuck := Ping{Secret: func() (string, error) { <-hang; return pingAddress, nil }}
		for range 100 {
			p.Start(t.Context(), "a", stuck)
			p.End(t.Context(), "a", stuck, true)
		}
		if took := time.Since(begin); took != 0 {
			t.Errorf("made its caller wait %s", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		p.Wait(ctx)
		if took := time.Since(begin); took != time.Second {
			t.Errorf("waited %s, want the second that it was given", took)
		}
		close(hang)
		p.Wait(t.Context())
		if got := len(w.requests()); got > mostBeats+1 {
			t.Errorf("%d pings", got)
		}
	})
}

// TestPulseTellsNoAddress: what goes wrong is logged, the address is not.
func TestPulseTellsNoAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		w := &web{status: 404}
		p := NewPulse(PulseOptions{Transport: w, Logger: zerolog.New(&log)})
		p.End(t.Context(), "a", switchAt(pingAddress), true)
		p.End(t.Context(), "b", switchAt("http://hc.example.com/p1ngsecret"), true)
		p.End(t.Context(), "c", Ping{Secret: func() (string, error) { return "", errors.New("no file") }}, true)
		p.Wait(t.Context())
		if got := log.String(); strings.Count(got, "ping not delivered") != 3 || !strings.Contains(got, "404") || strings.Contains(got, "p1ngsecret") {
			t.Errorf("logged %s", got)
		}
		if got := len(w.requests()); got != 1 {
			t.Errorf("%d pings, want none but the encrypted one", got)
		}
	})
}
