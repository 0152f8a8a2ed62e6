//go:build !(linux || darwin)

package lock

func prepareHelper(string) {}
