// Package config reads Morrow's YAML configuration strictly: every fault is
// found at once and named with file, line and key, and a typing error is never
// a silent default.
package config

import (
	"cmp"
	"net"
	"net/url"
	"path"
	"strings"
	"time"

	"golang.org/x/net/idna"
	"golang.org/x/text/encoding"
)

// Defaults of keys that are not written.
const (
	DefaultTimeout    = 60 * time.Second
	DefaultRunTimeout = 15 * time.Minute
	DefaultLead       = 15 * time.Minute
	// DefaultCommandTimeout is that of a source's command.
	DefaultCommandTimeout = 5 * time.Minute
	// DefaultQueueLow is in days.
	DefaultQueueLow = 3
)

// Config is a configuration whose every value has been checked.
type Config struct {
	// Path is the file that was loaded; Files are it and what it includes.
	Path  string
	Files []string

	StateDir   string // journal and logs
	LockDir    string // empty: the machine's own
	Log        Log
	RunTimeout time.Duration

	// Sites and Jobs are the sound ones, in the order written.
	Sites []Site
	Jobs  []Job
	// Notify are the sound addresses that are told what happens.
	Notify []Notify
	// Faults are the sites, jobs, addresses and included files that can't be used.
	Faults []Fault
	// Warnings are for people; nothing stops because of them.
	Warnings []string
}

// Log says what is logged.
type Log struct {
	Level  string // debug, info, warn, error
	Format string // text or json, on stderr
}

// Site is a WordPress site and the account used on it.
type Site struct {
	Name      string
	URL       string
	API       string // REST root, if it can't be discovered
	User      string
	AllowHTTP bool
	Timeout   time.Duration // of one request
	UserAgent string        // empty: the program's own

	password        Secret
	passwordFile    string
	passwordCommand []string
	passwordKeyring func(account string) (string, error)
}

// Account is the name under which the site's password stands in a keyring. It
// outlives a new name of the site in the configuration.
func (s Site) Account() string { return s.User + "@" + s.Key() }

// Key is the site's address without what does not tell sites apart: scheme,
// spelling of the host, default port, and slashes and dots of the path that
// lead nowhere. Two entries with one Key are two accounts on one site.
func (s Site) Key() string {
	u, err := url.Parse(s.URL)
	if err != nil {
		return s.URL
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	// A name that IDNA does not know (an underscore, an IPv6 address) stays.
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		host = net.JoinHostPort(host, p)
	}
	return host + strings.TrimSuffix(path.Clean("/"+u.Path), "/")
}

// Job is a site, a source, when to look and when to publish.
type Job struct {
	Name    string
	Site    string // a Site's Name
	Check   string // cron expression, in the site's zone
	Publish string // cron expression, in the site's zone
	Type    string // the post type, by its REST base
	Ahead   int    // slots to keep booked
	Lead    time.Duration
	Source  Source
	Scope   Scope
	Skip    Skip
	Format  string // blocks or html
	Media   string // hold or without: an item with a picture that can't be uploaded
	Terms   string // hold or without: an item with a term that can't be had
	Yield   bool   // a booking makes way for a person's post
	// Ping is the dead man's switch that is told of the job's runs, if it is set.
	Ping Address
	// QueueLow is how many days ahead an end of the queue is told; 0 for never.
	QueueLow int
}

// Drafts is the sign by which drafts on the site are handed over, one of the
// two by name or slug.
type Drafts struct{ Category, Tag string }

// String gives the sign as people are shown it; it is empty for none.
func (d Drafts) String() string {
	switch {
	case d.Category != "":
		return "drafts of the category " + d.Category
	case d.Tag != "":
		return "drafts with the tag " + d.Tag
	}
	return ""
}

// Source is where a job's items come from: a folder, a command that fills one,
// or drafts on the site.
type Source struct {
	Folder string // absolute; of a command, where its output is spooled; empty with Drafts
	Drafts Drafts
	// Command is the program and its arguments; nil for a plain folder.
	Command []string
	Dir     string        // where the command runs: the folder of the file that names it
	Timeout time.Duration // of one run of the command
	// Encoding of what the command prints; nil for UTF-8, or UTF-16 with a byte
	// order mark.
	Encoding encoding.Encoding
}

// String names the source for people.
func (s Source) String() string { return cmp.Or(s.Drafts.String(), s.Folder) }

// Scope narrows or widens what fills a slot.
type Scope struct {
	Category string   // only posts of this category (name or slug)
	Author   string   // only posts of this author (login)
	Types    []string // REST bases besides the job's
	Statuses []string // statuses besides future and publish
}

// narrow says whether the scope tells the posts of two jobs apart.
func (s Scope) narrow() bool { return s.Category != "" || s.Author != "" }

// Skip are the days on which a job has no slot, in the site's zone.
type Skip struct {
	Dates    map[string]bool // YYYY-MM-DD
	Weekdays map[time.Weekday]bool
}

// Site finds a sound site by name.
func (c *Config) Site(name string) (Site, bool) {
	for _, s := range c.Sites {
		if s.Name == name {
			return s, true
		}
	}
	return Site{}, false
}

// Job finds a sound job by name.
func (c *Config) Job(name string) (Job, bool) {
	for _, j := range c.Jobs {
		if j.Name == name {
			return j, true
		}
	}
	return Job{}, false
}

// Neighbours lists the jobs that work on the same site as j, itself included,
// whichever account they use.
func (c *Config) Neighbours(j Job) []Job {
	site, _ := c.Site(j.Site)
	var out []Job
	for _, other := range c.Jobs {
		if s, ok := c.Site(other.Site); ok && s.Key() == site.Key() {
			out = append(out, other)
		}
	}
	return out
}
