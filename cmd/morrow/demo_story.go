package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"morrow/wpclient"
)

// demoRacers is how many processes the demo starts at the same instant.
const demoRacers = 5

// story tells what Morrow does, by doing it.
func (d *demo) story(ctx context.Context) error {
	d.say("This is an emulated WordPress site at %s, in %s,", d.url, d.zone)
	d.say("where it is %s. Everything lies in %s and goes away with it.", wall(d.now().In(d.zone)), d.dir)
	for _, c := range []struct{ text, command string }{
		{"A dry run asks the site and says what would be done. It writes nothing, nowhere.", "run morning --dry-run"},
		{"Now for real: the first file of the queue becomes tomorrow morning's post.", "run morning"},
		{"Once more. The site says that the slot is filled, so nothing is left to do.", "run morning"},
	} {
		d.say("\n%s\n$ morrow %s", c.text, c.command)
		args := append([]string{"--config", d.config()}, strings.Fields(c.command)...)
		if code := run(ctx, args, strings.NewReader(""), d.stdout, d.stderr); code != exitOK {
			return fmt.Errorf("`morrow %s` ended with exit code %d", c.command, code)
		}
	}
	d.say("\nThe next slot, by %d processes started at the same instant.\n$ morrow run evening", demoRacers)
	if err := d.race(ctx); err != nil {
		return err
	}
	d.say("\nWhat the site itself lists for these days:")
	return d.calendar(ctx)
}

// race starts several processes at once and shows how each of them ends.
func (d *demo) race(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	racers := make([]*exec.Cmd, demoRacers)
	outputs := make([]bytes.Buffer, demoRacers)
	for i := range racers {
		racers[i] = exec.CommandContext(ctx, self, "--config", d.config(), "run", "evening") //nolint:gosec // this very program
		racers[i].Stdout, racers[i].Stderr = &outputs[i], &outputs[i]
		if err := racers[i].Start(); err != nil {
			return fmt.Errorf("start process %d: %w", i+1, err)
		}
	}
	for i, c := range racers {
		// The exit code says it all: any but these is a fault.
		_ = c.Wait()
		code := c.ProcessState.ExitCode()
		first, _, _ := strings.Cut(outputs[i].String(), "\n")
		d.say("  process %d, exit code %2d  %s", c.Process.Pid, code, first)
		if code != exitOK && code != exitBusy {
			return fmt.Errorf("process %d of the race ended with exit code %d: %s", i+1, code, outputs[i].String())
		}
	}
	return nil
}

// calendar prints the posts of the coming days as the site lists them, and
// holds them to what was promised: one post a slot.
func (d *demo) calendar(ctx context.Context) error {
	client, err := wpclient.New(wpclient.Options{URL: d.url, User: "editor", Password: d.password})
	if err != nil {
		return err
	}
	if _, err := client.Discover(ctx); err != nil {
		return err
	}
	now := d.now().In(d.zone)
	list, err := client.List(ctx, wpclient.Query{Statuses: []string{"future", "publish"}, After: now, OrderBy: "date"})
	if err != nil {
		return err
	}
	booked := map[time.Time]int{}
	for day := range 4 {
		date := now.AddDate(0, 0, day)
		posts := 0
		for _, p := range list.Posts {
			at := p.DateGMT.In(d.zone)
			if at.Format(time.DateOnly) != date.Format(time.DateOnly) {
				continue
			}
			posts++
			booked[at]++
			d.say("  %s  %s  %-22s post %d, %s", date.Format("Mon 2 Jan"), at.Format("15:04"), p.Title, p.ID, statusWord(p.Status))
		}
		if posts == 0 {
			d.say("  %s  –", date.Format("Mon 2 Jan"))
		}
	}
	for at, n := range booked {
		if n > 1 {
			return fmt.Errorf("the slot %s has %d posts", wall(at), n)
		}
	}
	d.say("Two slots, seven runs, five of them at once: one post each.")
	return nil
}
