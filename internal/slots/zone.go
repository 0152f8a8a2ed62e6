package slots

import (
	"fmt"
	"math"
	"time"
	_ "time/tzdata" // a machine without zone data must not turn every site into UTC
)

// Zone is a site's time zone.
type Zone struct {
	Loc *time.Location
	// Fixed: the site has only a UTC offset and will not follow DST.
	Fixed bool
}

// NewZone makes the zone of WordPress's timezone_string and gmt_offset
// (hours) settings; an unknown name is an error, never silently UTC.
//
// WordPress leaves timezone_string empty when a person chose an offset such
// as UTC+5:45; gmt_offset is then 5.75 and the zone is named UTC+05:45. With a
// name the offset says nothing more and is ignored.
func NewZone(name string, gmtOffset float64) (Zone, error) {
	if name == "" {
		return fixedZone(gmtOffset)
	}
	// LoadLocation takes Local for the zone of this machine.
	if name == "Local" {
		return Zone{}, fmt.Errorf("load zone %q: not a zone's name; choose a city under Settings, General, Timezone on the site", name)
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		return Zone{}, fmt.Errorf("load zone %q: %w; choose another city under Settings, General, Timezone on the site, or update Morrow if the name is new", name, err)
	}
	return Zone{Loc: loc}, nil
}

func fixedZone(hours float64) (Zone, error) {
	// The range that WordPress offers. Written so that NaN is out of it, too.
	if !(hours >= -12 && hours <= 14) {
		return Zone{}, fmt.Errorf("read gmt_offset %v: not between -12 and 14 hours; choose a city under Settings, General, Timezone on the site", hours)
	}
	minutes := int(math.Round(hours * 60))
	sign, abs := '+', minutes
	if minutes < 0 {
		sign, abs = '-', -minutes
	}
	name := fmt.Sprintf("UTC%c%02d:%02d", sign, abs/60, abs%60)
	return Zone{Loc: time.FixedZone(name, minutes*60), Fixed: true}, nil
}
