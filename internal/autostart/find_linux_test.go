package autostart

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	t.Parallel()
	const serve = "[Service]\nExecStart=/usr/bin/morrow serve\n"
	tests := []struct {
		name  string
		files map[string]string
		want  []Entry
	}{
		{"nothing", map[string]string{"etc/crontab": "17 * * * * root run-parts /etc/cron.hourly\n"}, nil},
		{
			"system unit, enabled",
			map[string]string{
				"etc/systemd/system/morrow.service":                         "[Service]\nExecStart=-/usr/bin/morrow \\\n  --config /etc/m.yaml serve\n",
				"etc/systemd/system/multi-user.target.wants/morrow.service": "-> ../morrow.service",
			},
			[]Entry{{Kind: "systemd unit", Where: "/etc/systemd/system/morrow.service", Command: "/usr/bin/morrow --config /etc/m.yaml serve"}},
		},
		{
			"system unit, not enabled",
			map[string]string{"usr/lib/systemd/system/blog.service": serve},
			[]Entry{{Kind: "systemd unit", Where: "/usr/lib/systemd/system/blog.service", Command: "/usr/bin/morrow serve", Off: true}},
		},
		{
			"another's unit that only reads",
			map[string]string{"etc/systemd/system/x.service": "[Service]\nExecStart=/usr/bin/morrow status\n"},
			nil,
		},
		{
			"overridden in etc",
			map[string]string{"usr/lib/systemd/system/m.service": serve, "etc/systemd/system/m.service": "[Service]\nExecStart=/bin/true\n"},
			nil,
		},
		{
			"masked",
			map[string]string{"usr/lib/systemd/system/m.service": serve, "etc/systemd/system/m.service": "-> /dev/null"},
			nil,
		},
		{
			"by a timer",
			map[string]string{
				"etc/systemd/system/m.service":                   "[Service]\nExecStart=/usr/bin/morrow run\n",
				"etc/systemd/system/m.timer":                     "[Timer]\nOnCalendar=daily\n",
				"etc/systemd/system/timers.target.wants/m.timer": "-> ../m.timer",
			},
			[]Entry{{Kind: "systemd unit", Where: "/etc/systemd/system/m.service", Command: "/usr/bin/morrow run"}},
		},
		{
			"two of a template",
			map[string]string{
				"etc/systemd/system/m@.service":                       serve,
				"etc/systemd/system/default.target.wants/m@a.service": "-> ../m@.service",
				"etc/systemd/system/default.target.wants/m@b.service": "-> ../m@.service",
			},
			[]Entry{
				{Kind: "systemd unit", Where: "/etc/systemd/system/m@.service as m@a.service", Command: "/usr/bin/morrow serve"},
				{Kind: "systemd unit", Where: "/etc/systemd/system/m@.service as m@b.service", Command: "/usr/bin/morrow serve"},
			},
		},
		{
			"a template without instances",
			map[string]string{"etc/systemd/system/m@.service": serve},
			[]Entry{{Kind: "systemd unit", Where: "/etc/systemd/system/m@.service", Command: "/usr/bin/morrow serve", Off: true}},
		},
		{
			"user unit",
			map[string]string{
				"home/jane/.config/systemd/user/morrow.service":                      "[Service]\nExecStart=%h/go/bin/morrow serve\n",
				"home/jane/.config/systemd/user/default.target.wants/morrow.service": "-> ../morrow.service",
			},
			[]Entry{{Kind: "systemd user unit", Where: "/home/jane/.config/systemd/user/morrow.service", Command: "%h/go/bin/morrow serve"}},
		},
		{
			"crontabs",
			map[string]string{
				"etc/cron.d/blog":                       "# 1 * * * * root morrow run\nMAILTO=x\n0 21 * * *  root\tmorrow run --all\n",
				"var/spool/cron/crontabs/jane":          "@reboot /home/jane/bin/up.sh\n0 9 * * * python3 /home/jane/daily.py\n",
				"home/jane/bin/up.sh":                   "#!/bin/sh\nnohup morrow serve >/dev/null &\n",
				"etc/cron.daily/blog":                   "#!/bin/sh\nmorrow run\n",
				"etc/cron.daily/other":                  "#!/bin/sh\ntrue\n",
				"etc/rc.local":                          "#!/bin/sh\nmorrow serve &\n",
				"home/jane/.config/autostart/m.desktop": "[Desktop Entry]\nExec=morrow serve\nHidden=true\n",
				"etc/xdg/autostart/m.desktop":           "[Desktop Entry]\nExec=/opt/morrow serve\n",
			},
			[]Entry{
				{Kind: "crontab", Where: "/etc/cron.d/blog", Command: "0 21 * * * root morrow run --all"},
				{Kind: "crontab", Where: "/var/spool/cron/crontabs/jane", Command: "@reboot /home/jane/bin/up.sh"},
				{Kind: "crontab", Where: "/var/spool/cron/crontabs/jane", Command: "0 9 * * * python3 /home/jane/daily.py"},
				{Kind: "cron.daily", Where: "/etc/cron.daily/blog", Command: "/etc/cron.daily/blog"},
				{Kind: "desktop autostart", Where: "/home/jane/.config/autostart/m.desktop", Command: "morrow serve", Off: true},
				{Kind: "desktop autostart", Where: "/etc/xdg/autostart/m.desktop", Command: "/opt/morrow serve"},
				{Kind: "rc.local", Where: "/etc/rc.local", Command: "/etc/rc.local"},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			root := place(t, tt.files)
			found := Find(t.Context(), Options{Root: root, Programs: []string{"morrow", "daily.py"}})
			for i := range found.Entries {
				e := &found.Entries[i]
				e.Where, e.Command = strings.TrimPrefix(filepath.ToSlash(e.Where), root), strings.TrimPrefix(e.Command, root)
			}
			if diff := cmp.Diff(tt.want, found.Entries); diff != "" || len(found.Unread) > 0 {
				t.Errorf("unread %v, (-want +got):\n%s", found.Unread, diff)
			}
		})
	}
}
