package wpclient

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
)

const (
	hintPassword = "check the user and make a new application password (Users → Profile)"
	// WordPress tells a wrong password from a missing one only where a plugin
	// asks for the user early (rest_application_password_check_errors runs
	// before rest_cookie_check_errors determines who it is).
	hintLogin    = "user or application password are wrong, or they did not arrive: the web server may drop the Authorization header (CGI, a proxy in front)"
	hintFirewall = "a firewall stands in front of WordPress: allow this address or user agent, or look for code samples in the text that it takes for an attack"
)

// hint is what to do next about an answer that isn't a success.
func hint(e *Error, a answer) string {
	if e.Code != "" {
		return codeHint(e)
	}
	if challenge(a) {
		return "a bot check (Cloudflare or the like) stands in front: exempt the REST API from it"
	}
	switch a.status {
	case http.StatusUnauthorized:
		if a.header.Get("Www-Authenticate") != "" {
			return "the web server itself asks for a password, so the application password can't reach WordPress: exempt the REST API from it"
		}
		return hintLogin
	case http.StatusForbidden, http.StatusNotAcceptable:
		return hintFirewall
	case http.StatusNotFound:
		return "the REST API is not at this address: set api:, or look whether a plugin switched it off"
	case http.StatusRequestEntityTooLarge:
		return "the server takes no request of this size: shrink the file, or raise its limit (client_max_body_size, post_max_size)"
	case http.StatusTooManyRequests:
		return "the site limits how often it may be asked"
	}
	if a.status >= 500 {
		return "the server or WordPress has a fault: see its error log"
	}
	return ""
}

// codeHint goes by WordPress's own error code.
func codeHint(e *Error) string {
	switch e.Code {
	case "incorrect_password", "invalid_username", "invalid_email":
		return hintPassword
	case "application_passwords_disabled", "application_passwords_disabled_for_user":
		return "application passwords are switched off on this site: a security plugin, the host, or plain http"
	case "rest_not_logged_in", "rest_login_required":
		return hintLogin
	case "rest_cannot_publish":
		return "the account may not publish: give it the role author or higher"
	case "rest_cannot_create", "rest_cannot_edit", "rest_forbidden", "rest_forbidden_context", "rest_cannot_edit_others",
		"rest_cannot_delete", "rest_cannot_assign_term", "rest_forbidden_status":
		return "the account lacks this right: check its role"
	case "rest_no_route":
		return "this WordPress has no such route: check type and api:, or look whether a plugin switched it off"
	case "rest_invalid_param":
		if strings.Contains(e.Message, "status") {
			return "WordPress answers so when the login did not work, or the account may not see scheduled posts: check user, password and role"
		}
	}
	if e.Status >= 500 {
		return "the server or WordPress has a fault: see its error log"
	}
	return ""
}

// connectionHint says what to do about an answer that never came, and whether
// it may come a moment later.
func connectionHint(err error) (hint string, passing bool) {
	var (
		dns     *net.DNSError
		verify  *tls.CertificateVerificationError
		unknown x509.UnknownAuthorityError
		dial    *net.OpError
	)
	switch {
	case errors.As(err, &verify), errors.As(err, &unknown):
		return "the site's certificate is not valid for this name or date: renew it, or check url: and this machine's clock", false
	case errors.Is(err, http.ErrSchemeMismatch):
		return "this port does not speak https: check url:", false
	case errors.As(err, &dns):
		return "the name can't be looked up: check url: and this machine's connection", true
	case errors.As(err, &dial) && dial.Op == "dial":
		return "nothing answers there: check url:, or whether the server is down", true
	}
	return "", true
}

// withoutQuery is an address as it may stand in a message.
func withoutQuery(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "an address that can't be read"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
