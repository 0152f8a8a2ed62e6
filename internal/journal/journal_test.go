package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func at(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t
}

func openAt(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func openReadOnly(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

const fileName = "journal.db"

func newPath(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "state", fileName)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// runIDs are the ids of all runs, newest first.
func runIDs(t *testing.T, j *Journal) string {
	t.Helper()
	runs, err := j.Runs(t.Context(), "", 100000)
	must(t, err)
	ids := make([]string, len(runs))
	for i, r := range runs {
		ids[i] = r.ID
	}
	return strings.Join(ids, " ")
}

func aRun(id string) Run {
	return Run{ID: id, Job: "daily", Site: "blog", Trigger: "cron", Started: at("2026-12-01T12:00:00Z")}
}

func TestRuns(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	path := newPath(t)
	j := openAt(t, path)
	ended := Run{
		ID: "b", Job: "daily", Site: "blog", Trigger: "manual", PID: 42, Host: "box",
		Started: at("2026-12-01T12:00:00Z"), Ended: at("2026-12-01T12:00:03Z"), Outcome: "booked", Reason: "why",
	}
	killed := Run{ID: "a", Job: "weekly", Site: "blog", Trigger: "cron", Started: at("2026-11-30T12:00:00.123Z")}
	start := ended
	start.Ended, start.Outcome, start.Reason = time.Time{}, "", ""
	must(t, j.StartRun(ctx, start))
	must(t, j.EndRun(ctx, ended))
	must(t, j.StartRun(ctx, killed))

	for _, reopened := range []bool{false, true} {
		if reopened {
			j = openAt(t, path)
		}
		for job, want := range map[string][]Run{"": {ended, killed}, "daily": {ended}, "weekly": {killed}, "no": nil} {
			got, err := j.Runs(ctx, job, 10)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("reopened %v: runs of %q: %v (-want +got):\n%s", reopened, job, err, diff)
			}
		}
		if got, err := j.Runs(ctx, "", 1); err != nil || len(got) != 1 || got[0].ID != "b" {
			t.Errorf("newest run: %v, %v", got, err)
		}
	}
}

func TestEndRunWithoutStart(t *testing.T) {
	t.Parallel()
	j := openAt(t, newPath(t))
	r := aRun("a")
	r.Ended, r.Outcome = r.Started.Add(time.Second), "booked"
	must(t, j.EndRun(t.Context(), r))
	got, err := j.Runs(t.Context(), "", 10)
	if diff := cmp.Diff([]Run{r}, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestPruning(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := openAt(t, newPath(t))
	now := at("2026-12-01T12:00:00Z")
	old := Run{ID: "old", Job: "gone", Started: now.AddDate(0, 0, -keepDays).Add(-time.Second)}
	kept := Run{ID: "kept", Job: "gone", Started: now.AddDate(0, 0, -keepDays)}
	must(t, j.StartRun(ctx, old))
	must(t, j.StartRun(ctx, kept))
	must(t, j.SaveBookings(ctx, []Booking{
		{Site: "blog", Job: "daily", Slot: old.Started, Seen: old.Started},
		{Site: "blog", Job: "daily", Slot: kept.Started, Seen: kept.Started},
	}))
	const surplus = 3
	for i := range keepRuns + surplus {
		r := Run{ID: fmt.Sprintf("%05d", i), Job: "daily", Site: "blog", Started: now.Add(time.Duration(i) * time.Second)}
		if i < keepRuns+surplus-1 {
			must(t, j.StartRun(ctx, r))
			continue
		}
		r.Ended = now
		must(t, j.EndRun(ctx, r))
	}
	daily, err := j.Runs(ctx, "daily", 2*keepRuns)
	must(t, err)
	if len(daily) != keepRuns || daily[keepRuns-1].ID != fmt.Sprintf("%05d", surplus) {
		t.Errorf("%d runs, oldest %s", len(daily), daily[len(daily)-1].ID)
	}
	gone, err := j.Runs(ctx, "gone", 10)
	must(t, err)
	if len(gone) != 1 || gone[0].ID != "kept" {
		t.Errorf("runs of another job: %v", gone)
	}
	bookings, err := j.Bookings(ctx, "blog", "daily", time.Unix(0, 0), now)
	must(t, err)
	if len(bookings) != 1 || !bookings[0].Slot.Equal(kept.Started) {
		t.Errorf("bookings: %v", bookings)
	}
}

func TestBookings(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := openAt(t, newPath(t))
	slot := at("2026-12-01T08:00:00Z")
	day := func(n int) time.Time { return slot.AddDate(0, 0, n) }
	row := func(n int, seen time.Time, state string) Booking {
		return Booking{
			Site: "blog", Job: "daily", Slot: day(n), State: state, Ours: true, PostID: int64(n), Status: "future",
			Slug: "첫-글", Link: "https://x", Title: "첫 글", Item: "010.md", Reason: "r", Seen: seen,
		}
	}
	seen := slot.Add(-12 * time.Hour)
	must(t, j.SaveBookings(ctx, []Booking{row(2, seen, "free"), row(1, seen, "taken"), row(3, seen, "free")}))
	must(t, j.SaveBookings(ctx, []Booking{row(2, seen.Add(time.Hour), "taken"), row(1, seen.Add(-time.Hour), "free")}))
	must(t, j.SaveBookings(ctx, []Booking{{Site: "other", Job: "daily", Slot: day(1), Seen: seen}}))
	must(t, j.SaveBookings(ctx, nil))
	got, err := j.Bookings(ctx, "blog", "daily", day(1), day(3))
	want := []Booking{row(1, seen, "taken"), row(2, seen.Add(time.Hour), "taken")}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestFactsAndMedia(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j := openAt(t, newPath(t))
	for i, facts := range []string{`{"zone":"Asia/Seoul"}`, `{}`} {
		when := at("2026-12-01T08:00:00Z").Add(time.Duration(i) * time.Hour)
		must(t, j.SaveFacts(ctx, "blog", []byte(facts), when))
		got, gotWhen, err := j.Facts(ctx, "blog")
		if err != nil || string(got) != facts || !gotWhen.Equal(when) {
			t.Errorf("Facts = %s, %v, %v; want %s, %v", got, gotWhen, err, facts, when)
		}
		must(t, j.SaveMedia(ctx, "blog", "hash", int64(i+1), facts))
		id, url, err := j.Media(ctx, "blog", "hash")
		if err != nil || id != int64(i+1) || url != facts {
			t.Errorf("Media = %d, %s, %v", id, url, err)
		}
	}
	if facts, when, err := j.Facts(ctx, "other"); err != nil || facts != nil || !when.IsZero() {
		t.Errorf("Facts of an unknown site = %s, %v, %v", facts, when, err)
	}
	if id, url, err := j.Media(ctx, "other", "hash"); err != nil || id != 0 || url != "" {
		t.Errorf("Media of an unknown site = %d, %s, %v", id, url, err)
	}
}

// Every method of a journal without a file works, before and after Close.
func TestJournalsThatKeepNothing(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	missing := newPath(t)
	closed := openAt(t, newPath(t))
	must(t, closed.Close())
	for name, j := range map[string]*Journal{
		"discard": Discard(), "missing, read-only": openReadOnly(t, missing), "closed": closed,
	} {
		for range 2 {
			must(t, j.StartRun(ctx, aRun("a")))
			must(t, j.EndRun(ctx, aRun("a")))
			must(t, j.SaveBookings(ctx, []Booking{{Site: "blog"}}))
			must(t, j.SaveFacts(ctx, "blog", []byte("{}"), time.Now()))
			must(t, j.SaveMedia(ctx, "blog", "hash", 1, "u"))
			runs, err1 := j.Runs(ctx, "", 10)
			bookings, err2 := j.Bookings(ctx, "blog", "", time.Time{}, time.Now())
			facts, _, err3 := j.Facts(ctx, "blog")
			id, _, err4 := j.Media(ctx, "blog", "hash")
			if err := errors.Join(err1, err2, err3, err4); err != nil || len(runs)+len(bookings)+len(facts)+int(id) > 0 {
				t.Errorf("%s: %v, %v, %v, %v, %v; want nothing", name, runs, bookings, facts, id, err)
			}
			if j.Notice() != "" {
				t.Errorf("%s: notice %q", name, j.Notice())
			}
			must(t, j.Close())
		}
	}
	if _, err := os.Stat(filepath.Dir(missing)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("folder of the missing file: %v", err)
	}
}

func TestNamesThatNeedEscaping(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a b?c#d%41&mode=memory 가")
	path := filepath.Join(dir, "journal?.db")
	j := openAt(t, path)
	must(t, j.StartRun(t.Context(), aRun("a")))
	if fi, err := os.Stat(path); err != nil || fi.Size() == 0 {
		t.Errorf("%s: %v", path, err)
	}
	if got := runIDs(t, openReadOnly(t, path)); got != "a" {
		t.Errorf("runs %q", got)
	}
}

func TestNewerSchema(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	j := openAt(t, path)
	_, err := j.db.ExecContext(t.Context(), "PRAGMA user_version = 999")
	must(t, err)
	must(t, j.Close())
	if _, err := Open(t.Context(), path); !errors.Is(err, errNewer) {
		t.Errorf("Open: %v", err)
	}
	if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, errNewer) {
		t.Errorf("OpenReadOnly: %v", err)
	}
}

func TestOpenWhereNothingCanBe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o600))
	for name, path := range map[string]string{"a folder": dir, "below a file": filepath.Join(file, "x", fileName)} {
		if j, err := Open(t.Context(), path); err == nil {
			_ = j.Close()
			t.Errorf("%s: no error", name)
		}
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	j := openAt(t, newPath(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.StartRun(ctx, aRun("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	must(t, j.StartRun(t.Context(), aRun("b")))
	if got := runIDs(t, j); got != "b" {
		t.Errorf("runs %q", got)
	}
}
