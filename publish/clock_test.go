package publish

import (
	"encoding/json"
	"testing"
	"time"

	"morrow/internal/fakewp"
	"morrow/wpclient"
)

// The wall clock decides: a monotonic reading stands still while the machine
// sleeps, and times that bear one are compared by it.
func TestWallClock(t *testing.T) {
	t.Parallel()
	c := clock{now: time.Now, offset: time.Minute}
	for name, got := range map[string]time.Time{"site": c.site(), "later": c.later(), "wall": wall(time.Now())} {
		if got != got.Round(0) {
			t.Errorf("%s bears a monotonic reading: %s", name, got)
		}
	}
}

// TestClocksApart: slots are chosen by the site's clock; what must not come
// too late is measured by the later of the two.
func TestClocksApart(t *testing.T) {
	for _, tc := range []struct {
		name         string
		before, skew time.Duration // of the slot by our clock; of the site's
		outcome      Outcome
		slot         time.Duration // after the first slot
	}{
		{name: "together", before: 20 * time.Minute, outcome: Booked},
		{name: "the site is ahead, in the lead", before: 20 * time.Minute, skew: 10 * time.Minute, outcome: TooLate},
		{name: "the site is past the slot", before: 20 * time.Minute, skew: 40 * time.Minute, outcome: Booked, slot: 24 * time.Hour},
		{name: "we are ahead, in the lead", before: 10 * time.Minute, skew: -20 * time.Minute, outcome: TooLate},
		{name: "we are past the slot", before: -10 * time.Minute, skew: -40 * time.Minute, outcome: TooLate},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.file("010-first.md", first)
				r.untilSlot(-tc.before)
				r.site.Inject(fakewp.Fault{Skew: tc.skew})
				rep := r.run()
				r.want(rep, tc.outcome)
				if want := r.slot().Add(tc.slot); len(rep.Slots) != 1 || !rep.Slots[0].Slot.Equal(want) {
					t.Errorf("got %+v, want slot %s", rep.Slots, want)
				}
			})
		})
	}
}

// TestClockSetBackBeforeCommit: how old the look is cannot be told any more.
func TestClockSetBackBeforeCommit(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		back := time.Duration(0)
		r.now = func() time.Time { return time.Now().Add(-back) }
		r.onStep = func(step string) {
			if step == "commit" && back == 0 {
				back = 10 * time.Minute
				time.Sleep(time.Minute)
				r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Format(time.DateTime)})
			}
		}
		r.want(r.run(), AlreadyBooked)
		if future := r.posts("future"); len(future) != 1 {
			t.Errorf("got %v, want the person's post alone", future)
		}
	})
}

// TestZoneChanged: a post whose two dates disagree with the zone that we
// remember shows that the site's zone was changed.
func TestZoneChanged(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.want(r.run(), NothingToBook)
		r.file("010-first.md", first)
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(20 * time.Hour).Format(time.DateTime)})
		data, _, err := r.keep.Facts(t.Context(), r.job.key())
		if err != nil {
			t.Fatal(err)
		}
		var f wpclient.Facts
		if err := json.Unmarshal(data, &f); err != nil {
			t.Fatal(err)
		}
		f.Timezone = "Europe/Berlin"
		if data, err = json.Marshal(f); err != nil {
			t.Fatal(err)
		}
		if err := r.keep.SaveFacts(t.Context(), r.job.key(), data, r.now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		r.want(r.run(), Booked)
		if first := r.posts("future"); len(first) != 2 || !first[1].Instant().Equal(r.slot()) {
			t.Errorf("got %v, want a booking at %s", first, r.slot())
		}
	})
}
