package doctor

import (
	"fmt"
	"strings"

	"morrow/internal/autostart"
)

// Autostarts judges what starts Morrow, or a script that does the same work, on
// this machine. running: the daemon is at work.
func Autostarts(found autostart.Found, running bool) []Finding {
	const check = "autostart"
	var on, off []string
	var out []Finding
	for _, e := range found.Entries {
		name := fmt.Sprintf("%s %s (%s)", e.Kind, e.Where, e.Command)
		if e.Off {
			off = append(off, name)
			continue
		}
		on = append(on, name)
		if e.Twice {
			out = append(out, warn(check, name+" starts a second one while the first still runs",
				"in the Task Scheduler set, under Settings, “Do not start a new instance”; two daemons exclude each other, but each start ends with an error"))
		}
		if e.Detached {
			out = append(out, warn(check, name+" uses `start`: what began it thinks that it ended at once, can't stop it, and may begin another",
				"call the program in the batch file without start, or start /wait"))
		}
	}
	switch {
	case len(on) > 1:
		out = append(out, warn(check, fmt.Sprintf("%d things start it on this machine: %s", len(on), strings.Join(on, "; ")),
			"keep one, and switch the others off; the locks hold two of Morrow apart, but not Morrow and a script"))
	case len(on) == 1 && len(out) == 0:
		out = append(out, ok(check, on[0]))
	case len(on) == 0 && len(off) > 0:
		out = append(out, warn(check, "what would start Morrow is switched off: "+strings.Join(off, "; "), "switch one of them on"))
	case len(on) == 0:
		text := "nothing starts Morrow when this machine starts"
		if running {
			text += ", though it runs now"
		}
		out = append(out, warn(check, text, "the README says under “Running it for good” how it starts by itself"))
	}
	for _, place := range found.Unread {
		out = append(out, warn(check, "could not look at "+place, "ask again as an administrator, to be sure that nothing else starts it"))
	}
	return out
}
