package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"morrow/internal/config"
	"morrow/internal/keyring"
)

// plan is what is to be written.
type plan struct {
	site, job               string // their names
	folder, check, publish  string
	ahead                   int
	keyring                 bool
	passwordFile, configure string // paths
}

// name gives site and job names that nobody has yet.
func (w *wizard) name() {
	var sites, jobs []string
	if w.old != nil {
		for _, s := range w.old.Sites {
			sites = append(sites, s.Name)
		}
		for _, j := range w.old.Jobs {
			jobs = append(jobs, j.Name)
		}
		for _, f := range w.old.Faults {
			sites, jobs = append(sites, f.Name), append(jobs, f.Name)
		}
	}
	w.plan.site = w.o.name
	if w.plan.site == "" {
		w.plan.site = unused(shortName(w.place.URL), sites)
	}
	if w.known != nil {
		w.plan.site = w.known.Name
	}
	w.plan.job = unused("daily", jobs)
}

// shortName is what people call a site: the first part of its host.
func shortName(address string) string {
	u, err := url.Parse(address)
	if err != nil || net.ParseIP(u.Hostname()) != nil {
		return "blog"
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(u.Hostname(), "www."), ".")
	return first
}

func unused(name string, taken []string) string {
	out := name
	for n := 2; slices.Contains(taken, out); n++ {
		out = fmt.Sprintf("%s-%d", name, n)
	}
	return out
}

// write shows what will be written, and writes it once a person agrees.
func (w *wizard) write(ctx context.Context) error {
	w.name()
	dir := filepath.Dir(w.path)
	w.plan.configure = w.path
	if w.old != nil {
		w.plan.configure = filepath.Join(dir, "sites.d", w.plan.site+"-"+w.plan.job+".yaml")
	}
	w.plan.passwordFile = filepath.Join(filepath.Dir(w.plan.configure), w.plan.site+".password")
	w.say("\nThis will be written:")
	if _, err := os.Stat(w.plan.folder); err != nil {
		w.say("  %s  (an empty folder)", w.plan.folder)
	}
	switch {
	case w.known != nil:
	case w.plan.keyring:
		w.say("  the password, into the system's keyring")
	default:
		w.say("  %s  (the password, readable by you alone)", w.plan.passwordFile)
	}
	w.say("  %s", w.plan.configure)
	if w.old != nil {
		w.say("  %s  (a line that includes it, if it does not yet)", w.path)
	}
	if !w.o.yes {
		ok, err := w.confirm(ctx, "Write it?", true)
		if err != nil {
			return err
		}
		if !ok {
			w.say("Nothing was written.")
			return codeError(exitOK)
		}
	}
	return w.commit()
}

// commit writes, the configuration last; what was made before a fault is taken
// away again, the folder excepted.
func (w *wizard) commit() (err error) {
	for _, dir := range []string{w.plan.folder, filepath.Dir(w.plan.configure)} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("make folder: %w", err)
		}
	}
	var made []string
	defer func() {
		if err != nil {
			for _, file := range made {
				_ = os.Remove(file)
			}
		}
	}()
	switch {
	case w.known != nil:
	case w.plan.keyring:
		account := config.Site{URL: w.place.URL, User: w.login.User}.Account()
		if err := keyring.Set(account, w.login.Password); err != nil {
			return fmt.Errorf("put the password into the keyring: %w; --store file keeps it in a file", err)
		}
	default:
		if err := create(w.plan.passwordFile, w.login.Password+"\n"); err != nil {
			return err
		}
		made = append(made, w.plan.passwordFile)
	}
	if err := create(w.plan.configure, w.text()); err != nil {
		return err
	}
	made = append(made, w.plan.configure)
	if w.old != nil {
		if err := w.include(); err != nil {
			return err
		}
	}
	return w.check(w.path)
}

// create writes a file that was not there, whole or not at all, for its owner
// alone.
func create(path, text string) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(text)
	if err = errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	// A link, unlike a rename, is never made over another file.
	if err = os.Link(temp.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		if _, missing := os.Lstat(path); os.IsNotExist(missing) { // a file system without links
			err = os.Rename(temp.Name(), path)
		}
	}
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("write %s: it is there already, and nothing is written over it; move it away, or give another --name or --config", path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// include lets the configuration take in the new file: nothing of it is
// changed but that a line is put at its end, and it is proved to be readable
// before it takes the old one's place.
func (w *wizard) include() error {
	const line = "include: sites.d/*.yaml"
	if w.check(w.path) == nil {
		return nil
	}
	text, err := os.ReadFile(w.path)
	if err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	if regexp.MustCompile(`(?m)^include\s*:`).Match(text) {
		return fmt.Errorf("add the job: include: in %s does not take in %s; add sites.d/*.yaml to it and ask again", w.path, w.plan.configure)
	}
	info, err := os.Stat(w.path)
	if err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}
	changed := w.path + ".new"
	if err := create(changed, strings.TrimRight(string(text), "\n")+"\n\n"+line+" # by morrow init\n"); err != nil {
		return err
	}
	defer func() { _ = os.Remove(changed) }()
	if err := w.check(changed); err != nil {
		return fmt.Errorf("add the job: %w; write the line %q into %s yourself", err, line, w.path)
	}
	if err := errors.Join(os.Chmod(changed, info.Mode().Perm()), os.Rename(changed, w.path)); err != nil {
		return fmt.Errorf("add the job: %w", err)
	}
	return nil
}

// check says why a configuration does not have the new job in it, if it has not.
func (w *wizard) check(path string) error {
	probe := *w.program
	probe.configFlag = path
	cfg, err := probe.load(true)
	if err != nil {
		return err
	}
	if _, ok := cfg.Job(w.plan.job); ok {
		return nil
	}
	return cmp.Or(cfg.Err(), fmt.Errorf("read %s: the job %s is not in it", path, w.plan.job))
}

// text is the new file. With an old configuration it has what lacks there.
func (w *wizard) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Written by `morrow init`. The README explains every key.")
	line("# `morrow doctor` says whether all is well, `morrow run --dry-run` what would be booked.\n")
	if w.known == nil {
		line("sites:\n  - name: %s", quoted(w.plan.site))
		line("    url: %s", quoted(w.place.URL))
		if w.place.API != "" {
			line("    api: %s", quoted(w.place.API))
		}
		if w.login.AllowHTTP {
			line("    allow_http: true          # the password travels unencrypted")
		}
		line("    user: %s", quoted(w.login.User))
		line("    # An application password: WordPress revokes it under Users > Profile.")
		if w.plan.keyring {
			line("    password_keyring: true    # your own keyring; for a service use password_file")
		} else {
			line("    password_file: %s", quoted(filepath.Base(w.plan.passwordFile)))
		}
		line("")
	}
	line("jobs:\n  - name: %s\n    site: %s", quoted(w.plan.job), quoted(w.plan.site))
	line("    publish: %s     # when posts go live, in the site's zone", quoted(w.plan.publish))
	line("    check: %s      # when to look for free slots, in the site's zone", quoted(w.plan.check))
	line("    ahead: %d                  # slots to keep booked", w.plan.ahead)
	line("    source:\n      folder: %s  # Markdown files", quoted(w.plan.folder))
	return b.String()
}

// quoted is a text as a YAML value that stands for itself.
func quoted(s string) string {
	return "'" + strings.NewReplacer("'", "''", "${", "$${").Replace(s) + "'"
}

// prove ends with a dry run, and says what to do next.
func (w *wizard) prove(ctx context.Context) error {
	w.configFlag = w.path
	w.say("\nWritten. A dry run, which changes nothing:\n")
	err := w.runJobs(ctx, []string{w.plan.job}, runOptions{dryRun: true})
	var code codeError
	if err != nil && (!errors.As(err, &code) || code != exitNothing) {
		return err
	}
	command := "morrow"
	if found, err := config.Find("", w.env); err != nil || found != w.path {
		command += " --config " + w.path
	}
	w.say("\nAll is proved. Next:")
	w.say("  put a Markdown file into %s", w.plan.folder)
	w.say("  %s run --dry-run    what would be booked", command)
	w.say("  %s run              book it", command)
	w.say("  %s serve            keep booking, day by day", command)
	w.say("  %s doctor           when something is wrong", command)
	return nil
}
