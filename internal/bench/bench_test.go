// Package bench holds the whole program, from its start to its end, to what it
// may cost: against curl and against a small script in time, and idle in memory.
package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/wptest"
)

// blog is a real site with a slot, and a configuration of Morrow for it.
type blog struct {
	*wptest.Site
	dir    string
	slot   time.Time
	morrow string // the program
}

// newBlog makes one. The slot is twelve hours off, so that no run comes near
// its lead, and so is the check before it: a daemon that starts looks at once.
func newBlog(b *testing.B, version string) *blog {
	b.Helper()
	s := wptest.New(b, version)
	g := &blog{Site: s, dir: b.TempDir(), slot: time.Now().UTC().Truncate(time.Hour).Add(12 * time.Hour), morrow: build(b)}
	write(b, filepath.Join(g.dir, "config.yaml"), fmt.Sprintf(`
state_dir: state
lock_dir: lock
sites:
  - {name: blog, url: %q, user: %q, password: %q}
jobs:
  - name: daily
    site: blog
    check: "0 %[4]d * * *"
    publish: "0 %[4]d * * *"
    source: {folder: queue}
`, s.URL, s.User, s.Password, g.slot.Hour()))
	item := filepath.Join(g.dir, "queue", "first.md")
	write(b, item, "# First\n\nA paragraph.\n\n- an item\n- another\n")
	// A file this young would count as half written.
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(item, old, old); err != nil {
		b.Fatal(err)
	}
	return g
}

// build makes the program as it is released and gives its path.
func build(b *testing.B) string {
	b.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		b.Fatal(err)
	}
	run(b, exec.CommandContext(b.Context(), "make", "-s", "-C", root, "build"))
	return filepath.Join(root, "bin", "morrow")
}

// command is a command line of Morrow's.
func (g *blog) command(b *testing.B, args ...string) *exec.Cmd {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), g.morrow, args...)
	cmd.Env = append(os.Environ(), "MORROW_CONFIG="+filepath.Join(g.dir, "config.yaml"))
	return cmd
}

// run runs cmd to its end and gives what it printed; anything but the exit code
// 0 ends the benchmark.
func run(b *testing.B, cmd *exec.Cmd) string {
	b.Helper()
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		b.Fatalf("%s: %v\n%s%s", filepath.Base(cmd.Path), err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

func write(b *testing.B, path, text string) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}
