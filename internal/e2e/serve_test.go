//go:build linux

package e2e

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// due makes the next check come after the next slot, so that a daemon which
// starts now has no other occasion; idle puts one in between.
func (r *rig) due()  { r.checkAt(r.slot.Add(time.Hour)) }
func (r *rig) idle() { r.checkAt(r.slot.Add(-time.Hour)) }

func (r *rig) checkAt(at time.Time) {
	r.Helper()
	r.check = fmt.Sprintf("%d %d * * *", at.Minute(), at.Hour())
	r.configure()
}

// knowsZone lets the site be asked once, so that a daemon knows its zone from
// the start.
func (r *rig) knowsZone() {
	r.Helper()
	r.run("run", "--json").want(r, 3, "nothing_to_book")
}

// serve starts a daemon and waits until it is one.
func (r *rig) serve() *process {
	r.Helper()
	d := r.start("serve")
	d.says("scheduler started")
	return d
}

// shutDown ends a daemon as the system does.
func (p *process) shutDown() {
	p.rig.Helper()
	p.signal(syscall.SIGTERM)
	if res := p.wait(); res.code != 0 {
		p.rig.Errorf("the daemon ended with exit code %d\n%s", res.code, res.stderr)
	}
}

// A daemon that starts when no check is left before the slot's lead books at
// once.
func TestServeBooksAtStartWhatNoCheckIsLeftFor(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.knowsZone()
		r.items("first.md")
		r.due()
		d := r.serve()
		d.says("outcome=booked")
		d.shutDown()
		r.exactlyOne()
		if s := r.status(); len(s.Runs) == 0 || s.Runs[0].Trigger != "start" || s.Runs[0].Outcome != "booked" {
			r.Errorf("runs: %+v", s.Runs)
		}
	})
}

// One that starts before its check waits for that, and books by it.
func TestServeBooksAtItsCheck(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.knowsZone()
		r.items("first.md")
		r.checkAt(time.Now().UTC().Add(10 * time.Second).Truncate(time.Minute).Add(time.Minute))
		d := r.serve()
		d.says("outcome=booked")
		d.shutDown()
		r.exactlyOne()
		if s := r.status(); len(s.Runs) == 0 || s.Runs[0].Trigger != "cron" || s.Runs[0].Outcome != "booked" {
			r.Errorf("runs: %+v", s.Runs)
		}
	})
}

// SIGTERM lets the booking in flight come to its end.
func TestServeDrains(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.items("first.md")
		p := r.behind()
		h := p.holdAnswer(commit, 1)
		d := r.serve() // the zone is not known: it runs at once
		h.await(d)
		d.signal(syscall.SIGTERM)
		d.says("scheduler stops")
		h.release()
		if res := d.wait(); res.code != 0 {
			r.Errorf("exit code %d\n%s", res.code, res.stderr)
		}
		r.exactlyOne()
	})
}

// SIGHUP keeps the configuration when the new one has a fault, and takes it
// when it has none.
func TestServeReadsItsConfigurationAgain(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.knowsZone()
		r.items("first.md")
		r.idle()
		d := r.serve()
		d.says("next run")

		good, err := os.ReadFile(r.path("config.yaml"))
		r.must(err)
		r.must(os.WriteFile(r.path("config.yaml"), append(good, "no_such_key: 1\n"...), 0o644))
		d.signal(syscall.SIGHUP)
		d.says("configuration kept")
		if strings.Contains(d.stderr.String(), "configuration read again") {
			r.Errorf("a faulty configuration was taken:\n%s", &d.stderr)
		}

		r.due()
		d.signal(syscall.SIGHUP)
		d.says("configuration read again")
		d.says("outcome=booked")
		d.shutDown()
		r.exactlyOne()
	})
}

// A second daemon is turned away, and a manual run beside the daemon books as
// if there were none, or is turned away while the daemon is at work.
func TestRunBesideServe(t *testing.T) {
	t.Parallel()
	each(t, func(r *rig) {
		r.knowsZone()
		r.items("1-first.md", "2-second.md")
		r.idle()
		p := r.behind()
		d := r.serve()
		if res := r.run("serve"); res.code != 75 || !strings.Contains(res.stderr, fmt.Sprintf("process %d", d.cmd.Process.Pid)) {
			r.Errorf("a second daemon: exit code %d\n%s", res.code, res.stderr)
		}
		if s := r.status(); s.Daemon == nil || s.Daemon.PID != d.cmd.Process.Pid {
			r.Errorf("status names the daemon %+v, which is process %d", s.Daemon, d.cmd.Process.Pid)
		}
		d.says("run ended") // the proxy's address is a new site to it
		r.run("run", "--json").want(r, 0, "already_booked")
		d.shutDown()
		r.scheduled(r.slot)

		r.jobKeys = "ahead: 2"
		r.configure()
		h := p.holdAnswer(commit, 2)
		r.due()
		d = r.serve()
		h.await(d)
		r.run("run", "--json").want(r, 75, "busy")
		h.release()
		d.says("outcome=booked")
		r.run("run", "--json").want(r, 0, "already_booked")
		d.shutDown()
		r.scheduled(r.slot, r.slot.AddDate(0, 0, 1))
		r.queued()
		r.done("1-first.md", "2-second.md")
	})
}
