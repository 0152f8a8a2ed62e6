package lock

import (
	"bufio"
	"strings"
	"testing"
)

func TestLockedBy(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, locks string
		pid         int
		ok          bool
	}{
		{"none", "", 0, false},
		{"held", "1: POSIX  ADVISORY  WRITE 7 fe:00:12 0 EOF\n2: FLOCK  ADVISORY  WRITE 42 fe:00:12 0 EOF\n", 42, true},
		{"another inode", "1: FLOCK  ADVISORY  WRITE 42 fe:00:112 0 EOF\n", 0, false},
		{"a waiter", "1: FLOCK  ADVISORY  WRITE 42 fe:00:12 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 43 fe:00:12 0 EOF\n", 42, true},
		{"shared", "1: FLOCK  ADVISORY  READ 42 fe:00:12 0 EOF\n", 0, false},
		{"another namespace", "1: FLOCK  ADVISORY  WRITE 0 fe:00:12 0 EOF\n", 0, false},
		{"two devices", "1: FLOCK  ADVISORY  WRITE 42 fe:00:12 0 EOF\n2: FLOCK  ADVISORY  WRITE 43 fe:01:12 0 EOF\n", 0, false},
		{"junk", "1: FLOCK\n\nx: FLOCK ADVISORY WRITE y fe:00:12 0 EOF\n", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pid, ok := lockedBy(bufio.NewScanner(strings.NewReader(tt.locks)), 12)
			if ok != tt.ok || ok && pid != tt.pid {
				t.Errorf("lockedBy = %d, %v; want %d, %v", pid, ok, tt.pid, tt.ok)
			}
		})
	}
}

// Beside the kernel's word a note that names another process counts nothing.
func TestB79NoteNamesAnotherThanTheHolder(t *testing.T) {
	t.Parallel()
	l := newLocker(t, tempDir(t))
	h := startHelper(t, "hold", dirOf(l))
	if got := h.try(t); got != "held" {
		t.Fatal(got)
	}
	writeNote(t, l, self(l.now()))
	got, held, err := l.Holder()
	if want := (Holder{PID: h.cmd.Process.Pid}); err != nil || !held || got != want {
		t.Errorf("Holder = %+v, %v, %v; want only pid %d", got, held, err, want.PID)
	}
}

func TestB76NetworkFileSystemBehindFUSE(t *testing.T) {
	t.Parallel()
	const mounts = `22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:50 / /mnt/remote rw,nosuid shared:9 - fuse.sshfs jo@host:/ rw
31 22 8:17 / /mnt/usb rw shared:10 - fuseblk /dev/sdb1 rw
32 22 0:51 / /home rw - fuse.fuse-overlayfs fuse-overlayfs rw
33 22 0:52 / /host rw - virtiofs host rw
`
	for device, want := range map[string]string{
		"0:50": "fuse.sshfs", "8:17": "", "0:51": "", "0:52": "virtiofs", "0:99": "FUSE",
	} {
		if got := fuseOf(mounts, device); got != want {
			t.Errorf("fuseOf(%s) = %q, want %q", device, got, want)
		}
	}
}

func TestLocalFileSystemIsNotRemote(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{tempDir(t), "/tmp", "/dev/shm"} {
		if kind, err := remoteKind(dir); kind != "" || err != nil {
			t.Errorf("remoteKind(%s) = %q, %v; want it local", dir, kind, err)
		}
	}
}
