package lock

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// DefaultDir is the machine's folder for lock files, shared by its users:
// /run/lock where everybody may write to it (Debian and its kin), else /tmp.
// The answer is the same for each user, so TMPDIR has no say in it.
func DefaultDir() string {
	const system, everybody = "/run/lock", 0o777
	fi, err := os.Stat(system)
	if err == nil && fi.IsDir() && fi.Mode().Perm() == everybody && fi.Mode()&fs.ModeSticky != 0 {
		return system
	}
	return "/tmp"
}

// remoteKind names the file system of dir if its locks reach across machines,
// or claim to; "" if it is local.
func remoteKind(dir string) (string, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "", err
	}
	// The type's width and sign vary with the architecture, the magic's 32 bits do not.
	switch uint32(st.Type) { //nolint:gosec // see above
	case unix.NFS_SUPER_MAGIC:
		return "NFS", nil
	case unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return "SMB", nil
	case unix.V9FS_MAGIC:
		return "9p", nil
	case unix.AFS_SUPER_MAGIC, unix.AFS_FS_MAGIC:
		return "AFS", nil
	case unix.CEPH_SUPER_MAGIC:
		return "Ceph", nil
	case unix.CODA_SUPER_MAGIC:
		return "Coda", nil
	case unix.NCP_SUPER_MAGIC:
		return "NCP", nil
	case vboxsfMagic:
		return "VirtualBox share", nil
	case unix.FUSE_SUPER_MAGIC:
		return fuseKind(dir)
	}
	return "", nil
}

// vboxsfMagic is VBOXSF_SUPER_MAGIC of linux/magic.h, which x/sys lacks.
const vboxsfMagic = 0x786f4256

// fuseKind tells FUSE file systems on local disks (NTFS drives, the root of a
// container) from the many that stand for something remote.
func fuseKind(dir string) (string, error) {
	fi, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", err
	}
	dev := fi.Sys().(*syscall.Stat_t).Dev                                            // what os.Stat gives on Linux
	device := fmt.Sprintf("%d:%d", unix.Major(uint64(dev)), unix.Minor(uint64(dev))) //nolint:unconvert // 32 bits on mips
	return fuseOf(string(mounts), device), nil
}

// fuseOf looks a device up in the text of mountinfo, whose third field it is;
// the type follows a lone dash.
func fuseOf(mountinfo, device string) string {
	for line := range strings.Lines(mountinfo) {
		mount, fsType, ok := strings.Cut(line, " - ")
		if fields := strings.Fields(mount); !ok || len(fields) < 3 || fields[2] != device {
			continue
		}
		switch kind, _, _ := strings.Cut(fsType, " "); kind {
		case "fuseblk", "fuse.fuse-overlayfs":
			return ""
		default:
			return kind
		}
	}
	return "FUSE"
}

// kernelHolder is the pid that the kernel says holds the lock; ok is false if
// it does not say, as for a holder in another pid namespace.
func kernelHolder(path string) (pid int, ok bool) {
	fi, err := os.Lstat(path)
	if err != nil {
		return 0, false
	}
	f, err := os.Open("/proc/locks")
	if err != nil {
		return 0, false
	}
	defer func() { _ = f.Close() }()
	inode := fi.Sys().(*syscall.Stat_t).Ino // what os.Lstat gives on Linux
	return lockedBy(bufio.NewScanner(f), inode)
}

// lockedBy finds the one exclusive flock on an inode. The device in a line is
// no help: on overlayfs and btrfs it is not the one that stat gives.
func lockedBy(locks *bufio.Scanner, inode uint64) (pid int, ok bool) {
	suffix := ":" + strconv.FormatUint(inode, 10)
	for locks.Scan() {
		// "1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF"; a waiter's line
		// has an arrow in the second field.
		fields := strings.Fields(locks.Text())
		if len(fields) < 6 || fields[1] != "FLOCK" || fields[3] != "WRITE" || !strings.HasSuffix(fields[5], suffix) {
			continue
		}
		n, err := strconv.Atoi(fields[4])
		if err != nil || n <= 0 || ok {
			return 0, false
		}
		pid, ok = n, true
	}
	return pid, ok && locks.Err() == nil
}

func programName(pid int) string {
	comm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		return ""
	}
	return printable(strings.TrimSpace(string(comm)))
}
