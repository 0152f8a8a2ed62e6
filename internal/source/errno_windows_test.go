package source

import "golang.org/x/sys/windows"

const (
	errDevice = windows.ERROR_NOT_SAME_DEVICE
	errInUse  = windows.ERROR_SHARING_VIOLATION
)
