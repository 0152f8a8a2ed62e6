//go:build linux || darwin

package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"syscall"

	"golang.org/x/sys/unix"
)

// safeFlags follow no link, and do not wait for the other end of a pipe that
// somebody put in a file's place. os adds O_CLOEXEC.
const safeFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK

const openFlags = os.O_RDONLY | safeFlags

// isPlain refuses a second name of somebody else's file: writing to it would
// overwrite that file with this process's rights.
func isPlain(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && fi.Mode().IsRegular() && st.Nlink == 1
}

// shareFolder lifts what the umask took away.
func shareFolder(dir string) error {
	if err := os.Chmod(dir, 0o777|fs.ModeSticky); err != nil {
		return fmt.Errorf("open %s to all users: %w", dir, err)
	}
	return nil
}

func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}

func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}
