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
// it. The entry has its item even where that is held, and none where it is
// faulty.
func ReadFile(path, typ string, loc *time.Location) (Entry, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Entry{}, fmt.Errorf("read %s: %w", path, err)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		text, _, _ := articleText(path)
		if text == "" {
			return Entry{}, fmt.Errorf("read folder %s: it has no index.md", path)
		}
		path = filepath.Join(path, text)
		info, err = os.Stat(path)
	}
	if err != nil {
		return Entry{}, fmt.Errorf("read %s: %w", path, bare(err))
	}
	root, name := filepath.Dir(path), filepath.Base(path)
	if reason := notAnItem(name); reason != "" {
		return Entry{Name: name, State: Ignored, Reason: reason}, nil
	}
	if strings.EqualFold(stem(name), "index") {
		root, name = filepath.Dir(root), filepath.Base(root)+"/"+name
	}
	data, err := readFile(path, info)
	if err != nil {
		return Entry{}, fmt.Errorf("read %s: %w", path, bare(err))
	}
	p := parse(name, data).of(cmp.Or(typ, "posts")).in(loc, time.Now())
	e := Entry{Name: name, State: p.state, Reason: p.reason}
	if p.isItem() {
		p.item.Root, p.item.Dir = root, article(name)
		e.Item = &p.item
	}
	return e, nil
}
