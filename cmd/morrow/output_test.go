package main

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"morrow/publish"
)

// TestExitCode: over several runs and slots the first of 1, 4, 3, 75, 0.
func TestExitCode(t *testing.T) {
	t.Parallel()
	run := func(o publish.Outcome, slots ...publish.Outcome) publish.Report {
		r := publish.Report{Outcome: o}
		for _, s := range slots {
			r.Slots = append(r.Slots, publish.SlotReport{Outcome: s})
		}
		return r
	}
	tests := map[string]struct {
		reports []publish.Report
		want    int
	}{
		"booked":                  {[]publish.Report{run(publish.Booked, publish.Booked)}, 0},
		"already booked":          {[]publish.Report{run(publish.AlreadyBooked)}, 0},
		"would book":              {[]publish.Report{run(publish.WouldBook)}, 0},
		"failed":                  {[]publish.Report{run(publish.Failed)}, 1},
		"an outcome not known":    {[]publish.Report{run("new")}, 1},
		"nothing to book":         {[]publish.Report{run(publish.NothingToBook)}, 3},
		"too late":                {[]publish.Report{run(publish.TooLate)}, 3},
		"unknown":                 {[]publish.Report{run(publish.Unknown)}, 4},
		"busy":                    {[]publish.Report{run(publish.Busy)}, 75},
		"booked and busy":         {[]publish.Report{run(publish.Booked), run(publish.Busy)}, 75},
		"busy and nothing":        {[]publish.Report{run(publish.Busy), run(publish.NothingToBook)}, 3},
		"nothing and unknown":     {[]publish.Report{run(publish.NothingToBook), run(publish.Unknown)}, 4},
		"unknown and failed":      {[]publish.Report{run(publish.Unknown), run(publish.Failed)}, 1},
		"one slot of a run":       {[]publish.Report{run(publish.Booked, publish.Booked, publish.Unknown)}, 4},
		"a slot worse than a run": {[]publish.Report{run(publish.Unknown, publish.Failed)}, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := exitCode(tt.reports); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}

func TestReportText(t *testing.T) {
	t.Parallel()
	slot := time.Date(2026, 12, 1, 8, 0, 0, 0, time.FixedZone("KST", 9*3600))
	post := &publish.PostRef{ID: 12, Status: "future", Slug: "first", Link: "https://blog.example.com/?p=12"}
	down := errors.New("list posts: the site is down")
	tests := map[string]struct {
		report publish.Report
		want   string
	}{
		"booked": {
			publish.Report{Job: "daily", Outcome: publish.Booked, Slots: []publish.SlotReport{
				{Slot: slot, Outcome: publish.Booked, Item: "010-first.md", Post: post},
			}},
			"daily, Tue 1 Dec 2026 08:00 KST: booked, 010-first.md as post 12 (scheduled)\n  https://blog.example.com/wp-admin/post.php?post=12&action=edit\n",
		},
		"filled by a person": {
			publish.Report{Job: "daily", Outcome: publish.AlreadyBooked, Slots: []publish.SlotReport{
				{Slot: slot, Outcome: publish.AlreadyBooked, Reason: "why", Post: post},
			}},
			"daily, Tue 1 Dec 2026 08:00 KST: already booked, post 12 (scheduled)\n  why\n  https://blog.example.com/wp-admin/post.php?post=12&action=edit\n",
		},
		"an error that the slot tells is told once": {
			publish.Report{Job: "daily", Outcome: publish.Unknown, Err: down, Slots: []publish.SlotReport{
				{Slot: slot, Outcome: publish.Unknown, Reason: down.Error()},
			}},
			"daily, Tue 1 Dec 2026 08:00 KST: not known, so nothing was booked\n  list posts: the site is down\n",
		},
		"live": {
			publish.Report{Job: "daily", Outcome: publish.AlreadyBooked, Slots: []publish.SlotReport{
				{Slot: slot, Outcome: publish.AlreadyBooked, Post: &publish.PostRef{ID: 12, Status: "publish", Link: "https://blog.example.com/?p=12"}},
			}},
			"daily, Tue 1 Dec 2026 08:00 KST: already booked, post 12 (published)\n  https://blog.example.com/?p=12\n",
		},
		"slots of which the same is to be said": {
			publish.Report{Job: "daily", Outcome: publish.Unknown, Err: down, Slots: []publish.SlotReport{
				{Slot: slot.In(time.FixedZone("UTC+00:00", 0)), Outcome: publish.Unknown, Reason: down.Error()},
				{Slot: slot.AddDate(0, 0, 1), Outcome: publish.Unknown, Reason: down.Error()},
				{Slot: slot.AddDate(0, 0, 2), Outcome: publish.Unknown, Reason: "other"},
			}},
			"daily, Mon 30 Nov 2026 23:00 UTC and the next slot: not known, so nothing was booked\n  list posts: the site is down\n" +
				"daily, Thu 3 Dec 2026 08:00 KST: not known, so nothing was booked\n  other\n",
		},
		"an error without slots": {
			publish.Report{Job: "daily", Outcome: publish.Failed, Err: down, Alarms: []string{"an alarm"}, Notices: []string{"a note"}},
			"daily: failed\n  list posts: the site is down\n  note: an alarm\n  note: a note\n",
		},
		"busy": {
			publish.Report{Job: "daily", Outcome: publish.Busy},
			"daily: another run is at work on this site; nothing was done\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, reportText(tt.report)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}
