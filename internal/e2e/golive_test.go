//go:build linux

package e2e

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"morrow/internal/wptest"
)

// noCron lets nothing start WP-Cron, as a host may do whose own timer has
// died. It counts who tried.
func (p *proxy) noCron() {
	p.on(other, func(c call, forward func() *answer) *answer {
		if strings.Contains(c.uri, "wp-cron.php") {
			return &answer{status: http.StatusForbidden, header: http.Header{}}
		}
		return forward()
	})
}

// soonLive waits until the rig's only post is public, which has to be within
// three minutes of its slot, and wants that it was made so once, and keeps its
// date.
func (r *rig) soonLive(d *process, slot time.Time) {
	r.Helper()
	end := slot.Add(3 * time.Minute)
	var p wptest.Post
	for p.Status != "publish" {
		if time.Now().After(end) {
			r.Fatalf("3 minutes after its slot the post is %+v\n%s", p, &d.stderr)
		}
		after(200 * time.Millisecond)
		posts := r.site.Posts(r)
		if len(posts) != 1 {
			r.Fatalf("the site holds %+v, want one post", posts)
		}
		p = posts[0]
	}
	if !p.Date.Equal(slot) {
		r.Errorf("the post is dated %s, want its slot %s", p.Date, slot)
	}
}

// published wants so many requests to have been sent that publish a post.
func (r *rig) published(want int) {
	r.Helper()
	n := 0
	for _, q := range r.site.Writes(r) {
		if strings.Contains(q.Body, `"status":"publish"`) {
			n++
		}
	}
	if n != want {
		r.Errorf("%d requests published a post, want %d", n, want)
	}
}

// A daemon that starts after the slot, which WP-Cron has missed, gives the site
// two minutes of it and then publishes the post.
func TestMissedScheduleIsPublishedAfterTwoMinutes(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		r.run("run", "--json").want(r, 0, "booked")
		r.behind().noCron()
		slot := time.Now().UTC().Truncate(time.Second).Add(-115 * time.Second)
		r.site.MovePost(r, r.site.Posts(r)[0].ID, slot)
		d := r.serve()
		d.says("trigger=start") // the proxy's address is a new site to it
		r.soonLive(d, slot)
		d.says("missed its slot")
		d.shutDown()
		r.published(1)
	})
}

// One that starts after the slot wakes a WP-Cron that sleeps, and publishes
// nothing itself.
func TestSleepingCronIsWoken(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		r.run("run", "--json").want(r, 0, "booked")
		slot := time.Now().UTC().Truncate(time.Second).Add(-5 * time.Second)
		r.site.MovePost(r, r.site.Posts(r)[0].ID, slot)
		d := r.serve()
		r.soonLive(d, slot)
		d.shutDown()
		r.published(0)
	})
}

// In true time: a daemon books, waits, finds at the slot that WP-Cron is dead,
// and publishes.
func TestDaemonSeesItsPostLive(t *testing.T) {
	t.Parallel()
	if os.Getenv("MORROW_FULL") == "" {
		t.Skip("takes minutes: make full runs it")
	}
	each(t, func(r *rig) {
		r.items("first.md")
		r.behind().noCron()
		r.near(5 * time.Second)
		d := r.serve()
		d.says("outcome=booked")
		r.scheduled(r.slot)
		waitFor(r.slot)
		r.soonLive(d, r.slot)
		d.says("missed its slot")
		d.shutDown()
		r.published(1)
	})
}
