package keyring

import (
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

// Not parallel: the library has one keyring for all.
func TestKeyring(t *testing.T) {
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	if err := Available(); err != nil {
		t.Fatal(err)
	}
	if _, err := Get("editor@blog"); err == nil || !strings.Contains(err.Error(), "no password for editor@blog") {
		t.Errorf("got %v", err)
	}
	for _, password := range []string{"first", "second"} {
		if err := Set("editor@blog", password); err != nil {
			t.Fatal(err)
		}
		if got, err := Get("editor@blog"); err != nil || got != password {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

func TestNoSession(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux's keyring needs a bus")
	}
	keyring.MockInit()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	_, err := Get("x")
	for _, err := range []error{err, Set("x", "y"), Available()} {
		if err == nil || !strings.Contains(err.Error(), "no keyring is open here") {
			t.Errorf("got %v", err)
		}
	}
}

func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		_, err := within(patience, func() (string, error) {
			time.Sleep(time.Hour)
			return "", nil
		})
		if err == nil || time.Since(start) != patience {
			t.Errorf("got %v after %s", err, time.Since(start))
		}
		time.Sleep(time.Hour) // the call comes back to nobody
	})
}
