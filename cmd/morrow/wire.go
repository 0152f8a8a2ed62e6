package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"morrow/internal/compose"
	"morrow/internal/config"
	"morrow/internal/journal"
	"morrow/internal/keyring"
	"morrow/internal/notify"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/lock"
	"morrow/publish"
	"morrow/wpclient"
)

// This file is the only place where the parts of Morrow are constructed.

// load finds and reads the configuration. secretless is for commands that ask
// no site.
func (p *program) load(secretless bool) (*config.Config, error) {
	path, err := config.Find(p.configFlag, p.env)
	if err == nil {
		var cfg *config.Config
		if cfg, err = config.Load(path, config.Options{
			Cron: checkCron, Coincide: coincide(p.now()), LeastAhead: leastAhead(p.now()), Env: p.env, Secretless: secretless, Keyring: keyring.Get,
			Events: eventNames(), Address: notify.Check, Ping: notify.CheckPing,
		}); err == nil {
			return cfg, p.override(&cfg.Log)
		}
	}
	return nil, asUsage(err)
}

// override lets the flags have the last word on the log.
func (p *program) override(l *config.Log) error {
	if p.levelFlag != "" {
		level, err := zerolog.ParseLevel(p.levelFlag)
		if err != nil || level < zerolog.DebugLevel || level > zerolog.ErrorLevel {
			return &usageError{msg: fmt.Sprintf("there is no log level %q", p.levelFlag), hint: "the levels are debug, info, warn and error"}
		}
		l.Level = p.levelFlag
	}
	if p.formatFlag != "" {
		if p.formatFlag != "text" && p.formatFlag != "json" {
			return &usageError{msg: fmt.Sprintf("there is no log format %q", p.formatFlag), hint: "the formats are text and json"}
		}
		l.Format = p.formatFlag
	}
	return nil
}

// openJournal opens the journal. It is history and cache: where it can't be
// opened a warning is given, and the work goes on without.
func (p *program) openJournal(ctx context.Context, cfg *config.Config, readOnly bool) *journal.Journal {
	path := filepath.Join(cfg.StateDir, "journal.db")
	var j *journal.Journal
	var err error
	if readOnly {
		j, err = journal.OpenReadOnly(ctx, path)
	} else {
		j, err = journal.Open(ctx, path)
	}
	if err != nil {
		p.warn("%s: the work goes on without the journal; `morrow status` will not know of it", err)
		return journal.Discard()
	}
	if notice := j.Notice(); notice != "" {
		p.warn("%s", notice)
	}
	return j
}

// newLocker makes the lock of a site.
func newLocker(cfg *config.Config, site config.Site) (*lock.Locker, error) {
	return lock.New(lock.Options{Dir: cfg.LockDir, Site: site.URL})
}

// newServeLocker makes the lock that two daemons with one state folder share.
func newServeLocker(cfg *config.Config) (*lock.Locker, error) {
	return lock.New(lock.Options{Dir: cfg.LockDir, Site: "morrow://serve" + filepath.ToSlash(cfg.StateDir)})
}

// newSource makes a job's source. It looks at nothing and runs nothing yet. The
// client, which drafts are asked for with, may be nil, and so may env, a
// command's environment, where no command is run.
func newSource(job config.Job, client *wpclient.Client, env []string) publish.Source { //nolint:ireturn // by the configuration
	s := job.Source
	if s.Drafts != (config.Drafts{}) {
		return source.NewDrafts(source.DraftsOptions{Client: client, Type: job.Type, Category: s.Drafts.Category, Tag: s.Drafts.Tag})
	}
	if s.Command != nil {
		return source.NewCommand(source.CommandOptions{
			Job: job.Name, Type: job.Type, Argv: s.Command, Dir: s.Dir, Env: env, Spool: s.Folder, Timeout: s.Timeout, Encoding: s.Encoding,
		})
	}
	return source.NewFolder(source.FolderOptions{Dir: s.Folder, Type: job.Type, Memory: queueMemory(s.Folder)})
}

// queueMemory is the file in the user's cache folder that keeps what a large
// queue says; "" where there is no such folder. It is not in the state folder:
// a dry run writes it too, and touches nothing that a run goes by.
func queueMemory(folder string) string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(dir, "morrow", "queue-"+hex.EncodeToString(sum[:8]))
}

// parts are what one job's Publisher is made of.
type parts struct {
	cfg      *config.Config
	job      config.Job
	journal  *journal.Journal
	dryRun   bool
	log      zerolog.Logger
	progress func(step string)
}

// newClient makes a site's client. It asks for the password and sends nothing.
func newClient(ctx context.Context, site config.Site, log zerolog.Logger) (*wpclient.Client, error) {
	secret, err := site.Secret(ctx)
	if err != nil {
		return nil, err
	}
	return wpclient.New(clientOptions(site, secret, log))
}

func clientOptions(site config.Site, secret config.Secret, log zerolog.Logger) wpclient.Options {
	return wpclient.Options{
		URL: site.URL, API: site.API, User: site.User, Password: secret.Reveal(),
		Timeout: site.Timeout, AllowHTTP: site.AllowHTTP, UserAgent: cmp.Or(site.UserAgent, userAgent()), Logger: log,
	}
}

// newPublisher makes the Publisher of a job. It asks for the password, sends
// nothing and takes no lock.
func newPublisher(ctx context.Context, o parts) (*publish.Publisher, error) {
	site, ok := o.cfg.Site(o.job.Site)
	if !ok {
		return nil, fmt.Errorf("find site %s: not in the configuration", o.job.Site)
	}
	secret, err := site.Secret(ctx)
	if err != nil {
		return nil, err
	}
	client, err := wpclient.New(clientOptions(site, secret, o.log))
	if err != nil {
		return nil, err
	}
	job, err := publishJob(o.cfg, o.job, site)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	opts := publish.Options{
		Job: job, Client: client, Source: newSource(o.job, client, without(os.Environ(), append(o.cfg.Secrets(), secret)...)), Journal: o.journal, Host: host, Logger: o.log, Progress: o.progress,
		Compose: compose.New(compose.Options{
			Client: client, Job: o.job.Name, Host: host, HTML: o.job.Format == "html", ReadOnly: o.dryRun,
			WithoutMedia: o.job.Media == "without", WithoutTerms: o.job.Terms == "without", Memory: o.journal, Site: site.Key(), Progress: o.progress,
		}),
	}
	// A dry run takes no lock, so that a fault of the lock folder must not stop it.
	if !o.dryRun {
		locker, err := newLocker(o.cfg, site)
		if err != nil {
			return nil, err
		}
		opts.Lock = locker
	}
	return publish.New(opts), nil
}

// without is an environment without the variables that hold one of the secrets.
// White space is no difference: WordPress shows a password in groups.
func without(env []string, secrets ...config.Secret) []string {
	tight := func(s string) string { return strings.Join(strings.Fields(s), "") }
	return slices.DeleteFunc(slices.Clone(env), func(variable string) bool {
		return slices.ContainsFunc(secrets, func(s config.Secret) bool {
			text := tight(s.Reveal())
			return text != "" && strings.Contains(tight(variable), text)
		})
	})
}

// publishJob is a job as publish knows it.
func publishJob(cfg *config.Config, job config.Job, site config.Site) (publish.Job, error) {
	times, err := siteTimes(cfg, job)
	if err != nil {
		return publish.Job{}, err
	}
	empty := ""
	if d := job.Source.Drafts.String(); d != "" {
		empty = "there are no " + d
	}
	return publish.Job{
		Empty: empty, Name: job.Name, Site: site.Name, URL: site.URL, User: site.User, Type: job.Type, Ahead: job.Ahead, Lead: job.Lead,
		RunTimeout: cfg.RunTimeout, Scope: publish.Scope(job.Scope), Yield: job.Yield, Times: times,
	}, nil
}

// newTeller makes what tells of runs. It sends nothing yet.
func (p *program) newTeller(cfg *config.Config, j *journal.Journal, log zerolog.Logger) *teller {
	return &teller{
		program: p, journal: j, notifier: newNotifier(cfg, j, p.now, log), pulse: notify.NewPulse(notify.PulseOptions{Logger: log}),
	}
}

func newNotifier(cfg *config.Config, j *journal.Journal, now func() time.Time, log zerolog.Logger) *notify.Notifier {
	host, _ := os.Hostname()
	return notify.New(notify.Options{Addresses: notifyAddresses(cfg), Memory: j, Host: host, Now: now, Logger: log})
}

// notifyAddresses are the configuration's addresses as notify knows them.
func notifyAddresses(cfg *config.Config) []notify.Address {
	out := make([]notify.Address, 0, len(cfg.Notify))
	for _, n := range cfg.Notify {
		a := notify.Address{Name: n.Name, AllowHTTP: n.Address.AllowHTTP, Secret: func(context.Context) (string, string, error) {
			address, err := n.Address.Secret()
			if err != nil {
				return "", "", err
			}
			key, err := n.Key()
			return address.Reveal(), key.Reveal(), err
		}}
		for _, e := range n.Events {
			a.Kinds = append(a.Kinds, notify.Kind(e))
		}
		out = append(out, a)
	}
	return out
}

// eventNames are the kinds of events that a configuration may name.
func eventNames() []string {
	var names []string
	for _, k := range notify.Kinds() {
		names = append(names, string(k))
	}
	return names
}

// newPing makes the dead man's switch of a job that has one.
func newPing(job config.Job) notify.Ping {
	return notify.Ping{AllowHTTP: job.Ping.AllowHTTP, Secret: func() (string, error) {
		address, err := job.Ping.Secret()
		return address.Reveal(), err
	}}
}

// siteTimes are the publication times of all jobs of a job's site.
func siteTimes(cfg *config.Config, job config.Job) ([]slots.Times, error) {
	var out []slots.Times
	for _, j := range cfg.Neighbours(job) {
		schedule, err := slots.Parse(j.Publish)
		if err != nil {
			return nil, fmt.Errorf("read publish of job %s: %w", j.Name, err)
		}
		out = append(out, slots.Times{Job: j.Name, Publish: schedule, Skip: slots.Skip(j.Skip)})
	}
	return out, nil
}

// cachedZone is a site's zone as the journal knows it.
func cachedZone(ctx context.Context, j *journal.Journal, site config.Site) (slots.Zone, bool) {
	_, zone, ok := publish.CachedFacts(ctx, j, publish.FactsKey(site.URL, site.User))
	return zone, ok
}

// zoneOf is the zone of a moment that a report names. One that has no name but
// its offset is fixed.
func zoneOf(loc *time.Location) slots.Zone {
	name := loc.String()
	return slots.Zone{Loc: loc, Fixed: strings.HasPrefix(name, "UTC+") || strings.HasPrefix(name, "UTC-")}
}

// wall is a moment as people write it: weekday, day and zone.
func wall(t time.Time) string {
	return strings.TrimSuffix(t.Format("Mon 2 Jan 2006 15:04 MST"), "+00:00") // UTC
}
