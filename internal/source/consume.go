package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
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
	if it.Name != filepath.Base(it.Name) {
		return fmt.Errorf("move %q to done/: not the name of a file in the folder", it.Name)
	}
	root, err := filepath.EvalSymlinks(f.dir)
	if err != nil {
		return fmt.Errorf("move %s to done/: %w", it.Name, bare(err))
	}
	changed := f.changed(root, it)
	moved, err := f.move(ctx, root, it.Name)
	if err != nil {
		return fmt.Errorf("move %s to done/: %w; its post is booked, so move or delete the file by hand", it.Name, err)
	}
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

// changed: the file is not what it was read from.
func (f *Folder) changed(root string, it Item) bool {
	read, ok := f.cache[it.Name]
	if !ok {
		return false
	}
	now, err := os.Stat(filepath.Join(root, it.Name))
	return err == nil && (!unchanged(read.info, now) || !bytes.Equal(read.item.Body, it.Body))
}

// move moves a file of root to done/ and returns its new name in root.
func (f *Folder) move(ctx context.Context, root, name string) (string, error) {
	src, done := filepath.Join(root, name), filepath.Join(root, doneDir)
	info, err := os.Lstat(src)
	if errors.Is(err, fs.ErrNotExist) && inDone(done, name) {
		return filepath.Join(doneDir, name), nil
	} else if err != nil {
		return "", err
	}
	if err := os.MkdirAll(done, 0o777); err != nil { //nolint:gosec // as open as the person's umask has it, like the queue
		return "", err
	}
	dst, err := reserve(done, name)
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

// inDone: done holds the file, perhaps under a number.
func inDone(done, name string) bool {
	ext := filepath.Ext(name)
	own := regexp.MustCompile(`^` + regexp.QuoteMeta(strings.TrimSuffix(name, ext)) + `(-\d+)?` + regexp.QuoteMeta(ext) + `$`)
	found, err := os.ReadDir(done)
	if err != nil {
		return false
	}
	for _, e := range found {
		if own.MatchString(e.Name()) {
			return true
		}
	}
	return false
}

// reserve makes an empty file under the first free name: a rename over it then
// can't hit a file of anybody's.
func reserve(done, name string) (string, error) {
	ext := filepath.Ext(name)
	for n := 1; ; n++ {
		path := filepath.Join(done, name)
		if n > 1 {
			path = filepath.Join(done, fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext))
		}
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return path, file.Close()
	}
}

// moveFile renames src to the reserved dst, waiting a little for a program
// that has it open, and copies to another device.
func (f *Folder) moveFile(ctx context.Context, src, dst string) error {
	for tries := 1; ; tries++ {
		err := f.rename(src, dst)
		switch {
		case err == nil:
			return nil
		case otherDevice(err):
			return copyAway(src, dst)
		case !inUse(err) || tries == 5:
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// copyAway copies src to dst and removes it, once the copy is known to be the
// same.
func copyAway(src, dst string) error {
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(src)
	if err != nil {
		return err
	}
	if err := writeSynced(dst, data); err != nil {
		return err
	}
	copied, err := os.ReadFile(dst)
	if err != nil {
		return err
	}
	if !bytes.Equal(data, copied) {
		return errors.New("the copy on the other device differs")
	}
	if err := errors.Join(os.Chmod(dst, info.Mode().Perm()), os.Chtimes(dst, time.Time{}, info.ModTime())); err != nil {
		return err
	}
	return os.Remove(src)
}

func writeSynced(path string, data []byte) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := io.Copy(file, bytes.NewReader(data)); err != nil {
		return err
	}
	return file.Sync()
}

// moveLink makes the link anew, since a relative one would lead elsewhere from
// done/.
func moveLink(src, dst string) error {
	target, err := filepath.EvalSymlinks(src)
	if err != nil {
		return err
	}
	if err := os.Remove(dst); err != nil {
		return err
	}
	if err := os.Symlink(target, dst); err != nil {
		return err
	}
	return os.Remove(src)
}
