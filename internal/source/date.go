package source

import (
	"fmt"
	"strings"
	"time"

	"morrow/internal/pattern"
)

var dateForm = pattern.Lazy(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[Tt ] *(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)? *(Z|z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$`)

// moment is a date as written: an instant, or a wall time of the site's zone,
// which may change after the file was read.
type moment struct {
	wall  time.Time
	zoned bool
}

// parseMoment reads a date with or without time and zone, a missing time as
// midnight. Fractions of a second are dropped.
func parseMoment(s string) (moment, error) {
	m := dateForm().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		if m, ok := namedMonth(s); ok {
			return m, nil
		}
		return moment{}, fmt.Errorf("date %q can't be read; write it as 2027-01-05 or 2027-01-05 07:30", s)
	}
	for i := 2; i <= 6; i++ {
		if len(m[i]) < 2 {
			m[i] = "00"[len(m[i]):] + m[i]
		}
	}
	zone := strings.ReplaceAll(strings.ToUpper(m[7]), ":", "")
	switch zone {
	case "", "Z", "UTC", "GMT":
		zone = "+0000"
	}
	if len(zone) == len("+09") {
		zone += "00"
	}
	wall, err := time.Parse("2006-01-02 15:04:05 -0700", fmt.Sprintf("%s-%s-%s %s:%s:%s %s", m[1], m[2], m[3], m[4], m[5], m[6], zone))
	if err != nil {
		return moment{}, fmt.Errorf("date %q does not exist", s)
	}
	return moment{wall: wall, zoned: m[7] != ""}, nil
}

// namedMonth reads the forms of Astro's examples and of mail headers.
func namedMonth(s string) (moment, bool) {
	s = strings.Join(strings.Fields(s), " ")
	for _, form := range []string{"Jan 2 2006", "January 2 2006", "Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2 January 2006"} {
		if day, err := time.Parse(form, s); err == nil {
			return moment{wall: day}, true
		}
	}
	for _, form := range []string{time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 -0700"} {
		if at, err := time.Parse(form, s); err == nil {
			return moment{wall: at, zoned: true}, true
		}
	}
	return moment{}, false
}

// in is the instant that m means on a site with zone loc.
func (m moment) in(loc *time.Location) time.Time {
	if m.zoned {
		return m.wall
	}
	year, month, day := m.wall.Date()
	hour, minute, second := m.wall.Clock()
	return time.Date(year, month, day, hour, minute, second, 0, loc)
}

var dayForm = pattern.Lazy(`^\d{4}-\d{2}-\d{2}$`)

// checkDay wants a day that exists, as YYYY-MM-DD.
func checkDay(s string) error {
	if !dayForm().MatchString(s) {
		return fmt.Errorf("%q must be a day such as 2027-01-05", s)
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return fmt.Errorf("the day %s does not exist", s)
	}
	return nil
}
