package compose

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// locate finds the file that a text names, below root and nowhere else: links
// that lead out are not followed. dir is the folder, relative to root, that
// the text's addresses start from. The result is relative to root.
func locate(root *os.Root, dir, dest string) (string, error) {
	short := ""
	for _, name := range spellings(dest) {
		starts := []string{dir}
		if strings.HasPrefix(name, "/") {
			starts = []string{".", "static", "public"} // where site generators keep what they copy as it is
		}
		for _, start := range starts {
			at := path.Join(start, name)
			if !filepath.IsLocal(filepath.FromSlash(at)) {
				return "", errors.New("lies outside the folder of the queue; copy it there")
			}
			found, err := resolve(root, at)
			if err != nil || found != "" {
				return found, err
			}
		}
		if !strings.Contains(name, "/") {
			short = name
		}
	}
	if short != "" {
		return anywhere(root, short)
	}
	return "", errNoFile
}

var errNoFile = errors.New("is not there; correct the line, or write its whole address (https://…) if it is on the web")

// spellings are the names that may be meant: as written, percent-decoded, with
// the slashes of Windows, without what stands behind a ? or #.
func spellings(dest string) []string {
	names := []string{dest}
	also := func(f func(string) string) {
		for _, name := range names {
			if other := f(name); other != name && other != "" {
				names = append(names, other)
			}
		}
	}
	also(func(s string) string {
		if plain, err := url.PathUnescape(s); err == nil {
			return plain
		}
		return s
	})
	also(func(s string) string { return strings.ReplaceAll(s, `\`, "/") })
	also(func(s string) string {
		if end := strings.IndexAny(s, "?#"); end > 0 {
			return s[:end]
		}
		return s
	})
	return names
}

// resolve finds the file of that path, or of one that differs in case or in
// the form of its accents alone, as Windows and macOS do; "" if there is none.
func resolve(root *os.Root, name string) (string, error) {
	if isFile(root, name) {
		return name, nil
	}
	at := "."
	for part := range strings.SplitSeq(name, "/") {
		entries, err := readDir(root, at)
		if err != nil {
			return "", err
		}
		like := ""
		for _, e := range entries {
			if e.Name() == part {
				like = part
				break
			}
			if folded(e.Name()) == folded(part) {
				like = e.Name()
			}
		}
		if like == "" {
			return "", nil
		}
		at = path.Join(at, like)
	}
	if _, err := root.Stat(filepath.FromSlash(at)); err != nil {
		return "", unreadable(root, at, err)
	}
	if !isFile(root, at) {
		return "", errors.New("is no file")
	}
	return at, nil
}

// anywhere finds the one file of that name below root, as Obsidian does. The
// folders of other articles, and of what was booked, don't count, nor do those
// that can't be read.
func anywhere(root *os.Root, name string) (string, error) {
	var found []string
	var walk func(dir string)
	walk = func(dir string) {
		entries, _ := readDir(root, dir)
		for _, e := range entries {
			at := path.Join(dir, e.Name())
			switch {
			case !e.IsDir() && folded(e.Name()) == folded(name):
				found = append(found, at)
			case e.IsDir() && !strings.HasPrefix(e.Name(), ".") && at != "done" && !isArticle(root, at):
				walk(at)
			}
		}
	}
	walk(".")
	switch len(found) {
	case 0:
		return "", errNoFile
	case 1:
		return resolve(root, found[0])
	}
	return "", fmt.Errorf("is found as %s and as %s; write its path", found[0], found[1])
}

// isArticle says whether a folder is an item with its pictures.
func isArticle(root *os.Root, dir string) bool {
	return isFile(root, path.Join(dir, "index.md")) || isFile(root, path.Join(dir, path.Base(dir)+".md"))
}

func readDir(root *os.Root, dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(root.FS(), dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unreadable(root, dir, err)
	}
	return entries, nil
}

// unreadable says what the error of a file below root means.
func unreadable(root *os.Root, name string, err error) error {
	if _, there := os.Stat(filepath.Join(root.Name(), filepath.FromSlash(name))); there == nil && !errors.Is(err, fs.ErrPermission) {
		return errors.New("is a link that leads out of the folder of the queue; copy the file there")
	}
	return unread(err)
}

func isFile(root *os.Root, name string) bool {
	info, err := root.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular()
}

func folded(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// bare drops the call and the path: the picture is named as it is
// written.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
