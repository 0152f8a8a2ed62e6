package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gokeyring "github.com/zalando/go-keyring"

	"morrow/internal/fakewp"
)

// initAt runs init in this process, on an emulated site and in an empty folder.
func initAt(t *testing.T, o fakewp.Options, args ...string) (code int, said, dir string) {
	t.Helper()
	site := fakewp.New(o)
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	dir = t.TempDir()
	var out bytes.Buffer
	args = append([]string{
		"--config", filepath.Join(dir, "c.yaml"), "init", "--yes", "--url", server.URL, "--user", "editor", "--password-stdin",
		"--folder", filepath.Join(dir, "queue"),
	}, args...)
	code = run(t.Context(), args, strings.NewReader(site.AddUser("editor", "editor")+"\n"), &out, &out)
	return code, out.String(), dir
}

func TestInitWithoutApplicationPasswords(t *testing.T) {
	t.Parallel()
	code, said, dir := initAt(t, fakewp.Options{NoAppPasswords: true})
	if code != exitUsage || !strings.Contains(said, "offers no application passwords") || !strings.Contains(said, "Switch them on") {
		t.Errorf("exit code %d:\n%s", code, said)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The keyring takes the password, and every later run gets it from there. Not
// parallel: the library has one keyring for all.
func TestInitIntoTheKeyring(t *testing.T) {
	gokeyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	code, said, dir := initAt(t, fakewp.Options{Timezone: "Asia/Seoul"}, "--store", "keyring")
	if code != exitOK || !strings.Contains(said, "into the system's keyring") || !strings.Contains(said, "All is proved") {
		t.Fatalf("exit code %d:\n%s", code, said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "c.yaml"))
	if err != nil || !strings.Contains(string(text), "password_keyring: true") {
		t.Errorf("%v:\n%s", err, text)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.password")); err != nil || len(files) > 0 {
		t.Errorf("a password file beside the keyring: %v, %v", files, err)
	}
}

func TestClockOrCron(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"08:00": "0 8 * * *", "7:30": "30 7 * * *", "23:59": "59 23 * * *", "0 8 * * 1-5": "0 8 * * 1-5", "@daily": "@daily",
		"24:00": "", "8:60": "", "8:5": "", "-1:00": "", "8": "", "noon": "", "": "",
	} {
		if got, err := clockOrCron(text); (err == nil) != (want != "") || err == nil && got != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
}

// What a person typed stands for itself in the file.
func TestQuoted(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a b": "'a b'", "it's": "'it''s'", `C:\${X}`: `'C:\$${X}'`, "": "''"} {
		if got := quoted(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestShortName(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://blog.example.com": "blog", "https://www.example.com/x": "example", "http://127.0.0.1:80": "blog", "https://localhost": "localhost",
	} {
		if got := shortName(address); got != want {
			t.Errorf("%s: got %s, want %s", address, got, want)
		}
	}
}
