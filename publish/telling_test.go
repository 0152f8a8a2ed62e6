package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// What a run says of the files that it did not take.

func TestSaysWhyNothingIsLeft(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.InsertPost(fakewp.Post{Status: "publish", Title: "Taken", Slug: "a"})
		r.file("a.md", "# A\n\nText.\n")
		r.file("b.md", "---\ndraft: true\n---\nText.\n")
		r.file("c.md", "---\npublish_on: 2000-01-09\n---\nText.\n")
		rep := r.run()
		r.want(rep, NothingToBook)
		for _, want := range []string{"a.md is set aside: slug taken by post", "b.md is held", "c.md is meant for 2000-01-09"} {
			if got := rep.Slots[0].Reason; !strings.Contains(got, want) {
				t.Errorf("got %q, which does not say %q", got, want)
			}
		}
		as, err := r.keep.Asides(t.Context(), r.job.key(), r.job.Name)
		if err != nil || len(as) != 1 || as[0].Name != "a.md" {
			t.Errorf("the journal has %v, %v, want a.md", as, err)
		}
		runs, err := r.keep.Runs(t.Context(), "", 1)
		if err != nil || len(runs) != 1 || !strings.Contains(runs[0].Reason, "nothing in the queue") {
			t.Errorf("the journal has runs %v, %v, want the reason of the last", runs, err)
		}
	})
}

func TestSaysWhatItPassedOver(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("a.md", "---\ntitle: [\n---\nText.\n")
		r.file("b.md", "# B\n\nText.\n")
		r.file("c.md", "---\ntitle: [\n---\nText.\n")
		rep := r.run()
		r.want(rep, Booked)
		if len(rep.Notices) != 1 || !strings.Contains(rep.Notices[0], "a.md") || strings.Contains(rep.Notices[0], "c.md") {
			t.Errorf("got notices %q, want one of a.md", rep.Notices)
		}
	})
}

func TestNamesTheFileOfABooking(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		for range 2 {
			rep := r.run()
			r.want(rep, AlreadyBooked)
			if got := rep.Slots[0].Item; got != "010-first.md" {
				t.Errorf("got item %q, want the file's name", got)
			}
		}
	})
}

func TestSaysWhenTheFillingPostIsDue(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.InsertPost(fakewp.Post{Status: "future", Date: "2000-01-02 23:59:00"})
		if got := r.run().Slots[0].Reason; !strings.Contains(got, "2 Jan 23:59") {
			t.Errorf("got %q, which does not say when the post is due", got)
		}
	})
}

// TestUnreadableQueueIsSaid: at every run, also while the slots are filled.
func TestUnreadableQueueIsSaid(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.site.InsertPost(fakewp.Post{Status: "future", Date: "2000-01-02 08:00:00"})
		r.dir = filepath.Join(r.dir, "nowhere")
		rep := r.run()
		r.want(rep, AlreadyBooked)
		if len(rep.Notices) != 1 || !strings.Contains(rep.Notices[0], "queue can't be read") {
			t.Errorf("got notices %q", rep.Notices)
		}
	})
}

// TestQueueIsNotBlamedForTheTime: a run whose time is over, as after the
// machine slept, says nothing of the queue that it had no time to read.
func TestQueueIsNotBlamedForTheTime(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.want(r.run(), NothingToBook)
		r.onStep = func(step string) {
			if step == string(stepLook) {
				time.Sleep(2 * r.job.RunTimeout)
			}
		}
		rep := r.run()
		r.want(rep, Unknown)
		if len(rep.Notices) != 0 {
			t.Errorf("got notices %q", rep.Notices)
		}
	})
}

// TestQueueIsReadOnlyWhenItCounts: a run that finds its slots filled, as the
// journal foresaw, reads no file; one whose file is left behind does.
func TestQueueIsReadOnlyWhenItCounts(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.file("done", "a file where the folder should be")
		r.want(r.run(), Booked)
		if rep := r.run(); len(rep.Notices) == 0 {
			t.Error("the file that stays was not tried again")
		}
		if err := os.Remove(filepath.Join(r.dir, "done")); err != nil {
			t.Fatal(err)
		}
		r.want(r.run(), AlreadyBooked)
		if r.inQueue("010-first.md") {
			t.Error("the file was not moved when it could be")
		}
		r.dir = filepath.Join(r.dir, "nowhere")
		if rep := r.run(); rep.Outcome != AlreadyBooked || len(rep.Notices) != 0 {
			t.Errorf("got %s, %q: the queue was read for nothing", rep.Outcome, rep.Notices)
		}
	})
}

// TestWaitsForAFileSavedAMomentAgo: whoever saves a file and runs the job sees
// it booked; a run by schedule takes it the next time.
func TestWaitsForAFileSavedAMomentAgo(t *testing.T) {
	for trigger, want := range map[string]Outcome{"manual": Booked, "cron": NothingToBook} {
		t.Run(trigger, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.trigger = trigger
				r.file("010-first.md", first)
				now := r.now()
				if err := os.Chtimes(filepath.Join(r.dir, "010-first.md"), now, now); err != nil {
					t.Fatal(err)
				}
				r.want(r.run(), want)
			})
		})
	}
}
