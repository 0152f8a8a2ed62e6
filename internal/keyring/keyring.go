// Package keyring keeps passwords in the system's keyring: the Secret Service on
// Linux, the Credential Manager on Windows, the Keychain on macOS. Each user has
// one of his own, which is open while he is logged in: a service can't read it.
package keyring

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/zalando/go-keyring"
)

const (
	service = "morrow"
	// patience bounds a call: a locked keyring may wait for a person who is not
	// there.
	patience = 20 * time.Second
)

// Get gives the password of an account.
func Get(account string) (string, error) {
	if err := reachable(); err != nil {
		return "", err
	}
	text, err := within(patience, func() (string, error) { return keyring.Get(service, account) })
	if errors.Is(err, keyring.ErrNotFound) {
		return "", fmt.Errorf("there is no password for %s in it", account)
	}
	return text, err
}

// Set keeps the password of an account, in place of an older one.
func Set(account, password string) error {
	if err := reachable(); err != nil {
		return err
	}
	_, err := within(patience, func() (struct{}, error) { return struct{}{}, keyring.Set(service, account, password) })
	return err
}

// Available says why there is no keyring that could be used; nil if there is.
func Available() error {
	if err := reachable(); err != nil {
		return err
	}
	_, err := within(patience, func() (string, error) { return keyring.Get(service, "nobody") })
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}

// reachable looks for the bus on which Linux's keyrings are asked: where none
// runs, the library would start one.
func reachable() error {
	if runtime.GOOS != "linux" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	if _, err := os.Stat(filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")); err == nil && os.Getenv("XDG_RUNTIME_DIR") != "" {
		return nil
	}
	return errors.New("no keyring is open here: it belongs to the session of a person who is logged in")
}

// within bounds a call that knows no context.
func within[T any](limit time.Duration, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.value, r.err
	case <-timer.C:
		var none T
		return none, fmt.Errorf("the keyring does not answer within %s: it may be locked", limit)
	}
}
