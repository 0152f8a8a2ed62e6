package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"morrow/internal/slots"
	"morrow/wpclient"
)

// margin is how much wider than the windows a look asks: whatever WordPress
// makes of the zone of a date, no post of the windows is left out, and what is
// in them is then decided on our side.
const margin = 26 * time.Hour

// sight is what one complete look saw.
type sight struct {
	at     time.Time // our wall clock when the first answer came
	ahead  []slots.Slot
	posts  []wpclient.Post
	hidden []string // the types of which WordPress counted more than it showed
}

// look asks for the windows of the slots ahead. Which slots these are depends
// on the site's clock, which the answer tells: if it tells of other slots, the
// look is made once more.
func (r *run) look(ctx context.Context) (sight, error) {
	for range 3 {
		s, err := r.ask(ctx, r.upcoming(), r.clock.site())
		if errors.Is(err, errOtherZone) {
			continue // asked anew: the zone is fresh now
		}
		if err != nil {
			return s, err
		}
		if slices.EqualFunc(s.ahead, r.upcoming(), func(a, b slots.Slot) bool { return a.At.Equal(b.At) }) {
			return s, nil
		}
	}
	return sight{}, errors.New("look at the site: its clock or its time zone changes with every answer")
}

func (r *run) upcoming() []slots.Slot {
	return slots.Calendar{Zone: r.zone, Jobs: r.job.Times}.Upcoming(r.job.Name, r.clock.site(), r.job.Ahead)
}

// ask makes one look at the windows of the given slots: one list a post type.
// It reaches back to since, if that is earlier and not zero: the next slot can
// be days away when the last one is just past.
func (r *run) ask(ctx context.Context, ahead []slots.Slot, since time.Time) (sight, error) {
	s := sight{ahead: ahead}
	if len(ahead) == 0 {
		return s, errors.New("find the next slot: `publish` and `skip` leave none within reach")
	}
	from, to := ahead[0].Window.Start, ahead[0].Window.End
	if !since.IsZero() && since.Before(from) {
		from = since
	}
	for _, a := range ahead[1:] {
		to = a.Window.End
	}
	lists, err := r.lists(ctx, r.types(), wpclient.Query{
		After: from.Add(-margin), Before: to.Add(margin), Statuses: r.filler.statuses,
	})
	if err != nil {
		return s, err
	}
	for i, l := range lists {
		if err := errors.Join(r.clock.learn(l), r.complete(l)); err != nil {
			return s, err
		}
		if at := wall(l.At); s.at.IsZero() || at.Before(s.at) {
			s.at = at
		}
		if l.Hidden() > 0 {
			s.hidden = append(s.hidden, r.types()[i])
			r.hiding = true
		}
		s.posts = append(s.posts, l.Posts...)
	}
	if r.otherZone(s.posts) {
		if err := r.discover(ctx); err != nil {
			return s, err
		}
		return s, errOtherZone
	}
	return s, nil
}

// types are the REST bases of the post types that fill a slot, each once: a post
// that is listed twice would count as two.
func (r *run) types() []string {
	types := []string{r.job.Type}
	for _, typ := range r.job.Scope.Types {
		if !slices.Contains(types, typ) {
			types = append(types, typ)
		}
	}
	return types
}

// lists asks the same of several post types at once.
func (r *run) lists(ctx context.Context, types []string, q wpclient.Query) ([]wpclient.List, error) {
	lists := make([]wpclient.List, len(types))
	g, ctx := errgroup.WithContext(ctx)
	for i, typ := range types {
		g.Go(func() (err error) {
			q := q
			q.Type = typ
			lists[i], err = r.client.List(ctx, q)
			return err
		})
	}
	return lists, g.Wait()
}

// complete refuses a list of which nobody can say that it is whole. Without a
// total, a short last page is proof only for an account from which WordPress
// hides nothing.
func (r *run) complete(l wpclient.List) error {
	if l.Total < 0 && !r.seesAll() {
		return errors.New("look at the site: the answer lacks X-WP-Total, and this account may not see others' posts, so nobody can say whether the list is whole")
	}
	return nil
}

// seesAll says whether WordPress hides no scheduled post from the account.
func (r *run) seesAll() bool { return r.facts.User.Capabilities["edit_others_posts"] }

var errOtherZone = errors.New("the site's time zone has changed")

// otherZone says whether a post's local date and its instant disagree with the
// zone that we know, and the zone is old enough to be doubted.
func (r *run) otherZone(posts []wpclient.Post) bool {
	if age := r.clock.now().Sub(r.factsAt); age < mismatchAge {
		return false
	}
	return slices.ContainsFunc(posts, func(p wpclient.Post) bool {
		return !p.DateGMT.IsZero() && p.Date != "" && p.DateGMT.In(r.zone.Loc).Format("2006-01-02T15:04:05") != p.Date
	})
}

// unhide settles the slots that look free while WordPress counted more posts
// than it showed: it asks for the exact window. Whatever is hidden there fills
// the slot.
func (r *run) unhide(ctx context.Context, s sight, verdicts []verdict) []verdict {
	if len(s.hidden) == 0 {
		return verdicts
	}
	for i := range verdicts {
		if v := &verdicts[i]; v.state == free {
			v.state, v.reason = r.hiddenIn(ctx, s.hidden, v.slot.Window)
		}
	}
	return verdicts
}

// exactly asks for just what fills a window; WordPress's bounds are exclusive.
func (r *run) exactly(w slots.Window) wpclient.Query {
	q := wpclient.Query{Type: r.job.Type, After: w.Start.Add(-time.Second), Before: w.End, Statuses: r.filler.statuses, Author: r.filler.author}
	if r.filler.category != 0 {
		q.Categories = []int64{r.filler.category}
	}
	return q
}

func (r *run) hiddenIn(ctx context.Context, types []string, w slots.Window) (state, string) {
	lists, err := r.lists(ctx, types, r.exactly(w))
	if err != nil {
		return unknown, err.Error()
	}
	for _, l := range lists {
		switch {
		case r.complete(l) != nil:
			return unknown, r.complete(l).Error()
		case l.Hidden() > 0 && r.seesAll():
			return unknown, fmt.Sprintf("the site counts %d posts in this window and shows %d, though this account may see all: look whether a plugin or a cache changes its lists", l.Total, len(l.Posts))
		case l.Hidden() > 0:
			return taken, "filled by a post that this account may not see (an author account sees only its own scheduled posts)"
		}
	}
	return free, ""
}

// doubtful says whether an answer may come from an outdated REST root or
// outdated rights, so that it is worth asking the site for its facts anew.
func doubtful(err error) bool {
	var e *wpclient.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Status {
	case http.StatusOK, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone,
		http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// survey is the look of a run: with fresh facts, should the cached ones be in
// doubt, and with the categories and authors of `scope` resolved.
func (r *run) survey(ctx context.Context) (sight, error) {
	s, err := r.look(ctx)
	if err != nil && doubtful(err) && r.stale() {
		if err := r.discover(ctx); err != nil {
			return sight{}, err
		}
		return r.look(ctx)
	}
	return s, err
}
