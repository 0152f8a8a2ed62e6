package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// candidate is a file in the folder. reason says why it is no item; else info
// is that of the file itself, links followed.
type candidate struct {
	name, path string
	order      order
	info       fs.FileInfo
	changed    time.Time // last, by itself or what lies beside it in its folder
	reason     string
}

// listing is the folder's content in natural order.
type listing struct {
	root  string // the folder, links followed
	files []candidate
	// twins are the other names, in the folder, of a file.
	twins map[string][]string
	done  booked
}

// list reads the folder.
func list(dir string) (listing, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return listing{}, err
	}
	found, err := os.ReadDir(root)
	if err != nil {
		return listing{}, err
	}
	names := make(map[string]bool, len(found))
	for _, e := range found {
		names[norm.NFC.String(listedName(e))] = true
	}
	l := listing{root: root, done: bookedIn(filepath.Join(root, doneDir))}
	for _, e := range found {
		if e.IsDir() && quietFolder(e.Name()) {
			continue
		}
		c := candidate{name: e.Name(), path: filepath.Join(root, e.Name()), order: orderOf(e.Name())}
		c.inspect(root, e, func(name string) bool { return names[name] || l.done.has(name) })
		l.files = append(l.files, c)
	}
	slices.SortFunc(l.files, func(a, b candidate) int {
		if n := a.order.compare(b.order); n != 0 {
			return n
		}
		return strings.Compare(a.name, b.name)
	})
	l.markTwins()
	return l, nil
}

// inspect fills in info or reason.
func (c *candidate) inspect(root string, e fs.DirEntry, known func(name string) bool) {
	if e.IsDir() {
		c.inspectFolder(known)
		return
	}
	if c.reason = notAnItem(c.name); c.reason != "" {
		return
	}
	if original, ok := originalOf(c.name); ok && known(original) {
		c.reason = fmt.Sprintf("a copy of %s; rename it if it is an item of its own", original)
		return
	}
	if e.Type()&fs.ModeSymlink != 0 {
		if c.reason = linkReason(root, c.path); c.reason != "" {
			return
		}
	}
	info, err := os.Stat(c.path)
	switch {
	case err != nil:
		c.reason = fmt.Sprintf("can't be looked at: %v", bare(err))
	case info.IsDir():
		c.reason = "a link to a folder; sub-folders are not read"
	case info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0:
		c.reason = "not a regular file"
	default:
		c.info, c.changed = info, info.ModTime()
	}
}

// listedName tells a folder's name from that of a file, as article does.
func listedName(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}

// linkReason says why a link is no item: it leads nowhere, or to a file that
// is or was an item by itself.
func linkReason(root, path string) string {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Sprintf("a link that leads nowhere: %v", bare(err))
	}
	switch filepath.Dir(target) {
	case root:
		return fmt.Sprintf("a link to %s in this folder", filepath.Base(target))
	case filepath.Join(root, doneDir):
		return fmt.Sprintf("a link to %s, which was booked", filepath.Join(doneDir, filepath.Base(target)))
	}
	return ""
}

// markTwins leaves each file its first name only.
func (l *listing) markTwins() {
	seen := make(map[stamp][]*candidate, len(l.files))
	l.twins = make(map[string][]string)
	for i := range l.files {
		c := &l.files[i]
		if c.info == nil {
			continue
		}
		key := stampOf(c.info)
		twin := slices.IndexFunc(seen[key], func(s *candidate) bool { return os.SameFile(s.info, c.info) })
		if twin < 0 {
			seen[key] = append(seen[key], c)
			continue
		}
		first := seen[key][twin].name
		l.twins[first] = append(l.twins[first], c.name)
		c.info, c.reason = nil, "the same file as "+first
	}
}

// bare drops the call and path from a file error: people are told the name
// apart.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
