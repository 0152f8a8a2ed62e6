package lock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// open prepares a fresh handle. It never creates: with fs.protected_regular
// Linux refuses O_CREAT on another user's file in a sticky folder.
func open(path string) *flock.Flock { return flock.New(path, flock.SetFlag(openFlags)) }

// tryLock locks the file now, creating it where it lacks. nil without an error
// means that another holds it.
func tryLock(ctx context.Context, path string) (*flock.Flock, error) {
	const turns = 20
	var denied error
	for range turns {
		f := open(path)
		ok, err := f.TryLock()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if err := create(path); err != nil {
				return nil, err
			}
			continue
		case errors.Is(err, fs.ErrPermission):
			// Its creator may not have opened it to everybody yet.
			denied = err
			if err := rest(ctx, time.Millisecond); err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, explainOpen(path, err)
		case !ok:
			return nil, nil //nolint:nilnil // contention is neither a lock nor an error
		}
		named, err := isNamed(f, path)
		if named {
			return f, nil
		}
		_ = f.Unlock()
		if err != nil {
			return nil, err
		}
	}
	if denied != nil {
		return nil, fmt.Errorf("%w: let everybody read and write the file (mode 0666), or set lock_dir", denied)
	}
	return nil, errors.New("the file is deleted again and again: set lock_dir to a folder that nothing cleans up")
}

// isNamed tells whether the locked file is still the one that the path names:
// after a deletion another process locks another file.
func isNamed(f *flock.Flock, path string) (bool, error) {
	opened, err := f.Stat()
	if err != nil {
		return false, fmt.Errorf("examine lock file: %w", err)
	}
	named, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("examine lock file: %w", err)
	}
	if !named.Mode().IsRegular() {
		return false, notRegular(named)
	}
	return os.SameFile(opened, named), nil
}

func isHeld(path string) (bool, error) {
	f := open(path)
	free, err := f.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, explainOpen(path, err)
	case free:
		_, err := isNamed(f, path)
		return false, errors.Join(err, f.Unlock())
	}
	return true, nil
}

// create makes the file for everybody, whatever the umask. That another was
// faster is fine.
func create(path string) error {
	if err := createFolder(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := createShared(path)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: set lock_dir to a folder that this user may write to", err)
	}
	return f.Close()
}

// createShared makes a new file that every user may open. O_EXCL follows no
// link, and the mode is set through the handle, so that nobody can redirect it.
func createShared(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // shared by the machine's users
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o666); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("open %s to all users: %w", path, err)
	}
	return f, nil
}

// explainOpen replaces the errors of a file that is no plain file; its cause
// depends on the system (ELOOP, ENXIO, EISDIR).
func explainOpen(path string, err error) error {
	if fi, lerr := os.Lstat(path); lerr == nil && !fi.Mode().IsRegular() {
		return notRegular(fi)
	}
	return err
}

func notRegular(fi fs.FileInfo) error {
	return fmt.Errorf("it is no regular file (%s): remove it, or set lock_dir", fi.Mode().Type())
}
