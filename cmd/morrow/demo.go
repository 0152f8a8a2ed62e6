package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"morrow/internal/fakewp"
)

func (p *program) demoCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole story on an emulated site; no site and no set-up needed",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.demo(cmd.Context(), keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the site running to play with, until Ctrl-C")
	return cmd
}

// demo is a site, a queue and a configuration that live as long as the
// command.
type demo struct {
	*program
	dir      string
	url      string
	password string
	zone     *time.Location
	site     *fakewp.Server
}

func (p *program) demo(ctx context.Context, keep bool) error {
	dir, err := os.MkdirTemp("", "morrow-demo-")
	if err != nil {
		return fmt.Errorf("make demo folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	zone, err := time.LoadLocation(demoZone(p.now()))
	if err != nil {
		return fmt.Errorf("load the demo's time zone: %w", err)
	}
	d := &demo{program: p, dir: dir, zone: zone, site: fakewp.New(fakewp.Options{Timezone: zone.String()})}
	d.password = d.site.AddUser("editor", "editor")
	stop, err := d.listen(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err := d.furnish(); err != nil {
		return err
	}
	if err := d.story(ctx); err != nil {
		return err
	}
	if keep {
		d.keepRunning(ctx)
	}
	return nil
}

// demoZone is a place where it is daytime, so that no slot of the demo is too
// near.
func demoZone(now time.Time) string {
	for _, name := range []string{"Asia/Seoul", "Europe/Berlin", "America/New_York"} {
		loc, err := time.LoadLocation(name)
		if err == nil && now.In(loc).Hour() >= 9 && now.In(loc).Hour() < 17 {
			return name
		}
	}
	return "Pacific/Honolulu"
}

// listen puts the emulated site on a loopback port.
func (d *demo) listen(ctx context.Context) (stop func(), err error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("open a port for the demo site: %w", err)
	}
	d.url = "http://" + l.Addr().String()
	server := &http.Server{Handler: d.site, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // ends when the server is closed
	}()
	return func() {
		_ = server.Close()
		<-served
	}, nil
}

const demoConfig = `sites:
  - name: demo
    url: %s
    user: editor
    password: %s
jobs:
  - name: morning
    site: demo
    check: "0 21 * * *"
    publish: "0 8 * * *"
    source: {folder: queue}
  - name: evening
    site: demo
    check: "0 9 * * *"
    publish: "0 20 * * *"
    source: {folder: queue}
state_dir: state
lock_dir: locks
`

// demoQueue are the files of the demo's queue.
func demoQueue() map[string]string {
	return map[string]string{
		"010-good-morning.md": "---\ntitle: Good morning\ntags: [demo]\n---\n\nThis post was **booked by Morrow**.\n",
		"020-good-evening.md": "---\ntitle: Good evening\n---\n\nSo was this one, by whichever process came first.\n",
		"030-not-yet.md":      "---\ntitle: Not yet\ndraft: true\n---\n\nThe front matter says that this is a draft.\n",
		"040-another-day.md":  "# Another day\n\nThe title can be the first heading as well.\n",
	}
}

// furnish writes queue and configuration, and gives the site a post of a
// person's.
func (d *demo) furnish() error {
	queue := filepath.Join(d.dir, "queue")
	if err := os.Mkdir(queue, 0o700); err != nil {
		return fmt.Errorf("make the demo's queue: %w", err)
	}
	// A file younger than some seconds counts as still being written.
	written := d.now().Add(-time.Hour)
	for name, text := range demoQueue() {
		path := filepath.Join(queue, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return fmt.Errorf("fill the demo's queue: %w", err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			return fmt.Errorf("fill the demo's queue: %w", err)
		}
	}
	if err := os.WriteFile(d.config(), fmt.Appendf(nil, demoConfig, d.url, d.password), 0o600); err != nil {
		return fmt.Errorf("write the demo's configuration: %w", err)
	}
	day := d.now().In(d.zone).AddDate(0, 0, 2)
	d.site.InsertPost(fakewp.Post{
		Title: "Written by a person", Content: "Morrow leaves it alone.", Status: "future",
		Date: time.Date(day.Year(), day.Month(), day.Day(), 10, 30, 0, 0, d.zone).Format(time.DateTime),
	})
	return nil
}

func (d *demo) config() string { return filepath.Join(d.dir, "config.yaml") }

// keepRunning leaves the site to a person.
func (d *demo) keepRunning(ctx context.Context) {
	self, err := os.Executable()
	if err != nil || strings.Contains(self, "go-build") {
		self = "go run ./cmd/morrow"
	}
	d.say("\nThe site stays until Ctrl-C. In another terminal:")
	for _, command := range []string{"queue", "status --live", "run --all", "serve"} {
		d.say("  %s --config %s %s", self, d.config(), command)
	}
	d.say("Its queue is %s: put Markdown files into it.", filepath.Join(d.dir, "queue"))
	d.say("Its lists are those of WordPress, for the account editor with the password %s:", d.password)
	d.say("  curl -u 'editor:%s' '%s/wp-json/wp/v2/posts?status=future,publish&_fields=id,date,status,slug'", d.password, d.url)
	<-ctx.Done()
}
