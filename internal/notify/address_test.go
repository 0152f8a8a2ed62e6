package notify

import (
	"strings"
	"testing"
)

// TestCheck: what can't be used is told with the reason, what would go out
// unencrypted is refused unless it stays on this machine, and no reason repeats
// the address.
func TestCheck(t *testing.T) {
	t.Parallel()
	const plain = "unencrypted"
	for _, tt := range []struct {
		address, key string
		want         string // "" for none
	}{
		{"ntfy://ntfy.example.com/secretTopic", "", ""},
		{"ntfy://ntfy.example.com/secretTopic?scheme=http", "", plain},
		{"ntfy://ntfy.example.com/secretTopic?DisableTLS=yes", "", plain},
		{"ntfy://ntfy.example.com/secretTopic?disabletls=no", "", ""},
		{"ntfy://ntfy.example.com/secretTopic?disabletlsverification=true", "", plain},
		{"ntfy://127.0.0.1:8080/secretTopic?scheme=http", "", ""},
		{"ntfy://localhost/secretTopic?scheme=http", "", ""},
		{"ntfy://localhost.example.com/secretTopic?scheme=http", "", plain},
		{"gotify://gotify.example.com/AbCdEfGhIjKlMnO", "", ""},
		{"gotify://gotify.example.com/AbCdEfGhIjKlMnO?disabletls=1", "", plain},
		{"gotify://gotify.example.com/AbCdEfGhIjKlMnO?insecureskipverify=yes", "", plain},
		{"generic+https://example.com/secretHook", "", ""},
		{"generic+http://example.com/secretHook", "", plain},
		{"generic+http://[::1]:99/secretHook", "", ""},
		{"generic://example.com/secretHook?disabletls=yes", "", plain},
		{"smtp://user:secretword@mail.example.com:587/?from=a@example.com&to=b@example.com", "", ""},
		{"smtp://user:secretword@mail.example.com:587/?from=a@example.com&to=b@example.com&skiptlsverify=yes", "", plain},
		{"discord://secretToken@123456789", "", ""},
		{"slack://hook:AAAAAAAAA-BBBBBBBBB-secretCCCCCCCCCCCCCCCCCC@webhook", "", ""},
		{"telegram://110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw@telegram?chats=@secretChat", "", ""},
		{"https://example.com/secretHook", "key", ""},
		{"https://example.com/secretHook", "", "key to sign"},
		{"http://example.com/secretHook", "key", plain},
		{"http://127.0.0.1:99/secretHook", "key", ""},
		{"https:///secretHook", "key", "want a web address"},
		{"ntfy://ntfy.example.com/secretTopic", "key", "take it out"},
		{"telegram://secretToken@telegram?chats=1", "", "no complete address of telegram"},
		// The library panics at this one (v0.13.2).
		{"teams+https://example.com/secretHook", "", "no complete address of teams"},
		{"nosuch://secretToken", "", "does not exist"},
		{"logger://", "", "does not exist"},
		{"secretTopic", "", "want an address"},
		{"ntfy://secret%zz", "", "want an address"},
	} {
		err := Check(tt.address, tt.key, false)
		switch {
		case tt.want == "" && err != nil, tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: error %v, want %q", tt.address, err, tt.want)
		case err != nil && strings.Contains(strings.ToLower(err.Error()), "secret"):
			t.Errorf("%s: the error repeats it: %v", tt.address, err)
		case tt.want == plain && Check(tt.address, tt.key, true) != nil:
			t.Errorf("%s: refused though it was allowed", tt.address)
		}
	}
}

func TestCheckPing(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address string
		allow   bool
		ok      bool
	}{
		{"https://hc-ping.com/secret", false, true},
		{"http://hc.example.com/secret", false, false},
		{"http://hc.example.com/secret", true, true},
		{"http://127.0.0.1:8000/secret", false, true},
		{"hc-ping.com/secret", false, false},
		{"ntfy://ntfy.sh/secret", true, false},
		{"https:///secret", false, false},
		{"https://secret%zz", false, false},
	} {
		if err := CheckPing(tt.address, tt.allow); (err == nil) != tt.ok || err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", tt.address, err)
		}
	}
}
