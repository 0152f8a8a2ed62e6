package lock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// safeFlags are empty: links need a privilege here, and isNamed finds them.
const safeFlags = 0

// openFlags ask for reading only, which is what users may do with the file of
// another, and enough for LockFileEx. os opens without inheritance.
const openFlags = os.O_RDONLY

// DefaultDir is the machine's folder for lock files, shared by its users:
// %ProgramData%\morrow.
func DefaultDir() string {
	data, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, windows.KF_FLAG_DEFAULT)
	if err != nil {
		data = `C:\ProgramData`
	}
	return filepath.Join(data, "morrow")
}

// remoteKind names what dir is on if that is not a local disk, else "".
func remoteKind(dir string) (string, error) {
	volume := filepath.VolumeName(dir)
	if strings.HasPrefix(volume, `\\`) {
		return "the share " + volume, nil
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	if err != nil {
		return "", err
	}
	if windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return "the network drive " + volume, nil
	}
	return "", nil
}

func isPlain(fi fs.FileInfo) bool { return fi.Mode().IsRegular() }

// shareFolder has nothing to lift: what is made in ProgramData, any user may
// add files to.
func shareFolder(string) error { return nil }

// kernelHolder is unknown: the system tells no one who holds a lock.
func kernelHolder(string) (pid int, ok bool) { return 0, false }

func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	p, err := openProcess(pid, windows.SYNCHRONIZE)
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer func() { _ = windows.CloseHandle(p) }()
	// An ended process stays openable while somebody has a handle to it.
	state, err := windows.WaitForSingleObject(p, 0)
	return err == nil && state == uint32(windows.WAIT_TIMEOUT)
}

func programName(pid int) string {
	p, err := openProcess(pid, windows.PROCESS_QUERY_LIMITED_INFORMATION)
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(p) }()
	var buf [windows.MAX_LONG_PATH]uint16
	n := uint32(windows.MAX_LONG_PATH)
	if err := windows.QueryFullProcessImageName(p, 0, &buf[0], &n); err != nil {
		return ""
	}
	return printable(filepath.Base(windows.UTF16ToString(buf[:n])))
}

func openProcess(pid int, access uint32) (windows.Handle, error) {
	return windows.OpenProcess(access, false, uint32(pid)) //nolint:gosec // no pid is larger
}

// userName asks the environment: os/user may ask a domain controller that is
// out of reach.
func userName() string { return printable(os.Getenv("USERNAME")) }
