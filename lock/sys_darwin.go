package lock

import (
	"golang.org/x/sys/unix"
)

// DefaultDir is the machine's folder for lock files, shared by its users:
// /tmp, because TMPDIR is each user's own here.
func DefaultDir() string { return "/tmp" }

// remoteKind names the file system of dir if it is not local, else "".
func remoteKind(dir string) (string, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return "", err
	}
	if st.Flags&unix.MNT_LOCAL != 0 {
		return "", nil
	}
	return unix.ByteSliceToString(st.Fstypename[:]), nil
}

// kernelHolder is unknown: the system tells no one who holds a flock.
func kernelHolder(string) (pid int, ok bool) { return 0, false }

func programName(pid int) string {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return ""
	}
	return printable(unix.ByteSliceToString(p.Proc.P_comm[:]))
}
