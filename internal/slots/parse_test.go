package slots

import (
	"strings"
	"testing"
	"time"
)

func mustParse(t tester, spec string) Schedule {
	t.Helper()
	s, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestB72ParseRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ spec, want string }{
		{"", "empty"},
		{"  \t", "empty"},
		{"0 8 * *", "4 instead of five fields"},
		{"0 0 8 * * *", "seconds are not taken"},
		{"0 0 8 * * * *", "7 instead of five fields"},
		{"@every 24h", "not by the clock"},
		{"@every", "not by the clock"},
		{"@reboot", "known are @hourly"},
		{"CRON_TZ=Asia/Seoul", "site's own zone"}, // robfig/cron panics
		{"TZ=", "site's own zone"},
		{" CRON_TZ=Asia/Seoul 0 8 * * *", "site's own zone"},
		{"tz=UTC 0 8 * * *", "site's own zone"},
		{"0 0 31 2 *", "never comes true"},
		{"0 0 30 2 *", "never comes true"},
		{"0 0 31 4,6,9,11 ?", "never comes true"},
		{"61 8 * * *", "minute \"61\""},
		{"0 24 * * *", "hour \"24\""},
		{"0 8 0 * *", "day of month \"0\""},
		{"0 8 * jänner *", "month \"jänner\""},
		{"0 8 * * 8", "day of week \"8\""},
		{"0 8 * * 1-7/2", "Sunday is added"},
		{"0 8 * * fri-sun", "Sunday is added"},
		{"0 8, * * *", "beside a comma"},
		{", 8 * * *", "beside a comma"},
		{"0 8 *-5 * *", "needs a first value"}, // robfig/cron reads *
		{"*/0 8 * * *", "minute \"*/0\""},
	}
	for _, tt := range tests {
		t.Run(tt.spec, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(tt.spec)
			if err == nil {
				t.Fatalf("got %v, want an error", s)
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %q, want it to contain %q", err, tt.want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	// The firings after Friday 1 January 2027, 00:00 UTC.
	tests := []struct {
		spec string
		want [3]string
	}{
		{"0 8 * * *", [3]string{"2027-01-01T08:00", "2027-01-02T08:00", "2027-01-03T08:00"}},
		{"  0\t8  * * * ", [3]string{"2027-01-01T08:00", "2027-01-02T08:00", "2027-01-03T08:00"}},
		{"*/30 8-9 * * mon", [3]string{"2027-01-04T08:00", "2027-01-04T08:30", "2027-01-04T09:00"}},
		{"0 8 * * 7", [3]string{"2027-01-03T08:00", "2027-01-10T08:00", "2027-01-17T08:00"}},
		{"0 8 * * sat-7", [3]string{"2027-01-02T08:00", "2027-01-03T08:00", "2027-01-09T08:00"}},
		{"0 8 * * 1,7", [3]string{"2027-01-03T08:00", "2027-01-04T08:00", "2027-01-10T08:00"}},
		{"0 8 * * */7", [3]string{"2027-01-03T08:00", "2027-01-10T08:00", "2027-01-17T08:00"}},
		{"0 8 31 * *", [3]string{"2027-01-31T08:00", "2027-03-31T08:00", "2027-05-31T08:00"}},
		{"0 8 29 2 *", [3]string{"2028-02-29T08:00", "2032-02-29T08:00", "2036-02-29T08:00"}},
		{"0 8 15 * fri", [3]string{"2027-01-01T08:00", "2027-01-08T08:00", "2027-01-15T08:00"}}, // either
		{"@hourly", [3]string{"2027-01-01T01:00", "2027-01-01T02:00", "2027-01-01T03:00"}},
		{"@daily", [3]string{"2027-01-02T00:00", "2027-01-03T00:00", "2027-01-04T00:00"}},
		{"@weekly", [3]string{"2027-01-03T00:00", "2027-01-10T00:00", "2027-01-17T00:00"}},
		{"@monthly", [3]string{"2027-02-01T00:00", "2027-03-01T00:00", "2027-04-01T00:00"}},
		{"@yearly", [3]string{"2028-01-01T00:00", "2029-01-01T00:00", "2030-01-01T00:00"}},
	}
	for _, tt := range tests {
		t.Run(tt.spec, func(t *testing.T) {
			t.Parallel()
			s := mustParse(t, tt.spec)
			at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
			for _, want := range tt.want {
				at = s.Next(at, time.UTC)
				if got := at.Format("2006-01-02T15:04"); got != want {
					t.Errorf("got %s, want %s", got, want)
				}
			}
			if want := strings.Join(strings.Fields(tt.spec), " "); s.String() != want {
				t.Errorf("String() = %q, want %q", s, want)
			}
		})
	}
}

func TestScheduleEqual(t *testing.T) {
	t.Parallel()
	a, b, c := mustParse(t, "0 8 * * *"), mustParse(t, " 0 8 * * *"), mustParse(t, "0 9 * * *")
	if !a.Equal(b) || a.Equal(c) {
		t.Errorf("Equal: got %v and %v, want true and false", a.Equal(b), a.Equal(c))
	}
}

func FuzzParse(f *testing.F) {
	for _, spec := range []string{
		"0 8 * * *", "@daily", "@every 1h", "CRON_TZ=Asia/Seoul", "TZ=UTC 0 8 * * *", "0 0 31 2 *", "0 0 29 2 *",
		"*/5 1-3,7 ? jan-mar mon-7", ", * * * *", "0 8 * * 7", "*-1 * * * *", "1/99999999999 * * * *", "- / - / -",
	} {
		f.Add(spec)
	}
	berlin := mustZone(f, "Europe/Berlin")
	f.Fuzz(func(t *testing.T, spec string) {
		s, err := Parse(spec)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again != s {
			t.Errorf("Parse(%q) is %v, %v; parsed once more %v", spec, s, err, again)
		}
		at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		for range 3 {
			next := s.Next(at, berlin)
			if !next.After(at) {
				t.Fatalf("%q: Next(%v) = %v", spec, at, next)
			}
			at = next
		}
	})
}
