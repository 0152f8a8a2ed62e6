package publish

import (
	"fmt"
	"strings"
	"time"

	"morrow/internal/slots"
	"morrow/internal/source"
)

// Forecast is the fate of one source entry.
type Forecast struct {
	Entry source.Entry
	Slot  time.Time // zero when no slot is in sight for it
}

// Plan says which entry would fill which of the free slots, by the rule that
// Run picks by. It asks nothing and changes nothing.
func Plan(free []slots.Slot, entries []source.Entry) []Forecast {
	at := make(map[string]time.Time)
	for _, s := range free {
		for _, it := range choices(s, entries) {
			if _, used := at[it.Key]; !used {
				at[it.Key] = s.At
				break
			}
		}
	}
	plan := make([]Forecast, 0, len(entries))
	for _, e := range entries {
		f := Forecast{Entry: e}
		if e.Item != nil {
			f.Slot = at[e.Item.Key]
		}
		plan = append(plan, f)
	}
	return plan
}

// choices are the items that may fill the slot, best first: those pinned to
// its day, then those pinned to none, each in the source's order.
func choices(s slots.Slot, entries []source.Entry) []*source.Item {
	var pinned, floating []*source.Item
	for _, e := range entries {
		switch it := e.Item; {
		case it == nil || it.NotBefore.After(s.At):
		case it.PublishOn == s.Date():
			pinned = append(pinned, it)
		case it.PublishOn == "":
			floating = append(floating, it)
		}
	}
	return append(pinned, floating...)
}

// namedAtMost is how many files a sentence names before it only counts.
const namedAtMost = 3

// shortage says why no item is left for a slot.
func (r *run) shortage(s slots.Slot, later map[string]string) string {
	var why []string
	for _, e := range r.entries {
		switch {
		case e.State == source.Held || e.State == source.Faulty:
			why = append(why, fmt.Sprintf("%s is %s: %s", e.Name, e.State, e.Reason))
		case e.Item == nil:
		case r.tried[e.Item.Key] != "":
			why = append(why, fmt.Sprintf("%s is set aside: %s", e.Name, r.tried[e.Item.Key]))
		case later[e.Item.Key] != "":
			why = append(why, fmt.Sprintf("%s waits: %s", e.Name, later[e.Item.Key]))
		case e.Item.PublishOn != "" && e.Item.PublishOn != s.Date():
			why = append(why, fmt.Sprintf("%s is meant for %s", e.Name, e.Item.PublishOn))
		case e.Item.NotBefore.After(s.At):
			why = append(why, fmt.Sprintf("%s is meant for after %s", e.Name, e.Item.NotBefore.Format("2006-01-02 15:04")))
		}
	}
	if len(why) == 0 {
		return r.job.Empty
	}
	if more := len(why) - namedAtMost; more > 0 {
		why = append(why[:namedAtMost], fmt.Sprintf("and %d more; `morrow queue` lists them", more))
	}
	return "nothing in the queue may fill this slot: " + strings.Join(why, "; ")
}

// passOver tells of the faulty files that would have had their turn before the
// item.
func (r *run) passOver(it source.Item) {
	if r.passedOver {
		return
	}
	r.passedOver = true
	var names []string
	for _, e := range r.entries {
		if e.Item != nil && e.Item.Key == it.Key {
			break
		}
		if e.State == source.Faulty {
			names = append(names, fmt.Sprintf("%s (%s)", e.Name, e.Reason))
		}
	}
	if more := len(names) - namedAtMost; more > 0 {
		names = append(names[:namedAtMost], fmt.Sprintf("and %d more; `morrow queue` lists them", more))
	}
	if len(names) > 0 {
		r.notice("passed over as faulty: %s", strings.Join(names, "; "))
	}
}
