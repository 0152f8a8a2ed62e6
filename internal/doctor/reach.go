package doctor

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"morrow/wpclient"
)

// expiresSoon is when a certificate that renews itself should have done so:
// those of 90 days are renewed with 30 left.
const expiresSoon = 10 * 24 * time.Hour

// Unreached says why an address could not be looked at as a visitor does.
func Unreached(address string, err error) Finding {
	var (
		e       *wpclient.Error
		dns     *net.DNSError
		host    x509.HostnameError
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
	)
	name := hostOf(address)
	hint := ""
	if errors.As(err, &e) {
		hint = e.Hint
	}
	switch {
	case errors.As(err, &dns):
		return fail("name", fmt.Sprintf("the name %s can't be looked up", name),
			"check the spelling of url:, and whether this machine has a connection and a working name server")
	case errors.As(err, &host):
		return fail("certificate", fmt.Sprintf("the certificate is not for %s but for %s", name, strings.Join(names(host.Certificate), ", ")),
			"put the name that the certificate has into url:, or have one made for this name")
	case errors.As(err, &unknown):
		return fail("certificate", "the certificate is signed by an authority that this machine does not know",
			"a company's own authority: add its certificate to this machine's store (on Linux also by SSL_CERT_FILE=/path/to/ca.pem in Morrow's environment); else the server leaves out the intermediate certificate: have it send the full chain")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fail("certificate", fmt.Sprintf("the certificate is valid from %s to %s, and this machine's clock says otherwise", day(invalid.Cert.NotBefore), day(invalid.Cert.NotAfter)),
			"renew the certificate, or set this machine's clock")
	case errors.As(err, &verify):
		return fail("certificate", "the certificate is not valid: "+verify.Err.Error(), "have a new certificate made for the site")
	case e != nil && e.Status == 0:
		return fail("connection", fmt.Sprintf("%s can't be reached: %s", name, bare(e)),
			cmp.Or(hint, "check url:, this machine's connection, and whether a proxy or firewall stands between"))
	}
	return Refused(err)
}

// Refused is about a REST API that does not answer as WordPress does.
func Refused(err error) Finding {
	var e *wpclient.Error
	if !errors.As(err, &e) {
		return fail("rest_api", err.Error(), "write the address as the browser shows it")
	}
	switch e.Cause {
	case wpclient.NoAppPasswords:
		return fail("login", "application passwords are switched off on this site, so that no program can log in",
			"they need https; else look into the security plugin (Wordfence: Login Security; Solid Security; All-In-One Security: “disable application passwords”) or ask the host")
	case wpclient.FromCache:
		return fail("cache", bare(e)+": such an answer says nothing of now, so that Morrow books nothing", e.Hint)
	case wpclient.ServerPassword:
		return fail("login", "the web server asks for a password of its own in front of WordPress, so that the application password can't get through", e.Hint)
	}
	return fail("rest_api", "no WordPress REST API can be used here: "+bare(e),
		cmp.Or(e.Hint, "open the address with /wp-json/ behind it in a browser: where no page of braces appears, a plugin or the web server is in the way"))
}

// Certificate judges the one of a connection that stands; state is nil for
// plain http.
func Certificate(address string, state *tls.ConnectionState, now time.Time) Finding {
	if state == nil || len(state.PeerCertificates) == 0 {
		u, err := url.Parse(address)
		if ip := net.ParseIP(hostOf(address)); err == nil && (ip != nil && ip.IsLoopback() || u.Hostname() == "localhost") {
			return ok("certificate", "none, and none needed on this machine itself")
		}
		return warn("certificate", "the site is asked over plain http: whoever listens on the way reads the application password",
			"give the site a certificate, and url: its https:// address")
	}
	until := state.PeerCertificates[0].NotAfter
	if until.Sub(now) < expiresSoon {
		return warn("certificate", "the certificate ends on "+day(until)+"; then nothing is booked",
			"renew it; if that should happen by itself, look why it did not")
	}
	return ok("certificate", "valid until "+day(until))
}

// Address compares the address in the configuration with where the site is.
func Address(configured string, p wpclient.Place) Finding {
	want, got := strings.TrimRight(configured, "/"), p.URL
	if strings.EqualFold(want, got) {
		return ok("address", "is the site's own")
	}
	u, err := url.Parse(want)
	v, err2 := url.Parse(got)
	if err == nil && err2 == nil && u.Scheme == v.Scheme && strings.EqualFold(u.Host, v.Host) {
		return warn("address", "the site calls itself "+got, "write url: "+got)
	}
	return fail("address", fmt.Sprintf("%s redirects to %s, and the password goes to no other host or scheme than url: names", want, got),
		"if that is your site, write url: "+got)
}

// bare is an error's text without its hint, which becomes the remedy.
func bare(e *wpclient.Error) string {
	c := *e
	c.Hint, c.RetryAfter = "", 0
	return c.Error()
}

// hostOf is the host of an address, which may have been typed without a scheme.
func hostOf(address string) string {
	if !strings.Contains(address, "://") {
		address = "//" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "the address"
	}
	return u.Hostname()
}

func names(c *x509.Certificate) []string {
	if c != nil && len(c.DNSNames) > 0 {
		return c.DNSNames[:min(len(c.DNSNames), 5)]
	}
	return []string{"another one"}
}

func day(t time.Time) string { return t.Format("2 January 2006") }
