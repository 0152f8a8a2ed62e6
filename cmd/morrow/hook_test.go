package main

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// The files of a script's folder that a hook writes.
const (
	hookMessages = "messages" // the bodies that it took
	hookRequests = "requests" // METHOD PATH of all that it was sent
)

// hook is the other side of a script's notifications and pings. What is sent
// below /broken it refuses, and throws all of it back.
type hook struct {
	dir string
	mu  sync.Mutex
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = h.note(hookRequests, r.Method+" "+r.URL.RequestURI())
	}
	if err == nil && len(body) > 0 {
		err = h.note(hookMessages, string(body))
	}
	if err != nil || strings.HasPrefix(r.URL.Path, "/broken/") {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = fmt.Fprintf(w, "%v %s %v %s", err, r.URL, r.Header, body)
	}
}

func (h *hook) note(file, line string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	f, err := os.OpenFile(filepath.Join(h.dir, file), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

// lines wants a file to have so many lines: lines messages 2.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile(ts.MkAbs(args[0]))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		ts.Check(err)
	}
	if n := strings.Count(string(text), "\n"); strconv.Itoa(n) != args[1] {
		ts.Fatalf("%s has %d lines, want %s:\n%s", args[0], n, args[1], text)
	}
}

// hushed wants none of the words, nor the password, in any file of the script's
// folder, in no spelling or encoding; configurations, files whose name begins with secret and the
// other side's list of requests may have them.
func hushed(ts *testscript.TestScript, _ bool, words []string) {
	password := ts.Getenv("PW")
	words = append(words, password, strings.ReplaceAll(password, " ", ""), "editor:"+password, "editor:"+strings.ReplaceAll(password, " ", ""))
	searched := 0
	ts.Check(filepath.WalkDir(ts.MkAbs("."), func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".yaml") || name == hookRequests || strings.HasPrefix(name, "secret") {
			return err
		}
		text, err := os.ReadFile(path)
		searched++
		for _, w := range words {
			for _, form := range encodings(w) {
				if strings.Contains(string(text), form) {
					ts.Fatalf("%q, which is %q, stands in %s", form, w, path)
				}
			}
		}
		return err
	}))
	ts.Logf("%d files searched", searched)
}

// encodings are the forms in which a text may be seen.
func encodings(s string) []string {
	b := []byte(s)
	return []string{
		s, url.QueryEscape(s), url.PathEscape(s), hex.EncodeToString(b),
		base64.RawStdEncoding.EncodeToString(b), base64.RawURLEncoding.EncodeToString(b),
	}
}
