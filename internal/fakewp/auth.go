package fakewp

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// account is a user of the site.
type account struct {
	id         int64
	login      string
	role       string
	password   string
	registered time.Time
	caps       map[string]bool
}

func (s *site) addUser(login, role, password string, now time.Time) {
	caps := map[string]bool{role: true}
	for _, c := range strings.Fields(roleCaps(role)) {
		caps[c] = true
	}
	s.users = append(s.users, &account{int64(len(s.users) + 1), login, role, password, now.UTC(), caps})
}

// authenticate knows an account by Basic credentials. Like WordPress it takes
// a wrong password for no password at all: the request goes on, anonymous.
// Spaces in an application password do not count.
func (s *site) authenticate(r *http.Request) *account {
	login, password, ok := r.BasicAuth()
	if !ok {
		return nil
	}
	return s.account(login, password)
}

func (s *site) account(login, password string) *account {
	password = strings.ReplaceAll(password, " ", "")
	for _, u := range s.users {
		if strings.EqualFold(u.login, login) && u.password == password {
			return u
		}
	}
	return nil
}

func (a *account) can(capability string) bool { return a != nil && a.caps[capability] }

// postType is one of the post types with a REST route.
type postType struct {
	name, base string
	caps       string // "posts" in edit_posts
}

func typeByBase(base string) postType {
	switch base {
	case "pages":
		return postType{"page", "pages", "pages"}
	case "media":
		return postType{"attachment", "media", "posts"}
	}
	return postType{"post", "posts", "posts"}
}

func typeByName(name string) postType {
	switch name {
	case "page":
		return typeByBase("pages")
	case "attachment":
		return typeByBase("media")
	}
	return typeByBase("posts")
}

// canEdit is the capability edit_post (map_meta_cap).
func (a *account) canEdit(p *Post) bool { return a.mayChange(p, "edit") }

// canDelete is the capability delete_post.
func (a *account) canDelete(p *Post) bool { return a.mayChange(p, "delete") }

func (a *account) mayChange(p *Post, verb string) bool {
	if a == nil {
		return false
	}
	kind := typeByName(p.Type).caps
	status := p.Status
	own := p.Author == a.id
	if own && status == "trash" {
		status = p.trashedFrom
	}
	public := status == "publish" || status == "future"
	switch {
	case own && public:
		return a.can(verb + "_published_" + kind)
	case own:
		return a.can(verb + "_" + kind)
	case !a.can(verb + "_others_" + kind):
		return false
	case public:
		return a.can(verb + "_published_" + kind)
	case status == "private":
		return a.can(verb + "_private_" + kind)
	}
	return true
}

// canRead is check_read_permission of the posts controller.
func (a *account) canRead(p *Post) bool {
	switch {
	case p.Status == "publish", p.Status == "inherit":
		return true
	case a == nil:
		return false
	case p.Author == a.id:
		return a.can("read")
	case p.Status == "private":
		return a.can("read_private_" + typeByName(p.Type).caps)
	}
	return a.canEdit(p)
}

// roleCaps are the capabilities of WordPress's roles after an install
// (populate_roles in wp-admin/includes/schema.php).
func roleCaps(role string) string {
	const (
		subscriber  = "read level_0 "
		contributor = subscriber + "level_1 edit_posts delete_posts "
		author      = contributor + "level_2 upload_files edit_published_posts publish_posts delete_published_posts "
		editor      = author + "level_3 level_4 level_5 level_6 level_7 " +
			"moderate_comments manage_categories manage_links unfiltered_html edit_others_posts edit_pages " +
			"edit_others_pages edit_published_pages publish_pages delete_pages delete_others_pages " +
			"delete_published_pages delete_others_posts delete_private_posts edit_private_posts " +
			"read_private_posts delete_private_pages edit_private_pages read_private_pages "
		administrator = editor + "level_8 level_9 level_10 " +
			"switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options " +
			"import delete_users create_users unfiltered_upload edit_dashboard update_plugins delete_plugins " +
			"install_plugins update_themes install_themes update_core list_users remove_users promote_users " +
			"edit_theme_options delete_themes export "
	)
	switch role {
	case "administrator":
		return administrator
	case "editor":
		return editor
	case "author":
		return author
	case "contributor":
		return contributor
	case "subscriber":
		return subscriber
	}
	panic("fakewp: unknown role " + role)
}

func (c *call) dispatchUser(me bool) (int, any, *wpError) {
	context := c.params.enum("context", "view", "view", "embed", "edit")
	if !me {
		return c.listUsers(context)
	}
	if fault := c.params.invalid(); fault != nil {
		return 0, nil, fault
	}
	if c.user == nil {
		return 0, nil, fail(http.StatusUnauthorized, "rest_not_logged_in", "You are not currently logged in.")
	}
	return http.StatusOK, c.renderUser(c.user, context), nil
}

func (c *call) listUsers(context string) (int, any, *wpError) {
	perPage := c.params.positive("per_page", 10, 100)
	page := c.params.positive("page", 1, 1<<31)
	search, slugs := strings.ToLower(c.params.search()), c.params.words("slug")
	if fault := c.params.invalid(); fault != nil {
		return 0, nil, fault
	}
	lister := c.user.can("list_users")
	if context == "edit" && !lister {
		return 0, nil, c.forbidden("rest_forbidden_context", "Sorry, you are not allowed to edit users.")
	}
	found := []any{}
	for _, u := range c.users {
		if (lister || c.hasPublished(u)) &&
			(search == "" || strings.Contains(strings.ToLower(u.login), search)) &&
			(slugs == nil || slices.Contains(slugs, u.slug())) {
			found = append(found, c.renderUser(u, context))
		}
	}
	return http.StatusOK, c.page(found, page, perPage), nil
}

func (s *site) hasPublished(u *account) bool {
	return slices.ContainsFunc(s.posts, func(p *Post) bool { return p.Author == u.id && p.Status == "publish" })
}

func (a *account) slug() string { return sanitizeTitle(a.login, true) }

func (c *call) renderUser(u *account, context string) map[string]any {
	m := map[string]any{
		"id": u.id, "name": u.login, "slug": u.slug(), "url": "", "description": "", "meta": []any{},
		"link": c.home + "/author/" + u.slug() + "/", "avatar_urls": map[string]any{},
	}
	if context == "edit" {
		m["username"], m["nickname"], m["email"] = u.login, u.login, u.login+"@example.com"
		m["roles"], m["capabilities"] = []string{u.role}, u.caps
		m["extra_capabilities"] = map[string]bool{u.role: true}
		m["registered_date"] = u.registered.Format("2006-01-02T15:04:05+00:00")
		m["locale"], m["first_name"], m["last_name"] = "en_US", "", ""
	}
	return m
}
