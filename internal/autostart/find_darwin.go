package autostart

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Find looks through the property lists of launchd.
func Find(_ context.Context, o Options) Found {
	root := o.Root
	if root == "" {
		root = "/"
	}
	m := matcher{programs: o.Programs, read: func(p string) ([]byte, error) { return readScript(under(root, p)) }}
	var found Found
	for _, pattern := range []string{"Library/LaunchDaemons/*.plist", "Library/LaunchAgents/*.plist", "Users/*/Library/LaunchAgents/*.plist"} {
		files, _ := filepath.Glob(under(root, pattern)) // the pattern is sound
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				found.Unread = append(found.Unread, file)
				continue
			}
			var args []string
			for _, s := range regexp.MustCompile(`<string>([^<]*)</string>`).FindAllStringSubmatch(string(text), -1) {
				args = append(args, s[1])
			}
			command := strings.Join(args, " ")
			if yes, _ := m.starts(command); yes {
				found.Entries = append(found.Entries, Entry{Kind: "launchd", Where: file, Command: command})
			}
		}
	}
	return found
}
