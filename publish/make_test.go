package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
	"morrow/internal/source"
)

// generator is a folder that a stand-in for a command fills.
type generator struct {
	*source.Folder
	r       *rig
	text    string
	ext     string // of the files
	err     error
	slots   []time.Time // it was asked for
	printed int
}

func (g *generator) Make(_ context.Context, slot time.Time) error {
	g.slots = append(g.slots, slot)
	if g.err != nil {
		return g.err
	}
	if g.printed == 9 {
		return errors.New("this would go on for ever")
	}
	g.r.file(fmt.Sprintf("made-%c.%s", 'a'+g.printed, g.ext), g.text)
	g.printed++
	return nil
}

func (r *rig) generator(text string) *generator {
	g := &generator{Folder: source.NewFolder(source.FolderOptions{Dir: r.dir, Now: r.now}), r: r, text: text, ext: "md"}
	r.source = g
	return g
}

// wantMade wants that the command has been run so many times.
func (g *generator) wantMade(times int) {
	g.r.t.Helper()
	if len(g.slots) != times {
		g.r.t.Errorf("the command ran for the slots %v, want %d", g.slots, times)
	}
}

func TestMakesAnItemForAFreeSlot(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		g := r.generator("---\ntitle: Made\n---\nText.\n")
		r.want(r.run(), Booked)
		r.exactlyOne("made-a.md")
		if g.wantMade(1); !g.slots[0].Equal(r.slot()) || g.slots[0].Location().String() != "Asia/Seoul" {
			t.Errorf("made for %v, want %v in the site's zone", g.slots, r.slot())
		}
		r.want(r.run(), AlreadyBooked)
		g.wantMade(1)
	})
}

func TestMakesOneItemForEachSlot(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Ahead = 3
		g := r.generator("Text.\n")
		r.file("here.md", first)
		r.want(r.run(), Booked)
		g.wantMade(2)
		if got := r.posts("future"); len(got) != 3 {
			t.Errorf("got %v, want three bookings", got)
		}
	})
}

func TestDryRunMakesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dry = true
		g := r.generator("Text.\n")
		rep := r.run()
		r.want(rep, WouldBook)
		if got := rep.Slots[0].Reason; !strings.Contains(got, "would run the command") {
			t.Errorf("got reason %q", got)
		}
		r.file("held.md", "---\ndraft: true\n---\nText.\n")
		r.want(r.run(), NothingToBook)
		g.wantMade(0)
	})
}

type busyLock struct{}

func (busyLock) Acquire(context.Context, time.Duration) (func() error, bool, error) {
	return nil, false, nil
}

func TestMakesNothingWithoutTheLock(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		g := r.generator("Text.\n")
		r.lock = busyLock{}
		r.want(r.run(), Busy)
		g.wantMade(0)
	})
}

// TestFailureDoesNotMakeTwice: whatever becomes of an item, the next is not
// made before it is gone.
func TestFailureDoesNotMakeTwice(t *testing.T) {
	t.Run("not stored", func(t *testing.T) {
		bubble(t, func(_ *testing.T, r *rig) {
			g := r.generator("Text.\n")
			mend := r.site.Inject(fakewp.Fault{Method: "POST", Instead: true, Status: 500})
			r.want(r.run(), Unknown)
			r.want(r.run(), Unknown)
			mend()
			r.want(r.run(), Booked)
			g.wantMade(1)
		})
	})
	t.Run("refused", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			r.site.InsertPost(fakewp.Post{Status: "publish", Title: "Taken", Slug: "made-a"})
			g := r.generator("Text.\n")
			for range 2 {
				rep := r.run()
				r.want(rep, NothingToBook)
				if got := rep.Slots[0].Reason; !strings.Contains(got, "slug taken") {
					t.Errorf("got reason %q", got)
				}
			}
			g.wantMade(1)
		})
	})
	t.Run("held", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			g := r.generator("---\ndraft: true\n---\nText.\n")
			for range 2 {
				rep := r.run()
				r.want(rep, NothingToBook)
				if got := rep.Slots[0].Reason; !strings.Contains(got, "made-a.md is held") {
					t.Errorf("got reason %q", got)
				}
			}
			g.wantMade(1)
		})
	})
	t.Run("not an item", func(t *testing.T) {
		bubble(t, func(_ *testing.T, r *rig) {
			g := r.generator("Text.\n")
			g.ext = "txt"
			r.want(r.run(), NothingToBook)
			g.wantMade(1)
		})
	})
}

func TestSaysWhyNothingWasMade(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		g := r.generator("")
		g.err = errors.New("run generate: exit status 3; it said: no more ideas")
		rep := r.run()
		r.want(rep, NothingToBook)
		if got := rep.Slots[0].Reason; got != g.err.Error() {
			t.Errorf("got reason %q", got)
		}
		if rep.Next.IsZero() {
			t.Error("no later run is asked for")
		}
		g.wantMade(1)
	})
}
