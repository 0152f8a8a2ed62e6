package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/idna"
)

// siteKey reduces a site's address to what its spellings have in common: the
// host in ASCII and lower case, a port that is no default, the path with its
// case. That http and https share a key can only exclude too much.
func siteKey(site string) (string, error) {
	site = strings.TrimSpace(site)
	if !strings.Contains(site, "://") {
		site = "//" + site
	}
	u, err := url.Parse(site)
	if err != nil {
		return "", fmt.Errorf("read site address: %w", err)
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if host == "" {
		return "", errors.New("read site address: no host in it")
	}
	// A name that IDNA does not know (an underscore, an IPv6 address) stays.
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	return host + strings.TrimSuffix(path.Clean("/"+u.Path), "/"), nil
}

// fileName names a site's files, without an extension: readable, and unique by
// a hash of the key.
func fileName(site string) (string, error) {
	key, err := siteKey(site)
	if err != nil {
		return "", err
	}
	host, _, _ := strings.Cut(key, "/")
	readable := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' {
			return r
		}
		return '-'
	}, host)
	sum := sha256.Sum256([]byte(key))
	return "morrow-" + readable[:min(len(readable), 60)] + "-" + hex.EncodeToString(sum[:6]), nil
}
