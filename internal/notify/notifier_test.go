package notify

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestRepeats: what lasts is said at once, then after 1 h, 4 h and 1 d, then
// every day; when it is over that is said, once. Each run may be a process of
// its own.
func TestRepeats(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, m := &web{}, &shelf{}
		begin := time.Now()
		var said []time.Duration
		run := func(l Look) {
			n := newNotifier(m, w)
			n.Observe(t.Context(), l)
			_ = n.Send(t.Context())
		}
		for range 2 * 24 * 4 { // two days, a run each half hour
			run(looks(empty()))
			for range w.texts(t) {
				said = append(said, time.Since(begin))
			}
			time.Sleep(30 * time.Minute)
		}
		want := []time.Duration{0, time.Hour, 5 * time.Hour, 29 * time.Hour, 53 * time.Hour, 77 * time.Hour}
		if diff := cmp.Diff(want, said); diff != "" {
			t.Errorf("said after (-want +got):\n%s", diff)
		}
		run(looks())
		run(looks())
		if diff := cmp.Diff([]string{"Resolved: daily on blog: nothing is booked"}, w.texts(t)); diff != "" {
			t.Errorf("at the end (-want +got):\n%s", diff)
		}
		run(looks(empty()))
		if diff := cmp.Diff([]string{"daily on blog: nothing is booked"}, w.texts(t)); diff != "" {
			t.Errorf("when it begins anew (-want +got):\n%s", diff)
		}
	})
}

// TestOver: a thing is over when a run of its job that could see so did not see
// it, or, without a word, when its time is past.
func TestOver(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		next Look
		want []string
	}{
		{"not looked at", Look{Job: "daily"}, nil},
		{"other kinds looked at", Look{Job: "daily", Saw: []Kind{Unseen}}, nil},
		{"another job", Look{Job: "weekly", Saw: Kinds()}, nil},
		{"looked at", looks(), []string{"Resolved: daily on blog: nothing is booked"}},
		{"still there", looks(empty()), nil},
		{"another one", looks(Event{Kind: Empty, Subject: "09:00", Text: "nothing either"}), []string{
			"daily on blog: nothing either\nResolved: daily on blog: nothing is booked",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &web{}
				n := newNotifier(&shelf{}, w)
				n.Observe(t.Context(), looks(empty()))
				_ = n.Send(t.Context())
				w.texts(t)
				n.Observe(t.Context(), tt.next)
				_ = n.Send(t.Context())
				if diff := cmp.Diff(tt.want, w.texts(t)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
	t.Run("its time is past", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			w := &web{}
			n := newNotifier(&shelf{}, w)
			until := empty()
			until.Until = time.Now().Add(time.Minute)
			n.Observe(t.Context(), looks(until))
			_ = n.Send(t.Context())
			w.texts(t)
			time.Sleep(time.Minute)
			n.Observe(t.Context(), looks())
			_ = n.Send(t.Context())
			if got := w.texts(t); got != nil {
				t.Errorf("said %q", got)
			}
		})
	})
}

// TestOneDigest: what many sites have to tell within a short time is one
// message, and what was mended in that time is not told.
func TestOneDigest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{}
		n := newNotifier(&shelf{}, w)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); n.Serve(ctx) }()
		time.Sleep(gather + time.Second) // past the first look at what was left behind
		for i := range 300 {
			e := booked()
			if i%30 == 0 {
				e = Event{Kind: Failed, Text: "wrong password"}
			}
			e.Job, e.Site = fmt.Sprintf("job%03d", i), fmt.Sprintf("site%03d", i)
			n.Observe(ctx, Look{Job: e.Job, Events: []Event{e}})
			time.Sleep(100 * time.Millisecond)
		}
		n.Observe(ctx, looks(down()))
		n.Observe(ctx, looks())
		time.Sleep(gather)
		got := w.texts(t)
		if len(got) != 1 {
			t.Fatalf("%d messages, want one", len(got))
		}
		lines := strings.Split(got[0], "\n")
		if n := strings.Count(got[0], "wrong password"); n != 10 || !strings.HasPrefix(lines[9], "job270 on site270: wrong password") {
			t.Errorf("%d of the 10 faults, not all before the rest:\n%s", n, got[0])
		}
		if strings.Contains(got[0], "no answer") {
			t.Error("what was mended meanwhile is told")
		}
		// What is observed last is sent before it ends.
		n.Observe(ctx, looks(booked()))
		stop()
		<-done
		if diff := cmp.Diff([]string{"daily on blog: booked 010.md"}, w.texts(t)); diff != "" {
			t.Errorf("at the end (-want +got):\n%s", diff)
		}
	})
}

// TestUndelivered: what can't be delivered waits, and is sent with the next; of
// what is over by then nothing is said.
func TestUndelivered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, m := &web{status: 503}, &shelf{}
		n := newNotifier(m, w)
		n.Observe(t.Context(), looks(booked(), booked(), empty(), down()))
		if n.Send(t.Context()) == nil {
			t.Error("an answer of 503 is taken for success")
		}
		w.texts(t)
		time.Sleep(2 * time.Hour)
		w.set(func(w *web) { w.status = 0 })
		n = newNotifier(m, w)
		n.Observe(t.Context(), looks(empty()))
		if err := n.Send(t.Context()); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"daily on blog: nothing is booked\ndaily on blog: booked 010.md"}, w.texts(t)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		_ = n.Send(t.Context())
		if got := w.texts(t); got != nil {
			t.Errorf("said again: %q", got)
		}
	})
}

// TestServeTriesAgain: a daemon does not wait for the next run with what could
// not be delivered.
func TestServeTriesAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{status: 503}
		n := newNotifier(&shelf{}, w)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); n.Serve(ctx) }()
		n.Observe(ctx, looks(booked()))
		time.Sleep(gather + time.Second)
		w.set(func(w *web) { w.status = 0 })
		time.Sleep(again)
		if got := len(w.requests()); got != 2 {
			t.Errorf("%d tries, want 2", got)
		}
		stop()
		<-done
	})
}

// TestTwoProcesses: a message that one process sends no other sends too; one
// that was lost with its process is sent by another.
func TestTwoProcesses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, m := &web{hang: make(chan struct{})}, &shelf{}
		first, second := newNotifier(m, w), newNotifier(m, w)
		first.Observe(t.Context(), looks(booked()))
		ended := make(chan struct{})
		go func() { defer close(ended); _ = first.Send(t.Context()) }()
		synctest.Wait()
		_ = second.Send(t.Context())
		if got := len(w.requests()); got != 1 {
			t.Errorf("%d messages under way, want 1", got)
		}
		close(w.hang)
		<-ended
		_ = second.Send(t.Context())
		if got := len(w.texts(t)); got != 1 {
			t.Errorf("%d messages, want 1", got)
		}

		second.Observe(t.Context(), looks(booked()))
		second.change(t.Context(), func(m *memory) { m.box(hook()).send(second.now()) }) // and is killed
		third := newNotifier(m, w)
		_ = third.Send(t.Context())
		if got := w.texts(t); got != nil {
			t.Errorf("sent while another may: %q", got)
		}
		time.Sleep(lease)
		_ = third.Send(t.Context())
		if got := len(w.texts(t)); got != 1 {
			t.Errorf("%d messages of the one that was lost, want 1", got)
		}
	})
}

// TestHangs: an address that hangs costs half a minute and no other address its
// message; while it hangs nothing more is sent to it.
func TestHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		w := &web{}
		stuck := Address{Name: "#2", Secret: func(context.Context) (string, string, error) { <-hang; return hookAddress, hookKey, nil }}
		n := newNotifier(&shelf{}, w, func(o *Options) { o.Addresses = append(o.Addresses, stuck) })
		n.Observe(t.Context(), looks(booked()))
		begin := time.Now()
		_ = n.Send(t.Context())
		if took := time.Since(begin); took > sendTimeout {
			t.Errorf("took %s", took)
		}
		if got := len(w.requests()); got != 1 {
			t.Errorf("%d messages, want the sound address' one", got)
		}
		begin = time.Now()
		_ = n.Send(t.Context())
		if took := time.Since(begin); took != 0 {
			t.Errorf("waited %s for what hangs already", took)
		}
		close(hang)
		synctest.Wait()
		_ = n.Send(t.Context())
		if got := len(w.requests()); got != 3 { // the one that hung arrives after all, and again
			t.Errorf("%d messages, want 3", got)
		}
	})
}

// TestMemoryLost: without a journal, or with one that can't be written to any
// more, a process still says nothing twice.
func TestMemoryLost(t *testing.T) {
	t.Parallel()
	full := &shelf{}
	gone := &shelf{}
	for _, tt := range []struct {
		name   string
		memory Memory
		lose   func()
	}{
		{"no journal", noShelf{}, func() {}},
		{"disk full", full, func() { full.err = errors.New("disk full") }},
		{"state deleted", gone, func() { gone.kept = nil }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &web{}
				n := newNotifier(tt.memory, w)
				n.Observe(t.Context(), looks())
				for range 3 {
					tt.lose()
					n.Observe(t.Context(), looks(empty()))
					_ = n.Send(t.Context())
				}
				n.Observe(t.Context(), looks())
				_ = n.Send(t.Context())
				want := []string{"daily on blog: nothing is booked", "Resolved: daily on blog: nothing is booked"}
				if diff := cmp.Diff(want, w.texts(t)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestInterrupted: who ends the program does not wait for messages; they wait.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{}
		n := newNotifier(&shelf{}, w)
		n.Observe(t.Context(), looks(booked()))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := n.Send(ended); !errors.Is(err, context.Canceled) || len(w.requests()) != 0 {
			t.Errorf("%d messages, error %v", len(w.requests()), err)
		}
		if err := n.Send(t.Context()); err != nil || len(w.requests()) != 1 {
			t.Errorf("%d messages, error %v; want the one that waited", len(w.requests()), err)
		}
	})
}

// TestKinds: an address hears of what it asked for alone.
func TestKinds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{}
		n := newNotifier(&shelf{}, w, func(o *Options) { o.Addresses = []Address{hook(Empty)} })
		n.Observe(t.Context(), looks(booked(), empty(), down()))
		n.Observe(t.Context(), looks())
		n.Observe(t.Context(), looks(empty()))
		_ = n.Send(t.Context())
		n.Observe(t.Context(), looks())
		_ = n.Send(t.Context())
		want := []string{"daily on blog: nothing is booked", "Resolved: daily on blog: nothing is booked"}
		if diff := cmp.Diff(want, w.texts(t)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		n.Use(nil)
		n.Observe(t.Context(), looks(empty()))
		if _ = n.Send(t.Context()); len(w.requests()) != 0 || !n.Quiet() {
			t.Error("an address that was taken out is told")
		}
	})
}

// TestTest: each address gets a message that says what it will be told, and
// each has its own result.
func TestTest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &web{}
		bad := Address{Name: "#2", Secret: func(context.Context) (string, string, error) { return "nosuch://x", "", nil }}
		n := newNotifier(&shelf{}, w, func(o *Options) { o.Addresses = []Address{hook(Empty, Failed), bad} })
		errs := n.Test(t.Context())
		if errs[0] != nil || errs[1] == nil {
			t.Errorf("errors %v, want one, of #2", errs)
		}
		if diff := cmp.Diff([]string{"This is a test. Messages of Morrow arrive here, of the kinds nothing_booked, failed."}, w.texts(t)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestLateEnd: a process that was held up for longer than its message's lease
// takes nothing away from the one that sends it now.
func TestLateEnd(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	b := &box{Lines: []Line{{Event: booked(), State: Happened}}}
	b.send(begin)
	first := b.Until
	if got := b.send(begin.Add(lease)); len(got) != 1 {
		t.Fatalf("%d lines, want the lost one", len(got))
	}
	b.sent(first, true)
	if len(b.Taken) != 1 {
		t.Error("the late process took the line that another sends")
	}
	b.sent(b.Until, false)
	if len(b.Lines) != 1 || len(b.Taken) != 0 {
		t.Errorf("%+v, want the line to wait", b)
	}
}

// TestBounds: an address that is never reached, and jobs that are gone, do not
// fill the memory.
func TestBounds(t *testing.T) {
	t.Parallel()
	m, _ := decode(nil)
	to := []Address{hook()}
	now := time.Now()
	for i := range 2 * most {
		e := booked()
		e.Subject = strconv.Itoa(i)
		m.observe(now, looks(e), to)
	}
	lines := m.box(hook()).Lines
	if len(lines) != most || lines[most-1].Subject != strconv.Itoa(2*most-1) {
		t.Errorf("%d lines, want the newest %d", len(lines), most)
	}
	m.observe(now, looks(empty()), to)
	m.observe(now.Add(forget+time.Second), Look{Job: "another"}, to)
	if len(m.Lasting) != 0 {
		t.Errorf("%d things that nobody speaks of any more", len(m.Lasting))
	}
}
