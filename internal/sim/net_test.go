package sim

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"time"

	"morrow/internal/source"
)

var (
	errDead = errors.New("the process is dead")
	errCut  = io.ErrUnexpectedEOF
	errDial = errors.New("dial tcp: connection refused")
)

// ticket is something that a program is about to do to network or disk, or to
// tell. It waits for the loop's answer.
type ticket struct {
	p    *process
	key  string
	ctx  context.Context //nolint:containedctx // the request's
	sent time.Time
	done chan outcome

	req  *http.Request // a request
	post int64         // that it is about, 0 if it is about none alone
	body []byte
	res  *answer // what the site answered first
	came time.Time
	saw  time.Time // when the sender last saw the post that this changes

	disk string // a move on disk
	note func() // something to tell
}

// outcome is what a program is told of its ticket.
type outcome struct {
	answer *answer
	err    error
	half   bool // a move on disk: die in its middle
}

// answer is an HTTP answer.
type answer struct {
	status int
	header http.Header
	body   []byte
	cut    bool
}

func (a *answer) response(req *http.Request) *http.Response {
	var body io.Reader = bytes.NewReader(a.body)
	if a.cut {
		body = io.MultiReader(bytes.NewReader(a.body[:len(a.body)/2]), broken{})
	}
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.header, Body: io.NopCloser(body), ContentLength: int64(len(a.body)), Request: req,
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errCut }

// hand gives a ticket to the loop and waits.
func (p *process) hand(t *ticket) (outcome, error) {
	if p.dead.Err() != nil {
		return outcome{}, errDead
	}
	w := p.h.w
	t.p, t.sent, t.done = p, time.Now(), make(chan outcome, 1)
	w.mu.Lock()
	w.tickets = append(w.tickets, t)
	w.mu.Unlock()
	select {
	case w.bell <- struct{}{}:
	default:
	}
	select {
	case o := <-t.done:
		return o, o.err
	case <-t.ctx.Done():
		return outcome{}, t.ctx.Err()
	case <-p.dead.Done():
		return outcome{}, errDead
	}
}

// tell lets the loop note something.
func (p *process) tell(key string, note func()) {
	_, _ = p.hand(&ticket{key: key, ctx: p.dead, note: note})
}

// admit looks at what the programs have handed in at this moment, in an order
// that does not depend on theirs.
func (w *world) admit() {
	w.mu.Lock()
	tickets := w.tickets
	w.tickets = nil
	w.mu.Unlock()
	slices.SortStableFunc(tickets, func(a, b *ticket) int {
		return cmp.Or(a.p.h.n-b.p.h.n, a.p.n-b.p.n, strings.Compare(a.key, b.key))
	})
	for _, t := range tickets {
		switch {
		case t.p.dead.Err() != nil:
		case t.note != nil:
			t.note()
			t.done <- outcome{}
		case t.disk != "":
			w.move(t)
		default:
			w.route(t)
		}
	}
}

// network is the way from a process to the site.
type network struct{ p *process }

func (n network) RoundTrip(req *http.Request) (*http.Response, error) {
	t := &ticket{req: req, ctx: req.Context(), post: postOf(req.URL.Path)}
	if req.Body != nil {
		defer func() { _ = req.Body.Close() }()
	}
	t.key = req.Method + " " + strings.TrimPrefix(req.URL.Path, "/wp-json/wp/v2") + " " + repeatable(req.URL.RawQuery)
	if err := n.connect(t); err != nil {
		return nil, err
	}
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil || int64(len(body)) != req.ContentLength {
			return nil, cmp.Or(req.Context().Err(), err, errCut) // taken back at the last moment
		}
		t.body = body
		t.key += " " + string(body)
	}
	o, err := n.p.hand(t)
	if err != nil {
		return nil, err
	}
	return o.answer.response(req), nil
}

// connect dials, which takes its time or fails in a storm.
func (n network) connect(t *ticket) error {
	trace := httptrace.ContextClientTrace(t.ctx)
	if trace != nil && trace.GetConn != nil {
		trace.GetConn(t.req.URL.Host)
	}
	if n.p.h.w.stormy.Load() {
		if _, err := n.p.hand(&ticket{key: "dial " + t.key, ctx: t.ctx}); err != nil {
			return err
		}
	}
	if trace != nil && trace.GotConn != nil {
		trace.GotConn(httptrace.GotConnInfo{})
	}
	return t.ctx.Err()
}

// deliver lets the site handle a request.
func (w *world) deliver(t *ticket) {
	w.requests++
	r := t.req.WithContext(context.Background())
	r.Body = io.NopCloser(bytes.NewReader(t.body))
	res, err := w.site.RoundTrip(r)
	must(err)
	defer func() { _ = res.Body.Close() }()
	if t.res == nil {
		body := make([]byte, res.ContentLength)
		_, err := io.ReadFull(res.Body, body)
		must(err)
		t.came = time.Now()
		t.res = &answer{status: res.StatusCode, header: res.Header, body: body}
	}
	if t.writes() {
		w.say(t.p.h.name, "   %s %s arrives (sent %s): %d", t.p, t, t.sent.In(w.zone.Loc).Format("15:04:05"), res.StatusCode)
		w.judge.wrote(t)
	}
}

// repeatable is a query without its unique value, which is as good as random.
func repeatable(query string) string {
	before, unique, ok := strings.Cut("&"+query, "&_=")
	if !ok {
		return query
	}
	_, after, _ := strings.Cut(unique, "&")
	return strings.Trim(before+"&"+after, "&")
}

// postOf is the post that a path is about, 0 if it is about none alone.
func postOf(path string) int64 {
	_, last, _ := strings.Cut(path, "/posts/")
	id, err := strconv.ParseInt(last, 10, 64)
	if err != nil {
		return 0
	}
	return id
}

func (t *ticket) writes() bool { return t.req.Method == http.MethodPost }

// String is what the trace shows of a request.
func (t *ticket) String() string {
	route, query, _ := strings.Cut(strings.TrimPrefix(t.key, t.req.Method+" "), " ")
	if t.writes() {
		return t.req.Method + " " + route + " " + brief(query)
	}
	q := t.req.URL.Query()
	for _, name := range []string{"_", "_fields", "context", "order", "orderby", "per_page"} {
		q.Del(name)
	}
	return strings.TrimSpace(t.req.Method + " " + route + " " + strings.ReplaceAll(q.Encode(), "%2C", ","))
}

func (p *process) String() string { return fmt.Sprintf("%s%d", p.h.name, p.n) }

// disk is a folder source whose moves wait for their turn.
type disk struct {
	*source.Folder
	p   *process
	dir string
}

func (d disk) Consume(ctx context.Context, it source.Item) error {
	return d.step(ctx, "consume "+it.Name, func() error { return d.Folder.Consume(ctx, it) })
}

func (d disk) Restore(ctx context.Context, key string, same func(source.Item) bool) (ok bool, err error) {
	err = d.step(ctx, "restore "+key, func() (err error) {
		ok, err = d.Folder.Restore(ctx, key, same)
		return err
	})
	return ok, err
}

func (d disk) Entries(ctx context.Context, loc *time.Location) ([]source.Entry, error) {
	if d.p.dead.Err() != nil {
		return nil, errDead
	}
	return d.Folder.Entries(ctx, loc)
}
