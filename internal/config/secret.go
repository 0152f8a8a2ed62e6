package config

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	redacted = "[redacted]"
	// maxSecret bounds what is read from a password file or command.
	maxSecret = 4096
	// secretTimeout bounds password_command: long enough for an agent that
	// asks a keyring, too short to be taken for a hung run.
	secretTimeout = 30 * time.Second
	secretDrain   = 500 * time.Millisecond
)

// Secret is a text that never prints: only Reveal gives it. It is kept in a
// closure because fmt reads unexported fields past any String method.
type Secret struct{ reveal func() string }

// NewSecret wraps a text.
func NewSecret(text string) Secret { return Secret{func() string { return text }} }

// Reveal gives the text, for the one place that sends it.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

func (s Secret) String() string { return redacted }

// GoString is what %#v prints.
func (s Secret) GoString() string { return redacted }

// MarshalText serves JSON and YAML alike.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// mayBeSecret says whether an unknown key is rather the rest of a password that
// stands unquoted, or a password or an address in a wrong place: so it must not be told. before is
// the key above it.
func mayBeSecret(key, before string, known fields) bool {
	if Nearest(key, slices.Collect(maps.Keys(known))) != "" {
		return false
	}
	// Application passwords are groups of four, other ones often base64.
	form := regexp.MustCompile(`^[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4})+$|^[A-Za-z0-9+/]{16,}=*$`)
	return slices.Contains(passwordKeys(), before) || len(key) > 40 || strings.Contains(key, "://") || form.MatchString(key)
}

// Secret gives the account's application password. It reads password_file or
// runs password_command only now, so that a command which needs no site asks
// for none; the command is bounded by 30 s and by ctx.
func (s Site) Secret(ctx context.Context) (Secret, error) {
	switch {
	case s.passwordFile != "":
		raw, err := readSecret(s.passwordFile)
		if err != nil {
			// Without its path: a password may stand there by mistake.
			if at := (*fs.PathError)(nil); errors.As(err, &at) {
				err = at.Err
			}
			return Secret{}, fmt.Errorf("site %s: read password_file: %w; put the application password into that file, or correct password_file", s.Name, err)
		}
		return oneLine("site "+s.Name+": password_file", raw)
	case len(s.passwordCommand) > 0:
		raw, err := runSecret(ctx, s.passwordCommand)
		if err != nil {
			return Secret{}, fmt.Errorf("site %s: run password_command: %w", s.Name, err)
		}
		return oneLine("site "+s.Name+": password_command", raw)
	case s.passwordKeyring != nil:
		text, err := s.passwordKeyring(s.Account())
		if err != nil {
			return Secret{}, fmt.Errorf("site %s: read password_keyring: %w; a keyring is open to its owner alone, while logged in: for a service use password_file", s.Name, err)
		}
		return oneLine("site "+s.Name+": password_keyring", []byte(text))
	default:
		return s.password, nil
	}
}

// Secrets are those that are known without a file to read, a command to run or
// a keyring to open: what stands in the configuration, or in the environment.
func (c *Config) Secrets() []Secret {
	var known []Secret
	for _, s := range c.Sites {
		known = append(known, s.password)
	}
	for _, n := range c.Notify {
		known = append(known, n.Address.hidden.text, n.key.text)
	}
	for _, j := range c.Jobs {
		known = append(known, j.Ping.hidden.text)
	}
	return slices.DeleteFunc(known, func(s Secret) bool { return s.Reveal() == "" })
}

// oneLine checks that what the key of that name gave is one line of text.
func oneLine(key string, raw []byte) (Secret, error) {
	text := strings.TrimRight(string(bytes.TrimPrefix(raw, []byte("\ufeff"))), "\r\n")
	switch {
	case text == "":
		return Secret{}, fmt.Errorf("%s gave nothing", key)
	case len(raw) > maxSecret:
		return Secret{}, fmt.Errorf("%s gave more than %d bytes; want one line, the secret alone", key, maxSecret)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl):
		return Secret{}, fmt.Errorf("%s gave no single line of UTF-8 text", key)
	}
	return NewSecret(text), nil
}

func readSecret(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, maxSecret+1))
}

// runSecret runs a command and gives what it printed. Its error output stays
// out of the error: nobody knows what a password tool says there.
func runSecret(ctx context.Context, argv []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, secretTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // the configuration names it, by design
	// A child that the command leaves behind (an agent) may keep the pipe open.
	cmd.WaitDelay = secretDrain
	var out capped
	cmd.Stdout = &out
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("no answer in time: %w", context.Cause(ctx))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("%w; run it by hand to see why", err)
		}
		return nil, notStarted(err)
	}
	return out.kept, nil
}

// notStarted says why a command could not be started without its name: a
// password may stand there by mistake.
func notStarted(err error) error {
	var lookup *exec.Error
	var start *fs.PathError
	switch {
	case errors.As(err, &lookup):
		err = lookup.Err
	case errors.As(err, &start):
		err = start.Err
	}
	return fmt.Errorf("the program that it names can't be started: %w", err)
}

// capped keeps the first maxSecret+1 bytes and swallows the rest.
type capped struct{ kept []byte }

func (c *capped) Write(p []byte) (int, error) {
	room := max(0, maxSecret+1-len(c.kept))
	c.kept = append(c.kept, p[:min(room, len(p))]...)
	return len(p), nil
}

// shell is the command line that runs text through the system's shell.
func shell(text string) []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/C", text}
	}
	return []string{"/bin/sh", "-c", text}
}
