package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"unicode"

	"morrow/wpclient"
)

// appPasswordLen is that of an application password without its spaces
// (WP_Application_Passwords::PW_LENGTH).
const appPasswordLen = 24

// AppPassword says whether a text has the form of an application password: 24
// letters and digits, in groups of four or not. WordPress makes no others.
func AppPassword(text string) bool {
	n := 0
	for _, c := range text {
		switch {
		case unicode.IsSpace(c):
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			n++
		default:
			return false
		}
	}
	return n == appPasswordLen
}

// Second is what WordPress's other interface says of a login that REST refused.
type Second int

// Answers of the other interface.
const (
	Untold Second = iota // it is closed, or was not asked
	Takes                // it takes the same login
	Denies
)

// Login says why a login was refused. form: the password has the form of an
// application password.
func Login(user string, err error, form bool, second Second) Finding {
	const profile = "Users → Profile → Application Passwords"
	var e *wpclient.Error
	if !errors.As(err, &e) {
		return fail("login", err.Error(), "correct the site's keys in the configuration")
	}
	switch {
	case e.Cause != "", e.Status != http.StatusUnauthorized && e.Status != http.StatusForbidden:
		return Refused(err)
	case !form:
		return fail("login", "the password is no application password: those have 24 letters and digits in groups of four. The login password does not work here",
			fmt.Sprintf("make one in WordPress, logged in as %s, under %s", user, profile))
	case second == Takes:
		return fail("login", "user and application password are right (XML-RPC takes them), but they do not reach REST: the web server drops the Authorization header",
			`Apache with CGI or FastCGI: put SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1 into .htaccess, or CGIPassAuth On; nginx or a proxy in front: let it pass the header on`)
	case second == Denies:
		return fail("login", fmt.Sprintf("WordPress knows no user %s with this application password", user),
			"check user: (the login, not the name that is shown), and make a new application password under "+profile+": it is shown only once, and revoking it ends it")
	}
	return fail("login", "the login was refused: "+bare(e), cmp.Or(e.Hint, "check user and application password"))
}

// Rights judges what the account may do, for jobs that make posts of the types
// (REST bases). Those of a plugin's types only the site knows.
func Rights(u wpclient.User, types []string) []Finding {
	var out []Finding
	for _, typ := range types {
		if typ == "posts" || typ == "pages" {
			out = append(out, rightsFor(u, typ)...)
		}
	}
	if !u.Capabilities["upload_files"] {
		out = append(out, warn("rights", "the account may not upload pictures", "give it the role Author or Editor"))
	}
	if !u.Capabilities["manage_categories"] {
		out = append(out, warn("rights", "the account may not make categories: those that your texts name must be there before",
			"make them by hand, or give the account the role Editor"))
	}
	if !slices.ContainsFunc(out, func(f Finding) bool { return f.Level != OK }) {
		return []Finding{ok("rights", cmp.Or(u.Login, u.Name)+" may publish, see everybody's posts, upload pictures and make categories")}
	}
	return out
}

func rightsFor(u wpclient.User, typ string) []Finding {
	may := u.Capabilities
	switch {
	case !may["edit_"+typ]:
		return []Finding{fail("rights", "the account may not write "+typ, "give it the role Editor")}
	case !may["publish_"+typ]:
		return []Finding{fail("rights", fmt.Sprintf("the account may write %s but not publish them, and so not schedule them", typ), "give it the role Editor, or at least Author")}
	case !may["edit_others_"+typ]:
		return []Finding{warn("rights", fmt.Sprintf("the account sees only its own scheduled %s: when another person fills a slot, Morrow sees that it is taken, but not by what", typ),
			"the role Editor is best; with Author it works")}
	}
	return nil
}
