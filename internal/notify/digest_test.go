package notify

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestDigest: what is urgent comes first, so that a message which is too long
// loses the rest, and says how much.
func TestDigest(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 30, 21, 0, 0, 0, time.Local)
	lines := []Line{
		{Event: Event{Kind: Booked, Site: "b", Job: "two", Text: "booked 020.md"}, State: Happened},
		{Event: Event{Kind: Booked, Site: "a", Job: "one", Text: "booked 010.md"}, State: Happened},
		{Event: Event{Kind: Missed, Site: "a", Job: "one", Text: "post 3 missed its slot"}, State: Happened},
		{Event: Event{Kind: Failed, Site: "c", Job: "three", Text: "mended"}, State: Over, Since: at},
		{Event: Event{Kind: QueueLow, Site: "c", Job: "three", Text: "2 days left"}, State: Begun, Since: at},
		{Event: Event{Kind: Failed, Text: "the configuration\n  has faults"}, State: Lasts, Since: at},
	}
	d := digest("host", at, lines)
	if got, want := d.Title(), "Morrow: failed, queue low, resolved, missed schedule, 2 × booked"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
	want := strings.Join([]string{
		"the configuration has faults (since Mon 30 Nov 21:00)",
		"three on c: 2 days left",
		"Resolved: three on c: mended",
		"one on a: post 3 missed its slot",
		"one on a: booked 010.md",
		"two on b: booked 020.md",
		"— host",
	}, "\n")
	if got := d.Body(1000); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = strings.Join([]string{
		"the configuration has faults (since Mon 30 Nov 21:00)",
		"three on c: 2 days left",
		"… and 4 more; `morrow status` tells all",
		"— host",
	}, "\n")
	if got := d.Body(utf8.RuneCountInString(want) + 10); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	long := digest("host", at, []Line{{Event: Event{Kind: Failed, Job: "j", Text: strings.Repeat("가", 5000)}, State: Begun}})
	if n := utf8.RuneCountInString(long.Body(shortText)); n > shortText {
		t.Errorf("%d characters", n)
	}
}
