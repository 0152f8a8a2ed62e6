//go:build !windows

package source

import (
	"errors"
	"syscall"
)

func otherDevice(err error) bool { return errors.Is(err, syscall.EXDEV) }

// inUse: a network folder's file is open elsewhere.
func inUse(err error) bool { return errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.ETXTBSY) }
