package source

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/unicode/norm"
)

// CommandOptions configure a Command.
type CommandOptions struct {
	Job  string   // its name, for the command's environment
	Type string   // as of FolderOptions
	Argv []string // program and arguments; no shell reads them
	Dir  string   // where it runs
	// Env is its environment, as of os.Environ, to which the slot and the job
	// are added. What it prints is told and posted, so that no secret belongs
	// here.
	Env []string
	// Spool is the folder for what it printed. It must outlive the state
	// folder: what stands there can't be had again.
	Spool   string
	Timeout time.Duration // of one run; 0 for none but the context's
	// Encoding of what it prints; nil for UTF-8, or UTF-16 with a byte order
	// mark.
	Encoding encoding.Encoding
	Now      func() time.Time // time.Now when nil
}

// Command is a Folder, the spool, that a program fills by one item at a time.
type Command struct {
	*Folder
	o CommandOptions
}

// NewCommand makes a command source. The spool is made when it is needed.
func NewCommand(o CommandOptions) *Command {
	return &Command{Folder: NewFolder(FolderOptions{Dir: o.Spool, Type: o.Type, MayLack: true, Now: o.Now}), o: o}
}

// Make runs the command and spools what it printed, an item, durably: from then
// on it is a file of the folder like any other. The command prints Markdown
// with front matter, or one line that names a file of Markdown or HTML, which
// is copied.
//
// The command learns the slot from MORROW_SLOT (RFC 3339, in slot's zone) and
// the job from MORROW_JOB. It and all it started are killed at the end of its
// time; what it left running after its own end is left alone. An error says why
// there is no new item, and then none was spooled.
func (c *Command) Make(ctx context.Context, slot time.Time) error {
	// Before the command runs, which may be dear: can its output be kept?
	done := filepath.Join(c.dir, doneDir)
	if err := os.MkdirAll(done, 0o700); err != nil {
		return fmt.Errorf("make spool folder %s: %w", done, bare(err))
	}
	part := filepath.Join(c.dir, partName)
	if err := writeSynced(part, nil); err != nil {
		return fmt.Errorf("write to spool folder %s: %w", c.dir, bare(err))
	}
	err := c.fill(ctx, slot, part)
	if left := os.Remove(part); !errors.Is(left, fs.ErrNotExist) {
		err = errors.Join(err, left)
	}
	return err
}

// Hidden files of the spool, which are no items.
const (
	partName = ".part"     // an output that is being written
	rejected = ".rejected" // the last one that was no item, for a person to see
)

// fill runs the command and puts its output into the spool by way of part.
func (c *Command) fill(ctx context.Context, slot time.Time, part string) error {
	out, err := c.run(ctx, slot)
	if err != nil {
		return fmt.Errorf("run %s: %w", c.o.Argv[0], err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	name, text, err := c.printed(ctx, out)
	if err != nil {
		return fmt.Errorf("read what %s printed: %w", c.o.Argv[0], err)
	}
	// At its slot's time, not now: what is over by then no later slot can take,
	// and it would stand in the way of all others.
	p := parse(name, text).of(c.typ).in(slot.Location(), slot)
	if err := c.check(p, filepath.Ext(name), text); err != nil {
		return fmt.Errorf("take what %s printed: %w", c.o.Argv[0], err)
	}
	name, err = c.freeName(cmp.Or(p.item.Slug, p.item.Title), strings.ToLower(filepath.Ext(name)), slot)
	if err == nil {
		err = c.put(part, name, text)
	}
	return err
}

// nameless is the name of a text that is not from a file.
const nameless = ".md"

// printed is the text that the output is, or that of the file which it names.
func (c *Command) printed(ctx context.Context, out []byte) (name string, text []byte, err error) {
	if text, err = decoded(out, c.o.Encoding); err != nil {
		return "", nil, err
	}
	path, info := c.namedFile(text)
	if info == nil {
		return nameless, text, nil
	}
	name = filepath.Base(path)
	if strings.EqualFold(stem(name), "index") { // of a folder that is an article
		name = filepath.Base(filepath.Dir(path)) + filepath.Ext(name)
	}
	if reason := notAnItem(name); reason != "" {
		return "", nil, fmt.Errorf("it names %s: %s", path, reason)
	}
	text, err = within(ctx, c.hung, path, func() ([]byte, error) { return c.read(path, info) })
	if err != nil {
		return "", nil, fmt.Errorf("it names %s: %w", path, bare(err))
	}
	return name, text, nil
}

// namedFile is the file that the output names, if it is one line and there is
// such a file; info is nil if not.
func (c *Command) namedFile(text []byte) (path string, info fs.FileInfo) {
	line := strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff"))
	if line == "" || strings.ContainsAny(line, "\r\n\x00") {
		return "", nil
	}
	path = filepath.FromSlash(line)
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.o.Dir, path)
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path, info
	}
	return "", nil
}

// check refuses a text that is no item, and one that was an item before.
func (c *Command) check(p parsed, ext string, text []byte) error {
	if p.state != Faulty && p.item.Title == "" {
		p = faulty("it has no title; print front matter with a title, or begin with a line # Title")
	}
	if p.state == Faulty {
		kept := filepath.Join(c.dir, rejected+ext)
		if err := writeSynced(kept, text); err != nil {
			return fmt.Errorf("%s; it can't be kept: %w", p.reason, bare(err))
		}
		return fmt.Errorf("%s; it is kept in %s", p.reason, kept)
	}
	for _, dir := range []string{c.dir, filepath.Join(c.dir, doneDir)} {
		if twin := sameAs(dir, text); twin != "" {
			return fmt.Errorf("it is the same text as %s", twin)
		}
	}
	return nil
}

// sameAs names the file in dir that has that text; "" if there is none.
func sameAs(dir string, text []byte) string {
	found, _ := os.ReadDir(dir) // what it can't show is no proof
	for _, e := range found {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || strings.HasPrefix(e.Name(), ".") || info.Size() != int64(len(text)) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if data, err := os.ReadFile(path); err == nil && bytes.Equal(data, text) {
			return path
		}
	}
	return ""
}

// literal begins a file's name whose number is one of its words. WordPress
// drops it from a slug.
const literal = "+"

// freeName is a file name of those words whose identity no file had before: the
// words alone, else with the slot's day, else with the present second. None of
// it is read as an order or a date.
func (c *Command) freeName(words, ext string, slot time.Time) (string, error) {
	base := fileWords(words)
	for _, name := range []string{base, base + slot.Format("-2006-01-02"), base + c.now().Format("-2006-01-02-150405")} {
		if _, dated := dayOf(name + ext); dated || wordsOf(name+ext) != name {
			name = literal + name
		}
		name += ext
		_, isCopy := originalOf(name)
		used, err := hasKey(c.dir, keyOf(name))
		if err != nil {
			return "", fmt.Errorf("read spool folder %s: %w", c.dir, bare(err))
		}
		_, err = os.Lstat(filepath.Join(c.dir, name)) // a folder has no identity
		if !isCopy && !used && errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return "", fmt.Errorf("find a name for %s in spool folder %s: all are taken", base, c.dir)
}

// hasKey says whether an item of that identity is in the folder or in its
// done/.
func hasKey(dir, key string) (bool, error) {
	if found, err := bookedAs(filepath.Join(dir, doneDir), key); err != nil || len(found) > 0 {
		return true, err
	}
	found, err := bookedAs(dir, key)
	return len(found) > 0, err
}

// maxWords bounds a spooled file's name, in bytes: with what is added it stays
// below what file systems take.
const maxWords = 150

// fileWords makes a file name of a slug or a title: letters and digits of any
// script, parted by dashes.
func fileWords(words string) string {
	parts := strings.FieldsFunc(strings.ToLower(norm.NFC.String(words)), notInWord)
	name := strings.Join(parts, "-")
	for len(name) > maxWords {
		_, size := utf8.DecodeLastRuneInString(name)
		name = strings.TrimRight(name[:len(name)-size], "-")
	}
	if name == "" {
		return "post"
	}
	return name
}

// put writes the text to part and renames it to name. The file's time is set
// back, since nobody is still writing it.
func (c *Command) put(part, name string, text []byte) error {
	path := filepath.Join(c.dir, name)
	if err := writeSynced(part, text); err != nil {
		return fmt.Errorf("spool %s: %w", name, bare(err))
	}
	if err := os.Chtimes(part, time.Time{}, c.now().Add(-c.minAge)); err != nil {
		return fmt.Errorf("spool %s: %w", name, bare(err))
	}
	if err := c.rename(part, path); err != nil {
		return fmt.Errorf("spool %s: %w", name, bare(err))
	}
	if err := syncDir(c.dir); err != nil {
		return fmt.Errorf("spool %s: %w", name, bare(err))
	}
	return nil
}
