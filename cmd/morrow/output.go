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
	Notices   []string        `json:"notices"` // alarms first
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
		Error: message(r.Err), Notices: append([]string{}, slices.Concat(r.Alarms, r.Notices)...),
	}
	for _, s := range r.Slots {
		l.Slots = append(l.Slots, slotLine{s.Slot.Format(time.RFC3339), s.Outcome, s.Item, s.Reason, s.Post})
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
	for i := 0; i < len(r.Slots); {
		s := r.Slots[i]
		n := alike(r.Slots[i:], func(a, b publish.SlotReport) bool {
			return a.Outcome == b.Outcome && a.Reason == b.Reason && a.Item+b.Item == "" && a.Post == nil && b.Post == nil
		})
		fmt.Fprintf(&b, "%s, %s%s: %s", r.Job, wall(s.Slot), more(n), verdict(s))
		if s.Reason != "" {
			fmt.Fprintf(&b, "\n  %s", s.Reason)
		}
		if s.Post != nil {
			fmt.Fprintf(&b, "\n  %s", address(*s.Post))
		}
		b.WriteByte('\n')
		i += n
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

// alike counts the elements at the beginning of a list of which one line says
// all there is to say.
func alike[T any](list []T, same func(a, b T) bool) int {
	n := 1
	for n < len(list) && same(list[0], list[n]) {
		n++
	}
	return n
}

// more goes on after the first of n slots.
func more(n int) string {
	switch n {
	case 1:
		return ""
	case 2:
		return " and the next slot"
	}
	return fmt.Sprintf(" and the next %d slots", n-1)
}

// statusWord is a post's status as the dashboard has it.
func statusWord(status string) string {
	switch status {
	case "future":
		return "scheduled"
	case "publish":
		return "published"
	}
	return status
}

// address is where a person finds a post: a scheduled one has no public page,
// so its editor.
func address(p publish.PostRef) string {
	home, _, plain := strings.Cut(p.Link, "?")
	if p.Status != "future" || !plain {
		return p.Link
	}
	return fmt.Sprintf("%s/wp-admin/post.php?post=%d&action=edit", strings.TrimSuffix(home, "/"), p.ID)
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
		return fmt.Sprintf("%s, %s as post %d (%s)", text, shown(s.Item), s.Post.ID, statusWord(s.Post.Status))
	case s.Item != "":
		return text + ", " + shown(s.Item)
	case s.Post != nil:
		return fmt.Sprintf("%s, post %d (%s)", text, s.Post.ID, statusWord(s.Post.Status))
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
