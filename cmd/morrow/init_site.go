package main

import (
	"cmp"
	"context"
	"net/url"
	"runtime"

	"github.com/cli/browser"
	"github.com/rs/zerolog"

	"morrow/internal/config"
	"morrow/internal/doctor"
	"morrow/wpclient"
)

// address finds the site by what a person types.
func (w *wizard) address(ctx context.Context) error {
	for {
		typed, err := w.answer(ctx, &w.o.url, "url", "Your site's address", "")
		if err != nil {
			return err
		}
		w.say("  looking at %s …", typed)
		p, err := wpclient.Find(ctx, typed, wpclient.Options{UserAgent: userAgent()})
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			f := doctor.Unreached(typed, err)
			if err := w.again(f.Meaning, f.Remedy); err != nil {
				return err
			}
			continue
		}
		ok, err := w.acceptable(ctx, p)
		if err != nil {
			return err
		}
		if ok {
			w.place = p
			break
		}
	}
	w.say("  ✓ WordPress %sat %s", named(w.place.Name), w.place.URL)
	w.login.URL, w.login.API, w.login.UserAgent = w.place.URL, w.place.API, userAgent()
	if w.old != nil {
		here := config.Site{URL: w.place.URL}
		for i, s := range w.old.Sites {
			if s.Key() == here.Key() {
				w.known = &w.old.Sites[i]
			}
		}
	}
	return nil
}

func named(site string) string {
	if site == "" {
		return ""
	}
	return "“" + site + "” "
}

// acceptable says whether Morrow can work with a site at all.
func (w *wizard) acceptable(ctx context.Context, p wpclient.Place) (bool, error) {
	if p.Open && !p.AppPasswords {
		return false, w.again("This site offers no application passwords, so that no program can log in.",
			"A security plugin or the host has switched them off, or the site has no https. Switch them on, and come back.")
	}
	f := doctor.Certificate(p.URL, p.TLS, w.now())
	if f.Level == doctor.OK || p.TLS != nil {
		return true, nil
	}
	w.login.AllowHTTP = w.o.allowHTTP
	if w.o.allowHTTP {
		return true, nil
	}
	w.say("  ! %s", f.Meaning)
	if w.o.yes {
		return false, w.again("the site has no https", "give it a certificate; --allow-http goes on without one")
	}
	ok, err := w.confirm(ctx, "Go on unencrypted?", false)
	w.login.AllowHTTP = ok
	return ok, err
}

// account proves a login and its rights, until both are good.
func (w *wizard) account(ctx context.Context) error {
	if w.known != nil {
		return w.provenBefore(ctx)
	}
	if w.login.Password == "" {
		w.showAuthorize()
	}
	for {
		var err error
		if w.login.User, err = w.answer(ctx, &w.o.user, "user", "User name (the login)", w.login.User); err != nil {
			return err
		}
		if w.login.Password, err = w.password(ctx); err != nil {
			return err
		}
		ok, err := w.logIn(ctx)
		if err != nil {
			return err
		}
		if ok {
			return nil
		}
		w.login.Password = ""
	}
}

// showAuthorize leads to WordPress's own page that makes an application
// password.
func (w *wizard) showAuthorize() {
	page, err := url.Parse(cmp.Or(w.place.Authorize, w.place.URL+"/wp-admin/authorize-application.php"))
	if err != nil {
		return
	}
	q := page.Query()
	q.Set("app_name", "Morrow")
	page.RawQuery = q.Encode()
	w.say("\nMorrow needs an application password. Open this page, logged in as the user that")
	w.say("Morrow shall post as (the role Editor is best), and approve:\n\n  %s\n", page)
	w.say("WordPress shows the password once: 24 letters and digits in groups of four.")
	if w.terminal != nil && !w.o.noBrowser && w.desktop() {
		if err := browser.OpenURL(page.String()); err == nil {
			w.say("(It should open in your browser now.)")
		}
	}
}

// desktop says whether a browser can be shown here.
func (w *wizard) desktop() bool {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return true
	}
	x, _ := w.env("DISPLAY")
	wayland, _ := w.env("WAYLAND_DISPLAY")
	return x+wayland != ""
}

// password asks until it is given something that can be an application
// password. Another text is most likely the login password: it is sent nowhere.
func (w *wizard) password(ctx context.Context) (string, error) {
	text := w.login.Password
	for {
		if text == "" {
			if w.o.yes {
				return "", &usageError{msg: "no application password is given", hint: "give it by --password-stdin"}
			}
			var err error
			if text, err = w.secret(ctx, "Application password (not shown)"); err != nil {
				return "", err
			}
		}
		if doctor.AppPassword(text) {
			return text, nil
		}
		text = ""
		err := w.again("That is no application password: those have 24 letters and digits, like abcd efgh ijkl mnop qrst uvwx.",
			"If it is your login password: Morrow never wants that one. It was sent nowhere and is forgotten. Make an application password on the page above.")
		if err != nil {
			return "", err
		}
	}
}

// logIn tries the login; false means that another one is to be asked for.
func (w *wizard) logIn(ctx context.Context) (bool, error) {
	client, err := wpclient.New(w.login)
	if err != nil {
		return false, w.again(err.Error(), "")
	}
	defer client.Close()
	w.say("  logging in …")
	if w.facts, err = client.Discover(ctx); err != nil {
		if ctx.Err() != nil {
			return false, err
		}
		f := doctor.WhyRefused(ctx, w.login, client, err)
		return false, w.again(f.Meaning, f.Remedy)
	}
	w.say("  ✓ logged in as %s", w.facts.User.Name)
	return w.rights(ctx)
}

func (w *wizard) rights(ctx context.Context) (bool, error) {
	lacks := false
	for _, f := range append(doctor.Rights(w.facts.User, []string{"posts"}), doctor.Zone(w.facts)) {
		switch f.Level {
		case doctor.OK:
			w.say("  ✓ %s", f.Meaning)
		case doctor.Warn:
			w.say("  ! %s\n    %s", f.Meaning, f.Remedy)
			lacks = lacks || f.Check == "rights"
		case doctor.Fail:
			return false, w.again(f.Meaning, f.Remedy)
		}
	}
	if !lacks || w.o.yes {
		return true, nil
	}
	return w.confirm(ctx, "Go on with this account?", false)
}

// provenBefore uses the account that the configuration has for the site.
func (w *wizard) provenBefore(ctx context.Context) error {
	w.say("  The configuration has this site as %s; its account is used.", w.known.Name)
	secret, err := w.known.Secret(ctx)
	if err != nil {
		return err
	}
	w.login = clientOptions(*w.known, secret, zerolog.Nop())
	ok, err := w.logIn(ctx)
	if err == nil && !ok {
		err = codeError(exitFailed)
	}
	return err
}
