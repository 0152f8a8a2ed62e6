package notify

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/rs/zerolog"
)

const (
	// pingTimeout bounds one ping.
	pingTimeout = 10 * time.Second
	// mostBeats bounds how many wait behind one that hangs: the newest count.
	mostBeats = 4
)

// Ping is the dead man's switch of a job.
type Ping struct {
	// AllowHTTP lets pings go to another machine unencrypted.
	AllowHTTP bool
	// Secret gives the address. It is asked before each ping.
	Secret func() (address string, err error)
}

// PulseOptions are those of a Pulse.
type PulseOptions struct {
	Transport http.RoundTripper // nil means net/http's own
	Logger    zerolog.Logger
}

// Pulse tells dead man's switches that jobs run, in the manner of
// healthchecks.io: ADDRESS/start when a run begins, ADDRESS when it ends well,
// ADDRESS/fail when it does not. A switch that hears nothing for too long raises
// the alarm by itself. Of jobs that share an address all have to be well. No
// ping makes a run wait. A Pulse is safe for concurrent use.
type Pulse struct {
	client  *http.Client
	log     zerolog.Logger
	workers sync.WaitGroup

	mu     sync.Mutex
	beats  map[string][]beat          // of jobs whose worker runs: those that wait
	unwell map[string]map[string]bool // by address: jobs whose last run did not end well
}

// beat is what a ping says.
type beat string

const (
	started beat = "start"
	well    beat = ""
	failed  beat = "fail"
)

// NewPulse makes a Pulse.
func NewPulse(o PulseOptions) *Pulse {
	return &Pulse{client: newClient(o.Transport), log: o.Logger, beats: map[string][]beat{}, unwell: map[string]map[string]bool{}}
}

// Start tells that a run of the job begins. The ping outlives ctx.
func (p *Pulse) Start(ctx context.Context, job string, to Ping) { p.put(ctx, job, to, started) }

// End tells how a run of the job ended. The ping outlives ctx.
func (p *Pulse) End(ctx context.Context, job string, to Ping, ok bool) {
	if ok {
		p.put(ctx, job, to, well)
	} else {
		p.put(ctx, job, to, failed)
	}
}

// Wait waits for the pings that are under way, or for the end of ctx.
func (p *Pulse) Wait(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.workers.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// put hands a beat to the job's worker, which keeps their order.
func (p *Pulse) put(ctx context.Context, job string, to Ping, b beat) {
	p.mu.Lock()
	defer p.mu.Unlock()
	waiting, busy := p.beats[job]
	waiting = append(waiting, b)
	p.beats[job] = waiting[max(0, len(waiting)-mostBeats):]
	if !busy {
		p.workers.Go(func() { p.work(context.WithoutCancel(ctx), job, to) })
	}
}

func (p *Pulse) work(ctx context.Context, job string, to Ping) {
	for {
		p.mu.Lock()
		waiting := p.beats[job]
		if len(waiting) == 0 {
			delete(p.beats, job)
			p.mu.Unlock()
			return
		}
		b := waiting[0]
		p.beats[job] = waiting[1:]
		p.mu.Unlock()
		if err := p.ping(ctx, job, to, b); err != nil {
			p.log.Warn().Str("job", job).Err(err).Msg("ping not delivered")
		}
	}
}

func (p *Pulse) ping(ctx context.Context, job string, to Ping, b beat) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	address, err := to.Secret()
	if err != nil {
		return err
	}
	if err := CheckPing(address, to.AllowHTTP); err != nil {
		return fmt.Errorf("ping: the address %w", err)
	}
	u, err := url.Parse(address)
	if err != nil {
		return errUnusable
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.JoinPath(string(p.together(address, job, b))).String(), http.NoBody)
	if err != nil {
		return errUnusable
	}
	return exchange(p.client, req, address)
}

// together is what a beat of one job says for all that share its address.
func (p *Pulse) together(address, job string, b beat) beat {
	if b == started {
		return b
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unwell[address] == nil {
		p.unwell[address] = map[string]bool{}
	}
	delete(p.unwell[address], job)
	if b == failed {
		p.unwell[address][job] = true
	}
	if len(p.unwell[address]) > 0 {
		return failed
	}
	return well
}
