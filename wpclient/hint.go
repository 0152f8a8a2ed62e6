package wpclient

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

const (
	hintPassword = "check the user and make a new application password (Users → Profile → Application Passwords); the login password does not work here"
	// WordPress tells a wrong password from a missing one only where a plugin
	// asks for the user early (rest_application_password_check_errors runs
	// before rest_cookie_check_errors determines who it is).
	hintLogin    = "user or application password are wrong (the login password does not work here), or they did not arrive: the web server may drop the Authorization header (CGI, a proxy in front)"
	hintFirewall = "a firewall stands in front of WordPress: allow this address or user agent, or look for code samples in the text that it takes for an attack"
	hintTooLarge = "posts grow so large by pictures written out in their text (data:…): put those into the media library, in the posts dated near the slot and in the drafts"
)

// hint is what to do next about an answer that isn't a success; it notes the
// cause.
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
			e.Cause = ServerPassword
			return "the web server itself asks for a password, so the application password can't reach WordPress: exempt the REST API from it"
		}
		return hintLogin
	case http.StatusForbidden, http.StatusNotAcceptable:
		return hintFirewall
	case http.StatusNotFound:
		return "there is no WordPress REST API at this address: check url: and its path; if they are right, set api:, or look whether a plugin switched it off"
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
		return "this WordPress has no such route: check url:, api: and scope.types, or look whether a plugin switched it off"
	case "rest_invalid_param":
		if strings.Contains(e.Message, "status") {
			return "WordPress answers so when the login did not work, when the account may not see scheduled posts, or when scope.statuses has a status that the site lacks: check user, password, role and scope.statuses"
		}
	}
	if e.Status >= 500 {
		return "the server or WordPress has a fault: see its error log"
	}
	return ""
}

// connectionHint says what to do about an answer that never came, and whether
// it may come a moment later. unsent: the connection was never ready for a request.
func connectionHint(err error, unsent bool) (hint string, passing bool) {
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
	case unsent && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)):
		return "the connection was closed before anything was said: does the site speak https there? Check the scheme and port of url:", true
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
