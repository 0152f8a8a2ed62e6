package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"
)

const (
	day        = 24 * time.Hour
	maxNameLen = 64 // runes
)

// passwordKeys are the ways to say a site's password.
func passwordKeys() []string {
	return []string{"password", "password_file", "password_command", "password_keyring"}
}

// siteFields are the keys of a site that defaults may hold too.
func (r *reader) siteFields(s *Site) fields {
	return fields{
		"user": r.text(&s.User),
		"password": r.hidden("the password", func(text Secret) {
			s.forget()
			s.password = text
		}),
		"password_file": r.hiddenFile("the password", func(file string) {
			s.forget()
			s.passwordFile = file
		}),
		"password_command": r.command(func(argv []string) {
			s.forget()
			s.passwordCommand = argv
		}),
		"password_keyring": r.parsed(func(text string) error {
			if text != "true" {
				return errors.New("want true, and the password in the keyring; or use password_file") // it may be the password
			}
			s.forget()
			s.passwordKeyring = r.keyring
			return nil
		}),
		"allow_http": r.boolean(&s.AllowHTTP),
		"timeout":    r.duration(&s.Timeout, 10*time.Minute),
		"user_agent": r.text(&s.UserAgent),
	}
}

// forget drops a password that stands above, in the defaults.
func (s *Site) forget() {
	s.password, s.passwordFile, s.passwordCommand, s.passwordKeyring = Secret{}, "", nil, nil
}

// openToOthers says whether other users of this machine can read a file.
func openToOthers(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o044 != 0
}

// siteDefaults is the setter of defaults.site.
func (l *loader) siteDefaults(r *reader) setter {
	return func(n *yaml.Node, path string) {
		seen := r.mapping(n, path, r.siteFields(&l.site))
		r.onePassword(seen, path)
	}
}

// onePassword refuses a mapping that says in two ways what the password is.
func (r *reader) onePassword(seen lines, path string) {
	var found []string
	for _, key := range passwordKeys() {
		if seen.has(key) {
			found = append(found, key)
		}
	}
	if len(found) > 1 {
		r.fail(seen.at(found[1]), path, "has %s; keep one", strings.Join(found, " and "))
	}
}

// jobFields are the keys of a job that defaults may hold too.
func (r *reader) jobFields(j *Job, o Options) fields {
	expression := func(dst *string) setter {
		return r.parsed(func(s string) error {
			*dst = s
			if o.Cron == nil {
				return nil
			}
			return o.Cron(s)
		})
	}
	return fields{
		"site":      r.text(&j.Site),
		"check":     expression(&j.Check),
		"publish":   expression(&j.Publish),
		"type":      r.parsed(func(s string) error { j.Type = s; return isWord(s) }),
		"ahead":     r.integer(&j.Ahead, 1, 100),
		"lead":      r.duration(&j.Lead, day),
		"format":    r.oneOf(&j.Format, "blocks", "html"),
		"media":     r.oneOf(&j.Media, "hold", "without"),
		"terms":     r.oneOf(&j.Terms, "hold", "without"),
		"yield":     r.boolean(&j.Yield),
		"ping":      r.ping(&j.Ping, o.Ping),
		"queue_low": r.integer(&j.QueueLow, 0, 365),
		"scope": r.nested(fields{
			"category": r.text(&j.Scope.Category),
			"author":   r.text(&j.Scope.Author),
			"types":    r.slugs(&j.Scope.Types),
			"statuses": r.statuses(&j.Scope.Statuses),
		}),
		"skip": r.nested(fields{
			"dates":    r.dates(&j.Skip.Dates),
			"weekdays": r.weekdays(&j.Skip.Weekdays),
		}),
	}
}

// name reads the name of a site or a job.
func (r *reader) name(dst *string) setter {
	return r.parsed(func(s string) error {
		if !isName(s) {
			return fmt.Errorf("want a name of letters, digits, dots, dashes and underscores, at most %d, got %q", maxNameLen, s)
		}
		*dst = s
		return nil
	})
}

// isName takes letters and digits of any script; dots, dashes, underscores and
// combining marks not at the beginning.
func isName(s string) bool {
	n := 0
	for _, c := range s {
		inner := unicode.IsMark(c) || strings.ContainsRune("._-", c)
		if !unicode.IsLetter(c) && !unicode.IsNumber(c) && (n == 0 || !inner) {
			return false
		}
		n++
	}
	return n > 0 && n <= maxNameLen
}

// path reads a path, relative ones being relative to the file they stand in.
func (r *reader) path(dst *string) setter {
	return r.parsed(func(s string) error {
		*dst = r.absolute(s)
		return nil
	})
}

// absolute reads a path as a person writes it: relative to the file, or below
// their home folder after a tilde.
func (r *reader) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(r.file), path)
	}
	return filepath.Clean(path)
}

// command reads a command: a list of words, or a line for the system's shell.
func (r *reader) command(set func(argv []string)) setter {
	return func(n *yaml.Node, path string) {
		var argv []string
		r.texts(&argv)(n, path)
		if len(argv) == 0 {
			r.fail(n.Line, path, "names no command")
			return
		}
		if resolve(n).Kind == yaml.ScalarNode {
			argv = shell(argv[0])
		}
		set(argv)
	}
}

// slugs reads WordPress's own words for post types and statuses.
func (r *reader) slugs(dst *[]string) setter {
	return r.each(func() { *dst = nil }, func(s string) error {
		*dst = append(*dst, s)
		return isWord(s)
	})
}

func isWord(s string) error {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" {
		return fmt.Errorf("want a word of small letters, digits, dashes and underscores, got %q", s)
	}
	return nil
}

// statuses reads post statuses. Plugins have some of their own, so that a word
// is refused only when it is surely meant for one of WordPress's.
func (r *reader) statuses(dst *[]string) setter {
	return func(n *yaml.Node, path string) {
		r.slugs(dst)(n, path)
		known := []string{"pending", "draft", "private"}
		for _, s := range *dst {
			switch {
			case slices.Contains(known, s):
			case slices.Contains([]string{"future", "publish", "scheduled", "published"}, s):
				r.fail(n.Line, path, "scheduled (future) and published (publish) posts fill a slot in any case; take %s out", s)
			case s == "any" || s == "all":
				r.fail(n.Line, path, "want each status by its name, like pending or draft, got %q", s)
			case Nearest(s, known) != "":
				r.fail(n.Line, path, "there is no status %q; did you mean %q?", s, Nearest(s, known))
			}
		}
	}
}

func (r *reader) dates(dst *map[string]bool) setter {
	return r.each(func() { *dst = map[string]bool{} }, func(s string) error {
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return fmt.Errorf("want a date like 2026-12-25, got %q", s)
		}
		(*dst)[s] = true
		return nil
	})
}

func (r *reader) weekdays(dst *map[time.Weekday]bool) setter {
	return r.each(func() { *dst = map[time.Weekday]bool{} }, func(s string) error {
		for d := time.Sunday; d <= time.Saturday; d++ {
			if strings.EqualFold(s, d.String()) || strings.EqualFold(s, d.String()[:3]) {
				(*dst)[d] = true
				return nil
			}
		}
		return fmt.Errorf("want a weekday like sat or saturday, got %q", s)
	})
}

// checkURL checks a web address. What it says does not repeat the address: a
// person may have put a password into it.
func checkURL(text string, api bool) error {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return errors.New("want a web address like https://blog.example.com")
	case u.User != nil:
		return errors.New("has an account in it; put that into user and password")
	case u.Fragment != "":
		return errors.New("has a # in it; take that and what follows out")
	case !api && u.RawQuery != "":
		return errors.New("has a ? in it; want the site's address, without the page that you saw")
	case !api && (strings.Contains(u.Path, "/wp-admin") || strings.Contains(u.Path, "/wp-login.php") || strings.Contains(u.Path, "/wp-json")):
		return errors.New("want the site's own address, without wp-admin, wp-login.php or wp-json")
	}
	return nil
}

// insecure says whether an address would carry the password in the clear to
// another machine.
func insecure(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback())
}
