package mutants

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLab: only a test that goes red catches a mutant.
func TestLab(t *testing.T) {
	t.Parallel()
	l := lab{root: t.TempDir(), limit: 2 * time.Second}
	for name, text := range map[string]string{
		"go.mod":         "module sample\n\ngo 1.26\n",
		"a/guard.go":     "package a\n\nfunc Half(n int) int {\n\tif n < 0 {\n\t\treturn 0\n\t}\n\treturn n / 2\n}\n",
		"a/a_test.go":    "package a\n\nimport \"testing\"\n\nfunc TestHalf(t *testing.T) {\n\tt.Run(\"minus four\", func(t *testing.T) {\n\t\tif Half(-4) != 0 {\n\t\t\tt.Error(\"not 0\")\n\t\t}\n\t})\n}\n\nfunc TestNothing(*testing.T) {}\n",
		"b/b_test.go":    "package b\n\nimport (\n\t\"testing\"\n\n\t\"sample/a\"\n)\n\nfunc TestOther(t *testing.T) {\n\tif a.Half(-4) != 0 {\n\t\tt.Fatal(\"not 0\")\n\t}\n}\n",
		"c/c.go":         "package c\n",
		"c/main_test.go": "package c\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(*testing.M) { os.Exit(1) }\n",
	} {
		path := filepath.Join(l.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	half, nothing, other := test{"a", "TestHalf"}, test{"a", "TestNothing"}, test{"b", "TestOther"}
	for _, tc := range []struct {
		name, old, new string
		by             []test
		red            string
		says           string // the error
	}{
		{name: "caught", old: "n < 0", new: "n < -9", by: []test{half}, red: "a TestHalf/minus_four"},
		{name: "caught by the second", old: "n < 0", new: "n < -9", by: []test{nothing, other}, red: "b TestOther"},
		{name: "hangs", old: "return 0", new: "select {}", by: []test{half}, red: "a hangs"},
		{name: "panics", old: "return 0", new: "go panic(n)\n\t\tselect {}", by: []test{half}, red: "a panics"},
		{name: "survives", old: "n < 0", new: "n < -9", by: []test{nothing}, says: errSurvived.Error()},
		{name: "no such test", old: "n < 0", new: "n < -9", by: []test{{"a", "TestGone"}}, says: "no test TestGone"},
		{name: "does not compile", old: "return 0", new: "return nil", by: []test{half}, says: "does not compile"},
		{name: "text is gone", old: "n <= 0", new: "", by: []test{half}, says: "stands 0 times"},
		{name: "text stands twice", old: " int", new: "", by: []test{half}, says: "stands 2 times"},
		{name: "ends without a word", old: "n < 0", new: "n < -9", by: []test{{"c", "TestHalf"}}, says: "without a word"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := mutant{guard: tc.name, file: "a/guard.go", old: tc.old, new: tc.new, by: tc.by}
			red, err := l.caught(t.Context(), t.TempDir(), m)
			if red != tc.red || (err == nil) != (tc.says == "") || err != nil && !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %q, %v, want %q, %q", red, err, tc.red, tc.says)
			}
		})
	}
	t.Run("red with every guard in its place", func(t *testing.T) {
		t.Parallel()
		if err := l.green(t.Context(), t.TempDir(), []mutant{{by: []test{half, other}}}); err != nil {
			t.Error(err)
		}
		if err := l.green(t.Context(), t.TempDir(), []mutant{{by: []test{{"c", "TestHalf"}}}}); err == nil || errors.Is(err, errSurvived) {
			t.Errorf("got %v, want what is red", err)
		}
	})
}
