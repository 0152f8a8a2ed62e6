package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const good = `
sites:
  - name: blog
    url: https://blog.example.com
    user: editor
    password: ${PW}
jobs:
  - name: daily
    site: blog
    check: "0 21 * * *"
    publish: "0 8 * * *"
    source: {folder: ./queue}
`

func environment(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := pairs[name]
		return v, ok
	}
}

func options() Options {
	return Options{
		Env: environment(map[string]string{"PW": "abcd efgh", "HOST": "blog.example.com", "EMPTY": ""}),
		Cron: func(spec string) error {
			if strings.Contains(spec, "bad") {
				return errors.New("bad cron")
			}
			return nil
		},
		Coincide: func(a, b Job) bool { return a.Publish == b.Publish },
	}
}

// write puts files into a folder and gives the path of the first, c.yaml.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "c.yaml")
}

// told gives every problem of a configuration, without the folder's name.
func told(t *testing.T, path string, o Options) []string {
	t.Helper()
	cfg, err := Load(path, o)
	var bad *Error
	var problems []Problem
	switch {
	case errors.As(err, &bad):
		problems = bad.Problems
	case err != nil:
		t.Fatal(err)
	default:
		for _, f := range cfg.Faults {
			problems = append(problems, f.Problems...)
		}
	}
	out := []string{}
	for _, p := range problems {
		out = append(out, strings.ReplaceAll(p.String(), filepath.Dir(path)+string(filepath.Separator), ""))
	}
	return out
}

func TestLoadWhole(t *testing.T) {
	t.Parallel()
	path := write(t, map[string]string{"c.yaml": `
state_dir: state
lock_dir: locks
run_timeout: 5m
log: {level: debug, format: json}
defaults:
  site: {timeout: 30s, user: editor}
  job: {check: "0 21 * * *", skip: {weekdays: [Sat, sunday]}}
include: sites.d/*.yaml
sites:
  - name: blog
    url: https://${HOST}/de
    api: https://api.example.com/?rest_route=/
    password_file: pw
    allow_http: true
    user_agent: me/1
    timeout: 2m
jobs:
  - name: daily
    site: blog
    publish: "0 8 * * *"
    source: {folder: ./queue}
    type: podcasts
    ahead: 3
    lead: 20m
    format: html
    media: without
    terms: without
    yield: true
    queue_low: 7
    scope: {category: news, author: 0123, types: [pages], statuses: pending}
    skip: {dates: [2026-12-25]}
`, "sites.d/shop.yaml": `
sites:
  - {name: shop, url: "http://127.0.0.1:8080", password: "${PW}"}
jobs:
  - {name: weekly, site: shop, publish: "@weekly", source: {folder: texts}}
`})
	dir := filepath.Dir(path)
	got, err := Load(path, options())
	if err != nil {
		t.Fatal(err)
	}
	weekend := map[time.Weekday]bool{time.Saturday: true, time.Sunday: true}
	want := &Config{
		Path: path, Files: []string{path, filepath.Join(dir, "sites.d", "shop.yaml")},
		StateDir: filepath.Join(dir, "state"), LockDir: filepath.Join(dir, "locks"),
		RunTimeout: 5 * time.Minute, Log: Log{Level: "debug", Format: "json"},
		Sites: []Site{
			{
				Name: "blog", URL: "https://blog.example.com/de", API: "https://api.example.com/?rest_route=/",
				User: "editor", AllowHTTP: true, Timeout: 2 * time.Minute, UserAgent: "me/1",
			},
			{Name: "shop", URL: "http://127.0.0.1:8080", User: "editor", Timeout: 30 * time.Second},
		},
		Jobs: []Job{
			{
				Name: "daily", Site: "blog", Check: "0 21 * * *", Publish: "0 8 * * *", Type: "podcasts", Ahead: 3,
				Lead: 20 * time.Minute, Source: Source{Folder: filepath.Join(dir, "queue")}, Format: "html", Media: "without", Terms: "without", Yield: true,
				Scope: Scope{Category: "news", Author: "0123", Types: []string{"pages"}, Statuses: []string{"pending"}},
				Skip:  Skip{Dates: map[string]bool{"2026-12-25": true}, Weekdays: weekend}, QueueLow: 7,
			},
			{
				Name: "weekly", Site: "shop", Check: "0 21 * * *", Publish: "@weekly", Type: "posts", Ahead: 1,
				Lead: 15 * time.Minute, Source: Source{Folder: filepath.Join(dir, "sites.d", "texts")}, Format: "blocks", Media: "hold", Terms: "hold",
				Skip: Skip{Weekdays: weekend}, QueueLow: 3,
			},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Site{}, Address{})); diff != "" {
		t.Errorf("configuration (-want +got):\n%s", diff)
	}
}

func TestLoadFindsEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	path := write(t, map[string]string{"c.yaml": `state_dri: x
log: {level: loud}
run_timeout: 15
sites:
  - name: blog
    ulr: https://blog.example.com
    user: [a]
    password: ${GONE}
jobs:
  - name: daily
    site: blgo
    check: "bad"
    publish: "0 8 * * *"
    source: {foldr: q}
    ahead: 0
    notify: true
  - text
`})
	want := []string{
		`c.yaml:1: state_dri: unknown key; did you mean "state_dir"?`,
		`c.yaml:2: log.level: want debug or info or warn or error, got "loud"`,
		`c.yaml:3: run_timeout: want a duration like 15m, 1h30m or 45s, got "15"`,
		`c.yaml:5: sites.blog: has no url`,
		`c.yaml:6: sites.blog.ulr: unknown key; did you mean "url"?`,
		`c.yaml:7: sites.blog.user: want a single value, got a list`,
		`c.yaml:8: sites.blog.password: environment variable GONE is not set`,
		`c.yaml:11: jobs.daily.site: there is no site "blgo"; did you mean "blog"?`,
		`c.yaml:12: jobs.daily.check: bad cron`,
		`c.yaml:14: jobs.daily.source.foldr: unknown key; did you mean "folder"?`,
		`c.yaml:14: jobs.daily.source: has no folder, no command and no drafts`,
		`c.yaml:15: jobs.daily.ahead: want a whole number from 1 to 100, got "0"`,
		`c.yaml:16: jobs.daily.notify: unknown key; known here: ahead, check, format, lead, media, name, ping, publish, queue_low, scope, site, skip, source, terms, type, yield`,
		`c.yaml:17: jobs.#2: has no check`,
		`c.yaml:17: jobs.#2: has no publish`,
		`c.yaml:17: jobs.#2: has no site`,
		`c.yaml:17: jobs.#2: has no source`,
		`c.yaml:17: jobs.#2: want keys and values, got a single value`,
	}
	got := told(t, path, options())
	if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestLoadRefuses changes one thing of a good configuration and wants one
// problem to be told.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	const site, job = "user: editor", "site: blog"
	tests := map[string]struct{ old, new, want string }{
		"other type of root":        {good, "- a\n", `c.yaml:1: want keys and values, got a list`},
		"empty file":                {good, "", `c.yaml: is empty; copy config.example.yaml and fill it in`},
		"no jobs":                   {good, "sites: []\n", `c.yaml: jobs: none written; a configuration needs a site and a job`},
		"not YAML":                  {good, "sites: [\n", `c.yaml:1: a bracket that is opened here is not closed, or a value is missing`},
		"broken second document":    {"\njobs:", "\n---\njobs: [", `c.yaml: a second document begins here; take the line --- out`},
		"two documents":             {"\njobs:", "\n---\njobs:", `c.yaml:7: a second document begins here; take the line --- out`},
		"entries are no list":       {good, "jobs: {a: b}\n", `c.yaml:1: jobs: want a list, each entry beginning with a dash, got keys and values`},
		"key twice":                 {site, "user: a\n    user: b", `c.yaml:6: sites.blog.user: written twice, first in line 5`},
		"key without value":         {site, "user:", `c.yaml:5: sites.blog.user: has no value; give it one or take the key out`},
		"set but empty variable":    {site, "user: ${EMPTY}", `c.yaml:5: sites.blog.user: is empty; give it a value or take the key out`},
		"malformed variable":        {site, "user: ${A-b}", `c.yaml:5: sites.blog.user: a ${ begins no ${NAME}; write $${ for a literal ${`},
		"open variable":             {site, "user: ${A", `c.yaml:5: sites.blog.user: a ${ begins no ${NAME}; write $${ for a literal ${`},
		"boolean of another tongue": {site, site + "\n    allow_http: yes", `c.yaml:6: sites.blog.allow_http: want true or false, got "yes"`},
		"timeout too long":          {site, site + "\n    timeout: 11m", `c.yaml:6: sites.blog.timeout: want a duration from 1s to 10m, got "11m"`},
		"no user":                   {site, "", `c.yaml:3: sites.blog: has no user`},
		"no password":               {"password: ${PW}", "", `c.yaml:3: sites.blog: has no password, password_file, password_command or password_keyring`},
		"two passwords":             {site, site + "\n    password_file: x", `c.yaml:6: sites.blog: has password and password_file; keep one`},
		"keyring and file":          {"password: ${PW}", "password_keyring: true\n    password_file: x", `c.yaml:6: sites.blog: has password_file and password_keyring; keep one`},
		"password for true":         {"password: ${PW}", "password_keyring: Qz7k", `c.yaml:6: sites.blog.password_keyring: want true, and the password in the keyring; or use password_file`},
		"empty command":             {"password: ${PW}", "password_command: []", `c.yaml:6: sites.blog.password_command: names no command`},
		"name with a space":         {"name: daily", "name: my job", `c.yaml:8: jobs.my job.name: want a name of letters, digits, dots, dashes and underscores, at most 64, got "my job"`},
		"no name":                   {"name: daily", "ahead: 1", `c.yaml:8: jobs.#1: has no name`},
		"no address":                {"https://blog", "blog", `c.yaml:4: sites.blog.url: want a web address like https://blog.example.com`},
		"account in address":        {"https://", "https://me:secret@", `c.yaml:4: sites.blog.url: has an account in it; put that into user and password`},
		"fragment in address":       {"example.com", "example.com/#top", `c.yaml:4: sites.blog.url: has a # in it; take that and what follows out`},
		"query in address":          {"example.com", "example.com/?p=1", `c.yaml:4: sites.blog.url: has a ? in it; want the site's address, without the page that you saw`},
		"dashboard's address":       {"example.com", "example.com/wp-admin/", `c.yaml:4: sites.blog.url: want the site's own address, without wp-admin, wp-login.php or wp-json`},
		"user with a colon":         {site, "user: 'me:secret'", `c.yaml:5: sites.blog.user: has a colon, which no login over HTTP can have; want the user name, without the password`},
		"plain http":                {"https://", "http://", `c.yaml:4: sites.blog.url: would send the password unencrypted; use https, or allow_http: true if you accept that`},
		"plain http to the API":     {site, site + "\n    api: http://x.example/", `c.yaml:6: sites.blog.api: would send the password unencrypted; use https, or allow_http: true if you accept that`},
		"lead under its floor":      {job, job + "\n    lead: 2m", `c.yaml:10: jobs.daily.lead: 2m is too short: the least is 3m here, 2 × timeout + 1m`},
		"lead of seconds":           {job, job + "\n    lead: 30s", `c.yaml:10: jobs.daily.lead: 30s is too short: the least is 3m here, 2 × timeout + 1m`},
		"no day left":               {job, job + "\n    skip: {weekdays: [mon, tue, wed, thu, fri, sat, sun]}", `c.yaml:10: jobs.daily.skip.weekdays: leaves no day of the week`},
		"no weekday":                {job, job + "\n    skip: {weekdays: [caturday]}", `c.yaml:10: jobs.daily.skip.weekdays: want a weekday like sat or saturday, got "caturday"`},
		"no date":                   {job, job + "\n    skip: {dates: [2026-02-30]}", `c.yaml:10: jobs.daily.skip.dates: want a date like 2026-12-25, got "2026-02-30"`},
		"status in capitals":        {job, job + "\n    scope: {statuses: [Pending]}", `c.yaml:10: jobs.daily.scope.statuses: want a word of small letters, digits, dashes and underscores, got "Pending"`},
		"dashboard's word":          {job, job + "\n    scope: {statuses: scheduled}", `c.yaml:10: jobs.daily.scope.statuses: scheduled (future) and published (publish) posts fill a slot in any case; take scheduled out`},
		"slip in a status":          {job, job + "\n    scope: {statuses: [draft, pendign]}", `c.yaml:10: jobs.daily.scope.statuses: there is no status "pendign"; did you mean "pending"?`},
		"every status":              {job, job + "\n    scope: {statuses: any}", `c.yaml:10: jobs.daily.scope.statuses: want each status by its name, like pending or draft, got "any"`},
		"type in capitals":          {job, job + "\n    type: Pages", `c.yaml:10: jobs.daily.type: want a word of small letters, digits, dashes and underscores, got "Pages"`},
		"unknown format":            {job, job + "\n    format: md", `c.yaml:10: jobs.daily.format: want blocks or html, got "md"`},
		"missing include":           {"\nsites:", "\ninclude: more.yaml\nsites:", `c.yaml:2: include: there is no file more.yaml`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": strings.Replace(good, tt.old, tt.new, 1)})
			got := told(t, path, options())
			if !strings.Contains("\n"+strings.Join(got, "\n")+"\n", "\n"+tt.want+"\n") {
				t.Errorf("problems = %q\nwant among them %q", got, tt.want)
			}
		})
	}
}

func TestLoadAccepts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ old, new string }{
		"as it is":              {"", ""},
		"BOM":                   {"\nsites", "\ufeffsites"},
		"CRLF":                  {"\n", "\r\n"},
		"http to localhost":     {"https://blog.example.com", "http://localhost:8080/blog"},
		"http to IPv6 loopback": {"https://blog.example.com", `"http://[::1]:8080"`},
		"http when allowed":     {"https://blog.example.com", "http://blog.example.com\n    allow_http: true"},
		"literal dollar brace":  {"user: editor", "user: a$${b}"},
		"Korean names":          {"name: daily", "name: 매일"},
		"empty include folder":  {"\nsites:", "\ninclude: [sites.d/*.yaml]\nsites:"},
		"alias of a mapping": {
			"\njobs:\n", "\ndefaults:\n  job: {skip: &k {weekdays: [sun]}}\njobs:\n" +
				"  - {name: x, site: blog, skip: *k, check: a, publish: b, source: {folder: q}}\n",
		},
		"a plugin's status": {"site: blog", "site: blog\n    scope: {statuses: [pending, in-progress, pitch]}"},
		"alias":             {"site: blog", "site: &s blog\n    scope: {author: *s}"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": strings.Replace(good, tt.old, tt.new, 1)})
			if got := told(t, path, options()); len(got) > 0 {
				t.Errorf("problems = %q, want none", got)
			}
		})
	}
}

func TestOneFaultyEntryStopsOnlyItself(t *testing.T) {
	t.Parallel()
	const sites = `
sites:
  - {name: a, url: "https://a.example", user: u, password: "${PW}"}
  - {name: b, url: "https://b.example", user: u, password: "${PW}"}
jobs:
  - {name: ja, site: a, check: "@daily", publish: "0 8 * * *", source: {folder: qa}}
  - {name: jb, site: b, check: "@daily", publish: "0 8 * * *", source: {folder: qb}}
`
	tests := map[string]struct {
		old, new string
		faults   []string
		jobs     []string
	}{
		"sound":            {"", "", nil, []string{"ja", "jb"}},
		"job":              {"qa}", "qa}, ahead: x", []string{"job ja"}, []string{"jb"}},
		"site and its job": {"https://a", "ftp://a", []string{"site a", "job ja"}, []string{"jb"}},
		"name twice":       {"name: jb", "name: ja", []string{"job ja", "job ja"}, nil},
		"site name twice":  {"name: b", "name: a", []string{"site a", "site a", "job ja", "job jb"}, nil},
		"same instants":    {"site: b", "site: a", []string{"job jb"}, []string{"ja"}},
		"same instants on another account": {
			"https://b.example", "http://A.example:80/\", allow_http: \"true", []string{"job jb"}, []string{"ja"},
		},
		"same instants, one with a scope": {"site: b", "site: a, scope: {category: c}", nil, []string{"ja", "jb"}},
		"same instants, the earlier with a scope": {
			"qa}}\n  - {name: jb, site: b", "qa}, scope: {author: u}}\n  - {name: jb, site: a", nil, []string{"ja", "jb"},
		},
		"same instants, other types": {"site: b", "site: a, type: pages", nil, []string{"ja", "jb"}},
		"same instants, other types that fill each other's slots": {
			"qa}}\n  - {name: jb, site: b", "qa}, scope: {types: pages}}\n  - {name: jb, site: a, type: pages", []string{"job jb"}, []string{"ja"},
		},
		"same instants, scope too wide": {"site: b", "site: a, scope: {types: pages}", []string{"job jb"}, []string{"ja"}},
		"included file":                 {"\nsites:", "\ninclude: bad.yaml\nsites:", []string{"include bad.yaml"}, []string{"ja", "jb"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": strings.Replace(sites, tt.old, tt.new, 1), "bad.yaml": "sites: [\n"})
			cfg, err := Load(path, options())
			if err != nil {
				t.Fatal(err)
			}
			var faults, jobs []string
			for _, f := range cfg.Faults {
				faults = append(faults, f.Kind+" "+filepath.Base(f.Name))
			}
			for _, j := range cfg.Jobs {
				jobs = append(jobs, j.Name)
			}
			if diff := cmp.Diff(tt.faults, faults); diff != "" {
				t.Errorf("faults (-want +got):\n%s\n%v", diff, cfg.Faults)
			}
			if diff := cmp.Diff(tt.jobs, jobs); diff != "" {
				t.Errorf("jobs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLeadFollowsTimeout(t *testing.T) {
	t.Parallel()
	path := write(t, map[string]string{"c.yaml": strings.Replace(good, "user: editor", "user: editor\n    timeout: 10m", 1)})
	cfg, err := Load(path, options())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cfg.Jobs[0].Lead, 21*time.Minute; got != want {
		t.Errorf("lead = %v, want %v", got, want)
	}
}

func TestSlotsCloserThanLead(t *testing.T) {
	t.Parallel()
	for ahead, told := range map[string]string{
		"2": "jobs.daily.publish: has slots less than lead (15m) apart, which could never be booked: set ahead: 3 or more, or a shorter lead",
		"3": "",
	} {
		path := write(t, map[string]string{"c.yaml": good + "    ahead: " + ahead + "\n"})
		o := options()
		o.LeastAhead = func(j Job) int { return int(j.Lead / (5 * time.Minute)) }
		cfg, err := Load(path, o)
		if err != nil {
			t.Fatal(err)
		}
		if got := cfg.Err(); (got == nil) != (told == "") || got != nil && !strings.Contains(got.Error(), told) {
			t.Errorf("ahead %s: %v, want %q", ahead, got, told)
		}
	}
}

func TestNeighboursShareASiteWhateverTheAccount(t *testing.T) {
	t.Parallel()
	cfg := &Config{
		Sites: []Site{
			{Name: "a", URL: "https://Blog.example/x/"},
			{Name: "b", URL: "http://blog.example./x"},
			{Name: "c", URL: "https://blog.example/y"},
			{Name: "d", URL: "https://blog.example:8443/x"},
			{Name: "e", URL: "https://예시.한국/x"},
			{Name: "f", URL: "https://xn--vv4b11d.xn--3e0b707e.//./x/y/.."},
		},
		Jobs: []Job{{Name: "ja", Site: "a"}, {Name: "jb", Site: "b"}, {Name: "jc", Site: "c"}, {Name: "jd", Site: "d"}, {Name: "je", Site: "e"}, {Name: "jf", Site: "f"}},
	}
	if diff := cmp.Diff(cfg.Jobs[:2], cfg.Neighbours(cfg.Jobs[1]), cmpopts.IgnoreUnexported(Address{})); diff != "" {
		t.Errorf("neighbours (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(cfg.Jobs[4:], cfg.Neighbours(cfg.Jobs[5]), cmpopts.IgnoreUnexported(Address{})); diff != "" {
		t.Errorf("neighbours of a host in other letters (-want +got):\n%s", diff)
	}
}

func TestPasswordThatOthersCanReadWarns(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("file modes say nothing there")
	}
	tests := map[string]struct {
		line        string
		config, key os.FileMode
		want        int
	}{
		"private":         {"password: abcd", 0o600, 0o644, 0},
		"world":           {"password: abcd", 0o604, 0o600, 1},
		"group":           {"password: abcd", 0o640, 0o600, 1},
		"environment":     {"password: ${PW}", 0o644, 0o644, 0},
		"file":            {"password_file: key", 0o644, 0o600, 0},
		"file for others": {"password_file: key", 0o600, 0o644, 1},
		"missing file":    {"password_file: gone", 0o644, 0o644, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, map[string]string{"c.yaml": strings.Replace(good, "password: ${PW}", tt.line, 1), "key": "abcd"})
			for file, mode := range map[string]os.FileMode{path: tt.config, filepath.Join(filepath.Dir(path), "key"): tt.key} {
				if err := os.Chmod(file, mode); err != nil {
					t.Fatal(err)
				}
			}
			cfg, err := Load(path, options())
			if err != nil {
				t.Fatal(err)
			}
			if len(cfg.Warnings) != tt.want {
				t.Errorf("warnings = %q, want %d", cfg.Warnings, tt.want)
			}
			if strings.Contains(strings.Join(cfg.Warnings, ""), "abcd") {
				t.Errorf("a warning tells the password: %q", cfg.Warnings)
			}
		})
	}
}

// TestSecretless: who logs in nowhere needs no password; all else is checked
// as ever.
func TestSecretless(t *testing.T) {
	t.Parallel()
	o := options()
	o.Secretless = true
	for text, want := range map[string]string{
		"${GONE}":                    "",
		"":                           `c.yaml:6: sites.blog.password: has no value; give it one or take the key out`,
		"[a]":                        `c.yaml:6: sites.blog.password: want a single value, got a list`,
		"x\n    user_agent: ${GONE}": `c.yaml:7: sites.blog.user_agent: environment variable GONE is not set`,
	} {
		got := strings.Join(told(t, write(t, map[string]string{"c.yaml": strings.Replace(good, "${PW}", text, 1)}), o), "\n")
		if first, _, _ := strings.Cut(got, "\n"); first != want {
			t.Errorf("password: %s: problem = %q, want %q", text, first, want)
		}
	}
}

// TestErrTellsCausesAndHints: a site's fault is told once, however many jobs it
// takes along.
func TestErrTellsCausesAndHints(t *testing.T) {
	t.Parallel()
	path := write(t, map[string]string{"c.yaml": strings.NewReplacer("${PW}", "${GONE}", "daily", "daily\n    aheda: 3").Replace(good)})
	cfg, err := Load(path, options())
	if err != nil {
		t.Fatal(err)
	}
	var bad *Error
	if !errors.As(cfg.Err(), &bad) {
		t.Fatalf("error = %v, want an *Error", cfg.Err())
	}
	set := setVariable("GONE")
	want := []Problem{
		{File: path, Line: 6, Key: "sites.blog.password", Msg: "environment variable GONE is not set", Hint: set},
		{File: path, Line: 9, Key: "jobs.daily.aheda", Msg: `unknown key; did you mean "ahead"?`, Hint: "config.example.yaml shows every key"},
	}
	if diff := cmp.Diff(want, bad.Problems, cmpopts.IgnoreUnexported(Problem{})); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if err := (&Config{}).Err(); err != nil {
		t.Errorf("error of a sound configuration = %v", err)
	}
}

func TestExampleLoads(t *testing.T) {
	t.Parallel()
	o := options()
	o.Env = environment(map[string]string{"BLOG_APP_PASSWORD": "abcd efgh", "HOME": t.TempDir(), "XDG_STATE_HOME": t.TempDir(), "LocalAppData": t.TempDir()})
	cfg, err := Load(filepath.Join("..", "..", "config.example.yaml"), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Faults)+len(cfg.Warnings) > 0 || len(cfg.Jobs) != 1 || len(cfg.Sites) != 1 {
		t.Errorf("faults %v, warnings %v, %d sites, %d jobs; want one site and one job and nothing else", cfg.Faults, cfg.Warnings, len(cfg.Sites), len(cfg.Jobs))
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(good)
	f.Add("a: &a [*a]\nsites: *a\n")
	f.Add("jobs:\n- {name: x, skip: {dates: [${PW}]}}\n")
	f.Add("# only a comment\n")
	f.Add("? {a: b}\n: c\n")
	f.Fuzz(func(t *testing.T, text string) {
		path := write(t, map[string]string{"c.yaml": text})
		cfg, err := Load(path, options())
		if err != nil {
			return
		}
		for _, j := range cfg.Jobs {
			if _, ok := cfg.Site(j.Site); !ok || j.Lead <= 0 || j.Source.Folder == "" {
				t.Errorf("unsound job let through: %+v", j)
			}
		}
	})
}

// TestTilde: a path below the home folder, as people write it.
func TestTilde(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	r := &reader{file: filepath.Join(t.TempDir(), "c.yaml")}
	if got, want := r.absolute("~/posts/queue"), filepath.Join(home, "posts", "queue"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := r.absolute("~x"), filepath.Join(filepath.Dir(r.file), "~x"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
