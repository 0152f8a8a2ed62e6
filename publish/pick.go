package publish

import (
	"fmt"
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
func choices(s slots.Slot, entries []source.Entry) []source.Item {
	var pinned, floating []source.Item
	for _, e := range entries {
		switch it := e.Item; {
		case it == nil || it.NotBefore.After(s.At):
		case it.PublishOn == s.Date():
			pinned = append(pinned, *it)
		case it.PublishOn == "":
			floating = append(floating, *it)
		}
	}
	return append(pinned, floating...)
}

// shortage says why no item is left for a slot.
func shortage(entries []source.Entry, tried int) string {
	var waiting, held, faulty int
	for _, e := range entries {
		switch e.State {
		case source.Ready:
			waiting++
		case source.Held:
			held++
		case source.Faulty:
			faulty++
		case source.Ignored:
		}
	}
	waiting -= tried
	if tried+waiting+held+faulty == 0 {
		return "the queue is empty: put a file into it"
	}
	return fmt.Sprintf("the queue has nothing for this slot: %d used or set aside in this run, %d meant for another day, %d held back, %d faulty; `morrow queue` says why",
		tried, max(waiting, 0), held, faulty)
}
