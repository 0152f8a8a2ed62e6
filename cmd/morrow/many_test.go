package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// TestManySites: of 300 sites in one configuration, ten of them faulty in
// different ways, the other 290 book, and one message tells of all.
func TestManySites(t *testing.T) {
	t.Parallel()
	const sites = 300
	dir := t.TempDir()
	hook := httptest.NewServer(&hook{dir: dir})
	t.Cleanup(hook.Close)
	zone := demoZone(time.Now())
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		past := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, past, past); err != nil {
			t.Fatal(err)
		}
	}
	blogs := make([]*fakewp.Server, sites)
	var cfg, jobs strings.Builder
	fmt.Fprintf(&cfg, "state_dir: state\nlock_dir: locks\ndefaults: {job: {check: '0 21 * * *', publish: '0 8 * * *', queue_low: 0}}\n")
	fmt.Fprintf(&cfg, "notify: {address: '%s/hook', key: k3y}\nsites:\n", hook.URL)
	for i := range sites {
		blogs[i] = fakewp.New(fakewp.Options{Timezone: zone})
		server := httptest.NewServer(blogs[i])
		t.Cleanup(server.Close)
		role, password, url, more, item := "editor", "", server.URL, "", "# Text\n\nText.\n"
		switch i {
		case 0: // a login that is refused
			password = "wrong wrong wrong"
		case 1: // no right to publish
			role = "contributor"
		case 2: // a variable that is not set
			password = "${MORROW_NOT_SET}"
		case 3:
			url = "no address"
		case 4:
			more = ", aheda: 2"
		case 5:
			more = ", lead: 1s"
		case 6: // a queue that is empty
			item = ""
		case 7: // an item that is faulty
			item = "---\ntitle: [\n---\n"
		case 8: // a site that is broken by an update
			blogs[i].Inject(fakewp.Fault{Instead: true, Status: http.StatusNotFound, Body: "<html>gone</html>"})
		case 9: // a site that wants posts of no one
			blogs[i].Inject(fakewp.Fault{Method: http.MethodPost, Instead: true, Status: http.StatusForbidden, Body: "<html>firewall</html>"})
		}
		if issued := blogs[i].AddUser("editor", role); password == "" {
			password = issued
		}
		fmt.Fprintf(&cfg, "  - {name: s%03d, url: '%s', user: editor, password: '%s'}\n", i, url, password)
		fmt.Fprintf(&jobs, "  - {name: j%03d, site: s%03d, source: {folder: q/%03d}%s}\n", i, i, i, more)
		write(fmt.Sprintf("q/%03d/.keep", i), "")
		if item != "" {
			write(fmt.Sprintf("q/%03d/010-text.md", i), item)
		}
	}
	write("config.yaml", cfg.String()+"jobs:\n"+jobs.String())

	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"run", "--all", "--config", filepath.Join(dir, "config.yaml")}, strings.NewReader(""), &stdout, &stderr)
	if code != exitFailed {
		t.Errorf("exit code %d, want %d\n%s", code, exitFailed, stderr.String())
	}
	for i, blog := range blogs {
		scheduled := 0
		for _, p := range blog.Posts() {
			if p.Status == "future" {
				scheduled++
			}
		}
		if want := min(1, i/10); scheduled != want {
			t.Errorf("site %d: %d scheduled, want %d", i, scheduled, want)
		}
	}
	messages, err := os.ReadFile(filepath.Join(dir, hookMessages))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(messages, []byte("\n")); n != 1 {
		t.Errorf("%d messages, want one", n)
	}
	if n := bytes.Count(messages, []byte(`"kind":"booked"`)); n != sites-10 {
		t.Errorf("%d bookings are told, want %d", n, sites-10)
	}
	for i := range 10 {
		job, site := fmt.Sprintf("j%03d", i), fmt.Sprintf("s%03d", i)
		if !bytes.Contains(messages, []byte(job)) && !bytes.Contains(messages, []byte(site)) {
			t.Errorf("nothing is told of the fault of %s:\n%.4000s", site, messages)
		}
	}
}
