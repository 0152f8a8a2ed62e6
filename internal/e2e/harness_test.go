//go:build linux

package e2e

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"morrow/internal/wptest"
)

// builds are the programs under test, each built when the first test wants one.
type builds struct {
	plain, killable func() (path string, err error)
}

var programs builds //nolint:gochecknoglobals // made by TestMain

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	flag.Parse()
	// Most of these tests wait for a site or for a moment, not for a processor.
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		_ = f.Value.Set("12")
	}
	dir, err := os.MkdirTemp("", "morrow-e2e-bin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := os.Chmod(dir, 0o755); err != nil { // for other users' processes
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	build := func(name string, flags ...string) func() (string, error) {
		return sync.OnceValues(func() (string, error) {
			path := filepath.Join(dir, name)
			args := slices.Concat([]string{"build", "-o", path}, flags, []string{"morrow/cmd/morrow"})
			if out, err := exec.CommandContext(context.Background(), "go", args...).CombinedOutput(); err != nil {
				return "", fmt.Errorf("build %s: %w\n%s", name, err, out)
			}
			return path, nil
		})
	}
	programs = builds{plain: build("morrow"), killable: build("morrow-killable", "-tags", "morrow_killpoint")}
	return m.Run()
}

// rig is one job on a WordPress site of its own, with its configuration and
// its folders. Its slot is half a day off, out of every lead's reach.
type rig struct {
	*testing.T
	site     *wptest.Site
	dir      string // config.yaml, queue/, state/, locks/
	url      string
	user     string
	password string
	slot     time.Time // UTC, as the site is; to the minute
	check    string    // cron expression
	siteKeys string    // more YAML of the site: "timeout: 10s"
	jobKeys  string    // of the job
	source   string    // its items; the folder queue when empty
	lockDir  string    // empty for the machine's own
	// as, if not nil, makes a command another user's.
	as func(*exec.Cmd)
}

func newRig(t *testing.T, s *wptest.Site) *rig {
	t.Helper()
	for _, build := range []func() (string, error){programs.plain, programs.killable} {
		if _, err := build(); err != nil { // now: later a test's clock may be running
			t.Fatal(err)
		}
	}
	// Not t.TempDir, which is closed to other users.
	dir, err := os.MkdirTemp("", "morrow-e2e-") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{
		T: t, site: s, dir: dir, url: s.URL, user: s.User, password: s.Password,
		slot:  time.Now().UTC().Add(12 * time.Hour).Truncate(time.Hour),
		check: "0 0 * * *", lockDir: "locks",
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Cleanup(r.noLeak)
	r.must(os.Chmod(dir, 0o755))
	r.must(os.Mkdir(r.path("queue"), 0o755))
	r.configure()
	return r
}

// each runs f on a rig of every WordPress version, as parallel subtests.
func each(t *testing.T, f func(r *rig)) {
	t.Helper()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		f(newRig(t, s))
	})
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) path(parts ...string) string {
	return filepath.Join(append([]string{r.dir}, parts...)...)
}

// configure writes the configuration that the rig's fields describe.
func (r *rig) configure() {
	r.Helper()
	text := fmt.Sprintf(`sites:
  - name: blog
    url: %s
    user: %s
    password: ${PW}
    %s
jobs:
  - name: daily
    site: blog
    check: %q
    publish: "%d %d * * *"
    source: %s
    %s
state_dir: state
log: {level: debug}
`, r.url, r.user, r.siteKeys, r.check, r.slot.Minute(), r.slot.Hour(), cmp.Or(r.source, "{folder: queue}"), r.jobKeys)
	if r.lockDir != "" {
		text += "lock_dir: " + r.lockDir + "\n"
	}
	r.must(os.WriteFile(r.path("config.yaml"), []byte(text), 0o644))
}

// items puts files into the queue that nobody is writing any more.
func (r *rig) items(names ...string) {
	r.Helper()
	for _, name := range names {
		r.write(name, fmt.Sprintf("---\ntitle: The post of %s\n---\nSome *text* & more.\n", name))
	}
}

func (r *rig) write(name, text string) {
	r.Helper()
	path, past := r.path("queue", name), time.Now().Add(-time.Hour)
	r.must(os.WriteFile(path, []byte(text), 0o644))
	r.must(os.Chtimes(path, past, past))
}

// queued wants exactly these files in the queue.
func (r *rig) queued(names ...string) {
	r.Helper()
	r.wantFiles("queue", names)
}

// done wants exactly these files in done/.
func (r *rig) done(names ...string) {
	r.Helper()
	r.wantFiles(filepath.Join("queue", "done"), names)
}

func (r *rig) wantFiles(folder string, want []string) {
	r.Helper()
	entries, err := os.ReadDir(r.path(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		if !e.IsDir() {
			got = append(got, e.Name())
		}
	}
	if !slices.Equal(got, want) {
		r.Errorf("%s holds %q, want %q", folder, got, want)
	}
}

// scheduled wants that the site holds one scheduled post for each of these
// slots and nothing else: no draft, no trash, no post of another day.
func (r *rig) scheduled(slots ...time.Time) {
	r.Helper()
	posts := r.site.Posts(r)
	slices.SortFunc(posts, func(a, b wptest.Post) int { return a.Date.Compare(b.Date) })
	ok := len(posts) == len(slots)
	for i, p := range posts {
		ok = ok && p.Status == "future" && p.Date.Equal(slots[i])
	}
	if ok {
		return
	}
	r.Errorf("the site does not hold exactly one scheduled post for each of %v, but:", slots)
	for _, p := range posts {
		r.Errorf("  post %d %s %s %q", p.ID, p.Status, p.Date, p.Slug)
	}
}

// exactlyOne wants first.md, the only item, booked, and nothing left of the way
// there.
func (r *rig) exactlyOne() {
	r.Helper()
	r.scheduled(r.slot)
	r.queued()
	r.done("first.md")
}

// unwritten wants that the site was sent nothing that could change it.
func (r *rig) unwritten() {
	r.Helper()
	for _, q := range r.site.Writes(r) {
		r.Errorf("the site was sent %s %s", q.Method, q.Path)
	}
}

// noLeak wants the password in no file of the rig, in no form that is sent.
func (r *rig) noLeak() {
	r.must(filepath.WalkDir(r.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if r.leaks(string(text)) {
			r.Errorf("%s holds the password", path)
		}
		return err
	}))
}

func (r *rig) leaks(text string) bool {
	basic := base64.StdEncoding.EncodeToString([]byte(r.user + ":" + r.password))
	return strings.Contains(text, r.password) || strings.Contains(text, basic)
}

// until waits for something that is about to be.
func (r *rig) until(what string, is func() bool) {
	r.Helper()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for end := time.Now().Add(patience); !is(); <-poll.C {
		if time.Now().After(end) {
			r.Fatalf("waited %s in vain for %s", patience, what)
		}
	}
}
