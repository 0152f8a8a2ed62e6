package autostart

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// unitScope is one manager of systemd and where its units lie, those that count
// first.
type unitScope struct {
	kind string
	dirs []string
}

// unitScopes are the system's manager and the users'.
func unitScopes(root string) []unitScope {
	scopes := []unitScope{
		{"systemd unit", []string{"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"}},
		{"systemd user unit", []string{"/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"}},
	}
	for i := range scopes {
		for k, dir := range scopes[i].dirs {
			scopes[i].dirs[k] = under(root, dir)
		}
	}
	for _, home := range homes(root) {
		scopes = append(scopes, unitScope{"systemd user unit", []string{filepath.Join(home, ".config/systemd/user"), filepath.Join(home, ".local/share/systemd/user")}})
	}
	return scopes
}

// homes are the home folders of the system's people.
func homes(root string) []string {
	found, _ := filepath.Glob(filepath.Join(root, "home", "*")) // the pattern is sound
	return append(found, filepath.Join(root, "root"))
}

// units finds the services of one manager that start the program. A service
// with a timer is one entry: systemd runs it once at a time.
func (m matcher) units(s unitScope) []Entry {
	var out []Entry
	enabled := enabledUnits(s.dirs)
	seen := map[string]bool{}
	for _, dir := range s.dirs {
		files, _ := os.ReadDir(dir) // one that lacks holds no units
		for _, f := range files {
			name := f.Name()
			if path.Ext(name) != ".service" || seen[name] {
				continue
			}
			seen[name] = true
			file := filepath.Join(dir, name)
			text, err := os.ReadFile(file) // a masked one, a link to /dev/null, is empty
			if err != nil {
				continue
			}
			command, detached, ok := m.service(string(text))
			if !ok {
				continue
			}
			e := Entry{Kind: s.kind, Where: file, Command: command, Detached: detached}
			out = append(out, e.instances(name, enabled)...)
		}
	}
	return out
}

// instances are the entries that a unit's file makes: one, or one for each
// enabled instance of a template.
func (e Entry) instances(name string, enabled []string) []Entry {
	stem := strings.TrimSuffix(name, ".service")
	if !strings.HasSuffix(stem, "@") {
		e.Off = !slices.Contains(enabled, name) && !slices.Contains(enabled, stem+".timer")
		return []Entry{e}
	}
	var out []Entry
	for _, on := range enabled {
		if strings.HasPrefix(on, stem) && path.Ext(on) == ".service" && on != name {
			i := e
			i.Where += " as " + on
			out = append(out, i)
		}
	}
	if out == nil {
		e.Off = true
		return []Entry{e}
	}
	return out
}

// enabledUnits are the names that some target wants.
func enabledUnits(dirs []string) []string {
	var out []string
	for _, dir := range dirs {
		for _, kind := range []string{"*.wants", "*.requires"} {
			links, _ := filepath.Glob(filepath.Join(dir, kind, "*")) // the pattern is sound
			for _, link := range links {
				if name := filepath.Base(link); !slices.Contains(out, name) {
					out = append(out, name)
				}
			}
		}
	}
	return out
}

// service reads a unit's ExecStart, which may go over several lines.
func (m matcher) service(text string) (command string, detached, ok bool) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		value, found := strings.CutPrefix(strings.TrimSpace(line), "ExecStart=")
		if !found {
			continue
		}
		value = strings.TrimLeft(value, "-@:+!|")
		if yes, detached := m.starts(value); yes {
			return oneLine(value), detached, true
		}
	}
	return "", false, false
}

// desktop reads what a desktop starts at login (XDG autostart).
func (m matcher) desktop(file string, text string) (Entry, bool) {
	e := Entry{Kind: "desktop autostart", Where: file}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch strings.TrimSpace(key) {
		case "Exec":
			e.Command = oneLine(value)
		case "Hidden":
			e.Off = strings.TrimSpace(value) == "true"
		case "X-GNOME-Autostart-enabled":
			e.Off = e.Off || strings.TrimSpace(value) == "false"
		}
	}
	var ok bool
	ok, e.Detached = m.starts(e.Command)
	return e, ok
}
