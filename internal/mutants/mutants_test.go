package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// mutant is the product without one of its guards.
type mutant struct {
	guard string // what is taken out
	file  string // where it stands, from the root of the repository
	old   string // its text, which stands there once
	new   string // what stands there instead; it compiles
	by    []test // the tests that must notice, cheap ones first: one that does is enough
}

// test is a test of a package, or several: names is a regular expression for
// the whole name.
type test struct{ pkg, names string }

// lab tries mutants of one module.
type lab struct {
	root  string        // of the module
	limit time.Duration // for one binary's tests: a mutant that hangs them is caught
}

// TestListIsFresh holds the list to the product as it is now: a text that no
// longer occurs would take nothing out.
func TestListIsFresh(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for _, m := range all() {
		if seen[m.guard] {
			t.Errorf("%s: there are two of that name", m.guard)
		}
		seen[m.guard] = true
		if len(m.by) == 0 {
			t.Errorf("%s: no test is named that notices", m.guard)
		}
		text, err := repository().without(m)
		if err != nil {
			t.Errorf("%s: %v", m.guard, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.file, text, 0); err != nil {
			t.Errorf("%s: the mutant is no Go: %v", m.guard, err)
		}
	}
}

// TestMutants takes out each guard in turn and prints who noticed.
func TestMutants(t *testing.T) {
	if os.Getenv("MORROW_FULL") == "" {
		t.Skip("takes minutes: set MORROW_FULL=1")
	}
	l, list, started := repository(), all(), time.Now()
	var tried atomic.Int32
	if err := l.green(t.Context(), t.TempDir(), list); err != nil {
		t.Fatal(err)
	}
	t.Run("without", func(t *testing.T) {
		for _, m := range list {
			t.Run(m.guard, func(t *testing.T) {
				t.Parallel()
				tried.Add(1)
				begun := time.Now()
				by, err := l.caught(t.Context(), t.TempDir(), m)
				if err != nil {
					by = "NOT CAUGHT"
					t.Errorf("%s: %v", m.file, err)
				}
				_, _ = fmt.Fprintf(os.Stdout, "%-68s %-80s %5.1f s\n", m.guard, by, time.Since(begun).Seconds())
			})
		}
	})
	_, _ = fmt.Fprintf(os.Stdout, "%d mutants in %s\n", tried.Load(), time.Since(started).Round(time.Second))
}

func all() []mutant {
	return slices.Concat(publishing(), speaking(), timing(), filing(), making(), composing(), telling())
}

func repository() lab {
	root, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	return lab{root: root, limit: 2 * time.Minute}
}

// without is the text of the mutant's file.
func (l lab) without(m mutant) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(l.root, m.file))
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(text, []byte(m.old)); n != 1 {
		return nil, fmt.Errorf("its text stands %d times in %s, want once: %s", n, m.file, m.old)
	}
	return bytes.Replace(text, []byte(m.old), []byte(m.new), 1), nil
}

// green makes sure that the tests of the list pass while nothing is taken out:
// else that one is red would say nothing.
func (l lab) green(ctx context.Context, dir string, list []mutant) error {
	names := make(map[string]string)
	for _, m := range list {
		for _, by := range m.by {
			names[by.pkg] = strings.TrimPrefix(names[by.pkg]+"|"+by.names, "|")
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(names)) {
		switch red, err := l.red(ctx, dir, test{pkg, names[pkg]}, ""); {
		case err != nil:
			return fmt.Errorf("with every guard in its place: %w", err)
		case red != "":
			return fmt.Errorf("with every guard in its place %s %s is red", pkg, red)
		}
	}
	return nil
}

var errSurvived = errors.New("it survived: no test noticed")

// caught says which test goes red without the guard; the error says that none
// does, or that nothing is shown.
func (l lab) caught(ctx context.Context, dir string, m mutant) (string, error) {
	text, err := l.without(m)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(l.root, m.file): file}})
	if err != nil {
		return "", err
	}
	replace := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(replace, overlay, 0o600); err != nil {
		return "", err
	}
	for _, by := range m.by {
		red, err := l.red(ctx, dir, by, replace)
		if err != nil {
			return "", err
		}
		if red != "" {
			return by.pkg + " " + red, nil
		}
	}
	return "", errSurvived
}

// red builds a package's tests, with an overlay if there is one, runs those
// named, and gives the name of one that fails; "" when all pass.
func (l lab) red(ctx context.Context, dir string, of test, overlay string) (name string, err error) {
	bin := filepath.Join(dir, "tests")
	args := []string{"test", "-c", "-vet=off", "-ldflags=-s -w", "-o", bin}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	build := exec.CommandContext(ctx, "go", append(args, "./"+of.pkg)...)
	build.Dir = l.root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("it does not compile, which proves nothing: %w\n%s", err, out)
	}
	tests := exec.CommandContext(ctx, bin, "-test.run=^("+of.names+")$", "-test.failfast", "-test.timeout="+l.limit.String())
	tests.Dir = filepath.Join(l.root, of.pkg)
	tests.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "MORROW_FULL=") })
	tests.WaitDelay = time.Second // a child may outlive them and hold the pipe
	out, err := tests.CombinedOutput()
	switch {
	case bytes.Contains(out, []byte("no tests to run")):
		return "", fmt.Errorf("%s has no test %s", of.pkg, of.names)
	case err == nil:
		return "", nil
	}
	if name = named(out); name != "" {
		return name, nil
	}
	return "", fmt.Errorf("the tests of %s end without a word on which is red: %w\n%s", of.pkg, err, out)
}

// named finds in what tests printed what failed, the subtest if there is one.
func named(out []byte) string {
	if regexp.MustCompile(`(?m)^panic: test timed out`).Match(out) {
		return "hangs"
	}
	if failed := regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`).FindAllSubmatch(out, 2); failed != nil {
		return string(failed[len(failed)-1][1])
	}
	if regexp.MustCompile(`(?m)^(panic|fatal error): `).Match(out) {
		return "panics"
	}
	if bytes.Contains(out, []byte("goleak: ")) {
		return "leaks"
	}
	return ""
}
