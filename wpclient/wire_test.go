package wpclient

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/net/http2"
)

// The tests of this file need real connections.

// over makes a client for a server, its REST root known.
func over(t *testing.T, srv *httptest.Server) *Client {
	t.Helper()
	c := newClient(t, srv.Client().Transport, func(o *Options) { o.URL, o.API = srv.URL+"/blog", srv.URL+rootPath })
	t.Cleanup(c.Close)
	return c
}

// countingListener counts the bytes that reach the server.
type countingListener struct {
	net.Listener
	bytes atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return countingConn{c, &l.bytes}, err
}

type countingConn struct {
	net.Conn
	bytes *atomic.Int64
}

func (c countingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

// slowClose is a connection that a cancelled context does not close before
// the transport's other goroutine had time to write.
type slowClose struct{ net.Conn }

func (c slowClose) Close() error {
	for range 10000 {
		runtime.Gosched()
	}
	return c.Conn.Close()
}

// A check that fails at the last moment, on a standing connection, keeps
// every byte of the request from the server.
func TestCheckStopsStandingConnection(t *testing.T) {
	t.Parallel()
	late := errors.New("the lead has begun")
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		for _, warm := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s warm=%v", proto, warm), func(t *testing.T) {
				t.Parallel()
				rec := &recorder{next: saysJSON(200, postJSON(t, 12, nil))}
				srv := httptest.NewUnstartedServer(rec)
				counter := &countingListener{Listener: srv.Listener}
				srv.Listener = counter
				if proto == "HTTP/2.0" {
					srv.EnableHTTP2 = true
					srv.StartTLS()
				} else {
					srv.Start()
				}
				t.Cleanup(srv.Close)
				if tr, ok := srv.Client().Transport.(*http.Transport); ok {
					tr.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
						var d net.Dialer
						conn, err := d.DialContext(ctx, network, addr)
						return slowClose{conn}, err
					}
				}
				c := over(t, srv)
				if warm {
					if _, err := c.Update(t.Context(), "posts", 12, Fields{}, nil); err != nil {
						t.Fatal(err)
					}
				}
				before, bytes := rec.count(), counter.bytes.Load()
				calls := 0
				_, err := c.Update(t.Context(), "posts", 12, Fields{Status: new("future")}, func() error {
					if calls++; calls == 2 {
						return late
					}
					return nil
				})
				if e := asError(t, err); !e.Unsent || !errors.Is(err, late) || calls != 2 {
					t.Errorf("got %v after %d checks, unsent %v; want %v after 2", err, calls, e.Unsent, late)
				}
				// The next request is answered after all that was sent before it.
				if _, err := c.Update(t.Context(), "posts", 12, Fields{}, func() error { return nil }); err != nil {
					t.Fatal(err)
				}
				if got := rec.count() - before; got != 1 {
					t.Errorf("the server saw %d requests, want the last alone", got)
				}
				if rec.seen[before].Proto != proto {
					t.Errorf("spoke %s", rec.seen[before].Proto)
				}
				if n := counter.bytes.Load() - bytes; proto == "HTTP/1.1" && n > 1200 {
					t.Errorf("%d bytes reached the server, more than one request", n)
				}
			})
		}
	}
}

func TestCheckStopsBeforeDialling(t *testing.T) {
	t.Parallel()
	stop := errors.New("too late")
	rec := &recorder{next: saysJSON(200, postJSON(t, 12, nil))}
	_, err := newClient(t, inMemory{rec}).Update(t.Context(), "posts", 12, Fields{}, func() error { return stop })
	if e := asError(t, err); !e.Unsent || rec.count() != 0 || !errors.Is(err, stop) {
		t.Errorf("got %v after %d requests", err, rec.count())
	}
}

// A server that closes a kept connection under a request: net/http would send
// a request with GetBody or an Idempotency-Key again.
func TestWriteIsNeverReplayed(t *testing.T) {
	t.Parallel()
	var lc net.ListenConfig
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	var requests atomic.Int32
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { answerOnce(conn, postJSON(t, 12, nil), &requests) })
		}
	})
	base := "http://" + l.Addr().String()
	c := newClient(t, nil, func(o *Options) { o.URL, o.API = base+"/blog", base+rootPath })
	f := Fields{Title: new("x")}
	if _, err := c.Create(t.Context(), "posts", f); err != nil {
		t.Fatal(err)
	}
	_, err = c.Create(t.Context(), "posts", f)
	if e := asError(t, err); e.Known() {
		t.Errorf("got %v, known; want unknown", err)
	}
	if n := requests.Load(); n != 2 {
		t.Errorf("%d requests arrived, want 2", n)
	}
	c.Close()
	_ = l.Close()
	wg.Wait()
}

// An HTTP/2 server that refuses a stream says that it has not looked at it:
// net/http would send a request with GetBody again.
func TestRefusedStreamIsNotSentAgain(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.EnableHTTP2 = true
	var requests atomic.Int32
	srv.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) { refuseStreams(conn, &requests) },
	}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	_, err := over(t, srv).Create(t.Context(), "posts", Fields{Title: new("x")})
	if err == nil || requests.Load() != 1 {
		t.Errorf("got %v after %d requests, want an error after 1", err, requests.Load())
	}
}

// refuseStreams refuses what comes on an HTTP/2 connection, and says so.
func refuseStreams(conn net.Conn, requests *atomic.Int32) {
	defer func() { _ = conn.Close() }()
	if _, err := io.CopyN(io.Discard, conn, int64(len(http2.ClientPreface))); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	if framer.WriteSettings() != nil {
		return
	}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		if h, ok := frame.(*http2.HeadersFrame); ok {
			requests.Add(1)
			if framer.WriteRSTStream(h.StreamID, http2.ErrCodeRefusedStream) != nil {
				return
			}
		}
	}
}

// answerOnce answers the first request of a connection and closes it under
// the second.
func answerOnce(conn net.Conn, body string, requests *atomic.Int32) {
	defer func() { _ = conn.Close() }()
	r := bufio.NewReader(conn)
	for n := 1; ; n++ {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		requests.Add(1)
		if n == 2 {
			return // with the request's body unread
		}
		_, _ = io.Copy(io.Discard, req.Body)
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	}
}

// Only what surely never left is called unsent.
func TestUnsent(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	strange := httptest.NewTLSServer(saysJSON(200, "[]"))
	t.Cleanup(strange.Close)
	cut := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(cut.Close)
	half := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		saysJSON(201, `{"id":`)(w, r)
	}))
	t.Cleanup(half.Close)
	mute, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mute.Close() })
	go func() {
		for c, err := mute.Accept(); err == nil; c, err = mute.Accept() {
			_, _ = c.Read(make([]byte, 4096)) // all of the greeting, so that closing is no reset
			_ = c.Close()
		}
	}()
	for _, tt := range []struct {
		name, url string
		unsent    bool
		want      string
	}{
		{"refused", closed.URL, true, "nothing answers there"},
		{"certificate", strange.URL, true, "certificate is not valid"},
		{"plain http behind https", strings.Replace(cut.URL, "http:", "https:", 1), true, "does not speak https"},
		{"closed behind https", "https://" + mute.Addr().String(), true, "does the site speak https there?"},
		{"cut after the request", cut.URL, false, "no answer from 127.0.0.1"},
		{"cut in the answer", half.URL, false, "unexpected EOF"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newClient(t, nil, func(o *Options) { o.URL, o.API = tt.url, tt.url })
			t.Cleanup(c.Close)
			_, err := c.Create(t.Context(), "posts", Fields{})
			contains(t, err, "create posts", tt.want)
			if e := asError(t, err); e.Unsent != tt.unsent || e.Refused {
				t.Errorf("unsent %v, want %v: %v", e.Unsent, tt.unsent, err)
			}
		})
	}
}

// Without a connection nothing is sent.
func TestUnsentWithoutConnection(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	_, err := newClient(t, tr).Create(ctx, "posts", Fields{})
	if e := asError(t, err); !e.Unsent || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, unsent %v", err, e.Unsent)
	}
	tr = &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "blog.example.com", IsNotFound: true}}
	}}
	_, err = newClient(t, tr).Create(t.Context(), "posts", Fields{})
	contains(t, err, "can't be looked up")
	if !asError(t, err).Unsent {
		t.Error("not called unsent, though the host has no address")
	}
}

// Redirects: reads stay within scheme, host and port and keep their query;
// writes follow none.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		elsewhere.Add(1)
		saysJSON(200, "[]")(w, r)
	}))
	t.Cleanup(other.Close)
	const list = rootPath + "wp/v2/posts"
	for _, tt := range []struct {
		name     string
		location func(r *http.Request) string
		want     []string // "" for success
	}{
		{"same host", func(r *http.Request) string { return "/new/wp-json/wp/v2/posts?" + r.URL.RawQuery }, nil},
		{"query lost", func(*http.Request) string { return "/new/wp-json/wp/v2/posts" }, []string{"301", "redirected to /new/wp-json/wp/v2/posts", "would change the request"}},
		{"query changed", func(r *http.Request) string {
			return "/new/wp-json/wp/v2/posts?" + strings.Replace(r.URL.RawQuery, "future", "publish", 1)
		}, []string{"would change the request"}},
		{"circle", func(r *http.Request) string { return list + "?" + r.URL.RawQuery }, []string{"301", "redirected"}},
		{"other port", func(r *http.Request) string { return other.URL + list + "?" + r.URL.RawQuery }, []string{"put " + other.URL + rootPath + " into api:"}},
		{"other host", func(r *http.Request) string { return "https://www.example.com" + list + "?" + r.URL.RawQuery }, []string{"put https://www.example.com" + rootPath + " into api:"}},
		{"nowhere", func(*http.Request) string { return "" }, []string{"301"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := &recorder{}
			rec.next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/new/") {
					saysJSON(200, "[]")(w, r)
					return
				}
				saysJSON(301, "", "Location", tt.location(r))(w, r)
			})
			srv := httptest.NewServer(rec)
			t.Cleanup(srv.Close)
			c := over(t, srv)
			_, err := c.List(t.Context(), Query{Statuses: []string{"future"}})
			if tt.want == nil && err != nil {
				t.Fatal(err)
			}
			if tt.want != nil {
				contains(t, err, tt.want...)
			}
			for _, r := range rec.seen {
				if u, p, _ := r.BasicAuth(); u != user || p != password {
					t.Errorf("%s came without the login", r.URL.Path)
				}
			}
			before := rec.count()
			_, err = c.Create(t.Context(), "posts", Fields{})
			if e := asError(t, err); e.Known() || e.Status != 301 || rec.count() != before+1 {
				t.Errorf("write: %v after %d requests; want an unknown outcome after 1", err, rec.count()-before)
			}
		})
	}
	t.Cleanup(func() {
		if n := elsewhere.Load(); n != 0 {
			t.Errorf("%d requests went to the other host", n)
		}
	})
}

func TestKeepsConnection(t *testing.T) {
	t.Parallel()
	var conns atomic.Int32
	srv := httptest.NewUnstartedServer(saysJSON(200, "[]"))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	srv.Start()
	t.Cleanup(srv.Close)
	u, _ := url.Parse(srv.URL)
	c := newClient(t, nil, func(o *Options) { o.URL, o.API = u.String(), u.String() })
	t.Cleanup(c.Close)
	for range 3 {
		if _, err := c.List(t.Context(), Query{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := conns.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}
