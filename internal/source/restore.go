package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Restore moves the file of an item (by its Key, and same) from done/ back into the
// folder, since its post was taken out of its slot again and waits for another.
// ok is false when done/ has no such file. A file of that name in the folder
// is never written over.
func (f *Folder) Restore(ctx context.Context, key string, same func(Item) bool) (ok bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root, err := filepath.EvalSymlinks(f.dir)
	if err != nil {
		return false, fmt.Errorf("bring %s back from done/: %w", key, bare(err))
	}
	found, err := os.ReadDir(filepath.Join(root, doneDir))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("bring %s back from done/: %w", key, bare(err))
	}
	for _, e := range found {
		if e.IsDir() || notAnItem(e.Name()) != "" || keyOf(e.Name()) != key {
			continue
		}
		dst, err := reserve(root, e.Name())
		if err != nil {
			return false, fmt.Errorf("bring %s back from done/: %w", e.Name(), err)
		}
		if err := f.moveFile(ctx, filepath.Join(root, doneDir, e.Name()), dst); err != nil {
			return false, errors.Join(fmt.Errorf("bring %s back from done/: %w", e.Name(), err), os.Remove(dst))
		}
		return true, nil
	}
	return false, nil
}
