package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

const (
	// gather is how long Serve waits for what else happens: what many sites have
	// to tell becomes one message, and what a retry mends in time becomes none.
	gather = 2 * time.Minute
	// again is how long after a message that could not be delivered Serve tries
	// once more.
	again = 10 * time.Minute
	// sendTimeout bounds one message, lastTimeout those of a process that ends.
	sendTimeout = 30 * time.Second
	lastTimeout = 10 * time.Second
)

// Memory keeps, across processes, what was said and what waits to be said.
type Memory interface {
	// ChangeNotes replaces what is kept by what f makes of it; nothing else may
	// change it meanwhile. A Memory that can't keep anything need not call f.
	ChangeNotes(ctx context.Context, f func(kept []byte) ([]byte, error)) error
}

// Options of a Notifier.
type Options struct {
	Addresses []Address
	Memory    Memory
	Host      string           // this machine's name, for people
	Now       func() time.Time // wall clock; nil means time.Now
	// Transport carries webhooks; nil means net/http's own.
	Transport http.RoundTripper
	Logger    zerolog.Logger
}

// Notifier turns what runs find into messages. It is safe for concurrent use.
type Notifier struct {
	o    Options
	wake chan struct{}

	mu      sync.Mutex
	to      []Address
	known   []byte          // the memory as last seen, for when it is lost
	unsaved bool            // and it is newer than what is kept
	busy    map[string]bool // addresses that a message is under way to
}

// New makes a Notifier. It sends nothing yet.
func New(o Options) *Notifier {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Notifier{o: o, to: o.Addresses, wake: make(chan struct{}, 1), busy: map[string]bool{}}
}

// Use replaces the addresses, when the configuration was read again.
func (n *Notifier) Use(to []Address) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.to = to
}

// Quiet says that there is nobody to tell anything.
func (n *Notifier) Quiet() bool { return len(n.addresses()) == 0 }

func (n *Notifier) addresses() []Address {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.to)
}

// Observe takes in what a run found. It sends nothing: see Send and Serve.
func (n *Notifier) Observe(ctx context.Context, l Look) {
	to := n.addresses()
	if len(to) == 0 {
		return
	}
	n.change(ctx, func(m *memory) { m.observe(n.now(), l, to) })
	select {
	case n.wake <- struct{}{}:
	default: // it is awake
	}
}

// now is without a monotonic reading, as it comes back from the memory.
func (n *Notifier) now() time.Time { return n.o.Now().Round(0) }

// change changes the memory. Where that can't be kept, the process goes on with
// what it knows itself.
func (n *Notifier) change(ctx context.Context, f func(*memory)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	known, changed := n.known, false
	apply := func(kept []byte) ([]byte, error) {
		m, ok := decode(kept)
		if !ok || n.unsaved {
			m, _ = decode(known)
		}
		f(m)
		changed = true
		var err error
		n.known, err = json.Marshal(m)
		return n.known, err
	}
	err := n.o.Memory.ChangeNotes(context.WithoutCancel(ctx), apply)
	if !changed {
		_, _ = apply(known)
	}
	n.unsaved = err != nil
	if err != nil {
		n.o.Logger.Warn().Err(err).Msg("cannot remember notifications")
	}
}

// decode reads a memory; ok is false, and it is empty, if there is none.
func decode(kept []byte) (m *memory, ok bool) {
	m = &memory{}
	ok = json.Unmarshal(kept, m) == nil
	if m.Lasting == nil {
		m.Lasting = map[string]*condition{}
	}
	if m.Outbox == nil {
		m.Outbox = map[string]*box{}
	}
	return m, ok
}

// Serve sends what is observed until ctx ends, some minutes later and together;
// then once more what waits.
func (n *Notifier) Serve(ctx context.Context) {
	timer := time.NewTimer(gather) // what an earlier process left behind
	defer timer.Stop()
	armed := true
	for {
		select {
		case <-n.wake:
			if !armed {
				timer.Reset(gather)
				armed = true
			}
		case <-timer.C:
			armed = !n.sent(ctx)
			if armed {
				timer.Reset(again)
			}
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastTimeout)
			defer cancel()
			n.sent(last)
			return
		}
	}
}

// sent is Send that logs what went wrong.
func (n *Notifier) sent(ctx context.Context) (ok bool) {
	err := n.Send(ctx)
	if err != nil {
		n.o.Logger.Warn().Err(err).Msg("notification not delivered")
	}
	return err == nil
}

// Send sends each address one message of what waits for it, all at once. What
// can't be delivered within half a minute waits on; the error says of each
// address why.
func (n *Notifier) Send(ctx context.Context) error {
	type parcel struct {
		to    Address
		lines []Line
		until time.Time
	}
	var parcels []parcel
	to := n.addresses()
	if len(to) == 0 || ctx.Err() != nil {
		return ctx.Err() // a library that knows no context would send all the same
	}
	n.change(ctx, func(m *memory) {
		parcels = nil
		for _, a := range to {
			b := m.box(a)
			if lines := b.send(n.now()); len(lines) > 0 {
				parcels = append(parcels, parcel{a, slices.Clone(lines), b.Until})
			}
		}
	})
	errs := make([]error, len(parcels))
	var wg sync.WaitGroup
	for i, p := range parcels {
		wg.Go(func() {
			err := n.deliver(ctx, p.to, digest(n.o.Host, n.now(), p.lines))
			n.change(ctx, func(m *memory) { m.box(p.to).sent(p.until, err == nil) })
			if err != nil {
				errs[i] = fmt.Errorf("notify address %s: %w", p.to.Name, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// deliver sends one message. What hangs is left behind, and nothing more is
// sent to its address until it ends.
func (n *Notifier) deliver(ctx context.Context, a Address, d Digest) error {
	if !n.enter(a.Name) {
		return errors.New("send: the message before still hangs")
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		err := n.send(ctx, a, d)
		n.leave(a.Name)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.New("send: no answer in time")
	}
}

func (n *Notifier) send(ctx context.Context, a Address, d Digest) error {
	address, key, err := a.Secret(ctx)
	if err != nil {
		return err
	}
	c, err := open(address, key, a.AllowHTTP, n.o.Transport)
	if err != nil {
		return fmt.Errorf("send: the address %w", err)
	}
	return c.send(ctx, d)
}

func (n *Notifier) enter(address string) (ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy[address] {
		return false
	}
	n.busy[address] = true
	return true
}

func (n *Notifier) leave(address string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.busy, address)
}

// Test sends every address a message that says it is one, and gives for each
// what kept it from being delivered. The memory knows nothing of it.
func (n *Notifier) Test(ctx context.Context) []error {
	to := n.addresses()
	errs := make([]error, len(to))
	var wg sync.WaitGroup
	for i, a := range to {
		line := Line{Event: Event{Kind: test, Text: a.tells()}, State: Happened, At: n.now()}
		wg.Go(func() { errs[i] = n.deliver(ctx, a, digest(n.o.Host, n.now(), []Line{line})) })
	}
	wg.Wait()
	return errs
}
