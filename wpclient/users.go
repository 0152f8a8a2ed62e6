package wpclient

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"golang.org/x/net/html"
)

// User is an account of the site.
type User struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Slug string `json:"slug"`
	// Login is empty when the account in use may not list users.
	Login string `json:"login,omitempty"`
	// Capabilities are known of the account in use alone.
	Capabilities map[string]bool `json:"capabilities"`
}

// Users lists the account in use, and accounts that match a login, slug or
// name. Of others, WordPress shows an account without list_users only those
// that have published something (WP_REST_Users_Controller::get_items), and no
// login.
func (c *Client) Users(ctx context.Context, search string) ([]User, error) {
	q := url.Values{"search": {search}, "_fields": {"id,name,slug,username"}}
	if k := c.known.Load(); k != nil && k.listUsers {
		q.Set("context", "edit") // gives the login, and accounts without posts
	}
	p, err := listing[userDTO]{
		op: "list users", route: "wp/v2/users", query: q,
		id: func(u userDTO) int64 { return u.ID }, check: userDTO.check,
	}.all(ctx, c)
	if err != nil {
		return nil, err
	}
	root, err := c.root("list users")
	if err != nil {
		return nil, err
	}
	me, err := c.me(ctx, root)
	if err != nil {
		return nil, err
	}
	users := []User{me}
	for _, u := range p.rows {
		if u := u.user(); u.ID != me.ID {
			users = append(users, u)
		}
	}
	return users, nil
}

// me is the account in use. WordPress answers 401 to whom it does not know.
func (c *Client) me(ctx context.Context, root *url.URL) (User, error) {
	const op = "log in"
	var u userDTO
	a, err := c.get(ctx, op, root, "wp/v2/users/me", url.Values{"context": {"edit"}, "_fields": {"id,name,slug,username,capabilities"}}, &u)
	if err != nil {
		return User{}, err
	}
	if err := u.check(); err != nil {
		return User{}, c.unverified(op, a, err.Error())
	}
	if len(u.Capabilities) == 0 {
		return User{}, c.unverified(op, a, "the account's capabilities are missing")
	}
	return u.user(), nil
}

type userDTO struct {
	ID           int64                      `json:"id"`
	Name         string                     `json:"name"`
	Slug         string                     `json:"slug"`
	Username     string                     `json:"username"`
	Capabilities map[string]json.RawMessage `json:"capabilities"`
}

func (u userDTO) check() error {
	if u.ID <= 0 || u.Slug == "" {
		return errors.New("id or slug is missing")
	}
	return nil
}

func (u userDTO) user() User {
	out := User{ID: u.ID, Name: html.UnescapeString(u.Name), Slug: u.Slug, Login: u.Username}
	if len(u.Capabilities) > 0 {
		out.Capabilities = make(map[string]bool, len(u.Capabilities))
	}
	for name, v := range u.Capabilities {
		// Plugins write 1 and "1" for true.
		s := string(v)
		out.Capabilities[name] = s == "true" || s == "1" || s == `"1"`
	}
	return out
}
