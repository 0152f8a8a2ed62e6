package fakewp

import (
	"strconv"
	"strings"
	"time"

	"morrow/internal/pattern"
)

var restDate = pattern.Lazy(
	`^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(Z|[+-]\d{2}(?::\d{2})?)?$`)

// parseDate reads a date as rest_parse_date does. zoned says whether the text
// named its zone; without one the wall clock is returned as if it were UTC.
// PHP lets days overflow (February 30 is March 2, 24:00:00 the next day).
func parseDate(s string) (t time.Time, zoned, ok bool) {
	m := restDate().FindStringSubmatch(s)
	if m == nil {
		return t, false, false
	}
	n := make([]int, 7)
	for i := 1; i <= 6; i++ {
		n[i], _ = strconv.Atoi(m[i]) // digits by the expression
	}
	hour24 := n[4] == 24 && n[5] == 0 && n[6] == 0
	if n[2] > 12 || n[3] > 31 || (n[4] > 23 && !hour24) || n[5] > 59 || n[6] > 59 {
		return t, false, false
	}
	t = time.Date(n[1], time.Month(n[2]), n[3], n[4], n[5], n[6], 0, time.UTC)
	zone := m[7]
	if zone == "" || zone == "Z" {
		return t, zone == "Z", true
	}
	h, _ := strconv.Atoi(zone[1:3])
	minutes := 0
	if len(zone) == 6 {
		minutes, _ = strconv.Atoi(zone[4:])
	}
	offset := time.Duration(h)*time.Hour + time.Duration(minutes)*time.Minute
	if strings.HasPrefix(zone, "-") {
		offset = -offset
	}
	return t.Add(-offset), true, true
}

// dates is rest_get_date_with_gmt: the local and the GMT form of a date. A
// text without a zone is local, or GMT if utc.
func (s *site) dates(text string, utc bool) (local, gmt string, ok bool) {
	t, zoned, ok := parseDate(text)
	if !ok {
		return "", "", false
	}
	if zoned || utc {
		return t.In(s.zone).Format(time.DateTime), t.Format(time.DateTime), true
	}
	local = t.Format(time.DateTime)
	return local, s.toGMT(local), true
}

// bound is a value of after or before on the stored local clock.
func (s *site) bound(text string) (string, bool) {
	local, _, ok := s.dates(text, false)
	return local, ok
}

// toLocal is get_date_from_gmt.
func (s *site) toLocal(gmt string) string {
	t, err := time.Parse(time.DateTime, gmt)
	if err != nil {
		return gmt
	}
	return t.In(s.zone).Format(time.DateTime)
}

// toGMT is get_gmt_from_date. Like PHP it takes the first of a doubled hour,
// and moves a time in a gap forward by the gap.
func (s *site) toGMT(local string) string {
	naive, err := time.Parse(time.DateTime, local)
	if err != nil {
		return local
	}
	earlier := naive.Add(-s.offset(naive.Add(-36 * time.Hour)))
	later := naive.Add(-s.offset(naive.Add(36 * time.Hour)))
	for _, t := range []time.Time{earlier, later} {
		if naive.Add(-s.offset(t)).Equal(t) {
			return t.Format(time.DateTime)
		}
	}
	return earlier.Format(time.DateTime)
}

func (s *site) offset(t time.Time) time.Duration {
	_, sec := t.In(s.zone).Zone()
	return time.Duration(sec) * time.Second
}

// rest writes a stored date the REST way.
func rest(date string) string { return strings.Replace(date, " ", "T", 1) }
