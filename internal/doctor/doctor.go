// Package doctor finds out what keeps Morrow from booking, on a site and on
// this machine, and says of each finding what it means and what to do.
//
// Each check is a function of what was learned; Site alone asks a site, and
// writes nothing there.
package doctor

// Level says how bad a Finding is.
type Level string

// Levels of a Finding.
const (
	OK   Level = "ok"
	Warn Level = "warn" // works, or most likely will, but a person should know
	Fail Level = "fail" // nothing is booked before it is mended
)

// Finding is what one check found.
type Finding struct {
	Check   string // short and constant: "login", "zone", …
	Level   Level
	Meaning string // what is so, and what follows from it
	Remedy  string // what to do; empty when OK
}

func ok(check, meaning string) Finding { return Finding{Check: check, Level: OK, Meaning: meaning} }

func warn(check, meaning, remedy string) Finding {
	return Finding{Check: check, Level: Warn, Meaning: meaning, Remedy: remedy}
}

func fail(check, meaning, remedy string) Finding {
	return Finding{Check: check, Level: Fail, Meaning: meaning, Remedy: remedy}
}
