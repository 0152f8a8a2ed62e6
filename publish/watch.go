package publish

import (
	"context"
	"errors"
	"net/http"
	"time"

	"morrow/internal/compose"
	"morrow/wpclient"
)

// freshlyLive is how long after its slot the public page of a post is looked at.
const freshlyLive = 10 * time.Minute

// watch sees to it that what was booked goes live. WP-Cron publishes a
// scheduled post only when somebody visits the site, and on some sites not at
// all: so the watch visits it, and publishes what still waits some minutes
// after its slot. What a person made of a post is respected.
func (r *run) watch(ctx context.Context, trigger string, seen []wpclient.Post) {
	overdue := r.due(seen, func(p wpclient.Post) bool { return p.Status == "future" })
	if trigger == triggerWatch || trigger == "start" || trigger == "wake" || r.again {
		overdue = append(overdue, r.longOverdue(ctx)...)
	}
	if len(overdue) > 0 {
		r.write.Wake(ctx)
	}
	for _, p := range overdue {
		r.seeLive(ctx, p)
	}
	if trigger != triggerWatch {
		return
	}
	for _, p := range r.due(seen, func(p wpclient.Post) bool { return p.Status == "publish" }) {
		if r.clock.site().Sub(p.DateGMT) < freshlyLive {
			r.seePage(ctx, p)
		}
	}
}

// due are the bookings of this job whose time has come.
func (r *run) due(seen []wpclient.Post, which func(wpclient.Post) bool) (due []wpclient.Post) {
	for _, p := range seen {
		if t := compose.Read(p); t.Own && r.filler.isOurs(t) && which(p) && !p.DateGMT.After(r.clock.site()) {
			due = append(due, p)
		}
	}
	return due
}

// longOverdue lists what is overdue for longer than a look reaches back.
func (r *run) longOverdue(ctx context.Context) []wpclient.Post {
	l, err := r.client.List(ctx, wpclient.Query{Type: r.job.Type, Before: r.clock.site().Add(-margin), Statuses: []string{"future"}})
	if err != nil {
		r.log.Warn().Err(err).Msg("cannot list overdue posts")
		return nil
	}
	return r.due(l.Posts, func(wpclient.Post) bool { return true })
}

// seeLive looks again at a post that was overdue, and publishes it when
// WordPress had its time and did not.
func (r *run) seeLive(ctx context.Context, p wpclient.Post) {
	now, err := r.client.Read(ctx, r.job.Type, p.ID)
	switch {
	case isGone(err):
		return // a person deleted it
	case err != nil:
		r.overdue = true
		r.notice("post %d is past its slot, and the site does not tell whether it is live: %v", p.ID, err)
		return
	case now.Status == "publish":
		r.seePage(ctx, now)
		return
	case now.Status != "future" || now.DateGMT.After(r.clock.site()):
		r.notice("post %d is %s now: a person decided so", p.ID, now.Status)
		return
	case r.clock.site().Sub(now.DateGMT) < r.job.Delays.Missed:
		r.overdue = true
		return
	}
	status := "publish"
	live, err := r.write.Update(ctx, r.job.Type, p.ID, wpclient.Fields{Status: &status}, nil)
	if errors.Is(err, errDryRun) {
		r.notice("post %d missed its slot %s: a run would publish it", p.ID, p.DateGMT.In(r.zone.Loc).Format(time.RFC3339))
		return
	}
	if err != nil || live.Status != "publish" {
		r.overdue = true
		r.event(Overdue, p.ID, "post %d missed its slot %s and could not be published: %v", p.ID, p.DateGMT.In(r.zone.Loc).Format(time.RFC3339), err)
		return
	}
	r.event(Mended, p.ID, "post %d missed its slot %s, since WP-Cron did not run; it was published now", p.ID, p.DateGMT.In(r.zone.Loc).Format(time.RFC3339))
	r.seePage(ctx, live)
}

// seePage looks at a live post's public page.
func (r *run) seePage(ctx context.Context, p wpclient.Post) {
	status, err := r.client.Page(ctx, p.Link)
	switch {
	case err != nil:
		r.notice("post %d is live, but its page %s does not open: %v", p.ID, p.Link, err)
	case status != http.StatusOK:
		r.notice("post %d is live, but its page %s answers %d: does the theme, a cache or a login stand in front of it?", p.ID, p.Link, status)
	default:
		r.log.Info().Int64("post_id", p.ID).Str("link", p.Link).Msg("live")
	}
}
