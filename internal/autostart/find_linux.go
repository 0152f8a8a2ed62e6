package autostart

import (
	"context"
	"os"
	"path/filepath"
)

// Find looks through systemd's units, the crontabs, the desktops' autostart
// folders and rc.local.
func Find(ctx context.Context, o Options) Found {
	root := o.Root
	if root == "" {
		root = "/"
	}
	m := matcher{programs: o.Programs, read: func(p string) ([]byte, error) { return readScript(under(root, p)) }}
	var found Found
	for _, s := range unitScopes(root) {
		found.Entries = append(found.Entries, m.units(s)...)
	}
	m.crontabs(ctx, root, &found)
	for _, dir := range append(homes(root), "") {
		pattern := filepath.Join(dir, ".config/autostart/*.desktop")
		if dir == "" {
			pattern = under(root, "/etc/xdg/autostart/*.desktop")
		}
		files, _ := filepath.Glob(pattern) // the pattern is sound
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				if e, ok := m.desktop(file, string(text)); ok {
					found.Entries = append(found.Entries, e)
				}
			}
		}
	}
	rc := under(root, "/etc/rc.local")
	if text, err := os.ReadFile(rc); err == nil {
		if yes, detached := m.script(string(text)); yes {
			found.Entries = append(found.Entries, Entry{Kind: "rc.local", Where: rc, Command: rc, Detached: detached})
		}
	}
	return found
}
