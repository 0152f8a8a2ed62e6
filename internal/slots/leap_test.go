package slots

import (
	"testing"
	"time"
)

// TestLastDayOfALeapYear: Go's ZoneBounds gives an end there that is past.
func TestLastDayOfALeapYear(t *testing.T) {
	t.Parallel()
	for _, zone := range hostile() {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			loc := mustZone(t, zone)
			s := mustParse(t, "0 8 * * *")
			for _, year := range []int{2028, 2032, 2056} {
				for day := 29; day <= 33; day++ {
					from, want := time.Date(year, time.December, day, 9, 0, 0, 0, loc), time.Date(year, time.December, day+1, 8, 0, 0, 0, loc)
					if got := s.Next(from, loc); !got.Equal(want) {
						t.Errorf("after %v got %v, want %v", from, got, want)
					}
				}
			}
		})
	}
}
