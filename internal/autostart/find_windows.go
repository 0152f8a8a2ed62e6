package autostart

import (
	"context"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/windows/registry"
)

// Find looks through scheduled tasks, startup folders, Run keys and services.
func Find(ctx context.Context, o Options) Found {
	root := o.Root
	if root == "" {
		root = os.Getenv("SystemDrive") + `\`
	}
	m := matcher{programs: o.Programs, read: func(p string) ([]byte, error) { return readScript(expand(p)) }}
	var found Found
	entries, err := m.taskFiles(under(root, "Windows/System32/Tasks"))
	if err != nil && o.Root == "" {
		if entries, err = m.askTasks(ctx); err != nil {
			found.Unread = append(found.Unread, "the scheduled tasks: "+err.Error())
		}
	}
	found.Entries = append(found.Entries, entries...)
	found.Entries = append(found.Entries, m.startup(root)...)
	if o.Root == "" {
		found.Entries = append(found.Entries, m.runKeys()...)
		found.Entries = append(found.Entries, m.services()...)
	}
	return found
}

// askTasks asks the scheduler for the tasks that this user may see.
func (m matcher) askTasks(ctx context.Context) ([]Entry, error) {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	text, err := exec.CommandContext(ctx, "schtasks.exe", "/query", "/xml").Output()
	return m.tasks(plain(text)), err
}

// runKeys reads the keys whose commands Windows runs when somebody logs in.
func (m matcher) runKeys() []Entry {
	var out []Entry
	for _, hive := range []struct {
		name string
		key  registry.Key
	}{{"HKEY_CURRENT_USER", registry.CURRENT_USER}, {"HKEY_LOCAL_MACHINE", registry.LOCAL_MACHINE}} {
		for _, where := range []string{
			`Software\Microsoft\Windows\CurrentVersion\Run`, `Software\Microsoft\Windows\CurrentVersion\RunOnce`,
			`Software\WOW6432Node\Microsoft\Windows\CurrentVersion\Run`,
		} {
			for name, command := range values(hive.key, where) {
				if yes, detached := m.starts(expand(command)); yes {
					out = append(out, Entry{Kind: "Run key", Where: hive.name + `\` + where + `\` + name, Command: command, Detached: detached})
				}
			}
		}
	}
	return out
}

// services reads what Windows runs without anybody logged in.
func (m matcher) services() []Entry {
	const all, automatic = `SYSTEM\CurrentControlSet\Services`, 2
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, all, registry.ENUMERATE_SUB_KEYS)
	if err != nil {
		return nil
	}
	defer func() { _ = key.Close() }()
	names, _ := key.ReadSubKeyNames(-1) // those that were read count
	var out []Entry
	for _, name := range names {
		one, err := registry.OpenKey(registry.LOCAL_MACHINE, all+`\`+name, registry.QUERY_VALUE)
		if err != nil {
			continue
		}
		command, _, err := one.GetStringValue("ImagePath")
		start, _, startErr := one.GetIntegerValue("Start")
		_ = one.Close()
		if err != nil {
			continue
		}
		if yes, detached := m.starts(expand(command)); yes {
			out = append(out, Entry{Kind: "service", Where: name, Command: command, Off: startErr != nil || start != automatic, Detached: detached})
		}
	}
	return out
}

// values are the texts of a key; none where it lacks.
func values(hive registry.Key, where string) map[string]string {
	key, err := registry.OpenKey(hive, where, registry.QUERY_VALUE)
	if err != nil {
		return nil
	}
	defer func() { _ = key.Close() }()
	names, _ := key.ReadValueNames(-1) // those that were read count
	out := map[string]string{}
	for _, name := range names {
		if text, _, err := key.GetStringValue(name); err == nil {
			out[name] = text
		}
	}
	return out
}

// expand puts in what stands between percent signs.
func expand(text string) string {
	if out, err := registry.ExpandString(text); err == nil {
		return out
	}
	return text
}
