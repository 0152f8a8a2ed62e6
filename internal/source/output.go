package source

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// decoded is a command's output as UTF-8. A replacement character, made here or
// by the command, is an error. Without an encoding the output is left as it is:
// parse knows UTF-8, and UTF-16 with a byte order mark.
func decoded(out []byte, e encoding.Encoding) ([]byte, error) {
	const replacement = string(utf8.RuneError)
	if e == nil {
		if bytes.Contains(out, []byte(replacement)) {
			return nil, errors.New("it has a replacement character (U+FFFD): the command read or wrote a text in a wrong encoding")
		}
		return out, nil
	}
	text, err := e.NewDecoder().Bytes(out)
	if err == nil && bytes.Contains(text, []byte(replacement)) {
		err = errors.New("it does not fit the encoding that the job declares")
	}
	return text, err
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
}

const (
	maxStderr  = 4 << 10 // bytes, the last
	saidAtMost = 3       // lines of it in a reason
)

// capped keeps what a command prints up to a limit, and tells once when it is
// passed.
type capped struct {
	kept  bytes.Buffer
	limit int
	full  func()
}

func (c *capped) Write(p []byte) (int, error) {
	if c.kept.Len()+len(p) > c.limit {
		c.full()
		return 0, errTooLarge
	}
	return c.kept.Write(p)
}

// tail keeps the last of what a command says of its errors.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	t.kept = t.kept[max(0, len(t.kept)-maxStderr):]
	return len(p), nil
}

// lines are the last ones that say something, in one line without what a
// terminal would obey.
func (t *tail) lines() string {
	var said []string
	for line := range strings.Lines(strings.ToValidUTF8(string(t.kept), "?")) {
		line = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return ' '
			}
			return r
		}, line)
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			said = append(said, line)
		}
	}
	return strings.Join(said[max(0, len(said)-saidAtMost):], " / ")
}
