package lock

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestB76SyncedFolder(t *testing.T) {
	t.Parallel()
	tests := []struct{ dir, want string }{
		{"/home/jo/Dropbox/locks", "Dropbox"},
		{"/home/jo/Dropbox - Company/locks", "Dropbox"},
		{"/c/Users/jo/OneDrive", "OneDrive"},
		{"/c/Users/jo/OneDrive - Contoso/locks", "OneDrive"},
		{"/Users/jo/Library/Mobile Documents/x", "iCloud"},
		{"/Users/jo/Library/CloudStorage/Box-Box/x", "a cloud service"},
		{"/home/jo/Google Drive/x", "Google Drive"},
		{"/g/My Drive/x", "Google Drive"},
		{"/c/Users/jo/iCloudDrive", "iCloud"},
		{"/home/jo/Nextcloud", "Nextcloud"},
		{"/home/jo/dropbox-exporter/locks", ""},
		{"/srv/cloudstorage/locks", ""},
		{"/run/lock", ""},
	}
	for _, tt := range tests {
		if got := syncedBy(filepath.FromSlash(tt.dir)); got != tt.want {
			t.Errorf("syncedBy(%q) = %q, want %q", tt.dir, got, tt.want)
		}
	}
}

func TestB76OneDriveByEnvironment(t *testing.T) {
	root := tempDir(t)
	t.Setenv("OneDrive", root)
	for dir, want := range map[string]string{
		root: "OneDrive", filepath.Join(root, "x"): "OneDrive", root + "x": "", filepath.Dir(root): "",
	} {
		if got := syncedBy(dir); got != want {
			t.Errorf("syncedBy(%q) = %q, want %q", dir, got, want)
		}
	}
}

func TestB76FolderRefused(t *testing.T) {
	t.Parallel()
	root := tempDir(t)
	dropbox := filepath.Join(root, "Dropbox")
	if err := os.Mkdir(dropbox, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{
		"synced":          filepath.Join(dropbox, "locks"),
		"a file":          file,
		"missing, synced": filepath.Join(root, "a", "OneDrive", "b"),
	}
	for name, dir := range bad {
		_, err := New(Options{Dir: dir, Site: site})
		if err == nil || !strings.Contains(err.Error(), "lock_dir") {
			t.Errorf("%s: err = %v, want one that names lock_dir", name, err)
		}
	}
}

func TestDefaultDirIsUsable(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{Site: site}); err != nil {
		t.Errorf("New with the default folder %s: %v", DefaultDir(), err)
	}
}
