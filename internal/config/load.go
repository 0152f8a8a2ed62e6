package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Options are what Load takes from outside, so that this package knows
// nothing of cron or zones.
type Options struct {
	// Cron checks a cron expression; nil takes any text.
	Cron func(spec string) error
	// Coincide says whether two jobs ever publish at one instant; nil never.
	Coincide func(a, b Job) bool
	// LeastAhead is how many slots a job must keep booked so that each comes
	// into view before its lead begins; nil means one.
	LeastAhead func(j Job) int
	// Events are the kinds of events that there are.
	Events []string
	// Address checks an address that messages go to, and Ping one of a dead man's
	// switch; their errors do not repeat it. nil takes any text.
	Address func(address, key string, allowHTTP bool) error
	Ping    func(address string, allowHTTP bool) error
	// Env looks up an environment variable; nil means os.LookupEnv.
	Env func(string) (string, bool)
	// Secretless is for a caller that logs in nowhere: passwords are not taken
	// from the environment, so that it need not have them.
	Secretless bool
	// Keyring gives the password of a Site's Account; nil where there is none.
	Keyring func(account string) (string, error)
}

// loader gathers the entries of all files before they are checked together.
type loader struct {
	opt   Options
	cfg   *Config
	site  Site // defaults
	job   Job
	sites []*entry[Site]
	jobs  []*entry[Job]
	// top are the problems that leave nothing to work with.
	top []Problem
}

// entry is a site or a job with its place and its own problems.
type entry[T any] struct {
	*reader
	name  string // as written, or its number where it has none
	path  string
	lines lines
	value T
}

// Load reads the configuration and all it includes. An error (an *Error but
// for files that can't be read) means that nothing can be used; a Config may
// still have Faults, which stop single sites and jobs.
func Load(path string, o Options) (*Config, error) {
	if o.Env == nil {
		o.Env = os.LookupEnv
	}
	if o.Keyring == nil {
		o.Keyring = func(string) (string, error) { return "", errors.New("there is no keyring here") }
	}
	l := &loader{
		opt:  o,
		cfg:  &Config{Path: path, RunTimeout: DefaultRunTimeout, Log: Log{Level: "info", Format: "text"}},
		site: Site{Timeout: DefaultTimeout},
		job:  Job{Type: "posts", Ahead: 1, Format: "blocks", Media: "hold", Terms: "hold", QueueLow: DefaultQueueLow},
	}
	root, r, err := l.parse(path)
	if err != nil {
		return nil, err
	}
	l.main(root, r)
	if l.cfg.StateDir == "" {
		if l.cfg.StateDir, err = stateDir(o.Env); err != nil {
			r.fail(0, "state_dir", "%s", err)
		}
	}
	if len(l.jobs) == 0 && len(l.cfg.Faults) == 0 {
		r.misshapen(0, "jobs", "none written; a configuration needs a site and a job")
	}
	l.top = r.problems
	l.settle()
	if len(l.top) > 0 {
		all := slices.Concat(l.top, causes(l.cfg.Faults))
		sortProblems(all)
		return nil, &Error{Problems: all}
	}
	return l.cfg, nil
}

// main reads the file that was named; the entries come last, since defaults
// may stand below them.
func (l *loader) main(root *yaml.Node, r *reader) {
	var sites, jobs, notify *yaml.Node
	var include []string
	keep := func(dst **yaml.Node) setter { return func(n *yaml.Node, _ string) { *dst = n } }
	seen := r.mapping(root, "", fields{
		"state_dir":   r.path(&l.cfg.StateDir),
		"lock_dir":    r.path(&l.cfg.LockDir),
		"run_timeout": r.duration(&l.cfg.RunTimeout, 24*time.Hour),
		"log": r.nested(fields{
			"level":  r.oneOf(&l.cfg.Log.Level, "debug", "info", "warn", "error"),
			"format": r.oneOf(&l.cfg.Log.Format, "text", "json"),
		}),
		"defaults": r.nested(fields{
			"site": l.siteDefaults(r),
			"job":  r.nested(r.jobFields(&l.job, l.opt)),
		}),
		"include": r.texts(&include),
		"sites":   keep(&sites),
		"jobs":    keep(&jobs),
		"notify":  keep(&notify),
	})
	l.entries(r, sites, jobs)
	l.notify(r, notify)
	for _, pattern := range include {
		l.include(r, seen.at("include"), pattern)
	}
}

// include reads the files of one pattern; a faulty file stops only itself.
func (l *loader) include(r *reader, line int, pattern string) {
	files, err := filepath.Glob(r.absolute(pattern))
	if err != nil {
		r.fail(line, "include", "%q is no pattern: %s", pattern, err)
		return
	}
	if len(files) == 0 && !strings.ContainsAny(pattern, "*?[") {
		r.fail(line, "include", "there is no file %s", pattern)
	}
	for _, file := range files {
		root, sub, err := l.parse(file)
		var bad *Error
		switch {
		case errors.As(err, &bad):
			l.fault("include", file, bad.Problems)
			continue
		case err != nil:
			l.fault("include", file, []Problem{{File: file, Msg: err.Error()}})
			continue
		}
		var sites, jobs *yaml.Node
		sub.mapping(root, "", fields{
			"sites": func(n *yaml.Node, _ string) { sites = n },
			"jobs":  func(n *yaml.Node, _ string) { jobs = n },
		})
		l.entries(sub, sites, jobs)
		if len(sub.problems) > 0 {
			l.fault("include", file, sub.problems)
		}
	}
}

// entries reads the lists of sites and jobs of one file.
func (l *loader) entries(r *reader, sites, jobs *yaml.Node) {
	l.sites = append(l.sites, decode(r, "sites", sites, l.site, func(sub *reader, s *Site, name *string) fields {
		known := sub.siteFields(s)
		known["name"] = sub.name(name)
		known["url"] = sub.parsed(func(text string) error { s.URL = text; return checkURL(text, false) })
		known["api"] = sub.parsed(func(text string) error { s.API = text; return checkURL(text, true) })
		return known
	})...)
	l.jobs = append(l.jobs, decode(r, "jobs", jobs, l.job, func(sub *reader, j *Job, name *string) fields {
		known := sub.jobFields(j, l.opt)
		known["name"] = sub.name(name)
		known["source"] = sub.source(&j.Source)
		return known
	})...)
}

// decode reads a list of mappings, each with problems of its own.
func decode[T any](r *reader, where string, list *yaml.Node, defaults T, known func(*reader, *T, *string) fields) []*entry[T] {
	if list == nil {
		return nil
	}
	list = resolve(list)
	if list.Kind != yaml.SequenceNode {
		r.misshapen(list.Line, where, "want a list, each entry beginning with a dash, got %s", describe(list))
		return nil
	}
	out := make([]*entry[T], 0, len(list.Content))
	for i, n := range list.Content {
		number := "#" + strconv.Itoa(i+1)
		e := &entry[T]{reader: r.child(), value: defaults}
		e.name = nameOf(n)
		if e.name == "" {
			e.name = number
		}
		e.path = where + "." + e.name
		var name string
		e.lines = e.mapping(n, e.path, known(e.reader, &e.value, &name))
		if name == "" && resolve(n).Kind == yaml.MappingNode && !e.lines.has("name") {
			e.misshapen(n.Line, e.path, "has no name")
		}
		if name != "" {
			e.name = name
		}
		out = append(out, e)
	}
	return out
}

// nameOf peeks at an entry's name, so that its problems can bear it.
func nameOf(n *yaml.Node) string {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		return ""
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == "name" {
			return resolve(n.Content[i+1]).Value
		}
	}
	return ""
}

// parse reads one file as one YAML document.
func (l *loader) parse(path string) (*yaml.Node, *reader, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, fmt.Errorf("read configuration: %w", err)
	}
	l.cfg.Files = append(l.cfg.Files, path)
	r := &reader{file: path, env: l.opt.Env, secretless: l.opt.Secretless, keyring: l.opt.Keyring}
	r.warn = func(text string) { l.cfg.Warnings = append(l.cfg.Warnings, text) }
	var root, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	err = dec.Decode(&root)
	switch {
	case err == nil:
		if !errors.Is(dec.Decode(&more), io.EOF) {
			r.fail(more.Line, "", "a second document begins here; take the line --- out")
		}
		return root.Content[0], r, nil
	case errors.Is(err, io.EOF):
		r.misshapen(0, "", "is empty; copy config.example.yaml and fill it in")
	default:
		line := brokenLine(data)
		r.fail(line, "", "%s", inWords(err.Error(), string(bytes.Split(data, []byte("\n"))[line-1])))
	}
	return nil, nil, &Error{Problems: r.problems}
}
