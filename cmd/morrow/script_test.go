package main

import (
	"context"
	"errors"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"morrow/internal/fakewp"
	"morrow/lock"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"morrow": main})
}

// TestScripts runs the real program against an emulated site of its own in
// each script of testdata/script. There it is daytime, so that the next slot
// at 08:00 is tomorrow's.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "fill": fill, "scheduled": scheduled, "writes": writes, "broken": broken, "mended": mended,
			"hold": hold, "free": free, "insert": insert, "hand": hand, "remember": remember, "unchanged": unchanged, "await": await, "hangup": hangup,
			"lines": lines, "hushed": hushed,
		},
	})
}

// fixture is what a script works with; it is kept under its own type's zero
// key.
type fixture struct {
	site    *fakewp.Server
	release func() error
	mend    func()
	files   map[string]string
}

type fixtureKey struct{}

func of(ts *testscript.TestScript) *fixture { return ts.Value(fixtureKey{}).(*fixture) }

// setup gives a script a site, the configuration that most of them use, and
// files that are not being written at this moment.
func setup(env *testscript.Env) error {
	site := fakewp.New(fakewp.Options{Timezone: demoZone(time.Now())})
	server := httptest.NewServer(site)
	env.Defer(server.Close)
	env.Values[fixtureKey{}] = &fixture{site: site}
	hook := httptest.NewServer(&hook{dir: env.WorkDir})
	env.Defer(hook.Close)
	env.Setenv("HOOK", hook.URL)
	env.Setenv("SITE", server.URL)
	env.Setenv("PW", site.AddUser("editor", "editor"))
	config := filepath.Join(env.WorkDir, "config.yaml")
	env.Setenv("MORROW_CONFIG", config)
	if _, err := os.Stat(config); errors.Is(err, fs.ErrNotExist) {
		text, err := os.ReadFile(filepath.Join("testdata", "config.yaml"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(config, text, 0o600); err != nil {
			return err
		}
	}
	past := time.Now().Add(-time.Hour)
	return filepath.WalkDir(env.WorkDir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Chtimes(path, past, past)
		}
		return err
	})
}

// exits runs a command and wants an exit code: exits 75 morrow run.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// fill puts the environment's values into files.
func fill(ts *testscript.TestScript, _ bool, files []string) {
	for _, file := range files {
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(os.Expand(ts.ReadFile(file), ts.Getenv)), 0o600))
	}
}

// scheduled wants so many scheduled posts on the site.
func scheduled(ts *testscript.TestScript, _ bool, args []string) {
	n := 0
	for _, p := range of(ts).site.Posts() {
		if p.Status == "future" {
			n++
		}
	}
	if want := args[0]; strconv.Itoa(n) != want {
		ts.Fatalf("%d scheduled posts, want %s", n, want)
	}
}

// writes wants that the site was sent writes; ! writes wants none.
func writes(ts *testscript.TestScript, neg bool, _ []string) {
	n := 0
	for _, r := range of(ts).site.Requests() {
		if r.Write() {
			n++
		}
	}
	if n > 0 == neg {
		ts.Fatalf("the site was sent %d writes", n)
	}
}

// insert gives the site a public post of a person's: insert TITLE SLUG.
func insert(ts *testscript.TestScript, _ bool, args []string) {
	of(ts).site.InsertPost(fakewp.Post{Title: args[0], Slug: args[1], Status: "publish"})
}

// hand gives the site a draft of an hour ago that bears a category: hand TITLE CATEGORY.
func hand(ts *testscript.TestScript, _ bool, args []string) {
	site := of(ts).site
	site.InsertPost(fakewp.Post{
		Title: args[0], Content: "Text.", Status: "draft", DateGMT: time.Now().UTC().Add(-time.Hour).Format(time.DateTime),
		Categories: []int64{site.AddTerm("category", args[1])},
	})
}

// broken makes the site answer everything, or all requests of a method, with a
// status and an HTML page, until it is mended: broken 500 POST.
func broken(ts *testscript.TestScript, _ bool, args []string) {
	status, err := strconv.Atoi(args[0])
	ts.Check(err)
	fault := fakewp.Fault{Instead: true, Status: status, Body: "<html>broken</html>"}
	if len(args) > 1 {
		fault.Method = args[1]
	}
	of(ts).mend = of(ts).site.Inject(fault)
}

func mended(ts *testscript.TestScript, _ bool, _ []string) { of(ts).mend() }

// hold takes the site's lock, free lets it go.
func hold(ts *testscript.TestScript, _ bool, _ []string) {
	l, err := lock.New(lock.Options{Dir: ts.MkAbs("locks"), Site: ts.Getenv("SITE")})
	ts.Check(err)
	release, ok, err := l.Acquire(context.Background(), time.Second)
	ts.Check(err)
	if !ok {
		ts.Fatalf("the lock is held")
	}
	ts.Defer(func() { _ = release() })
	of(ts).release = release
}

func free(ts *testscript.TestScript, _ bool, _ []string) { ts.Check(of(ts).release()) }

// remember keeps the state of all files, and unchanged holds it to what is
// there now.
func remember(ts *testscript.TestScript, _ bool, _ []string) { of(ts).files = tree(ts) }

func unchanged(ts *testscript.TestScript, _ bool, _ []string) {
	if diff := cmp.Diff(of(ts).files, tree(ts)); diff != "" {
		ts.Fatalf("files (-before +now):\n%s", diff)
	}
}

// tree gives each file's time of change and content.
func tree(ts *testscript.TestScript) map[string]string {
	out := map[string]string{}
	root := ts.MkAbs(".")
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			out[path] = "folder"
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = info.ModTime().String() + "\n" + string(text)
		return err
	}))
	return out
}

// hangup sends SIGHUP to the commands in the background.
func hangup(ts *testscript.TestScript, _ bool, _ []string) {
	for _, c := range ts.BackgroundCmds() {
		ts.Check(c.Process.Signal(syscall.SIGHUP))
	}
}

// await waits until a file has a text: await FILE TEXT.
func await(ts *testscript.TestScript, _ bool, args []string) {
	for deadline := time.Now().Add(20 * time.Second); ; {
		text, _ := os.ReadFile(ts.MkAbs(args[0]))
		if strings.Contains(string(text), args[1]) {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%s still lacks %q:\n%s", args[0], args[1], text)
		}
		<-time.After(20 * time.Millisecond)
	}
}
