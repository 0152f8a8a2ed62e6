// Package wptest gives tests a real WordPress site of their own.
//
// The servers are started by the script wordpress beside this file; each site
// is a sub-directory install with a database of its own, cloned from a fresh
// one in some 20 ms, with pretty permalinks, the zone UTC, no posts and no
// WP-Cron but what the test starts.
package wptest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Site is a fresh WordPress site, gone at the end of the test.
type Site struct {
	URL      string // http://127.0.0.1:PORT/NAME, no slash at the end
	Version  string // "6.1.9"
	User     string // an editor's login
	Password string // its application password

	server server
	name   string
}

// servers is what the script wrote: see start in the script.
type servers struct {
	Token string   `json:"token"`
	Sites []server `json:"sites"`
}

type server struct {
	Version string `json:"version"`
	URL     string `json:"url"`
	Base    string `json:"base"`
	Editor  struct {
		Password string `json:"password"`
	} `json:"editor"`

	token string
}

// Admin is the login, and the password at wp-login.php, of every site's
// administrator.
const Admin = "admin"

// Versions are the WordPress versions under test.
func Versions() []string { return []string{"6.1.9", "6.5.5", "6.7-alpha"} }

// Each runs f on a fresh site of every version, as parallel subtests.
func Each(t *testing.T, f func(t *testing.T, s *Site)) {
	t.Helper()
	for _, version := range Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			f(t, New(t, version))
		})
	}
}

// New clones a fresh site of that version. Without running servers the test is
// skipped, or fails when MORROW_WP=require, as `make test` sets it.
func New(t testing.TB, version string) *Site {
	t.Helper()
	srv, err := find(version)
	if err != nil {
		unavailable(t, err)
	}
	var made struct {
		Site string `json:"site"`
	}
	if err := srv.control(srv.Base, "clone", nil, &made); err != nil {
		unavailable(t, err)
	}
	s := &Site{
		URL: srv.URL + "/" + made.Site, Version: version,
		User: "editor", Password: srv.Editor.Password,
		server: srv, name: made.Site,
	}
	t.Cleanup(func() { s.control(t, "drop", nil, nil) })
	return s
}

// AddUser makes an account with a role (author, contributor, …) and returns
// its application password.
func (s *Site) AddUser(t testing.TB, login, role string) (password string) {
	t.Helper()
	var made struct {
		Password string `json:"password"`
	}
	s.control(t, "user", map[string]string{"login": login, "role": role}, &made)
	return made.Password
}

// SetZone gives the site a named zone ("Asia/Seoul").
func (s *Site) SetZone(t testing.TB, zone string) {
	t.Helper()
	s.SetOptions(t, map[string]any{"timezone_string": zone, "gmt_offset": ""})
}

// SetOffset gives the site a plain offset from UTC in hours (5.75) and no named
// zone.
func (s *Site) SetOffset(t testing.TB, hours float64) {
	t.Helper()
	s.SetOptions(t, map[string]any{"timezone_string": "", "gmt_offset": hours})
}

// SetPlainPermalinks makes the site answer REST under ?rest_route= alone.
func (s *Site) SetPlainPermalinks(t testing.TB) {
	t.Helper()
	s.control(t, "permalinks", map[string]string{"structure": ""}, nil)
}

// SetOptions sets rows of wp_options by WordPress's update_option.
func (s *Site) SetOptions(t testing.TB, options map[string]any) {
	t.Helper()
	s.control(t, "options", options, nil)
}

// EnableCron lets the site's pages start WP-Cron, as they do by default on a
// real site and do not here.
func (s *Site) EnableCron(t testing.TB) {
	t.Helper()
	s.SetOptions(t, map[string]any{"wptest_cron": "1"})
}

// RunCron runs the WP-Cron events that are due and returns when they are done.
// The request does not appear in Requests.
func (s *Site) RunCron(t testing.TB) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/wp-cron.php", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.server.do(req, nil); err != nil {
		t.Fatalf("run cron of WordPress %s: %v", s.Version, err)
	}
}

// control asks the site's control endpoint; a refusal ends the test.
func (s *Site) control(t testing.TB, action string, in, out any) {
	t.Helper()
	if err := s.server.control(s.name, action, in, out); err != nil {
		t.Fatalf("%s on WordPress %s: %v", action, s.Version, err)
	}
}

// unavailable ends a test that has no WordPress to talk to.
func unavailable(t testing.TB, err error) {
	t.Helper()
	msg := fmt.Sprintf("no real WordPress (%v): start it with internal/wptest/wordpress start", err)
	if os.Getenv("MORROW_WP") == "require" {
		t.Fatal(msg)
	}
	t.Skip(msg)
}

// find reads what the script wrote about a version's server.
func find(version string) (server, error) {
	dir, err := workDir()
	if err != nil {
		return server{}, err
	}
	raw, err := os.ReadFile(filepath.Join(dir, "sites.json"))
	if err != nil {
		return server{}, err
	}
	var all servers
	if err := json.Unmarshal(raw, &all); err != nil {
		return server{}, fmt.Errorf("read sites.json: %w", err)
	}
	for _, srv := range all.Sites {
		if srv.Version == version {
			srv.token = all.Token
			return srv, nil
		}
	}
	return server{}, fmt.Errorf("version %s is not served", version)
}

// workDir is the script's work folder: $MORROW_WPTEST_DIR, else .wptest of the
// checkout that the test runs in.
func workDir() (string, error) {
	if dir := os.Getenv("MORROW_WPTEST_DIR"); dir != "" {
		return dir, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, ".wptest"), nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("not in a checkout, and MORROW_WPTEST_DIR is not set")
		}
		dir = parent
	}
}

// control posts in to a site's control endpoint and decodes the answer into out.
func (srv server) control(site, action string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	// Not the test's context: the site is dropped after that has ended.
	req, err := http.NewRequest(http.MethodPost, srv.URL+"/_wptest/"+site+"/"+action, bytes.NewReader(body)) //nolint:noctx // see above
	if err != nil {
		return err
	}
	return srv.do(req, out)
}

// do sends a request that the site does not record.
func (srv server) do(req *http.Request, out any) error {
	req.Header.Set("X-Wptest-Token", srv.token)
	client := http.Client{Timeout: time.Minute}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %d: %.500s", resp.StatusCode, raw)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(raw, out)
}
