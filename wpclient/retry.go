package wpclient

import (
	"context"
	"errors"
	"time"
)

const (
	attempts   = 4
	firstPause = time.Second
	// longestPause bounds what a Retry-After may ask of a run, which holds
	// the site's lock meanwhile.
	longestPause = 5 * time.Minute
)

// read repeats f, which must only read, while its error may pass and ctx has
// time left for the pause.
func (c *Client) read(ctx context.Context, f func() error) error {
	for n := 1; ; n++ {
		err := f()
		var e *Error
		if err == nil || !errors.As(err, &e) || !e.passing || n == attempts {
			return err
		}
		pause := max(c.jitter(firstPause<<(n-1)), e.RetryAfter)
		end, bounded := ctx.Deadline()
		if pause > longestPause || bounded && time.Until(end) <= pause {
			return err
		}
		c.log.Warn().Str("error", err.Error()).Int64("pause_ms", pause.Milliseconds()).Msg("read is repeated")
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return err
		}
	}
}

// jitter is between half of d and d.
func (c *Client) jitter(d time.Duration) time.Duration {
	return d/2 + time.Duration(c.rand(int64(d/2)))
}
