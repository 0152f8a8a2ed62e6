package main

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/internal/config"
	"morrow/internal/notify"
	"morrow/publish"
)

// TestLookOf: what a run's report means to people.
func TestLookOf(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	second := first.AddDate(0, 0, 1)
	post := &publish.PostRef{ID: 12, Status: "future", Link: "https://blog.example.com/?p=12"}
	saw := []notify.Kind{notify.Empty, notify.Failed, notify.Unseen, notify.LockHeld}
	event := func(kind notify.Kind, subject, text string) notify.Event {
		return notify.Event{Kind: kind, Site: "blog", Job: "daily", Subject: subject, Text: text}
	}
	empty := event(notify.Empty, "2026-12-01T08:00:00Z", "nothing is booked for Tue 1 Dec 2026 08:00 UTC: the queue is empty")
	empty.Until = first
	down := errors.New("no answer")
	for _, tt := range []struct {
		name string
		rep  publish.Report
		want notify.Look
	}{
		{"booked", publish.Report{Outcome: publish.Booked, Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.Booked, Item: "010.md", Post: post},
			{Slot: second, Outcome: publish.AlreadyBooked, Post: post},
		}}, notify.Look{Saw: saw, Events: []notify.Event{
			event(notify.Booked, "", "booked 010.md for Tue 1 Dec 2026 08:00 UTC: https://blog.example.com/wp-admin/post.php?post=12&action=edit"),
		}}},
		{"the next slot stays empty", publish.Report{Outcome: publish.NothingToBook, Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.NothingToBook, Reason: "the queue is empty"},
			{Slot: second, Outcome: publish.NothingToBook, Reason: "the queue is empty"},
		}}, notify.Look{Saw: saw, Events: []notify.Event{empty}}},
		{"it is too late for it", publish.Report{Outcome: publish.TooLate, Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.TooLate, Reason: "the queue is empty"},
		}}, notify.Look{Saw: saw, Events: []notify.Event{empty}}},
		{"a later slot is empty", publish.Report{Outcome: publish.NothingToBook, Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.AlreadyBooked, Post: post},
			{Slot: second, Outcome: publish.NothingToBook, Reason: "the queue is empty"},
		}}, notify.Look{Saw: saw}},
		{"a slot waits for its check", publish.Report{Outcome: publish.NothingToBook, Trigger: "watch", Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.NothingToBook, Reason: "free", Waits: true},
		}}, notify.Look{Saw: saw}},
		{"slots failed", publish.Report{Outcome: publish.Failed, Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.Failed, Reason: "no right"}, {Slot: second, Outcome: publish.Failed, Reason: "no right"},
		}}, notify.Look{Saw: saw, Events: []notify.Event{event(notify.Failed, "", "Tue 1 Dec 2026 08:00 UTC: no right")}}},
		{"slots are not known", publish.Report{Outcome: publish.Unknown, Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.Unknown, Reason: "hidden"}, {Slot: second, Outcome: publish.Unknown, Reason: "hidden"},
		}}, notify.Look{Saw: saw, Events: []notify.Event{
			event(notify.Unseen, "", "it is not known whether Tue 1 Dec 2026 08:00 UTC is filled: hidden"),
		}}},
		{"the site is down", publish.Report{Outcome: publish.Unknown, Err: down, Slots: []publish.SlotReport{
			{Slot: first, Outcome: publish.Unknown, Reason: "no answer"},
		}}, notify.Look{Saw: []notify.Kind{notify.Unseen, notify.LockHeld}, Events: []notify.Event{
			event(notify.Unseen, "", "the site can't be looked at: no answer"),
		}}},
		{"the login is refused", publish.Report{Outcome: publish.Failed, Err: errors.New("401")}, notify.Look{
			Saw: []notify.Kind{notify.Failed}, Events: []notify.Event{event(notify.Failed, "", "401")},
		}},
		{"the lock does not come free", publish.Report{Outcome: publish.Busy, Trigger: "cron", Alarms: []string{"held"}}, notify.Look{
			Saw: []notify.Kind{notify.LockHeld}, Events: []notify.Event{event(notify.LockHeld, "", "held")},
		}},
		{"busy by hand", publish.Report{Outcome: publish.Busy, Trigger: manual}, notify.Look{}},
		{"what was done to posts", publish.Report{Outcome: publish.AlreadyBooked, Events: []publish.Event{
			{Kind: publish.Mended, Post: 5, Text: "mended"}, {Kind: publish.Withdrawn, Post: 6, Text: "withdrawn"}, {Kind: publish.Overdue, Post: 7, Text: "overdue"},
		}}, notify.Look{Saw: saw, Events: []notify.Event{
			event(notify.Missed, "", "mended"), event(notify.Withdrawn, "", "withdrawn"), event(notify.Failed, "post 7", "overdue"),
		}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.rep.Job, tt.rep.Site, tt.want.Job = "daily", "blog", "daily"
			if diff := cmp.Diff(tt.want, lookOf(tt.rep)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestIsWell: a switch is told of what is settled, and of nothing else.
func TestIsWell(t *testing.T) {
	t.Parallel()
	type verdict struct{ ok, known bool }
	for outcome, want := range map[publish.Outcome]verdict{
		publish.Booked: {true, true}, publish.AlreadyBooked: {true, true},
		publish.NothingToBook: {false, true}, publish.TooLate: {false, true}, publish.Failed: {false, true},
		publish.Unknown: {}, publish.Busy: {},
	} {
		if ok, known := isWell(publish.Report{Outcome: outcome}); (verdict{ok, known}) != want {
			t.Errorf("%s: %v, %v", outcome, ok, known)
		}
	}
	if pinged("watch") || !pinged("cron") || !pinged(manual) {
		t.Error("a switch is told of the wrong runs")
	}
}

// TestNobodyIsTold: a dry run has no teller.
func TestNobodyIsTold(t *testing.T) {
	t.Parallel()
	var nobody *teller
	nobody.begins(t.Context(), config.Job{}, manual)
	nobody.ended(t.Context(), nil, config.Job{}, publish.Report{})
	nobody.faults(t.Context(), errors.New("faulty"))
	nobody.use(t.Context(), nil)
	nobody.close(t.Context())
}
