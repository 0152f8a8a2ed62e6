package source

import (
	"io/fs"
	"syscall"
)

// stampOf has the time of creation for the identity: what a list tells of a file
// has no other.
func stampOf(info fs.FileInfo) stamp {
	s := stamp{Size: info.Size(), Changed: info.ModTime().UnixNano()}
	if data, ok := info.Sys().(*syscall.Win32FileAttributeData); ok {
		s.ID = uint64(data.CreationTime.HighDateTime)<<32 | uint64(data.CreationTime.LowDateTime)
	}
	return s
}
