//go:build linux

package e2e

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"morrow/internal/wptest"
)

// dialog is a program at a terminal, and what it has said there.
type dialog struct {
	*testing.T
	terminal *os.File
	cmd      *exec.Cmd

	mu   sync.Mutex
	said string
	more chan struct{} // closed when said has grown, or its end has come
	over bool
	read int // what of said has been met
}

// converse starts a program at a terminal of its own.
func converse(t *testing.T, cmd *exec.Cmd) *dialog {
	t.Helper()
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	d := &dialog{T: t, terminal: terminal, cmd: cmd, more: make(chan struct{})}
	go d.listen()
	return d
}

func (d *dialog) listen() {
	buf := make([]byte, 4096)
	for {
		n, err := d.terminal.Read(buf) // EIO when the program has ended
		d.mu.Lock()
		d.said += strings.ReplaceAll(string(buf[:n]), "\r\n", "\n")
		d.over = err != nil
		close(d.more)
		d.more = make(chan struct{})
		d.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// meets waits until the program has said a text, after all that was met before.
func (d *dialog) meets(text string) {
	d.Helper()
	patience := time.After(time.Minute)
	for {
		d.mu.Lock()
		at := strings.Index(d.said[d.read:], text)
		said, over, more := d.said, d.over, d.more
		if at >= 0 {
			d.read += at + len(text)
		}
		d.mu.Unlock()
		switch {
		case at >= 0:
			return
		case over:
			d.Fatalf("the program ended without %q:\n%s", text, said)
		}
		select {
		case <-more:
		case <-patience:
			d.Fatalf("no %q:\n%s", text, said)
		}
	}
}

func (d *dialog) types(line string) {
	d.Helper()
	if _, err := io.WriteString(d.terminal, line+"\n"); err != nil {
		d.Fatal(err)
	}
}

// ends waits for the program's end and gives its exit code.
func (d *dialog) ends() int {
	d.Helper()
	err := d.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		d.Fatal(err)
	}
	return d.cmd.ProcessState.ExitCode()
}

func groups(password string) string {
	var out []string
	for ; len(password) > 4; password = password[4:] {
		out = append(out, password[:4])
	}
	return strings.Join(append(out, password), " ")
}

func everything(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A newcomer's path from an empty folder to a proven dry run, with a wrong
// address, the login password and an account with too few rights on the way.
func TestInitAtATerminal(t *testing.T) {
	t.Parallel()
	wptest.Each(t, func(t *testing.T, s *wptest.Site) {
		const loginPassword = "correct horse battery"
		s.SetZone(t, "Asia/Seoul")
		author := s.AddUser(t, "jane", "author")
		contributor := s.AddUser(t, "sam", "contributor")
		program, err := programs.plain()
		if err != nil {
			t.Fatal(err)
		}
		home := t.TempDir()
		cmd := exec.CommandContext(t.Context(), program, "init")
		cmd.Dir = home
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb"}
		d := converse(t, cmd)

		d.meets("Your site's address: ")
		d.types("127.0.0.1:1")
		d.meets("✗ 127.0.0.1 can't be reached")
		d.meets("check url:")
		d.meets("Your site's address: ")
		d.types(strings.TrimPrefix(s.URL, "http://") + "/wp-admin/")
		d.meets("✓ WordPress “Test” at " + s.URL + "\n")

		d.meets(s.URL + "/wp-admin/authorize-application.php?app_name=Morrow")
		d.meets("User name (the login): ")
		d.types("jane")
		d.meets("Application password (not shown): ")
		before := len(s.Requests(t))
		d.types(loginPassword)
		d.meets("✗ That is no application password")
		d.meets("Morrow never wants that one. It was sent nowhere")
		d.meets("Application password (not shown): ")
		if after := s.Requests(t); len(after) != before {
			t.Errorf("the login password led to requests: %+v", after[before:])
		}
		d.types(groups(author))
		d.meets("✓ logged in as jane")
		d.meets("! the account sees only its own scheduled posts")
		d.meets("Go on with this account? [y/N] ")
		d.types("")
		d.meets("User name (the login) [jane]: ")
		d.types("sam")
		d.meets("Application password (not shown): ")
		d.types(contributor)
		d.meets("✗ the account may write posts but not publish them")
		d.meets("User name (the login) [sam]: ")
		d.types(s.User)
		d.meets("Application password (not shown): ")
		d.types(groups(s.Password))
		d.meets("✓ logged in as " + s.User)
		d.meets("✓ editor may publish")
		d.meets("✓ Asia/Seoul")

		queue := filepath.Join(home, "morrow", "queue")
		d.meets("Folder [" + queue + "]: ")
		d.types("")
		d.meets("go live, each day [08:00]: ")
		d.types("25:00")
		d.meets("✗ \"25:00\" is no time of a day")
		d.meets("go live, each day [08:00]: ")
		d.types("7:30")
		d.meets("slots to come [21:00]: ")
		d.types("")
		d.meets("asleep or switched off at times? [")
		d.types("y")
		d.meets("This will be written:")
		d.meets("Write it? [Y/n] ")
		if files := everything(t, home); len(files) > 0 {
			t.Errorf("written before the last question: %v", files)
		}
		d.types("y")
		d.meets("A dry run, which changes nothing:")
		d.meets("daily")
		d.meets("All is proved. Next:")
		if code := d.ends(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		for _, secret := range []string{loginPassword, author, groups(author), contributor, s.Password, groups(s.Password)} {
			if strings.Contains(d.said, secret) {
				t.Errorf("a password stands on the terminal:\n%s", d.said)
			}
		}
		if w := s.Writes(t); len(w) > 0 {
			t.Errorf("written on the site: %+v", w)
		}
		checkNewcomer(t, home, program)
	})
}

// checkNewcomer looks at what was written, and uses it.
func checkNewcomer(t *testing.T, home, program string) {
	t.Helper()
	dir := filepath.Join(home, ".config", "morrow")
	for _, name := range []string{"config.yaml", "blog.password"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	post := filepath.Join(home, "morrow", "queue", "010-hello.md")
	if err := os.WriteFile(post, []byte("# Hello\n\nText.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(post, old, old); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "run", "--dry-run")
	cmd.Env = []string{"HOME=" + home}
	out, _ := cmd.CombinedOutput() // one post does not fill the three slots
	if !strings.Contains(string(out), "07:30 KST: would be booked, 010-hello.md") {
		t.Errorf("dry run:\n%s", out)
	}
}

// Ctrl-C ends the dialog at once, leaves nothing behind, and a terminal that
// shows again what is typed.
func TestInitInterrupted(t *testing.T) {
	t.Parallel()
	s := wptest.New(t, wptest.Versions()[0])
	program, err := programs.plain()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "init", "--url", s.URL, "--user", s.User)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "TERM=dumb"}
	d := converse(t, cmd)
	d.meets("Application password (not shown): ")
	if _, err := io.WriteString(d.terminal, "\x03"); err != nil {
		t.Fatal(err)
	}
	d.meets("stopped")
	if code := d.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	state, err := unix.IoctlGetTermios(int(d.terminal.Fd()), unix.TCGETS)
	if err != nil || state.Lflag&unix.ECHO == 0 {
		t.Errorf("the terminal is blind: %+v, %v", state, err)
	}
	if files := everything(t, home); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}
