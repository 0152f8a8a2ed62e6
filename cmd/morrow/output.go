package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"morrow/publish"
)

// reportLine is a run as `--json` prints it.
type reportLine struct {
	Job       string          `json:"job"`
	Site      string          `json:"site"`
	Run       string          `json:"run"`
	Trigger   string          `json:"trigger"`
	DryRun    bool            `json:"dry_run"`
	Outcome   publish.Outcome `json:"outcome"`
	ElapsedMS int64           `json:"elapsed_ms"`
	Slots     []slotLine      `json:"slots"`
	Error     *string         `json:"error"`
}

type slotLine struct {
	Slot    string           `json:"slot"` // RFC 3339 in the site's zone
	Outcome publish.Outcome  `json:"outcome"`
	Item    string           `json:"item"`
	Reason  string           `json:"reason"`
	Post    *publish.PostRef `json:"post"`
}

func newReportLine(r publish.Report) reportLine {
	l := reportLine{
		Job: r.Job, Site: r.Site, Run: r.Run, Trigger: r.Trigger, DryRun: r.DryRun, Outcome: r.Outcome,
		ElapsedMS: r.Elapsed.Milliseconds(), Slots: make([]slotLine, 0, len(r.Slots)),
	}
	for _, s := range r.Slots {
		l.Slots = append(l.Slots, slotLine{s.Slot.Format(time.RFC3339), s.Outcome, s.Item, s.Reason, s.Post})
	}
	if r.Err != nil {
		text := r.Err.Error()
		l.Error = &text
	}
	return l
}

// printJSON writes one value as one line.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	// A link is to be copied as it is, & and all.
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	return nil
}

// reportText is a run as a person reads it.
func reportText(r publish.Report) string {
	var b strings.Builder
	for _, s := range r.Slots {
		fmt.Fprintf(&b, "%s, %s: %s", r.Job, wall(s.Slot), verdict(s))
		if s.Reason != "" {
			fmt.Fprintf(&b, "\n  %s", s.Reason)
		}
		if s.Post != nil {
			fmt.Fprintf(&b, "\n  %s", s.Post.Link)
		}
		b.WriteByte('\n')
	}
	switch {
	case r.Outcome == publish.Busy && len(r.Slots) == 0:
		fmt.Fprintf(&b, "%s: another run is at work on this site; nothing was done\n", r.Job)
	case r.Err != nil && !toldBySlot(r):
		fmt.Fprintf(&b, "%s: %s\n  %s\n", r.Job, outcomeText(r.Outcome), r.Err)
	}
	for _, n := range slices.Concat(r.Alarms, r.Notices) {
		fmt.Fprintf(&b, "  note: %s\n", n)
	}
	return b.String()
}

// toldBySlot says whether a slot gives the run's error as its reason already.
func toldBySlot(r publish.Report) bool {
	for _, s := range r.Slots {
		if s.Reason == r.Err.Error() {
			return true
		}
	}
	return false
}

// verdict says in a few words what happened to a slot.
func verdict(s publish.SlotReport) string {
	text := outcomeText(s.Outcome)
	switch {
	case s.Item != "" && s.Post != nil:
		return fmt.Sprintf("%s, %s as post %d (%s)", text, s.Item, s.Post.ID, s.Post.Status)
	case s.Item != "":
		return text + ", " + s.Item
	case s.Post != nil:
		return fmt.Sprintf("%s, post %d (%s)", text, s.Post.ID, s.Post.Status)
	}
	return text
}

func outcomeText(o publish.Outcome) string {
	switch o {
	case publish.WouldBook:
		return "would be booked"
	case publish.Unknown:
		return "not known, so nothing was booked"
	case publish.Booked, publish.AlreadyBooked, publish.NothingToBook, publish.TooLate, publish.Busy, publish.Failed:
	}
	return strings.ReplaceAll(string(o), "_", " ")
}

// exitCode is that of several runs: over all their slots the first of failed,
// unknown, nothing to book or too late, busy, and success that occurred.
func exitCode(reports []publish.Report) int {
	seen := map[int]bool{}
	for _, r := range reports {
		seen[outcomeCode(r.Outcome)] = true
		for _, s := range r.Slots {
			seen[outcomeCode(s.Outcome)] = true
		}
	}
	for _, code := range []int{exitFailed, exitUnknown, exitNothing, exitBusy} {
		if seen[code] {
			return code
		}
	}
	return exitOK
}

func outcomeCode(o publish.Outcome) int {
	switch o {
	case publish.Booked, publish.AlreadyBooked, publish.WouldBook:
		return exitOK
	case publish.NothingToBook, publish.TooLate:
		return exitNothing
	case publish.Unknown:
		return exitUnknown
	case publish.Busy:
		return exitBusy
	case publish.Failed:
	}
	return exitFailed
}
