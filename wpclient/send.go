package wpclient

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"

	"github.com/go-resty/resty/v2"
)

const maxRedirects = 10

// request is one exchange to come. A read has no body.
type request struct {
	op     string // for errors
	route  string // for the log
	method string
	url    *url.URL
	header map[string]string
	body   io.Reader
	size   int64
	extra  time.Duration // beyond the time-out, for a long body
	check  func() error  // asked until the first byte leaves; may be nil
}

// answer is what came back, whatever it is.
type answer struct {
	url    *url.URL // what was asked, before redirects
	status int
	header http.Header
	body   []byte
	at     time.Time // our wall clock when it came
	tls    *tls.ConnectionState
}

func (a answer) redirects() bool { return a.status >= 300 && a.status < 400 }

// send is the one path out. It sends r at most once; any HTTP status is an
// answer, all else an *Error.
func (c *Client) send(ctx context.Context, r request) (answer, error) {
	if err := ctx.Err(); err != nil {
		return answer{}, c.fail(&Error{Op: r.op, Unsent: true, Err: err})
	}
	run, timeout := ctx, c.timeout+r.extra
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	w := &wire{request: r, stop: cancel}
	if !w.allowed() {
		return answer{}, c.fail(&Error{Op: r.op, Unsent: true, Err: w.stopped})
	}
	ctx = httptrace.WithClientTrace(context.WithValue(ctx, wireKey{}, w), w.trace())
	start := time.Now()
	res, err := c.http.R().SetContext(ctx).SetHeaders(r.header).Execute(r.method, r.url.String())
	ev := c.log.Debug().Str("method", r.method).Str("route", r.route).Int64("elapsed_ms", time.Since(start).Milliseconds())
	if err != nil {
		e := c.fail(w.failure(run, timeout, err))
		ev.Str("error", e.Error()).Msg("http exchange")
		return answer{}, e
	}
	ev.Int("status", res.StatusCode()).Msg("http exchange")
	return answer{url: r.url, status: res.StatusCode(), header: res.Header(), body: res.Body(), at: c.now(), tls: res.RawResponse.TLS}, nil
}

// wire watches one request on its way out.
type wire struct {
	request
	stop context.CancelFunc

	mu        sync.Mutex
	asked     bool  // the transport looked for a connection
	connected bool  // and has got one
	stopped   error // what check said
}

type wireKey struct{}

// attachBody gives the request its body behind resty's back: resty would read
// a stream into memory, and set GetBody, with which net/http sends again.
func attachBody(_ *resty.Client, req *http.Request) error {
	w, ok := req.Context().Value(wireKey{}).(*wire)
	if !ok || w.body == nil {
		return nil
	}
	req.Body, req.ContentLength, req.GetBody = io.NopCloser(w.body), w.size, nil
	return nil
}

// trace asks check once more when the connection stands, since dialling can
// take long, and notes how far the request came.
func (w *wire) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.asked = true
		},
		GotConn: func(httptrace.GotConnInfo) {
			w.mu.Lock()
			w.connected = true
			w.mu.Unlock()
			if !w.allowed() {
				w.drop()
			}
		},
	}
}

func (w *wire) allowed() bool {
	if w.check == nil {
		return true
	}
	err := w.check()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.stopped = err
	return err == nil
}

// drop keeps a request from being written though it has its connection.
// HTTP/2 looks at the context before it writes headers. HTTP/1 doesn't, but
// it holds the headers back until it has read a body that is a bytes.Reader,
// and gives up when that is shorter than announced: so it is emptied.
func (w *wire) drop() {
	w.stop()
	if b, ok := w.body.(*bytes.Reader); ok {
		b.Reset(nil)
	}
}

// failure says why no answer came, and whether the request had left.
func (w *wire) failure(run context.Context, timeout time.Duration, err error) *Error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped != nil {
		return &Error{Op: w.op, Unsent: true, Err: w.stopped}
	}
	e := &Error{Op: w.op, Err: err}
	// A transport that doesn't report its connections leaves it open whether
	// the request left.
	e.Unsent = w.asked && !w.connected
	var ue *url.Error
	if errors.As(err, &ue) { // its text has the whole address
		e.Err = ue.Err
	}
	switch {
	case run.Err() != nil:
		e.Message = "stopped before the answer came"
	case errors.Is(err, context.DeadlineExceeded):
		e.Message = fmt.Sprintf("no answer within %s", timeout)
		e.passing = true
	case errors.Is(err, resty.ErrResponseBodyTooLarge):
		e.Message = fmt.Sprintf("the answer is larger than %d MiB", maxBody>>20)
		e.Hint = hintTooLarge
	default:
		e.Message = "no answer from " + w.url.Host
		e.Hint, e.passing = connectionHint(err, e.Unsent)
	}
	return e
}

// redirect follows a read within scheme, host and port, as long as the query
// is kept: a list without its query is another list. It never follows a
// write, which net/http would turn into a GET.
func (c *Client) redirect(next *http.Request, via []*http.Request) error {
	first := via[0]
	if first.Method != http.MethodGet || len(via) >= maxRedirects ||
		origin(next.URL) != c.origin || !keepsQuery(first.URL, next.URL) {
		return http.ErrUseLastResponse
	}
	return nil
}

func keepsQuery(from, to *url.URL) bool {
	got := to.Query()
	for k, v := range from.Query() {
		if len(v) != 1 || got.Get(k) != v[0] {
			return false
		}
	}
	return true
}
