package autostart

import (
	"encoding/xml"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// task reads the XML of one of Windows's scheduled tasks. Parallel lets a second
// one start beside the first; the others wait, skip or stop it.
func (m matcher) task(name, text string) (Entry, bool) {
	var t struct {
		Policy  string `xml:"Settings>MultipleInstancesPolicy"`
		Enabled string `xml:"Settings>Enabled"`
		Exec    []struct {
			Command   string `xml:"Command"`
			Arguments string `xml:"Arguments"`
		} `xml:"Actions>Exec"`
	}
	d := xml.NewDecoder(strings.NewReader(text))
	// It is UTF-8 by now, whatever its first line says.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	if d.Decode(&t) != nil {
		return Entry{}, false
	}
	for _, x := range t.Exec {
		command := oneLine(`"` + strings.Trim(x.Command, `"`) + `" ` + x.Arguments)
		if yes, detached := m.starts(command); yes {
			return Entry{
				Kind: "scheduled task", Where: name, Command: command, Off: t.Enabled == "false",
				Twice: t.Policy == "Parallel", Detached: detached,
			}, true
		}
	}
	return Entry{}, false
}

// tasks reads what `schtasks /query /xml` prints: all tasks, each below a
// comment with its name.
func (m matcher) tasks(text string) []Entry {
	var out []Entry
	each := regexp.MustCompile(`(?s)<!--\s*(\\.*?)\s*-->\s*(<Task\b.*?</Task>)`)
	for _, t := range each.FindAllStringSubmatch(text, -1) {
		if e, ok := m.task(t[1], t[2]); ok {
			out = append(out, e)
		}
	}
	return out
}

// taskFiles reads the folder in which Windows keeps its tasks, which is open to
// administrators alone.
func (m matcher) taskFiles(dir string) ([]Entry, error) {
	var out []Entry
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		if e, ok := m.task(`\`+strings.ReplaceAll(file, "/", `\`), plain(text)); ok {
			out = append(out, e)
		}
		return nil
	})
	return out, err
}

// startup reads the folders whose content Windows opens when somebody logs in.
// A shortcut is binary, with the path that it leads to in it.
func (m matcher) startup(root string) []Entry {
	const menu = "Microsoft/Windows/Start Menu/Programs/Startup"
	dirs, _ := filepath.Glob(under(root, "Users/*/AppData/Roaming/"+menu)) // the pattern is sound
	dirs = append(dirs, under(root, "ProgramData/"+menu))
	var out []Entry
	for _, dir := range dirs {
		files, _ := os.ReadDir(dir) // one that lacks starts nothing
		for _, f := range files {
			file := filepath.Join(dir, f.Name())
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			yes, detached := m.names(f.Name()), false
			switch strings.ToLower(filepath.Ext(file)) {
			case ".lnk":
				yes = m.shortcut(text)
			case ".bat", ".cmd", ".vbs", ".ps1":
				yes, detached = m.script(plain(text))
			}
			if yes {
				out = append(out, Entry{Kind: "startup folder", Where: file, Command: f.Name(), Detached: detached})
			}
		}
	}
	return out
}

// shortcut says whether a shortcut leads to a program that is looked for: its
// texts stand in it as UTF-16 or in one byte each.
func (m matcher) shortcut(b []byte) bool {
	printable := strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return -1
		}
		return c
	}, strings.ToLower(string(b)))
	for _, program := range m.programs {
		if strings.Contains(printable, program) && (program != "morrow" || strings.Contains(printable, "serve") || strings.Contains(printable, "run")) {
			return true
		}
	}
	return false
}
