// Package autostart finds what starts a program on this machine by itself, at
// its start, at a login or by the clock. It reads files and keys, and changes
// nothing.
package autostart

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	encoding "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Entry is one place that starts a program.
type Entry struct {
	Kind    string // "systemd unit", "crontab", "scheduled task", …
	Where   string // its file, key or name
	Command string // as it stands there, in one line
	// Off: it is there, but not switched on.
	Off bool
	// Twice: it starts a second one while the first still runs.
	Twice bool
	// Detached: a batch file in between starts it by `start` and ends at once, so
	// that whatever started the batch file thinks that it is done.
	Detached bool
}

// Options say what is looked for.
type Options struct {
	// Root is the folder that stands for the system's root; empty for the real
	// one, of which alone the registry and programs are asked.
	Root string
	// Programs are names as they stand in commands, without a path: of scripts
	// with their ending ("daily.py"), of programs without .exe. Of "morrow" only
	// the commands serve and run count.
	Programs []string
}

// Found is what was found, and what could not be looked at, with the reason.
type Found struct {
	Entries []Entry
	Unread  []string
}

// matcher knows the programs that are looked for, and how a script is read to
// which a command leads.
type matcher struct {
	programs []string
	read     func(path string) ([]byte, error)
}

// words are those of a command; quotes and what joins commands part them.
func words(command string) []string {
	return strings.FieldsFunc(command, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("\"';&|()@`", c) })
}

// names says whether a command names a program that is looked for.
func (m matcher) names(command string) bool {
	for _, program := range m.programs {
		if strings.Contains(program, " ") && strings.Contains(strings.ToLower(command), strings.ToLower(program)) {
			return true
		}
	}
	all := words(command)
	for i, w := range all {
		for _, program := range m.programs {
			if !strings.EqualFold(strings.TrimSuffix(strings.ToLower(base(w)), ".exe"), program) {
				continue
			}
			if program != "morrow" || books(all[i+1:]) {
				return true
			}
		}
	}
	return false
}

// books says whether a command of Morrow's books posts.
func books(args []string) bool {
	for _, a := range args {
		if a == "serve" || a == "run" {
			return true
		}
	}
	return false
}

// starts says whether a command starts a program that is looked for, itself or
// by a script that it names, and whether that script detaches it.
func (m matcher) starts(command string) (yes, detached bool) {
	if m.names(command) {
		return true, detaches(command)
	}
	for _, file := range scripts(command) {
		text, err := m.read(file)
		if err != nil {
			continue
		}
		if yes, detached = m.script(plain(text)); yes {
			return yes, detached
		}
	}
	return false, false
}

// script is starts for the text of a script, its comments left out.
func (m matcher) script(text string) (yes, detached bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		first := strings.ToLower(line)
		if strings.HasPrefix(first, "#") || strings.HasPrefix(first, "::") || strings.HasPrefix(first, "rem ") || strings.HasPrefix(first, "'") {
			continue
		}
		if m.names(line) {
			yes, detached = true, detached || detaches(line)
		}
	}
	return yes, detached
}

// detaches says whether a line of a batch file uses start, which waits only
// when it is told to.
func detaches(line string) bool {
	start := regexp.MustCompile(`(?i)(^|[&|(@]|\bdo |/c )\s*start\s`)
	return start.MatchString(line) && !regexp.MustCompile(`(?i)\s/w(ait)?\s`).MatchString(line)
}

// scripts are the files that a command names which may be scripts. What stands
// in quotes may be a path with blanks, or a command of its own.
func scripts(command string) []string {
	candidates := words(command)
	for _, m := range regexp.MustCompile(`"([^"]+)"|'([^']+)'`).FindAllStringSubmatch(command, -1) {
		candidates = append(candidates, m[1]+m[2])
	}
	var out []string
	for _, file := range candidates {
		switch strings.ToLower(path.Ext(base(file))) {
		case ".bat", ".cmd", ".ps1", ".vbs", ".sh":
			out = append(out, file)
		case "":
			if strings.HasPrefix(file, "/") {
				out = append(out, file)
			}
		}
	}
	return out
}

// base is the last part of a path of either system.
func base(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

// plain is a file's text as UTF-8: Windows writes some as UTF-16, with a byte
// order mark. What can't be decoded is left as it is.
func plain(b []byte) string {
	text, _, err := transform.Bytes(encoding.BOMOverride(encoding.UTF8.NewDecoder()), b)
	if err != nil {
		return string(b)
	}
	return string(text)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// under gives a path below the root.
func under(root, p string) string { return filepath.Join(root, filepath.FromSlash(p)) }

// maxScript is far above what a script that starts a program has, in bytes.
const maxScript = 64 << 10

// readScript reads the beginning of a script, and nothing that is none.
func readScript(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxScript {
		return nil, errors.New("read script: no script")
	}
	return os.ReadFile(file)
}
