//go:build !windows

package source

import "syscall"

const (
	errDevice = syscall.EXDEV
	errInUse  = syscall.EBUSY
)
