package publish

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
	"morrow/internal/journal"
)

const first = "---\ntitle: First\n---\nThe text.\n"

func TestBooksOnce(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		rep := r.run()
		r.want(rep, Booked)
		r.exactlyOne("010-first.md")
		if s := rep.Slots[0]; s.Post == nil || s.Post.Slug != "first" || s.Post.Status != "future" || s.Item != "010-first.md" {
			t.Errorf("got slot %+v", s)
		}
		writes := r.writes()
		r.want(r.run(), AlreadyBooked)
		if r.writes() != writes {
			t.Error("the second run wrote something")
		}
	})
}

func TestRoundTrips(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.want(r.run(), NothingToBook) // learns the zone
		r.file("010-first.md", first)
		count := func(outcome Outcome) (requests int, trips time.Duration) {
			t.Helper()
			before := len(r.site.Requests())
			rep := r.run()
			r.want(rep, outcome)
			return len(r.site.Requests()) - before, rep.Elapsed
		}
		if n, d := count(Booked); n > 8 || d > 5*time.Second {
			t.Errorf("a booking made %d requests in %s round trips, want at most 8 in 5", n, d)
		}
		if n, d := count(AlreadyBooked); n != 1 || d > time.Second {
			t.Errorf("a run with nothing to do made %d requests in %s round trips, want 1", n, d)
		}
	})
}

func TestDryRunWritesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dry = true
		r.file("010-first.md", "---\ntitle: First\ntags: [new]\n---\nThe text.\n")
		rep := r.run()
		r.want(rep, WouldBook)
		if s := rep.Slots[0]; s.Item != "010-first.md" || !strings.Contains(s.Reason, `"first"`) {
			t.Errorf("got slot %+v", s)
		}
		if r.writes() != 0 {
			t.Errorf("a dry run wrote: %+v", r.site.Requests())
		}
		if _, err := os.Stat(filepath.Join(r.dir, "010-first.md")); err != nil {
			t.Error(err)
		}
	})
}

// TestB22FailClosed: nothing but a complete, verified answer books.
func TestB22FailClosed(t *testing.T) {
	lists := func(f fakewp.Fault) fakewp.Fault { f.Method, f.Path = http.MethodGet, "/wp/v2/posts"; return f }
	for _, tc := range []struct {
		name    string
		fault   fakewp.Fault
		outcome Outcome
		says    string
	}{
		{"500", lists(fakewp.Fault{Instead: true, Status: 500, Body: "oops"}), Unknown, "500"},
		{"an HTML page", lists(fakewp.Fault{Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html>hello</html>"}), Unknown, "web page"},
		{"B54 a challenge", lists(fakewp.Challenge()), Failed, "moment"},
		{"B20 a cached list", lists(fakewp.CacheHit()), Unknown, "cache"},
		{"junk before the JSON", lists(fakewp.Fault{Prefix: "Notice: undefined\n"}), Unknown, ""},
		{"junk after the JSON", lists(fakewp.Fault{Suffix: "<!-- page generated -->"}), Unknown, ""},
		{"cut off", lists(fakewp.Fault{CutBody: 1}), Unknown, ""},
		{"never answered", lists(fakewp.Fault{CutBefore: true}), Unknown, ""},
		{"a total that is too high", lists(fakewp.Fault{Header: http.Header{"X-Wp-Total": {"7"}}}), Unknown, "counts 7"},
		{"no clock", lists(fakewp.Fault{Header: http.Header{"Date": nil}}), Unknown, "Date"},
		{"a clock far off", lists(fakewp.Fault{Skew: 2 * time.Hour}), Unknown, "clock"},
		{"B48 the password is stripped", fakewp.Fault{NoAuth: true}, Failed, "password"},
		{"a redirect to another host", lists(fakewp.Redirect("https://other.example.com/wp-json/wp/v2/posts")), Unknown, "other.example.com"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.file("010-first.md", first)
				remove := r.site.Inject(tc.fault)
				rep := r.run()
				r.want(rep, tc.outcome)
				if r.writes() != 0 {
					t.Error("something was written")
				}
				if rep.Err == nil && len(rep.Slots) > 0 && !strings.Contains(rep.Slots[0].Reason, tc.says) ||
					rep.Err != nil && !strings.Contains(rep.Err.Error(), tc.says) {
					t.Errorf("got %v, %+v, which does not say %q", rep.Err, rep.Slots, tc.says)
				}
				remove()
				r.want(r.run(), Booked)
				r.exactlyOne("010-first.md")
			})
		})
	}
}

// TestB26LostAnswers: whatever becomes of a write's answer, one more run ends
// with exactly one booking.
func TestB26LostAnswers(t *testing.T) {
	create := func(q *http.Request) bool {
		return q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/posts")
	}
	update := func(q *http.Request) bool {
		return q.Method == http.MethodPost && !strings.HasSuffix(q.URL.Path, "/posts")
	}
	faults := map[string]fakewp.Fault{
		"cut before":  {CutBefore: true},
		"cut after":   {CutAfter: true},
		"too slow":    {DelayAfter: 2 * time.Minute},
		"502 after":   {Status: 502, Body: "<html>bad gateway</html>", Header: http.Header{"Content-Type": {"text/html"}}},
		"truncated":   {CutBody: 20},
		"twice":       {Twice: 1},
		"500 instead": {Instead: true, Status: 500, Body: "oops"},
	}
	for name, f := range faults {
		for step, match := range map[string]func(*http.Request) bool{"create": create, "commit": update} {
			t.Run(step+" "+name, func(t *testing.T) {
				bubble(t, func(t *testing.T, r *rig) {
					r.file("010-first.md", first)
					f := f
					f.Match, f.Times = match, 1
					r.site.Inject(f)
					rep := r.run()
					if rep.Outcome != Booked && rep.Outcome != Unknown {
						t.Errorf("got %s (%+v)", rep.Outcome, rep.Slots)
					}
					if rep.Outcome != Booked {
						r.run()
					}
					r.exactlyOne("010-first.md")
				})
			})
		}
	}
}

// Each item is foretold for one slot, as a run would book it.
func TestDryRunOfSlotsAhead(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dry, r.job.Ahead = true, 3
		r.file("010-first.md", first)
		r.file("020-second.md", "# Second\n\nIts text.\n")
		rep := r.run()
		r.want(rep, NothingToBook)
		var got []string
		for _, s := range rep.Slots {
			got = append(got, string(s.Outcome)+" "+s.Item)
		}
		if want := "would_book 010-first.md, would_book 020-second.md, nothing_to_book "; strings.Join(got, ", ") != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestHiddenPostFillsTheSlot(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.login = "author"
		r.file("010-first.md", first)
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(time.Hour).Format(time.DateTime)})
		rep := r.run()
		r.want(rep, AlreadyBooked)
		if r.writes() != 0 || !strings.Contains(rep.Slots[0].Reason, "may not see") {
			t.Errorf("got %d writes and %+v", r.writes(), rep.Slots)
		}
	})
}

func TestHiddenPostOfAnotherDay(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.login = "author"
		r.file("010-first.md", first)
		r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Add(20 * time.Hour).Format(time.DateTime)})
		r.want(r.run(), Booked)
	})
}

func TestB36RoleThatMayNotPublish(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.login = "contributor"
		r.file("010-first.md", first)
		rep := r.run()
		r.want(rep, Failed)
		if r.writes() != 0 || !strings.Contains(rep.Slots[0].Reason, "no right to publish") {
			t.Errorf("got %d writes and %+v", r.writes(), rep.Slots)
		}
	})
}

// TestCommitNotSentPastLead: a run that is held up never sends a commit within
// the lead, and the draft waits for another slot.
func TestCommitNotSentPastLead(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.job.RunTimeout = 24 * time.Hour
		r.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool {
			if q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/posts") {
				time.Sleep(time.Until(r.slot().Add(-15 * time.Minute))) // asleep, the machine and all
			}
			return false
		}})
		r.want(r.run(), TooLate)
		if future := append(r.posts("future"), r.posts("publish")...); len(future) != 0 {
			t.Errorf("booked too late: %v", future)
		}
		time.Sleep(time.Hour) // the next morning's slot
		r.want(r.run(), Booked)
		if drafts := r.posts("draft"); len(drafts) != 0 {
			t.Errorf("drafts left over: %v", drafts)
		}
	})
}

// TestStaleLook: a commit is not sent on a look that is too old.
// What comes between the last look and the commit is up to the commit itself:
// the look is fresh here, and the lead begins right after it.
func TestCommitHeldUp(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		lead := r.slot().Add(-r.job.Lead)
		time.Sleep(time.Until(lead.Add(-lookAge)))
		r.onStep = func(step string) {
			if step == string(stepCommit) {
				time.Sleep(time.Until(lead))
			}
		}
		r.want(r.run(), TooLate)
		if writes := r.writes(); writes != 1 {
			t.Errorf("the site was sent %d writes, want the draft alone", writes)
		}
	})
}

func TestStaleLook(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		reads := 0
		r.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool {
			if q.Method == http.MethodGet && strings.Contains(q.URL.Path, "/posts/") {
				if reads++; reads == 1 {
					time.Sleep(lookAge + time.Second) // the list has been answered meanwhile
					r.site.InsertPost(fakewp.Post{Status: "future", DateGMT: r.slot().Format(time.DateTime)})
				}
			}
			return false
		}})
		r.want(r.run(), AlreadyBooked)
		if future := r.posts("future"); len(future) != 1 {
			t.Errorf("got %v, want the person's post alone", future)
		}
	})
}

// TestDraftTakenByAPerson: a draft that a person edits, dates, publishes or
// trashes between its making and its booking is left alone.
func TestDraftTakenByAPerson(t *testing.T) {
	for name, act := range map[string]func(r *rig, id int64){
		"edited":  func(r *rig, id int64) { r.site.EditPost(id, func(p *fakewp.Post) { p.Content += "<p>More.</p>" }) },
		"dated":   func(r *rig, id int64) { r.site.EditPost(id, func(p *fakewp.Post) { p.Date = "2000-02-01 08:00:00" }) },
		"trashed": func(r *rig, id int64) { r.site.TrashPost(id) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.file("010-first.md", first)
				r.file("020-second.md", "# Second\n\nMore text.\n")
				done := false
				var before fakewp.Post
				r.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool {
					if q.Method == http.MethodGet && strings.Contains(q.URL.Path, "/posts/") && !done {
						done = true
						id := r.posts("draft")[0].ID
						act(r, id)
						before, _ = r.site.Post(id)
					}
					return false
				}})
				r.want(r.run(), Booked)
				if after, _ := r.site.Post(before.ID); after.Content != before.Content || after.Status != before.Status || after.Date != before.Date {
					t.Errorf("the person's post was changed: %+v, before %+v", after, before)
				}
				if future := r.posts("future"); len(future) != 1 || future[0].Slug != "second" {
					t.Errorf("got %v, want the second item booked", future)
				}
			})
		})
	}
}

// TestFileEditedBeforeBooking: a leftover draft of ours is brought to the
// file's new text.
func TestFileEditedBeforeBooking(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		cut := r.site.Inject(fakewp.Fault{Method: http.MethodGet, Path: "/posts/", Instead: true, Status: 500, Body: "oops"})
		r.want(r.run(), Unknown)
		cut()
		r.file("010-first.md", strings.ReplaceAll(first, "The text.", "Mended text."))
		r.want(r.run(), Booked)
		r.exactlyOne("010-first.md")
		if got := r.posts("future")[0].Content; !strings.Contains(got, "Mended text.") {
			t.Errorf("got %q", got)
		}
	})
}

// TestB45RemovedByWordPress: an item that WordPress will not store as written
// is set aside with the reason, its draft removed, and the next is taken.
func TestB45RemovedByWordPress(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.login = "author"
		r.file("010-first.md", "# First\n\n<iframe src=\"https://example.com/\"></iframe>\n")
		r.file("020-second.md", "# Second\n\nMore text.\n")
		rep := r.run()
		r.want(rep, Booked)
		r.exactlyOne("020-second.md")
		if len(rep.Notices) != 1 || !strings.Contains(rep.Notices[0], "iframe") {
			t.Errorf("got notices %q", rep.Notices)
		}
	})
}

// TestTwinDraft: two drafts made at the same instant bear one slug; the
// surplus one is removed and the post keeps its slug.
func TestTwinDraft(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.site.Inject(fakewp.Fault{Match: func(q *http.Request) bool {
			return q.Method == http.MethodPost && strings.HasSuffix(q.URL.Path, "/posts")
		}, Times: 1, SlugGap: true, Twice: 1, CutAfter: true})
		r.run()
		if len(r.posts("future")) == 0 {
			r.run()
		}
		r.exactlyOne("010-first.md")
		if got := r.posts("future")[0].Slug; got != "first" {
			t.Errorf("got slug %q, want first", got)
		}
	})
}

func TestB69FileThatStays(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.file("done", "a file where the folder should be")
		rep := r.run()
		r.want(rep, Booked)
		if len(rep.Notices) == 0 || !strings.Contains(rep.Notices[0], "stays in the queue") {
			t.Errorf("got notices %q", rep.Notices)
		}
		time.Sleep(24 * time.Hour)
		r.want(r.run(), NothingToBook) // it is on the site: not booked again
	})
}

// A run that was killed after its commit leaves the file in the queue: the
// next one takes it out, though the slot is filled and nothing is to be booked.
func TestFileLeftByAKilledRun(t *testing.T) {
	for name, text := range map[string]string{"as it was": first, "edited since": first + "More.\n"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.file("010-first.md", first)
				r.want(r.run(), Booked)
				if err := os.RemoveAll(filepath.Join(r.dir, "done")); err != nil {
					t.Fatal(err)
				}
				r.file("010-first.md", text)
				if err := r.keep.Close(); err != nil {
					t.Fatal(err)
				}
				r.keep = journal.Discard() // which a killed run has not told that the file was moved
				writes := r.writes()
				rep := r.run()
				r.want(rep, AlreadyBooked)
				if r.writes() != writes {
					t.Error("the second run wrote something")
				}
				if text == first {
					r.exactlyOne("010-first.md")
				} else if len(rep.Notices) != 1 || !strings.Contains(rep.Notices[0], "changed after it was booked") {
					t.Errorf("got notices %q", rep.Notices)
				}
			})
		})
	}
}

func TestAhead(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.job.Ahead = 3
		for _, name := range []string{"a", "b", "c", "d"} {
			r.file(name+".md", "# "+name+"\n\nText of "+name+".\n")
		}
		r.want(r.run(), Booked)
		var got []string
		for _, p := range r.posts("future") {
			got = append(got, p.Slug+" "+p.Date)
		}
		want := "a 2000-01-02 08:00:00, b 2000-01-03 08:00:00, c 2000-01-04 08:00:00"
		if strings.Join(got, ", ") != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestLostJournal: the journal is a cache; the site says what is booked.
func TestLostJournal(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.file("010-first.md", first)
		r.file("020-second.md", "# Second\n\nMore text.\n")
		r.want(r.run(), Booked)
		if err := r.keep.Close(); err != nil {
			t.Fatal(err)
		}
		r.want(r.run(), AlreadyBooked)
		r.exactlyOne("010-first.md")
	})
}

// TestB53Firewall: a text that a firewall refuses is set aside with the reason,
// and the next is taken; when it refuses every text, it is not tried with all.
func TestB53Firewall(t *testing.T) {
	waf := fakewp.Fault{Instead: true, Status: 403, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<title>Blocked</title>"}
	t.Run("one text", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			r.file("010-first.md", first)
			r.file("020-second.md", "# Second\n\nMore text.\n")
			f := waf
			f.Match, f.Times = isCreate, 1
			r.site.Inject(f)
			rep := r.run()
			r.want(rep, Booked)
			r.exactlyOne("020-second.md")
			if len(rep.Notices) == 0 || !strings.Contains(rep.Notices[0], "010-first.md is set aside") || !strings.Contains(rep.Notices[0], "403") {
				t.Errorf("got notices %q", rep.Notices)
			}
		})
	})
	t.Run("every text", func(t *testing.T) {
		bubble(t, func(t *testing.T, r *rig) {
			for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
				r.file(name+".md", "# "+name+"\n\nText.\n")
			}
			f := waf
			f.Match = isCreate
			r.site.Inject(f)
			r.want(r.run(), Failed)
			if n := r.writes(); n > maxRefusals+1 {
				t.Errorf("%d writes were tried", n)
			}
		})
	})
}
