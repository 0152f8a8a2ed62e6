package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/unicode"
)

// TestMain lets the test binary play the command too: play ACTION ARGUMENT….
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "play" {
		os.Exit(play(os.Args[2], os.Args[3:]))
	}
	m.Run()
}

func play(action string, args []string) int {
	switch action {
	case "print":
		_, _ = os.Stdout.WriteString(args[0])
	case "touch":
		_ = os.WriteFile(args[0], nil, 0o600)
	case "cat":
		text, _ := os.ReadFile(args[0])
		_, _ = os.Stdout.Write(text)
	case "environment":
		fmt.Printf("# %s at %s\n\nHi\n", os.Getenv("MORROW_JOB"), os.Getenv("MORROW_SLOT"))
	case "fail":
		fmt.Print("# Half\n\nHi\n")
		_, _ = os.Stderr.WriteString(args[0])
		return 3
	case "flood":
		for _, err := os.Stdout.Write(make([]byte, 1<<16)); err == nil; {
			_, err = os.Stdout.Write(make([]byte, 1<<16))
		}
	case "wait": // and leave by the other end of the line alone
		line, err := net.Dial("tcp", args[0]) //nolint:noctx // it lives as long as it may
		if err == nil {
			_, _ = io.Copy(io.Discard, line)
		}
	case "spawn", "leave":
		fmt.Print("# Begun\n\nHi\n")
		child := exec.CommandContext(context.Background(), os.Args[0], "play", "wait", args[0])
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() == nil && action == "spawn" {
			_ = child.Wait()
		}
	}
	return 0
}

// spool is a Command under test.
type spool struct {
	queue
	c *Command
}

func newSpool(t *testing.T, e encoding.Encoding, argv ...string) *spool {
	t.Helper()
	dir := t.TempDir()
	c := NewCommand(CommandOptions{
		Job: "daily", Argv: append([]string{os.Args[0], "play"}, argv...), Dir: dir, Env: os.Environ(),
		Spool: filepath.Join(dir, "spool", "daily"), Encoding: e, Now: noon,
	})
	return &spool{queue{c.Folder, t, c.dir}, c}
}

func slotOf(day int) time.Time { return time.Date(2026, 12, day, 8, 0, 0, 0, seoul) }

// make runs the command for the slot of a day in December.
func (s *spool) make(day int) {
	s.t.Helper()
	if err := s.c.Make(s.t.Context(), slotOf(day)); err != nil {
		s.t.Fatal(err)
	}
}

// refuses wants that the command gives no item, for a reason that holds part.
func (s *spool) refuses(part string) {
	s.t.Helper()
	if err := s.c.Make(s.t.Context(), slotOf(2)); err == nil || !strings.Contains(err.Error(), part) {
		s.t.Errorf("got %v, want …%s…", err, part)
	}
	for _, e := range s.entries() {
		if e.State != Ignored {
			s.t.Errorf("there is an entry all the same: %+v", e)
		}
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	const text = "---\ntitle: Good morning\ntags: [a]\n---\nHi\n"
	s := newSpool(t, nil, "print", text)
	s.want()
	if ok, err := s.Restore(t.Context(), "a", func(Item) bool { return true }); ok || err != nil {
		t.Errorf("restore without a spool: %v, %v", ok, err)
	}
	s.make(2)
	s.want("good-morning.md ready") // at once: nobody is still writing it
	s.wantFiles(map[string]string{"good-morning.md": text})
	it := s.item("good-morning.md")
	if err := s.Consume(t.Context(), it); err != nil {
		t.Fatal(err)
	}
	s.wantFiles(map[string]string{"done/good-morning.md": text})
	if ok, err := s.Restore(t.Context(), it.Key, func(Item) bool { return true }); !ok || err != nil {
		t.Errorf("restore: %v, %v", ok, err)
	}
	s.want("good-morning.md ready")
}

func TestCommandKnowsSlotAndJob(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "environment")
	s.make(2)
	if it := s.entries()[0].Item; it == nil || it.Title != "daily at 2026-12-02T08:00:00+09:00" {
		t.Errorf("got %+v", it)
	}
}

func TestCommandNamesAFile(t *testing.T) {
	t.Parallel()
	const text = "<p>Hi</p>\n"
	s := newSpool(t, nil, "print", "\ufeff My text (2).HTML \r\n")
	original := filepath.Join(s.c.o.Dir, "My text (2).HTML")
	if err := os.WriteFile(original, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.make(2)
	s.wantFiles(map[string]string{"my-text-2.html": text})
	if it := s.item("my-text-2.html"); !it.HTML || it.Title != "My text 2" {
		t.Errorf("got %+v", it)
	}
	if left, err := os.ReadFile(original); err != nil || string(left) != text {
		t.Errorf("the file that was named: %q, %v", left, err)
	}
}

func TestCommandNamesAnArticle(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "print", "my-post/index.md")
	if err := errors.Join(os.Mkdir(filepath.Join(s.c.o.Dir, "my-post"), 0o700), os.WriteFile(filepath.Join(s.c.o.Dir, "my-post", "index.md"), []byte("Hi"), 0o600)); err != nil {
		t.Fatal(err)
	}
	s.make(2)
	s.want("my-post.md ready")
}

func TestCommandNamesNoText(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "print", "a.txt")
	if err := os.WriteFile(filepath.Join(s.c.o.Dir, "a.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.refuses("a.txt: not a .md")
}

// TestCommandNames: no two outputs have one identity.
func TestCommandNames(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "environment")
	for _, tt := range []struct{ text, name string }{
		{"# Digest\n\none", "digest.md"},
		{"# Digest\n\ntwo", "digest-2026-12-03.md"},
		{"# Digest\n\nthree", "digest-2026-12-01-120000.md"},
		{"---\ntitle: T\nslug: My_Slug\n---\nHi", "my-slug.md"},
		{"# 오늘의 글: 하나/둘\n\nHi", "오늘의-글-하나-둘.md"},
		{"# ..\n\nHi", "post.md"},
		{"# Digest-win-abcdef\n\nlooks like a copy", "digest-win-abcdef-2026-12-03.md"},
		{"# 2027-01-01: what we expect\n\nnothing holds it", "+2027-01-01-what-we-expect.md"},
		{"# 20270101\n\na day too", "+20270101.md"},
		{"# 10 tips for you\n\nnot the tenth", "+10-tips-for-you.md"},
		{"# 202\n\nalone it sorts nothing", "202.md"},
		{"# 202\n\nbefore a day it would", "+202-2026-12-03.md"},
		{"# " + strings.Repeat("가", 100) + "\n\nHi", strings.Repeat("가", 50) + ".md"},
	} {
		s.c.o.Argv = []string{os.Args[0], "play", "print", tt.text}
		s.make(3)
		if it := s.item(tt.name); !it.NotBefore.IsZero() || it.Key != stem(tt.name) {
			t.Errorf("of %s a part is no word: key %s, not before %v", tt.name, it.Key, it.NotBefore)
		}
		if tt.name == "digest.md" { // booked or not, its name is used
			if err := s.Consume(t.Context(), s.item(tt.name)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestCommandGivesNoItem(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		argv []string
		part string
	}{
		"nothing":      {[]string{"print", " \n"}, "it printed nothing"},
		"failure":      {[]string{"fail", "one\ntwo\n\n  \x1b[31mthree\t3\nfour"}, "exit status 3; it said: two / [31mthree 3 / four"},
		"flood":        {[]string{"flood"}, "larger than 2 MiB"},
		"no title":     {[]string{"print", "Hi\n"}, "it has no title; print front matter with a title, or begin with a line # Title; it is kept in "},
		"faulty":       {[]string{"print", "---\ntitle: a: b\n---\nHi\n"}, "line 2"},
		"other type":   {[]string{"print", "---\ntitle: T\ntype: page\n---\nHi\n"}, "type: page, but this job makes posts"},
		"empty body":   {[]string{"print", "# Only\n"}, "there is no text"},
		"missing file": {[]string{"print", "nowhere.md\n"}, "it has no title"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			newSpool(t, nil, tt.argv...).refuses(tt.part)
		})
	}
}

func TestCommandThatIsNotThere(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil)
	s.c.o.Argv = []string{"no-such-program-anywhere"}
	s.refuses("run no-such-program-anywhere")
	s.wantFiles(map[string]string{})
}

// TestCommandRejected: a person can see what was no item, and the next output
// is one.
func TestCommandRejected(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "print", "no title")
	s.refuses(s.path(".rejected.md"))
	s.wantFiles(map[string]string{".rejected.md": "no title"})
	s.c.o.Argv[3] = "# Better\n\nHi"
	s.make(2)
	s.item("better.md")
}

// TestCommandRepeatsItself: the same text is not booked a second time.
func TestCommandRepeatsItself(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "print", "# Same\n\nHi")
	s.make(2)
	if err := s.c.Make(t.Context(), slotOf(3)); err == nil || !strings.Contains(err.Error(), "the same text as "+s.path("same.md")) {
		t.Errorf("while it waits: %v", err)
	}
	if err := s.Consume(t.Context(), s.item("same.md")); err != nil {
		t.Fatal(err)
	}
	s.refuses("the same text as " + s.path("done/same.md"))
}

// TestCommandHeld: a draft sign holds what was printed, for a person to read.
func TestCommandHeld(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "print", "---\ntitle: T\ndraft: true\n---\nHi")
	s.make(2)
	s.want("t.md held")
}

// TestCommandPinnedToAPastDay: a text that no slot from this one on can take
// would stand in the way of all others.
func TestCommandPinnedToAPastDay(t *testing.T) {
	t.Parallel()
	for day, over := range map[string]bool{"2026-11-30": true, "2026-12-01": true, "2026-12-02": false, "2026-12-03": false} {
		t.Run(day, func(t *testing.T) {
			t.Parallel()
			text := "---\ntitle: T\npublish_on: " + day + "\n---\nHi\n"
			s := newSpool(t, nil, "print", text)
			if !over {
				s.make(2)
				s.item("t.md")
				return
			}
			s.refuses("publish_on " + day + " is over")
			s.wantFiles(map[string]string{".rejected.md": text})
		})
	}
}

// TestCommandWritesThroughNoLink: what the names of its own files lead to is
// somebody else's.
func TestCommandWritesThroughNoLink(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{partName: "# T\n\nHi", rejected + ".md": "no title"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpool(t, nil, "print", text)
			theirs := filepath.Join(s.c.o.Dir, "theirs")
			if err := errors.Join(os.MkdirAll(s.dir, 0o700), os.WriteFile(theirs, []byte("precious"), 0o600)); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(theirs, s.path(name)); err != nil {
				t.Skip(err)
			}
			_ = s.c.Make(t.Context(), slotOf(2)) // for one of the two it gives no item
			if left, err := os.ReadFile(theirs); err != nil || string(left) != "precious" {
				t.Errorf("the file that a link points to: %q, %v", left, err)
			}
		})
	}
}

// TestCommandNameOfAFolder: a folder of that name is no reason to lose a text.
func TestCommandNameOfAFolder(t *testing.T) {
	t.Parallel()
	s := newSpool(t, nil, "print", "# T\n\nHi")
	if err := os.MkdirAll(s.path("t.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.make(2)
	s.item("t-2026-12-02.md")
}

// TestCommandIsNotRunInVain: where its output can't be kept it is not run.
func TestCommandIsNotRunInVain(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		block func(spool string) error
		part  string
	}{
		"no folder":  {func(spool string) error { return os.WriteFile(filepath.Dir(spool), nil, 0o600) }, "make spool folder"},
		"no writing": {func(spool string) error { return os.MkdirAll(filepath.Join(spool, ".part", "x"), 0o700) }, "write to spool folder"},
		"no done": {func(spool string) error {
			return errors.Join(os.MkdirAll(spool, 0o700), os.WriteFile(filepath.Join(spool, "done"), nil, 0o600))
		}, "make spool folder"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpool(t, nil)
			ran := filepath.Join(s.c.o.Dir, "ran")
			s.c.o.Argv = []string{os.Args[0], "play", "touch", ran}
			if err := tt.block(s.dir); err != nil {
				t.Fatal(err)
			}
			if err := s.c.Make(t.Context(), slotOf(2)); err == nil || !strings.Contains(err.Error(), tt.part) {
				t.Errorf("got %v, want …%s…", err, tt.part)
			}
			if _, err := os.Stat(ran); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the command ran: %v", err)
			}
		})
	}
}

// child waits until a process that the command started calls, and gives the
// line to it: it ends when that process does.
func child(t *testing.T) (address string, connected func() net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // for as long as the test runs
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String(), func() net.Conn {
		line, err := l.Accept()
		if err != nil {
			t.Error(err)
			return nil
		}
		t.Cleanup(func() { _ = line.Close() })
		return line
	}
}

func TestB70DraftCommandIsKilledWithItsChildren(t *testing.T) {
	t.Parallel()
	address, connected := child(t)
	s := newSpool(t, nil, "spawn", address)
	ctx, cancel := context.WithCancelCause(t.Context())
	made := make(chan error, 1)
	go func() { made <- s.c.Make(ctx, slotOf(2)) }()
	line := connected()
	cancel(errors.New("time is over"))
	if err := <-made; err == nil || !strings.Contains(err.Error(), "time is over") {
		t.Errorf("got %v", err)
	}
	if err := line.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(line).ReadByte(); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the child is still there")
	}
	s.want() // what was printed before is no item
}

func TestB70DraftCommandHasATimeLimit(t *testing.T) {
	t.Parallel()
	address, _ := child(t)
	s := newSpool(t, nil, "wait", address)
	s.c.o.Timeout = 50 * time.Millisecond
	s.refuses("not done within 50ms, so it was killed with all it had started")
}

// TestB70DraftCommandLeavesAChild: one that ended well is not held up by what
// it left behind, and that is left alone.
func TestB70DraftCommandLeavesAChild(t *testing.T) {
	t.Parallel()
	address, connected := child(t)
	s := newSpool(t, nil, "leave", address)
	s.make(2)
	s.want("begun.md ready")
	line := connected()
	if err := line.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(line).ReadByte(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the child is gone: %v", err)
	}
}

func TestB83OutputEncoding(t *testing.T) {
	t.Parallel()
	utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	for name, tt := range map[string]struct {
		encoding encoding.Encoding
		printed  string
		title    string // else refused for a reason that holds part
		part     string
	}{
		"code page 949":             {korean.EUCKR, "# \xbe\xc8\xb3\xe7\n\n\xb0\xa2 \x81\x41\n", "안녕", ""},
		"code page 949, undeclared": {nil, "# \xbe\xc8\xb3\xe7\n\n\xb0\xa2\n", "", "not UTF-8 text"},
		"half a character":          {korean.EUCKR, "# \xbe\xc8\xb3\xe7\n\nHi \xb0", "", "does not fit the encoding"},
		"UTF-8 for code page 949":   {korean.EUCKR, "# 안녕, 그림\n\nHi", "", "does not fit the encoding"},
		"UTF-16, undeclared":        {nil, "\xff\xfe#\x00 \x00H\xc5U\xb1\n\x00H\x00i\x00", "안녕", ""},
		"UTF-16, big endian":        {utf16, "\xfe\xff\x00#\x00 \xc5H\xb1U\x00\n\x00H\x00i", "안녕", ""},
		"UTF-16 without a mark":     {utf16, "#\x00 \x00H\xc5U\xb1\n\x00H\x00i\x00", "안녕", ""},
		"half of UTF-16":            {utf16, "\xff\xfe#\x00 \x00H\xc5U\xb1\n\x00H\x00i", "", "does not fit the encoding"},
		"lone surrogate":            {utf16, "\xff\xfe#\x00 \x00H\xc5U\xb1\n\x00H\x00\x00\xd8", "", "does not fit the encoding"},
		"replacement characters":    {nil, "# \ufffd\ufffd\n\nHi", "", "replacement character"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSpool(t, tt.encoding, "cat", "")
			s.c.o.Argv = []string{os.Args[0], "play", "cat", filepath.Join(s.c.o.Dir, "out")}
			if err := os.WriteFile(s.c.o.Argv[3], []byte(tt.printed), 0o600); err != nil {
				t.Fatal(err)
			}
			if tt.title == "" {
				s.refuses(tt.part)
				return
			}
			s.make(2)
			if it := s.entries()[0].Item; it == nil || it.Title != tt.title {
				t.Errorf("got %+v, want the title %s", it, tt.title)
			}
		})
	}
}
