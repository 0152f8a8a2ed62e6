package publish

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"morrow/internal/slots"
)

// haltAge is how long nothing is booked on a site that put a post live which
// was not to be.
const haltAge = 24 * time.Hour

// siteFaults are what the site did to posts of ours, so that a further try
// would do harm. They outlive the process: with cron each run is another one.
type siteFaults struct {
	// Blocked are the slots, by their Unix time, that are left alone, and why.
	Blocked map[int64]string `json:"blocked,omitempty"`
	// Halted says why nothing more is booked at all.
	Halted string    `json:"halted,omitempty"`
	At     time.Time `json:"at"`
}

func (r *run) faultsKey() string { return "faults of " + r.job.Name + " " + r.job.key() }

// recallFaults takes up what earlier runs found out about the site, in this
// process or in others; with Unblock it forgets that.
func (r *run) recallFaults(ctx context.Context, unblock bool) {
	if unblock {
		r.saveFaults(ctx, siteFaults{At: r.clock.now()})
		return
	}
	data, at, err := r.journal.Facts(ctx, r.faultsKey())
	var kept siteFaults
	if err == nil && !at.IsZero() && json.Unmarshal(data, &kept) == nil && !kept.At.Before(r.plan.faults.At) {
		r.plan.faults = kept
	}
}

func (r *run) saveFaults(ctx context.Context, f siteFaults) {
	r.plan.faults = f
	data, err := json.Marshal(f)
	if err == nil {
		err = r.journal.SaveFacts(ctx, r.faultsKey(), data, f.At)
	}
	if err != nil {
		r.log.Warn().Err(err).Msg("cannot remember what the site does to posts")
	}
}

// block keeps further tries from a slot; from all of them when the site puts
// live what it is sent.
func (r *run) block(ctx context.Context, s slots.Slot, why error) {
	f := siteFaults{Blocked: map[int64]string{s.At.Unix(): why.Error()}, Halted: r.plan.faults.Halted, At: r.clock.now()}
	for at, why := range r.plan.faults.Blocked {
		if at > r.clock.site().Unix() {
			f.Blocked[at] = why
		}
	}
	var site *siteError
	if errors.As(why, &site) && site.live {
		f.Halted = why.Error()
	}
	r.saveFaults(ctx, f)
}

// blocked is the error of a slot for which nothing is tried any more.
func (r *run) blocked(s slots.Slot) error {
	f := r.plan.faults
	how := "; when its cause is mended: morrow run " + r.job.Name + " --unblock"
	if age := r.clock.now().Sub(f.At); f.Halted != "" && age >= 0 && age < haltAge {
		return needsPerson("%s; nothing more is booked before %s%s", f.Halted, f.At.Add(haltAge).In(r.zone.Loc).Format("Mon 2 Jan 15:04"), how)
	}
	if why := f.Blocked[s.At.Unix()]; why != "" {
		return needsPerson("%s; nothing more is tried for this slot%s", why, how)
	}
	return nil
}
