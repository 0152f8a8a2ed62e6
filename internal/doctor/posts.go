package doctor

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"morrow/internal/markup"
	"morrow/internal/slots"
	"morrow/wpclient"
)

const (
	// overdue is how long after its instant a scheduled post is missed: WP-Cron
	// needs a visitor, and the watch two minutes.
	overdue = 10 * time.Minute
	// forgotten is how old a draft of ours is when no run is at work on it.
	forgotten = time.Hour
	// clockWarn and clockFail: lead is counted by the later of the two clocks,
	// and Morrow books nothing when they are an hour apart.
	clockWarn, clockFail = 2 * time.Minute, time.Hour
)

// Zone judges the site's time zone.
func Zone(f wpclient.Facts) Finding {
	const settings = "in WordPress under Settings → General choose a city as time zone"
	switch _, err := slots.NewZone(f.Timezone, f.GMTOffset); {
	case f.Timezone == "" && f.GMTOffset == 0:
		return warn("zone", "the site's zone is UTC+0, WordPress's default: posts go live by Greenwich's clock, without summer time", settings)
	case f.Timezone == "":
		return warn("zone", fmt.Sprintf("the site's zone is a fixed offset (UTC%+g), and follows no summer time", f.GMTOffset), settings)
	case err != nil:
		return fail("zone", fmt.Sprintf("the site's zone %q is not known", f.Timezone), settings+", and update Morrow")
	}
	return ok("zone", f.Timezone)
}

// Clock compares the site's clock, zero if it does not tell, with this
// machine's.
func Clock(site, here time.Time) Finding {
	if site.IsZero() {
		return warn("clock", "the site does not tell its time (no Date header), so that this machine's clock alone counts", "keep this machine's clock right")
	}
	apart := here.Sub(site)
	which := "ahead of"
	if apart < 0 {
		which = "behind"
	}
	text := fmt.Sprintf("this machine's clock is %s %s the site's", apart.Abs().Round(time.Second), which)
	const remedy = "let both take the time from the network (NTP); see which of them is wrong"
	switch {
	case apart.Abs() >= clockFail:
		return fail("clock", text+": so far apart nothing is booked", remedy)
	case apart.Abs() >= clockWarn:
		return warn("clock", text+", which shortens the time in which a slot can be booked", remedy)
	}
	return ok("clock", "agrees with the site's")
}

// Cron judges by scheduled posts that are past their time whether WP-Cron
// works; now is the site's.
func Cron(scheduled []wpclient.Post, now time.Time) Finding {
	var late []wpclient.Post
	for _, p := range scheduled {
		if p.Status == "future" && now.Sub(p.DateGMT) > overdue {
			late = append(late, p)
		}
	}
	if len(late) == 0 {
		return ok("wp_cron", "no scheduled post is overdue")
	}
	first := slices.MinFunc(late, func(a, b wpclient.Post) int { return a.DateGMT.Compare(b.DateGMT) })
	return warn("wp_cron", fmt.Sprintf("WP-Cron sleeps: %s still scheduled after %s time (“missed schedule”), post %d since %s",
		count(len(late), "post is", "posts are"), plural(len(late), "its", "their"), first.ID, first.DateGMT.UTC().Format("2 January 15:04 UTC")),
		"while `morrow serve` runs it publishes its own posts; for all others let the server's cron call wp-cron.php every five minutes, and publish these by hand")
}

// marked is a post of ours and its marker.
type marked struct {
	wpclient.Post
	markup.Marker
}

func ours(posts []wpclient.Post) []marked {
	var out []marked
	for _, p := range posts {
		if _, m, found := markup.CutMarker(p.Content); found {
			out = append(out, marked{p, m})
		}
	}
	return out
}

// Leftovers are drafts of ours on which no run is at work; now is the site's.
func Leftovers(drafts []wpclient.Post, now time.Time) Finding {
	var old []string
	for _, d := range ours(drafts) {
		if d.Floats() && now.Sub(d.ModifiedGMT) > forgotten {
			old = append(old, fmt.Sprintf("post %d (%s)", d.Post.ID, cmp.Or(d.Title, d.Item)))
		}
	}
	if len(old) == 0 {
		return ok("drafts", "no draft of Morrow's is left over")
	}
	return warn("drafts", fmt.Sprintf("%s of Morrow's left on the site, from runs that were cut off or from slots that went to others: %s",
		count(len(old), "draft is", "drafts are"), abridged(old)),
		"the next booking of the same file uses it again; where the file is gone, delete the draft")
}

// Hosts compares the machine that booked last with this one.
func Hosts(booked []wpclient.Post, here string) Finding {
	all := ours(booked)
	if len(all) == 0 {
		return ok("machine", "no booking of Morrow's yet")
	}
	last := slices.MaxFunc(all, func(a, b marked) int { return cmp.Compare(a.Post.ID, b.Post.ID) })
	switch last.Host {
	case "", here:
		return ok("machine", fmt.Sprintf("the last booking (post %d) was made here", last.Post.ID))
	}
	return warn("machine", fmt.Sprintf("the last booking (post %d) was made by the machine %s, this one is %s", last.Post.ID, last.Host, here),
		"two machines do not book a slot twice, but each needs the same queue: if you moved Morrow, end it on the other one")
}

// Guards names what stands guard at a site, by the routes of plugins and the
// headers of services. They harm nothing by themselves: it is where to look
// when something is refused.
func Guards(namespaces []string, h http.Header) Finding {
	var found []string
	for _, g := range []struct{ namespace, name string }{
		{"wordfence/", "Wordfence"},
		{"ithemes-security/", "Solid Security"},
		{"solid-security/", "Solid Security"},
		{"sucuri", "Sucuri"},
		{"wp-defender/", "Defender"},
		{"aiowps/", "All-In-One Security"},
		{"shield/", "Shield Security"},
		{"wpcerber", "WP Cerber"},
		{"really-simple-security/", "Really Simple Security"},
		{"jetpack/", "Jetpack"},
	} {
		if slices.ContainsFunc(namespaces, func(n string) bool { return strings.HasPrefix(n, g.namespace) }) {
			found = append(found, g.name)
		}
	}
	for _, s := range []struct{ header, name string }{
		{"Cf-Ray", "Cloudflare"},
		{"X-Sucuri-Id", "Sucuri's firewall"},
		{"X-Iinfo", "Imperva"},
		{"X-Akamai-Transformed", "Akamai"},
	} {
		if h.Get(s.header) != "" {
			found = append(found, s.name)
		}
	}
	if len(found) == 0 {
		return ok("guards", "no sign of a security plugin or a firewall")
	}
	slices.Sort(found)
	return ok("guards", strings.Join(slices.Compact(found), ", ")+": where a booking is refused, look there first")
}

func count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, plural(n, one, many)) }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// abridged names the first few.
func abridged(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}
