package slots

import (
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestNewZone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		offset float64
		want   string
		shift  time.Duration // from UTC on 1 January 2027
		fixed  bool
	}{
		{"Europe/Berlin", 1, "Europe/Berlin", time.Hour, false},
		{"Asia/Seoul", 0, "Asia/Seoul", 9 * time.Hour, false}, // the name rules
		{"UTC", 0, "UTC", 0, false},
		{"", 0, "UTC+00:00", 0, true},
		{"", 5.75, "UTC+05:45", 5*time.Hour + 45*time.Minute, true},
		{"", 12.75, "UTC+12:45", 12*time.Hour + 45*time.Minute, true},
		{"", -3.5, "UTC-03:30", -3*time.Hour - 30*time.Minute, true},
		{"", -0.5, "UTC-00:30", -30 * time.Minute, true},
		{"", -12, "UTC-12:00", -12 * time.Hour, true},
		{"", 14, "UTC+14:00", 14 * time.Hour, true},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			t.Parallel()
			z, err := NewZone(tt.name, tt.offset)
			if err != nil {
				t.Fatal(err)
			}
			_, shift := time.Date(2027, 1, 1, 0, 0, 0, 0, z.Loc).Zone()
			if z.Loc.String() != tt.want || z.Fixed != tt.fixed || time.Duration(shift)*time.Second != tt.shift {
				t.Errorf("got %v, fixed %v, %d s; want %v, fixed %v, %v", z.Loc, z.Fixed, shift, tt.want, tt.fixed, tt.shift)
			}
		})
	}
}

func TestNewZoneRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		offset float64
	}{
		{"Mars/Base", 0},
		{"Local", 0},
		{"../etc/passwd", 0},
		{"UTC+5", 5},
		{"", -12.25},
		{"", 14.25},
		{"", 540},
		{"", math.NaN()},
		{"", math.Inf(1)},
	}
	for _, tt := range tests {
		z, err := NewZone(tt.name, tt.offset)
		if err == nil {
			t.Errorf("NewZone(%q, %v) = %v, want an error", tt.name, tt.offset, z)
		} else if !strings.Contains(err.Error(), "Settings, General, Timezone") {
			t.Errorf("NewZone(%q, %v): %q does not say what to do", tt.name, tt.offset, err)
		}
	}
}

// A program built without zone data knows only the zones of its machine.
func TestB08ZoneDataIsEmbedded(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if !strings.Contains(string(out), "time/tzdata\n") {
		t.Error("time/tzdata is not linked in")
	}
}

func TestB08UnknownZoneIsNotUTC(t *testing.T) {
	t.Parallel()
	z, err := NewZone("Europe/Atlantis", 0)
	if err == nil || z.Loc != nil {
		t.Errorf("got %v, %v; want an error and no zone", z.Loc, err)
	}
}
