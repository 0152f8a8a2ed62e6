package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// checkFolder refuses a folder in which a lock does not exclude everybody, or
// can hang. Where the folder lacks, what it will be created in is judged.
func checkFolder(dir string) error {
	existing := dir
	fi, err := os.Stat(existing)
	for errors.Is(err, fs.ErrNotExist) && existing != filepath.Dir(existing) {
		existing = filepath.Dir(existing)
		fi, err = os.Stat(existing)
	}
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return fmt.Errorf("%s is no folder: set lock_dir", existing)
	}
	resolved, err := filepath.EvalSymlinks(existing)
	if err != nil {
		return err
	}
	for _, p := range []string{dir, resolved} {
		if service := syncedBy(p); service != "" {
			return fmt.Errorf("%s copies it between machines, and a lock there holds nobody off: set lock_dir to a folder outside of it", service)
		}
	}
	kind, err := remoteKind(resolved)
	if err != nil {
		return fmt.Errorf("find its file system: %w", err)
	}
	if kind != "" {
		return fmt.Errorf("it is on a network or shared file system (%s), where a lock can hang or let two in: set lock_dir to a folder on a local disk", kind)
	}
	return nil
}

// syncedBy names the service that copies a folder elsewhere, by the names that
// the services give to their folders; "" if none is known to.
func syncedBy(dir string) string {
	for _, name := range []string{"OneDrive", "OneDriveConsumer", "OneDriveCommercial"} {
		if root := os.Getenv(name); root != "" && isWithin(root, dir) {
			return "OneDrive"
		}
	}
	parts := strings.Split(strings.ToLower(filepath.ToSlash(dir)), "/")
	for i, part := range parts {
		first, _, _ := strings.Cut(part, " - ") // "OneDrive - Company"
		switch first {
		case "dropbox":
			return "Dropbox"
		case "onedrive":
			return "OneDrive"
		case "google drive", "googledrive", "my drive":
			return "Google Drive"
		case "iclouddrive", "icloud drive":
			return "iCloud"
		case "nextcloud":
			return "Nextcloud"
		}
		if i == 0 || parts[i-1] != "library" {
			continue
		}
		switch part {
		case "mobile documents":
			return "iCloud"
		case "cloudstorage":
			return "a cloud service"
		}
	}
	return ""
}

func isWithin(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// createFolder makes a missing folder one that all users share, each of whom
// can delete only his own files.
func createFolder(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil { //nolint:gosec // others must get through
		return fmt.Errorf("create lock folder: %w", err)
	}
	switch err := os.Mkdir(dir, 0o777); { //nolint:gosec // shared by the machine's users
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return fmt.Errorf("create lock folder: %w", err)
	}
	return shareFolder(dir)
}
