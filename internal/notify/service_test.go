package notify

import (
	"strings"
	"testing"
	"time"
)

// TestCompose: each service shows the title once, takes the length, and mail
// goes over TLS or not at all, unless it stays on this machine or may do so.
func TestCompose(t *testing.T) {
	t.Parallel()
	d := digest("host", time.Now(), []Line{{Event: Event{Kind: Booked, Job: "daily", Text: "booked 010.md"}, State: Happened}})
	const title = "Morrow: booked"
	mail := func(host string) string { return "smtp://user:pass@" + host + "/?from=a@example.com&to=b@example.com" }
	for _, tt := range []struct {
		address string
		allow   bool
		titled  bool // the title is a field of its own
		tls     bool
	}{
		{mail("mail.example.com"), false, true, true},
		{mail("mail.example.com"), true, true, false},
		{mail("localhost"), false, true, false},
		{"ntfy://ntfy.sh/topic", false, true, false},
		{"discord://token@123456789", false, false, false},
	} {
		c, err := open(tt.address, "", tt.allow, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, params := c.(*service).compose(d)
		got, ok := params.Title()
		if ok != tt.titled || ok && got != title || strings.Contains(text, title) == tt.titled {
			t.Errorf("%s: title %q, text %q", tt.address, got, text)
		}
		if tls := params["requirestarttls"] == "yes" && params["usestarttls"] == "yes"; tls != tt.tls {
			t.Errorf("%s: parameters %v", tt.address, params)
		}
	}
}
