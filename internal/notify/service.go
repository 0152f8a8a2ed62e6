package notify

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/nicholas-fedor/shoutrrr/pkg/router"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"
)

const (
	// shortText is what all services take: Pushover no more than 1024
	// characters, Discord 2000, Telegram 4096 bytes.
	shortText = 1000
	longText  = 20_000
)

// service sends messages through shoutrrr.
type service struct {
	address string
	scheme  string
	// plain lets mail go unencrypted where the server offers nothing else.
	plain bool
}

// newService checks an address of shoutrrr and sends nothing.
func newService(u *url.URL, plain bool) (*service, error) {
	scheme, _, _ := strings.Cut(strings.ToLower(u.Scheme), "+")
	s := &service{address: u.String(), scheme: scheme, plain: plain}
	known := slices.DeleteFunc(new(router.ServiceRouter).ListServices(), func(name string) bool { return name == "logger" })
	switch {
	case !slices.Contains(known, scheme):
		return nil, errors.New("names a service that does not exist; docs/notifications.md lists them")
	case scheme == "matrix": // which logs in when it is made (v0.13.2)
		return s, nil
	}
	if _, err := s.sender(); err != nil {
		return nil, err
	}
	return s, nil
}

// sender makes the library's part. Its own error may repeat the address.
func (s *service) sender() (sender types.Service, err error) { //nolint:ireturn // what the library has
	err = guarded(func() error {
		sender, err = new(router.ServiceRouter).Locate(s.address)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("is no complete address of %s: see docs/notifications.md", s.scheme)
	}
	return sender, nil
}

// send knows no end of its own: most services of the library have no time-out.
func (s *service) send(_ context.Context, d Digest) error {
	sender, err := s.sender()
	if err != nil {
		return fmt.Errorf("send: the address %w, or its server refused the login", err)
	}
	text, params := s.compose(d)
	if err := guarded(func() error { return sender.Send(text, &params) }); err != nil {
		return fmt.Errorf("send by %s: %s", s.scheme, cut(oneLine(redact(err.Error(), s.address)), lineSize))
	}
	return nil
}

// guarded keeps a fault of the library, which panics at some addresses, from
// ending the process, and with it a booking.
func guarded(f func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the library failed: %v", fault)
		}
	}()
	return f()
}

// compose is a message as the service takes it. A title of its own is given to
// those that would show the library's name in its place, or nothing.
func (s *service) compose(d Digest) (string, types.Params) {
	params := types.Params{}
	switch s.scheme {
	case "smtp":
		params.SetTitle(d.Title())
		if !s.plain {
			params["usestarttls"], params["requirestarttls"] = "yes", "yes"
		}
		return d.Body(longText), params
	case "ntfy", "gotify", "pushover", "pushbullet", "bark", "join":
		params.SetTitle(d.Title())
		return d.Body(shortText), params
	}
	return d.Title() + "\n" + d.Body(shortText), params
}
