package slots

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

const example = `write five fields such as "0 21 * * *": minute, hour, day of month, month, day of week`

// Parse reads five cron fields or a descriptor like @daily. @every, TZ= and
// CRON_TZ= are refused, and so is an expression that never comes true. Day of
// week 7 is Sunday, as in crontab.
func Parse(spec string) (Schedule, error) {
	words := strings.Fields(spec)
	s, err := parse(words)
	if err != nil {
		return Schedule{}, fmt.Errorf("parse cron expression %q: %w", spec, err)
	}
	s.spec = strings.Join(words, " ")
	return s, nil
}

func parse(words []string) (Schedule, error) {
	if len(words) == 0 {
		return Schedule{}, errors.New("it is empty; " + example)
	}
	first := strings.ToUpper(words[0])
	switch {
	// robfig/cron panics on a zone that nothing follows.
	case strings.HasPrefix(first, "TZ="), strings.HasPrefix(first, "CRON_TZ="):
		return Schedule{}, fmt.Errorf("%s is not taken: times are always in the site's own zone; leave it out", words[0])
	case strings.HasPrefix(first, "@EVERY"):
		return Schedule{}, errors.New("@every counts from the program's start, not by the clock; " + example)
	case strings.HasPrefix(first, "@"):
		return read(strings.Join(words, " "), "known are @hourly, @daily, @weekly, @monthly and @yearly")
	case len(words) == 6:
		return Schedule{}, errors.New("six fields, but seconds are not taken; " + example)
	case len(words) != 5:
		return Schedule{}, fmt.Errorf("%d instead of five fields; %s", len(words), example)
	}
	fields := [5]string(words)
	fields[4] = sunday(fields[4])
	if err := check(fields); err != nil {
		return Schedule{}, err
	}
	return read(strings.Join(fields[:], " "), example)
}

// read lets robfig/cron parse; hint follows what it finds wrong.
func read(spec, hint string) (Schedule, error) {
	parsed, err := cron.ParseStandard(spec)
	if err != nil {
		return Schedule{}, fmt.Errorf("%w; %s", err, hint)
	}
	fields, ok := parsed.(*cron.SpecSchedule)
	if !ok {
		return Schedule{}, errors.New("it does not go by the clock; " + example)
	}
	s := Schedule{fields: *fields}
	// 2000 is a leap year: what does not come true from here on never does.
	if s.nextWall(time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)).IsZero() {
		return Schedule{}, errors.New("it never comes true: none of its months has such a day")
	}
	return s, nil
}

// check names the field that is at fault, which robfig/cron does not, and
// refuses what it reads as something else than written.
func check(fields [5]string) error {
	names := [5]string{"minute", "hour", "day of month", "month", "day of week"}
	for i, field := range fields {
		for item := range strings.SplitSeq(field, ",") {
			if item == "" {
				return fmt.Errorf("%s %q: nothing stands beside a comma", names[i], field)
			}
			if strings.HasPrefix(item, "*-") || strings.HasPrefix(item, "?-") {
				return fmt.Errorf("%s %q: a range needs a first value", names[i], field)
			}
		}
		alone := [5]string{"*", "*", "*", "*", "*"}
		alone[i] = field
		if _, err := cron.ParseStandard(strings.Join(alone[:], " ")); err != nil {
			hint := example
			if i == 4 {
				hint = "days of week are 0 to 6 or sun to sat; a range ends at 6 (sat), Sunday is added as in 5-6,0"
			}
			return fmt.Errorf("%s %q: %w; %s", names[i], field, err, hint)
		}
	}
	return nil
}

// sunday turns the 7 of a day-of-week field, alone or as the end of a plain
// range, into the 0 that robfig/cron knows.
func sunday(field string) string {
	items := strings.Split(field, ",")
	for i, item := range items {
		if item == "7" {
			items[i] = "0"
		} else if from, ok := strings.CutSuffix(item, "-7"); ok {
			items[i] = from + "-6,0"
		}
	}
	return strings.Join(items, ",")
}
