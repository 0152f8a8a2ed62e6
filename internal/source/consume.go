package source

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ChangedError says that a file was edited between its reading and its move:
// Moved, in the folder, has text that was not booked.
type ChangedError struct{ Name, Moved string }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s was edited after it was booked; the new text is in %s and not on the site, so edit the post there", e.Name, e.Moved)
}

// Consume moves a booked item's file to done/, never over another file: what
// is there keeps its name and the file gets -2, -3 and so on. A file that is
// in done/ already is no error. The text is never altered. A *ChangedError
// tells of a file that was moved though it is not what was read.
func (f *Folder) Consume(ctx context.Context, it Item) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name := filepath.ToSlash(it.Name); !fs.ValidPath(name) || strings.Count(name, "/") > 1 || quietFolder(article(name)) {
		return fmt.Errorf("move %q to done/: not the name of a file in the folder", it.Name)
	}
	root, err := filepath.EvalSymlinks(f.dir)
	if err != nil {
		return fmt.Errorf("move %s to done/: %w", it.Name, bare(err))
	}
	moved, err := f.move(ctx, root, it.Name)
	if err != nil {
		return fmt.Errorf("move %s to done/: %w; its post is booked, so move or delete the file by hand", it.Name, err)
	}
	changed := f.changed(filepath.Join(root, moved), it)
	delete(f.cache, it.Name)
	for _, twin := range f.twins[it.Name] {
		if _, err := f.move(ctx, root, twin); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move %s, the same file as %s, to done/: %w; its post is booked, so move or delete it by hand", twin, it.Name, err)
		}
	}
	if changed {
		return &ChangedError{Name: it.Name, Moved: moved}
	}
	return nil
}

// changed: the file, now at path, is not what the item was read from.
func (f *Folder) changed(path string, it Item) bool {
	read, ok := f.cache[it.Name]
	if !ok {
		return false
	}
	data, err := os.ReadFile(path)
	return err == nil && (sha256.Sum256(data) != read.sum || !bytes.Equal(read.item.Body, it.Body))
}

// move moves a file of root to done/ and returns its new name in root, that of
// the folder itself when it is there already.
func (f *Folder) move(ctx context.Context, root, name string) (string, error) {
	if dir := article(name); dir != "" {
		moved, err := f.moveFolder(ctx, root, dir)
		if moved != "" {
			moved = filepath.Join(moved, strings.TrimPrefix(name, dir))
		}
		return moved, err
	}
	src, done := filepath.Join(root, name), filepath.Join(root, doneDir)
	info, err := os.Lstat(src)
	if errors.Is(err, fs.ErrNotExist) && inDone(done, name, filepath.Ext(name)) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	if err := os.MkdirAll(done, 0o777); err != nil { //nolint:gosec // as open as the person's umask has it, like the queue
		return "", err
	}
	dst, err := reserve(done, name, isEmpty)
	if err != nil {
		return "", err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		err = moveLink(src, dst)
	} else {
		err = f.moveFile(ctx, src, dst)
	}
	if err != nil {
		if left := os.Remove(dst); !errors.Is(left, fs.ErrNotExist) {
			err = errors.Join(err, left)
		}
		return "", err
	}
	return filepath.Join(doneDir, filepath.Base(dst)), nil
}

// moveFolder moves a folder of root to done/ as a whole and returns its new
// name in root, that of root itself when it is there already.
func (f *Folder) moveFolder(ctx context.Context, root, name string) (string, error) {
	src, done := filepath.Join(root, name), filepath.Join(root, doneDir)
	_, err := os.Lstat(src)
	if errors.Is(err, fs.ErrNotExist) && inDone(done, name, "") {
		return "", nil
	} else if err != nil {
		return "", err
	}
	if err := os.MkdirAll(done, 0o777); err != nil { //nolint:gosec // as open as the person's umask has it, like the queue
		return "", err
	}
	dst, err := f.renameFolder(ctx, src, filepath.Join(done, name))
	if err != nil {
		return "", err
	}
	return filepath.Join(doneDir, filepath.Base(dst)), nil
}

// renameFolder renames a folder to dst, or the first number of it that is free.
// No system renames a folder over a file, or over a folder that has something
// in it.
func (f *Folder) renameFolder(ctx context.Context, src, dst string) (string, error) {
	for n := 1; ; n++ {
		path := numbered(dst, "", n)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		err := f.patiently(ctx, func() error { return f.rename(src, path) })
		if otherDevice(err) {
			return "", errors.New("it lies on another device than the folder, which is not moved as a whole")
		}
		return path, err
	}
}

// numbered is a path with the number that tells it from earlier ones.
func numbered(stem, ext string, n int) string {
	if n == 1 {
		return stem + ext
	}
	return fmt.Sprintf("%s-%d%s", stem, n, ext)
}

// inDone: done holds the file or folder, perhaps under a number.
func inDone(done, name, ext string) bool {
	own := regexp.MustCompile(`^` + regexp.QuoteMeta(strings.TrimSuffix(name, ext)) + `(-\d+)?` + regexp.QuoteMeta(ext) + `$`)
	found, err := os.ReadDir(done)
	if err != nil {
		return false
	}
	for _, e := range found {
		if own.MatchString(e.Name()) && !isEmpty(filepath.Join(done, e.Name())) {
			return true
		}
	}
	return false
}

// reserve makes an empty file under the first free name: a rename over it then
// can't hit a file of anybody's. What stands there and is vacant is taken over.
func reserve(dir, name string, vacant func(path string) bool) (string, error) {
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		path := numbered(filepath.Join(dir, strings.TrimSuffix(name, ext)), ext, n)
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		switch {
		case err == nil:
			return path, file.Close()
		case !errors.Is(err, fs.ErrExist):
			return "", err
		case vacant(path):
			return path, nil
		}
	}
}

// isEmpty: an empty file is no item. In done/ it is what reserve left there
// when Morrow was killed before the rename.
func isEmpty(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}
