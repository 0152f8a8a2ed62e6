package wpclient

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Cause tells apart what a status and a code do not.
type Cause string

// Causes of an Error.
const (
	FromCache      Cause = "cache"           // a cache answered, which knows nothing of now
	NoAppPasswords Cause = "no passwords"    // the site offers no application passwords
	ServerPassword Cause = "server password" // the web server asks for one of its own
)

// Error says what went wrong with one request. Its text names the cause and,
// where there is one, what to do; it bears no secret.
type Error struct {
	Op         string        // "list posts", "create post", …
	Status     int           // HTTP status; 0 when there was no answer
	Code       string        // WordPress's error code, e.g. rest_cannot_create
	Message    string        // WordPress's message, or ours
	RetryAfter time.Duration // 0 when not given
	// Unsent: nothing left this machine, so the request had no effect.
	Unsent bool
	// Refused: the site answered with a WordPress error, so the request had
	// no effect. With neither, nobody knows whether a write was carried out.
	Refused bool
	Cause   Cause  // what stands in the way, where that is known
	Hint    string // what to do next; may be empty
	Err     error

	passing bool // a read may be answered well a moment later
}

func (e *Error) Error() string {
	var said []string
	if e.Status != 0 {
		said = append(said, strconv.Itoa(e.Status))
	}
	if e.Code != "" {
		said = append(said, e.Code)
	}
	parts := []string{e.Op}
	if len(said) > 0 {
		parts = append(parts, strings.Join(said, " "))
	}
	if e.Message != "" {
		parts = append(parts, e.Message)
	}
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	text := strings.TrimSuffix(strings.Join(parts, ": "), ".")
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(" (retry after %s)", e.RetryAfter)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Known says whether the request surely had no effect.
func (e *Error) Known() bool { return e.Unsent || e.Refused }

// fail takes secrets out of an error before it leaves the package.
func (c *Client) fail(e *Error) *Error {
	e.Message = c.secrets.Replace(e.Message)
	e.Code = c.secrets.Replace(e.Code)
	e.Hint = c.secrets.Replace(e.Hint)
	if e.Err != nil {
		if s := e.Err.Error(); c.secrets.Replace(s) != s {
			// The cause's own text can't be changed, so its chain ends here.
			e.Err = errors.New(c.secrets.Replace(s))
		}
	}
	return e
}
