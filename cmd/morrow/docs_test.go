package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReliabilityNamesRealTests: docs/reliability.md claims nothing by a test
// that does not exist.
func TestReliabilityNamesRealTests(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "docs", "reliability.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tests bytes.Buffer
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		tests.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(Test[A-Za-z0-9]+)`").FindAllSubmatch(page, -1)
	if len(named) == 0 {
		t.Fatal("the page names no test")
	}
	for _, m := range named {
		if !bytes.Contains(tests.Bytes(), []byte("\nfunc "+string(m[1])+"(t ")) {
			t.Errorf("there is no test %s", m[1])
		}
	}
}
