package publish

import (
	"errors"
	"fmt"
	"time"

	"morrow/wpclient"
)

// maxSkew is how far the site's clock and ours may be apart: beyond it nobody
// knows which day it is, and nothing is booked.
const maxSkew = time.Hour

// clock joins the machine's wall clock and the site's. Slots are chosen by the
// site's, so that all machines agree; what must not come too late is measured
// by the later of the two.
type clock struct {
	now    func() time.Time
	offset time.Duration // site's clock minus ours, as last seen
}

// learn takes the site's clock from an answer.
func (c *clock) learn(l wpclient.List) error {
	if l.Date.IsZero() {
		return errors.New("read the site's clock: the answer has no Date header (is a proxy in front of the site removing it?)")
	}
	offset := l.Date.Sub(l.At)
	if offset.Abs() > maxSkew {
		return fmt.Errorf("compare clocks: this machine says %s, the site %s; set the wrong one right",
			l.At.UTC().Format(time.RFC3339), l.Date.UTC().Format(time.RFC3339))
	}
	c.offset = offset
	return nil
}

func (c *clock) site() time.Time { return wall(c.now()).Add(c.offset) }

func (c *clock) later() time.Time { return wall(c.now()).Add(max(c.offset, 0)) }

// wall drops the monotonic reading: it stands still while a machine sleeps,
// and a step of the clock would go unseen.
func wall(t time.Time) time.Time { return t.Round(0) }
