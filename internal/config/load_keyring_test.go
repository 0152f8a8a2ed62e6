package config

import (
	"strings"
	"testing"
)

// A site's password comes from the keyring, and takes the place of what the
// defaults say.
func TestPasswordKeyring(t *testing.T) {
	t.Parallel()
	text := "defaults:\n  site: {password: other}\n" + strings.Replace(good, "password: ${PW}", "password_keyring: true", 1)
	o := options()
	o.Keyring = func(account string) (string, error) { return "of " + account, nil }
	cfg, err := Load(write(t, map[string]string{"c.yaml": text}), o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := cfg.Sites[0].Secret(t.Context())
	if err != nil || got.Reveal() != "of editor@blog.example.com" {
		t.Errorf("got %q, %v", got.Reveal(), err)
	}
	o.Keyring = nil
	if cfg, err = Load(cfg.Path, o); err != nil {
		t.Fatal(err)
	}
	if _, err := cfg.Sites[0].Secret(t.Context()); err == nil || !strings.Contains(err.Error(), "there is no keyring here") {
		t.Errorf("got %v", err)
	}
}
