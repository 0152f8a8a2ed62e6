//go:build !windows

package source

import (
	"io/fs"
	"syscall"
)

func stampOf(info fs.FileInfo) stamp {
	s := stamp{Size: info.Size(), Changed: info.ModTime().UnixNano()}
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.ID, s.Device = st.Ino, uint64(st.Dev) //nolint:unconvert // its type differs between systems
	}
	return s
}
