package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"morrow/internal/autostart"
	"morrow/internal/config"
	"morrow/internal/doctor"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/lock"
	"morrow/wpclient"
)

func (p *program) doctorCommand() *cobra.Command {
	var asJSON bool
	var scripts []string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what keeps Morrow from booking, and say what to do",
		Long: "Find out what keeps Morrow from booking: in the configuration, on this machine, on each site and in each queue.\n" +
			"Writes nothing on a site. Exit code 1 when something has to be mended.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.doctor(cmd.Context(), scripts, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON line per finding")
	cmd.Flags().StringSliceVar(&scripts, "script", nil, "a `script` that did the same work before, like daily.py: whether something still starts it")
	return cmd
}

// findingLine is a finding as `--json` prints it.
type findingLine struct {
	About   string       `json:"about"` // "config", "machine", "site NAME" or "job NAME"
	Check   string       `json:"check"`
	Level   doctor.Level `json:"level"`
	Meaning string       `json:"meaning"`
	Remedy  string       `json:"remedy"`
}

// chapter are the findings about one thing.
type chapter struct {
	about, title string
	findings     []doctor.Finding
}

func (p *program) doctor(ctx context.Context, scripts []string, asJSON bool) error {
	var worst []doctor.Level
	tell := func(c chapter) error {
		for _, f := range c.findings {
			worst = append(worst, f.Level)
		}
		if !asJSON {
			p.sayChapter(c)
			return nil
		}
		for _, f := range c.findings {
			if err := printJSON(p.stdout, findingLine{c.about, f.Check, f.Level, f.Meaning, f.Remedy}); err != nil {
				return err
			}
		}
		return nil
	}
	cfg, found := p.examineConfig()
	if err := tell(chapter{"config", "configuration", found}); err != nil {
		return err
	}
	if err := tell(chapter{"machine", "this machine", p.examineMachine(ctx, cfg, scripts)}); err != nil {
		return err
	}
	if cfg != nil {
		for _, c := range slices.Concat(p.examineSites(ctx, cfg), p.examineJobs(ctx, cfg)) {
			if err := tell(c); err != nil {
				return err
			}
		}
	}
	if !asJSON {
		p.sayVerdict(worst)
	}
	if slices.Contains(worst, doctor.Fail) {
		return codeError(exitFailed)
	}
	return nil
}

func (p *program) sayChapter(c chapter) {
	p.say("%s", c.title)
	for _, f := range c.findings {
		p.say("  %-5s %-12s %s", f.Level, f.Check, f.Meaning)
		if f.Remedy != "" {
			p.say("  %-5s %-12s → %s", "", "", f.Remedy)
		}
	}
}

func (p *program) sayVerdict(levels []doctor.Level) {
	n := map[doctor.Level]int{}
	for _, l := range levels {
		n[l]++
	}
	switch {
	case n[doctor.Fail] > 0:
		p.say("\n%d to mend, %d to know. What depends on the first was not looked at: mend it and ask again.", n[doctor.Fail], n[doctor.Warn])
	case n[doctor.Warn] > 0:
		p.say("\nNothing keeps Morrow from booking; %d to know.", n[doctor.Warn])
	default:
		p.say("\nAll is well.")
	}
}

// examineConfig reads the configuration; nil when nothing of it can be used.
func (p *program) examineConfig() (*config.Config, []doctor.Finding) {
	const check = "file"
	cfg, err := p.load(false)
	var bad *config.Error
	var none *config.NotFoundError
	var found []doctor.Finding
	wrong := func(ps []config.Problem) {
		for _, problem := range ps {
			found = append(found, doctor.Finding{
				Check: check, Level: doctor.Fail, Meaning: problem.String(), Remedy: cmp.Or(problem.Hint, "correct that line"),
			})
		}
	}
	switch {
	case err == nil:
	case errors.As(err, &bad):
		wrong(bad.Problems)
		return nil, found
	case errors.As(err, &none):
		return nil, []doctor.Finding{{Check: check, Level: doctor.Fail, Meaning: none.Error(), Remedy: "`morrow init` asks a few questions and writes one"}}
	default:
		return nil, []doctor.Finding{{Check: check, Level: doctor.Fail, Meaning: err.Error(), Remedy: "name the file by --config or " + config.PathVariable}}
	}
	if err := cfg.Err(); errors.As(err, &bad) {
		wrong(bad.Problems)
	}
	for _, w := range cfg.Warnings {
		meaning, remedy, _ := strings.Cut(w, "; ")
		found = append(found, doctor.Finding{Check: check, Level: doctor.Warn, Meaning: meaning, Remedy: remedy})
	}
	if len(found) == 0 {
		found = append(found, doctor.Finding{Check: check, Level: doctor.OK, Meaning: cfg.Path})
	}
	return cfg, found
}

// examineMachine looks at the folders, the daemon and what starts it; without a
// configuration at what does not depend on it.
func (p *program) examineMachine(ctx context.Context, cfg *config.Config, scripts []string) []doctor.Finding {
	starters := autostart.Find(ctx, autostart.Options{Programs: append([]string{"morrow"}, scripts...)})
	if cfg == nil {
		return append([]doctor.Finding{lockFolder(ctx, "")}, doctor.Autostarts(starters, false)...)
	}
	holder := p.daemonHolder(cfg)
	return append([]doctor.Finding{
		lockFolder(ctx, cfg.LockDir),
		doctor.Folder("state_folder", cfg.StateDir, "state_dir: names it"),
		daemonFinding(holder),
	}, doctor.Autostarts(starters, holder != nil)...)
}

// lockFolder takes a lock that stands for no site.
func lockFolder(ctx context.Context, dir string) doctor.Finding {
	f := doctor.Finding{Check: "lock_folder", Level: doctor.OK, Meaning: cmp.Or(dir, lock.DefaultDir())}
	locker, err := lock.New(lock.Options{Dir: dir, Site: "morrow://doctor"})
	if err == nil {
		var release func() error
		if release, _, err = locker.Acquire(ctx, 0); release != nil {
			err = release()
		}
	}
	if err != nil {
		f.Level, f.Meaning, f.Remedy = doctor.Fail, err.Error(), "set lock_dir: to a folder on a local disk that all users of Morrow here may write to"
	}
	return f
}

func daemonFinding(h *lock.Holder) doctor.Finding {
	if h == nil {
		return doctor.Finding{
			Check: "daemon", Level: doctor.Warn, Meaning: "`morrow serve` is not running: nothing is booked by itself",
			Remedy: "start it, or let the machine start it (see autostart)",
		}
	}
	return doctor.Finding{Check: "daemon", Level: doctor.OK, Meaning: "runs: " + holderText(*h)}
}

// examineSites asks all sites, some at a time.
func (p *program) examineSites(ctx context.Context, cfg *config.Config) []chapter {
	out := make([]chapter, len(cfg.Sites))
	var g errgroup.Group
	g.SetLimit(sitesAtOnce)
	for i, site := range cfg.Sites {
		g.Go(func() error {
			out[i] = chapter{"site " + site.Name, fmt.Sprintf("site %s (%s)", site.Name, site.URL), p.examineSite(ctx, cfg, site)}
			return nil
		})
	}
	_ = g.Wait() // what goes wrong is a finding
	return out
}

func (p *program) examineSite(ctx context.Context, cfg *config.Config, site config.Site) []doctor.Finding {
	var found []doctor.Finding
	secret, err := site.Secret(ctx)
	if err != nil {
		found = append(found, doctor.Finding{Check: "password", Level: doctor.Fail, Meaning: err.Error(), Remedy: "see the site's password keys in the configuration"})
	}
	var types []string
	for _, j := range cfg.Jobs {
		if j.Site == site.Name && !slices.Contains(types, j.Type) {
			types = append(types, j.Type)
		}
	}
	host, _ := os.Hostname()
	return append(found, doctor.Site(ctx, doctor.SiteOptions{
		Client: clientOptions(site, secret, zerolog.Nop()), Types: types, Host: host, Now: p.now,
	})...)
}

// examineJobs looks at the queues.
func (p *program) examineJobs(ctx context.Context, cfg *config.Config) []chapter {
	var out []chapter
	for _, job := range cfg.Jobs {
		site, _ := cfg.Site(job.Site)
		v := &view{job: job, site: site, zone: slots.Zone{Loc: time.Local}}
		entries, err := p.entries(ctx, journal.Discard(), v, true)
		var asked *wpclient.Error
		if errors.As(err, &asked) {
			continue // the site's own chapter says what it is
		}
		found := []doctor.Finding{doctor.Queue(job.Source.String(), entries, err, job.Source.Command != nil)}
		if err == nil && job.Source.Folder != "" {
			if f := doctor.Folder("folder", filepath.Clean(job.Source.Folder), "booked files are moved to done/ in it"); f.Level != doctor.OK {
				found = append(found, f)
			}
		}
		out = append(out, chapter{"job " + job.Name, "job " + job.Name, found})
	}
	return out
}
