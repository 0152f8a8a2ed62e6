package source

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ReadFile reads one file, or the folder of an article, as an item of posts of
// type typ ("posts" when empty), however young it is and whatever lies beside
// it. dir is the folder that its relative addresses start from. The entry has
// its item even where that is held, and none where it is faulty.
func ReadFile(path, typ string, loc *time.Location) (e Entry, dir string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return e, "", fmt.Errorf("read %s: %w", path, err)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		text, _, _ := articleText(path)
		if text == "" {
			return e, "", fmt.Errorf("read folder %s: it has no index.md", path)
		}
		path = filepath.Join(path, text)
		info, err = os.Stat(path)
	}
	if err != nil {
		return e, "", fmt.Errorf("read %s: %w", path, bare(err))
	}
	dir = filepath.Dir(path)
	name := filepath.Base(path)
	if reason := notAnItem(name); reason != "" {
		return Entry{Name: name, State: Ignored, Reason: reason}, dir, nil
	}
	if strings.EqualFold(stem(name), "index") {
		name = filepath.Base(dir) + "/" + name
	}
	data, err := readFile(path, info)
	if err != nil {
		return e, "", fmt.Errorf("read %s: %w", path, bare(err))
	}
	p := parse(name, data).of(cmp.Or(typ, "posts")).in(loc, time.Now())
	e = Entry{Name: name, State: p.state, Reason: p.reason}
	if p.isItem() {
		e.Item = &p.item
	}
	return e, dir, nil
}
