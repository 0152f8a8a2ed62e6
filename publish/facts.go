package publish

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/wpclient"
)

// factsAge is how long the zone and the rights of a site are taken from the
// journal.
const factsAge = 24 * time.Hour

// mismatchAge is how fresh the zone must be for a post whose two dates
// disagree with it to be taken for an old one, booked under another zone.
const mismatchAge = 10 * time.Minute

// CachedFacts gives what the journal knows of a site, however old, and the
// site's zone. ok is false when it knows nothing usable.
func CachedFacts(ctx context.Context, j *journal.Journal, key string) (f wpclient.Facts, z slots.Zone, ok bool) {
	f, z, at := cachedFacts(ctx, j, key)
	return f, z, !at.IsZero()
}

// facts are what is known of a site, for when the journal does not keep them.
type facts struct {
	wpclient.Facts
	zone slots.Zone
	at   time.Time
}

func cachedFacts(ctx context.Context, j *journal.Journal, key string) (f wpclient.Facts, z slots.Zone, at time.Time) {
	data, at, err := j.Facts(ctx, key)
	if err != nil || at.IsZero() || json.Unmarshal(data, &f) != nil {
		return wpclient.Facts{}, slots.Zone{}, time.Time{}
	}
	z, err = slots.NewZone(f.Timezone, f.GMTOffset)
	if err != nil {
		return wpclient.Facts{}, slots.Zone{}, time.Time{}
	}
	return f, z, at
}

// recall uses the facts of the journal, or of an earlier run, while they are
// fresh, else it asks.
func (r *run) recall(ctx context.Context) error {
	f, z, at := cachedFacts(ctx, r.journal, r.job.key())
	if at.IsZero() {
		f, z, at = r.memory.Facts, r.memory.zone, r.memory.at
	}
	r.facts, r.zone, r.factsAt = f, z, at
	age := r.clock.now().Sub(at)
	if at.IsZero() || age < 0 || age > factsAge || r.client.Use(f) != nil {
		return r.discover(ctx)
	}
	return nil
}

// discover asks the site for its facts and remembers them.
func (r *run) discover(ctx context.Context) error {
	f, err := r.client.Discover(ctx)
	if err != nil {
		return err
	}
	z, err := slots.NewZone(f.Timezone, f.GMTOffset)
	if err != nil {
		return fmt.Errorf("read the site's time zone: %w", err)
	}
	r.facts, r.zone, r.factsAt = f, z, r.clock.now()
	*r.memory = facts{f, z, r.factsAt}
	data, err := json.Marshal(f)
	if err == nil {
		err = r.journal.SaveFacts(ctx, r.job.key(), data, r.factsAt)
	}
	if err != nil {
		r.log.Warn().Err(err).Msg("cannot cache the site's facts")
	}
	return nil
}

// stale says whether the facts come from before this run.
func (r *run) stale() bool { return r.factsAt.Before(r.started) }

// may asks for a capability of the account; facts of an earlier run are asked
// anew before it is denied.
func (r *run) may(ctx context.Context, capability string) (bool, error) {
	if !r.facts.User.Capabilities[capability] && r.stale() {
		if err := r.discover(ctx); err != nil {
			return false, err
		}
	}
	return r.facts.User.Capabilities[capability], nil
}

// mayPublish says whether the account has the right that scheduling takes. For
// other types than posts it has other names, which only the site knows.
func (r *run) mayPublish(ctx context.Context) (bool, error) {
	if r.job.Type != "posts" {
		return true, nil
	}
	return r.may(ctx, "publish_posts")
}
