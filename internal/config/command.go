package config

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// spoolDir, beside the configuration, has a folder for each job whose items a
// command makes. What a command printed can't be had again, so that it must not
// lie in the state folder, which may be deleted at any moment.
const spoolDir = "spool"

// source reads where items come from: a folder, a command, or drafts on the site.
func (r *reader) source(dst *Source) setter {
	return func(n *yaml.Node, path string) {
		seen := r.mapping(n, path, fields{
			"folder":  r.path(&dst.Folder),
			"command": r.argv(dst),
			"drafts": r.nested(fields{
				"category": r.text(&dst.Drafts.Category),
				"tag":      r.text(&dst.Drafts.Tag),
			}),
			"spool":    r.path(&dst.Folder),
			"timeout":  r.duration(&dst.Timeout, day),
			"encoding": r.parsed(func(s string) (err error) { dst.Encoding, err = charset(s); return err }),
		})
		switch {
		case resolve(n).Kind != yaml.MappingNode: // told already
		case seen.count("folder", "command", "drafts") > 1:
			r.fail(n.Line, path, "has several of folder, command and drafts; keep one")
		case seen.count("folder", "command", "drafts") == 0:
			r.misshapen(n.Line, path, "has no folder, no command and no drafts")
		case seen.has("drafts") && (dst.Drafts.Category == "") == (dst.Drafts.Tag == ""):
			r.fail(seen.at("drafts"), join(path, "drafts"), "want the category or the tag by which drafts are handed over, like {category: Ready}")
		}
		for _, key := range []string{"spool", "timeout", "encoding"} {
			if seen.has(key) && !seen.has("command") {
				r.fail(seen.at(key), join(path, key), "belongs to a command; take it out")
			}
		}
	}
}

// argv reads a program and its arguments. There is no line for a shell: what
// the environment gives would be read as code there.
func (r *reader) argv(dst *Source) setter {
	return func(n *yaml.Node, path string) {
		if resolve(n).Kind != yaml.SequenceNode {
			r.fail(n.Line, path, "want a list, the program and its arguments, like [generate, --daily]; a line for the shell is [sh, -c, '…']")
			return
		}
		r.texts(&dst.Command)(n, path)
		if len(dst.Command) == 0 {
			r.fail(n.Line, path, "names no command")
			return
		}
		dst.Dir = r.absolute(".")
		if strings.ContainsAny(filepath.ToSlash(dst.Command[0]), "/") { // else it is looked for in PATH
			dst.Command[0] = r.absolute(dst.Command[0])
		}
	}
}

// charset finds an encoding by its name on the web, or by the number of its
// code page on Windows. It is nil for UTF-8, which needs no decoding.
func charset(name string) (encoding.Encoding, error) { //nolint:ireturn // what the library has
	label := strings.ToLower(name)
	if page, ok := strings.CutPrefix(label, "cp"); ok {
		label = "windows-" + page
	}
	switch label {
	case "utf-8", "utf8", "windows-65001":
		return nil, nil //nolint:nilnil // no decoding is what UTF-8 asks for
	case "utf-16": // as PowerShell redirects: little endian unless a mark says other
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), nil
	case "utf-16le":
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), nil
	}
	e, err := htmlindex.Get(label)
	if err != nil {
		return nil, fmt.Errorf("there is no encoding %q; want utf-8, utf-16, or a code page like cp949", name)
	}
	return e, nil
}

// settleCommand checks what a command's keys say together, and gives it its
// spool folder.
func (l *loader) settleCommand(e *entry[Job]) {
	j := &e.value
	if j.Source.Command == nil {
		l.apart(e)
		return
	}
	at, path := e.lines.at("source"), e.path+".source"
	if j.Source.Timeout == 0 {
		j.Source.Timeout = min(DefaultCommandTimeout, l.cfg.RunTimeout/2)
	}
	if j.Source.Timeout >= l.cfg.RunTimeout {
		e.fail(at, path+".timeout", "%s leaves a run no time to book: want less than run_timeout, %s", short(j.Source.Timeout), short(l.cfg.RunTimeout))
	}
	if j.Source.Folder == "" {
		folder, err := filepath.Abs(filepath.Join(filepath.Dir(l.cfg.Path), spoolDir, e.name))
		if err != nil {
			e.fail(at, path+".spool", "%s", err)
		}
		j.Source.Folder = folder
	}
	if within(l.cfg.StateDir, j.Source.Folder) {
		e.fail(at, path+".spool", "lies in state_dir, which may be deleted at any moment; what the command printed can't be had again")
	}
	l.apart(e)
}

// apart refuses a spool folder that another job takes its items from: what one
// job's command made would go out on the other's site.
func (l *loader) apart(e *entry[Job]) {
	for _, other := range l.cfg.Jobs {
		if (e.value.Source.Command != nil || other.Source.Command != nil) && e.value.Source.Folder == other.Source.Folder {
			e.fail(e.lines.at("source"), e.path+".source", "takes its items from the folder of job %s, %s, which a command fills; give each job its own", other.Name, other.Source.Folder)
		}
	}
}

// within says whether path is dir or lies in it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
