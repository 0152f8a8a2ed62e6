package doctor

import (
	"context"
	"errors"
	"net/http"
	"time"

	"morrow/wpclient"
)

// newest is how many of the latest bookings are looked at for their machine.
const newest = 20

// SiteOptions say which site is asked, and for what.
type SiteOptions struct {
	// Client is how the site is reached. Without a Password only what a
	// visitor sees is looked at.
	Client wpclient.Options
	Types  []string // REST bases of what its jobs make
	Host   string   // this machine's name
	Now    func() time.Time
}

// Site asks one site, and ends at the first finding without which nothing else
// can be known. It writes nothing. Where REST refuses the login, it gives it to
// XML-RPC to find out why.
func Site(ctx context.Context, o SiteOptions) []Finding {
	p, err := wpclient.Locate(ctx, o.Client)
	var e *wpclient.Error
	// A REST root that can't be discovered is what api: is for.
	known := o.Client.API != "" && errors.As(err, &e) && e.Status != 0
	if err != nil && !known {
		return []Finding{Unreached(o.Client.URL, err)}
	}
	out := []Finding{Certificate(o.Client.URL, p.TLS, o.Now())}
	if o.Client.API == "" {
		address := Address(o.Client.URL, p)
		out = append(out, address)
		if address.Level == Fail {
			return out
		}
	}
	if o.Client.Password == "" {
		return out
	}
	client, err := wpclient.New(o.Client)
	if err != nil {
		return append(out, fail("login", err.Error(), "correct the site's keys in the configuration"))
	}
	defer client.Close()
	facts, err := client.Discover(ctx)
	if err != nil {
		return append(out, WhyRefused(ctx, o.Client, client, err))
	}
	out = append(out, ok("rest_api", facts.Root), ok("login", "as "+facts.User.Name))
	out = append(out, Rights(facts.User, o.Types)...)
	out = append(out, Zone(facts))
	out = append(out, o.posts(ctx, client)...)
	return append(out, Guards(p.Namespaces, p.Header))
}

// WhyRefused tells what kept a client, made with o, from discovering its site:
// where it is the login, XML-RPC is asked too.
func WhyRefused(ctx context.Context, o wpclient.Options, client *wpclient.Client, err error) Finding {
	second, form := Untold, AppPassword(o.Password)
	var e *wpclient.Error
	if form && errors.As(err, &e) && e.Status == http.StatusUnauthorized && e.Code != "" && e.Cause == "" {
		if takes, err := client.TakesLogin(ctx); err == nil {
			second = Denies
			if takes {
				second = Takes
			}
		}
	}
	return Login(o.User, err, form, second)
}

// posts asks for the posts that tell how the site fares.
func (o SiteOptions) posts(ctx context.Context, client *wpclient.Client) []Finding {
	future, err := client.List(ctx, wpclient.Query{Statuses: []string{"future"}, Before: o.Now().Add(clockFail)})
	if err != nil {
		return []Finding{Refused(err)}
	}
	now := future.Date
	if now.IsZero() {
		now = future.At
	}
	out := []Finding{Clock(future.Date, future.At), ok("cache", "none answers for the site"), Cron(future.Posts, now)}
	drafts, err := client.List(ctx, wpclient.Query{Statuses: []string{"draft"}, Search: "morrow"})
	if err != nil {
		return append(out, Refused(err))
	}
	out = append(out, Leftovers(drafts.Posts, now))
	booked, err := client.List(ctx, wpclient.Query{
		Statuses: []string{"future", "publish"}, Search: "morrow", OrderBy: "id", Order: "desc", Limit: newest,
	})
	if err != nil {
		return append(out, Refused(err))
	}
	return append(out, Hosts(booked.Posts, o.Host))
}
