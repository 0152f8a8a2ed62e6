package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Restore moves the file of an item (by its Key) from done/ back into the
// folder, since its post was taken out of its slot again and waits for another.
// Of several files of that Key (a name used each week) it is the newest, by the
// time it was last changed, of which same says that it is the item meant; files
// that are no sound item are left out. ok is false when done/ has no such file.
//
// A file of that name in the folder is never written over. same must not call
// the Folder.
func (f *Folder) Restore(ctx context.Context, key string, same func(Item) bool) (ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root, err := filepath.EvalSymlinks(f.dir)
	if errors.Is(err, fs.ErrNotExist) && f.mayLack {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("bring %s back from done/: %w", key, bare(err))
	}
	found, err := bookedAs(filepath.Join(root, doneDir), key)
	if err != nil {
		return false, fmt.Errorf("bring %s back from done/: %w", key, bare(err))
	}
	for _, b := range found {
		data, err := within(ctx, f.hung, b.path, func() ([]byte, error) { return f.read(b.path, b.info) })
		if err != nil {
			return false, fmt.Errorf("read %s in done/: %w", filepath.Base(b.path), bare(err))
		}
		p := parse(b.name, data)
		p.item.Root, p.item.Dir = f.dir, b.dir()
		if !p.isItem() || !same(p.item) {
			continue
		}
		if err := f.bringBack(ctx, root, b); err != nil {
			return false, fmt.Errorf("bring %s back from done/: %w", b.name, bare(err))
		}
		return true, nil
	}
	return false, nil
}

func (f *Folder) bringBack(ctx context.Context, root string, b bookedFile) error {
	if dir := article(b.name); dir != "" {
		_, err := f.renameFolder(ctx, filepath.Dir(b.path), filepath.Join(root, dir))
		return err
	}
	// A person's new file is empty at first: nothing there is vacant.
	dst, err := reserve(root, b.name, func(string) bool { return false })
	if err != nil {
		return err
	}
	if err := f.moveFile(ctx, b.path, dst); err != nil {
		return errors.Join(err, os.Remove(dst))
	}
	return nil
}

// bookedFile is a file in done/. name is what it was called in the folder.
type bookedFile struct {
	name, path string
	info       fs.FileInfo
}

// dir is where addresses in its text start from now, relative to the folder.
func (b bookedFile) dir() string {
	if article(b.name) == "" {
		return ""
	}
	return doneDir + "/" + filepath.Base(filepath.Dir(b.path))
}

// bookedAs lists the files in done that may have had that key, the newest
// first.
func bookedAs(done, key string) ([]bookedFile, error) {
	entries, err := os.ReadDir(done)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var found []bookedFile
	for _, e := range entries {
		name, ok := nameWithKey(listedName(e), key)
		if !ok {
			continue
		}
		path := filepath.Join(done, e.Name())
		if e.IsDir() {
			text, _, err := articleText(path)
			if err != nil || text == "" {
				continue
			}
			name, path = name+text, filepath.Join(path, text)
		} else if notAnItem(name) != "" {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			found = append(found, bookedFile{name, path, info})
		}
	}
	slices.SortStableFunc(found, func(a, b bookedFile) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	return found, nil
}

// nameWithKey is the name under which a file in done/ had that key: its own, or
// that without the number that Consume gave.
func nameWithKey(name, key string) (string, bool) {
	if keyOf(name) == key {
		return name, true
	}
	ext := filepath.Ext(name)
	if article(name) != "" {
		ext = "/"
	}
	bare, ok := unnumbered(strings.TrimSuffix(name, ext))
	return bare + ext, ok && keyOf(bare+ext) == key
}
