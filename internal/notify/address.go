package notify

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Address is where messages go.
type Address struct {
	// Name is what people and the memory call it; it is no secret.
	Name string
	// Kinds are those that it is told of; empty for all.
	Kinds []Kind
	// AllowHTTP lets messages go to another machine unencrypted.
	AllowHTTP bool
	// Secret gives the address itself and, of a signed webhook, its key. It is
	// asked before each message: a file may have been mended meanwhile.
	Secret func(ctx context.Context) (address, key string, err error)
}

func (a Address) wants(k Kind) bool { return len(a.Kinds) == 0 || slices.Contains(a.Kinds, k) }

// tells says what the address is told of, for people.
func (a Address) tells() string {
	if len(a.Kinds) == 0 {
		return "This is a test. Messages of Morrow arrive here, of all kinds."
	}
	words := make([]string, len(a.Kinds))
	for i, k := range a.Kinds {
		words[i] = string(k)
	}
	return "This is a test. Messages of Morrow arrive here, of the kinds " + strings.Join(words, ", ") + "."
}

// channel sends one message to one address. Its errors bear no secret.
type channel interface {
	send(ctx context.Context, d Digest) error
}

// Check says what is wrong with an address that messages are to go to: a signed
// webhook, https://…, which needs a key, or one of shoutrrr's. The error does
// not repeat it. No message is sent.
func Check(address, key string, allowHTTP bool) error {
	_, err := open(address, key, allowHTTP, nil)
	return err
}

// CheckPing says what is wrong with the address of a dead man's switch. The
// error does not repeat it.
func CheckPing(address string, allowHTTP bool) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("want a web address like https://hc-ping.com/…")
	}
	if u.Scheme == "http" && !allowHTTP && !isLoopback(u.Hostname()) {
		return errUnencrypted
	}
	return nil
}

var errUnencrypted = errors.New("would be sent unencrypted; use https, or allow_http: true if you accept that")

func open(address, key string, allowHTTP bool, transport http.RoundTripper) (channel, error) { //nolint:ireturn // by the address
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" {
		return nil, errors.New("want an address like ntfy://ntfy.sh/topic or smtp://…, or https://… of a webhook")
	}
	web := u.Scheme == "https" || u.Scheme == "http"
	switch {
	case !allowHTTP && !isLoopback(u.Hostname()) && isUnencrypted(u):
		return nil, errUnencrypted
	case web && key == "":
		return nil, errors.New("is a webhook without a key to sign its messages with: give it one, or write generic+https://… if the other side checks no signature")
	case !web && key != "":
		return nil, errors.New("has a key, which only a webhook, https://…, can sign with; take it out")
	case web && u.Host == "":
		return nil, errors.New("want a web address like https://example.com/hook")
	case web:
		return &webhook{address: address, key: key, client: newClient(transport)}, nil
	}
	return newService(u, allowHTTP || isLoopback(u.Hostname()))
}

// isUnencrypted says whether an address asks for a connection without TLS, or
// for one that trusts anybody. The keys are shoutrrr's (v0.13.2): disabletls of
// generic, gotify, matrix, mattermost, ntfy and signal, scheme of ntfy and bark,
// the rest of gotify, ntfy and smtp. What smtp offers is seen to when it sends.
func isUnencrypted(u *url.URL) bool {
	if _, inner, custom := strings.Cut(u.Scheme, "+"); u.Scheme == "http" || custom && inner == "http" {
		return true
	}
	for key, values := range u.Query() {
		for _, v := range values {
			switch strings.ToLower(key) {
			case "scheme":
				if strings.EqualFold(v, "http") {
					return true
				}
			case "disabletls", "disabletlsverification", "insecureskipverify", "skiptlsverify":
				if isYes(v) {
					return true
				}
			}
		}
	}
	return false
}

// isYes reads a switch as shoutrrr does, and in doubt as on.
func isYes(text string) bool {
	on, err := strconv.ParseBool(text)
	return !strings.EqualFold(text, "no") && (err != nil || on)
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
