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
	"time"
)

// asidePrefix begins the names of files that a move across devices has at
// work.
const asidePrefix = ".morrow-"

// moveFile renames src to the reserved dst, or copies it to another device.
func (f *Folder) moveFile(ctx context.Context, src, dst string) error {
	return f.patiently(ctx, func() error {
		err := f.rename(src, dst)
		if otherDevice(err) {
			err = f.copyAway(src, dst)
		}
		return err
	})
}

// patiently tries a move again while a program has the file open.
func (f *Folder) patiently(ctx context.Context, move func() error) error {
	for tries := 1; ; tries++ {
		err := move()
		if err == nil || !inUse(err) || tries == 5 {
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
// same. src is put aside before, so that what is saved under its name from
// then on is a new file; whatever goes wrong, it comes back. At every moment
// its text stands whole in one of the two places.
func (f *Folder) copyAway(src, dst string) (err error) {
	if err := f.copyTo(src, dst); err != nil {
		return err
	}
	aside, err := reserve(filepath.Dir(src), asidePrefix+filepath.Base(src), isEmpty)
	if err != nil {
		return err
	}
	if err := f.rename(src, aside); err != nil {
		return errors.Join(err, os.Remove(aside))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.putBack(aside, src))
		}
	}()
	same, err := sameBytes(aside, dst)
	if err == nil && !same { // saved while it was copied
		err = f.copyTo(aside, dst)
	}
	if err != nil {
		return err
	}
	return os.Remove(aside)
}

// putBack never writes over a file that was saved meanwhile.
func (f *Folder) putBack(aside, src string) error {
	if _, err := os.Lstat(src); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("put %s back: there is a new file of that name; the old one is %s", filepath.Base(src), filepath.Base(aside))
	}
	return f.rename(aside, src)
}

// copyTo copies a file with its mode and time, so that dst never holds a part
// of it.
func (f *Folder) copyTo(src, dst string) error {
	info, err := os.Stat(src)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(src)
	if err != nil {
		return err
	}
	part := filepath.Join(filepath.Dir(dst), asidePrefix+filepath.Base(dst))
	if err := writeSynced(part, data); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	copied, err := os.ReadFile(part)
	if err == nil && !bytes.Equal(data, copied) {
		err = errors.New("the copy on the other device differs")
	}
	if err := errors.Join(err, os.Chmod(part, info.Mode().Perm()), os.Chtimes(part, time.Time{}, info.ModTime())); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	if err := f.rename(part, dst); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return nil
}

// writeSynced writes a file anew: where a link stands, what it leads to is left
// alone.
func writeSynced(path string, data []byte) (err error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := io.Copy(file, bytes.NewReader(data)); err != nil {
		return err
	}
	return file.Sync()
}

func sameBytes(a, b string) (bool, error) {
	x, errX := os.ReadFile(a)
	y, errY := os.ReadFile(b)
	return bytes.Equal(x, y), errors.Join(errX, errY)
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
