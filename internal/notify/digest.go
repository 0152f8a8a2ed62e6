package notify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Digest is one message: all that there is to tell an address.
type Digest struct {
	Host  string
	At    time.Time
	Lines []Line // what is wrong first, then what is over, then what happened
}

// digest orders lines. Its own sites stand together.
func digest(host string, now time.Time, lines []Line) Digest {
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Site, b.Site), cmp.Compare(a.Job, b.Job))
	})
	return Digest{Host: host, At: now, Lines: lines}
}

// rank is a line's place: urgent ones first, since a long message is cut.
func rank(l Line) int {
	switch l.State {
	case Begun, Lasts:
		return slices.Index([]Kind{Empty, Failed, Unseen, LockHeld, QueueLow}, l.Kind)
	case Over:
		return len(Kinds())
	case Happened:
	}
	return len(Kinds()) + 1 + slices.Index([]Kind{Missed, Withdrawn, Booked}, l.Kind)
}

// Title says in a few words what the message is about.
func (d Digest) Title() string {
	count := map[string]int{}
	var order []string
	for _, l := range d.Lines {
		word := l.word()
		if count[word] == 0 {
			order = append(order, word)
		}
		count[word]++
	}
	for i, word := range order {
		if n := count[word]; n > 1 {
			order[i] = fmt.Sprintf("%d × %s", n, word)
		}
	}
	return "Morrow: " + strings.Join(order, ", ")
}

// word is a line's kind as people read it.
func (l Line) word() string {
	if l.State == Over {
		return string(Over)
	}
	return strings.ReplaceAll(string(l.Kind), "_", " ")
}

// lineSize bounds one line of a message, in characters: a site's error can be
// long, and the log has it whole.
const lineSize = 300

// Body is what the message says, a line for each thing and no longer than limit
// characters, if that leaves room for anything.
func (d Digest) Body(limit int) string {
	end := "— " + d.Host
	var b strings.Builder
	for i, l := range d.Lines {
		text := l.sentence() + "\n"
		more := fmt.Sprintf("… and %d more; `morrow status` tells all\n", len(d.Lines)-i)
		if size(b.String())+size(text)+size(more)+size(end) > limit && i > 0 {
			b.WriteString(more)
			break
		}
		b.WriteString(text)
	}
	return b.String() + end
}

// sentence is a line as people read it.
func (l Line) sentence() string {
	about := l.Job
	if l.Site != "" {
		about += " on " + l.Site
	}
	text := cut(oneLine(l.Text), lineSize)
	if about != "" {
		text = about + ": " + text
	}
	switch l.State {
	case Over:
		return "Resolved: " + text
	case Lasts:
		return text + " (since " + l.Since.Local().Format("Mon 2 Jan 15:04") + ")"
	case Begun, Happened:
	}
	return text
}

// oneLine takes out of a text what would break the message up.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func cut(text string, limit int) string {
	if size(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}

func size(text string) int { return utf8.RuneCountInString(text) }
