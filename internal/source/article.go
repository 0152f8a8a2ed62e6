package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// An item can be a folder: its text is the index.md in it, or the file that is
// called as the folder, and beside that lie its pictures. The item's name then
// is "folder/index.md", with that slash on every system.

// article is the folder of such a name; empty for that of a file.
func article(name string) string {
	dir, _, ok := strings.Cut(name, "/")
	if !ok {
		return ""
	}
	return dir
}

// articleText finds the text in a folder, and when anything in the folder was
// last changed, as far as its own list tells. name is empty where there is none.
func articleText(dir string) (name string, changed time.Time, err error) {
	found, err := os.ReadDir(dir)
	if err != nil {
		return "", time.Time{}, err
	}
	if info, err := os.Stat(dir); err == nil {
		changed = info.ModTime()
	}
	var texts []string
	for _, e := range found {
		info, err := e.Info()
		if err == nil && info.ModTime().After(changed) {
			changed = info.ModTime()
		}
		if err == nil && info.Mode()&(fs.ModeDir|fs.ModeIrregular) == 0 && notAnItem(e.Name()) == "" {
			texts = append(texts, e.Name())
		}
	}
	for _, called := range []string{"index", filepath.Base(dir)} {
		at := slices.IndexFunc(texts, func(n string) bool { return strings.EqualFold(stem(n), norm.NFC.String(called)) })
		if at >= 0 {
			return texts[at], changed, nil
		}
	}
	return "", changed, nil
}

// inspectFolder makes a folder's candidate that of its text.
func (c *candidate) inspectFolder(known func(name string) bool) {
	folder := c.name
	text, changed, err := articleText(c.path)
	switch {
	case err != nil:
		c.reason = "can't be looked at: " + bare(err).Error()
		return
	case text == "":
		c.reason = "a folder without an index.md; other sub-folders are not read, move its files here"
		return
	}
	c.name, c.path, c.changed = folder+"/"+text, filepath.Join(c.path, text), changed
	c.order = orderOf(c.name)
	if original, ok := originalOf(c.name); ok && known(original) {
		c.reason = "a copy of " + article(original) + "; rename it if it is an item of its own"
		return
	}
	info, err := os.Stat(c.path)
	switch {
	case err != nil:
		c.reason = "can't be looked at: " + bare(err).Error()
	case !info.Mode().IsRegular():
		c.reason = "not a regular file"
	default:
		c.info = info
	}
}
