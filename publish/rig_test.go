package publish

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"morrow/internal/compose"
	"morrow/internal/fakewp"
	"morrow/internal/journal"
	"morrow/internal/slots"
	"morrow/internal/source"
	"morrow/wpclient"
)

// rig is a Publisher with an emulated site and a queue of its own, inside a
// bubble of virtual time.
type rig struct {
	t       *testing.T
	site    *fakewp.Server
	dir     string
	now     func() time.Time
	login   string // names its role
	sign    string // the category of handed drafts; the folder is the source when empty
	job     Job
	keep    *journal.Journal
	dry     bool
	unblock bool
	lock    Locker
	// trigger of the next run; manual when empty
	trigger string
	pub     *Publisher // kept from run to run, as a daemon does, when keepPub
	keepPub bool
	// source, if not nil, stands for the folder.
	source Source
	// mixUp, if not nil, puts another request in place of one.
	mixUp func(*http.Request) *http.Request
	// onStep, if not nil, is told each step as it begins.
	onStep func(step string)

	passwords map[string]string
}

// newRig is a site in Seoul on a noon, with a slot each morning at eight.
func newRig(t *testing.T) *rig {
	t.Helper()
	publishAt, err := slots.Parse("0 8 * * *")
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{
		t: t, dir: t.TempDir(), now: time.Now, login: "editor", lock: noLock{}, passwords: make(map[string]string),
		job: Job{
			Name: "daily", Site: "blog", URL: "https://blog.example.com", Ahead: 1, Lead: 15 * time.Minute, RunTimeout: 15 * time.Minute,
			Times: []slots.Times{{Job: "daily", Publish: publishAt}},
		},
	}
	r.site = fakewp.New(fakewp.Options{Timezone: "Asia/Seoul", Now: time.Now})
	for _, role := range []string{"editor", "author", "contributor"} {
		r.passwords[role] = r.site.AddUser(role, role)
	}
	r.keep, err = journal.Open(t.Context(), filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.keep.Close() })
	time.Sleep(3 * time.Hour) // the bubble begins at midnight UTC: noon in Seoul
	return r
}

// bubble runs a test on virtual time.
func bubble(t *testing.T, f func(t *testing.T, r *rig)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { f(t, newRig(t)) })
}

// file puts a file into the queue that is old enough to be taken.
func (r *rig) file(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	old := r.now().Add(-time.Hour)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	if err := os.Chtimes(path, old, old); err != nil {
		r.t.Fatal(err)
	}
}

// slot is the next slot after noon of the first day.
func (r *rig) slot() time.Time { return time.Date(2000, 1, 1, 23, 0, 0, 0, time.UTC) }

// second is another machine with the same job: its own queue, its own journal.
func (r *rig) second() *rig {
	r.t.Helper()
	q := *r
	q.dir, q.keep, q.pub = r.t.TempDir(), journal.Discard(), nil
	return &q
}

func (r *rig) publisher() *Publisher {
	r.t.Helper()
	if r.pub != nil {
		return r.pub
	}
	r.job.User = r.login
	client, err := wpclient.New(wpclient.Options{
		URL: r.job.URL, User: r.login, Password: r.passwords[r.login], Timeout: time.Minute, Transport: r.transport(), Now: r.now,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	items := r.source
	switch {
	case r.sign != "":
		items = source.NewDrafts(source.DraftsOptions{Client: client, Category: r.sign, Now: r.now})
	case items == nil:
		items = source.NewFolder(source.FolderOptions{Dir: r.dir, Now: r.now})
	}
	p := New(Options{
		Job: r.job, Client: client, Source: items,
		Compose: compose.New(compose.Options{
			Client: client, Job: r.job.Name, Host: "here", ReadOnly: r.dry, Memory: r.keep, Site: r.job.Site, Now: r.now,
		}),
		Journal: r.keep, Lock: r.lock, Host: "here", Now: r.now, Logger: zerolog.Nop(), Progress: r.onStep,
	})
	if r.keepPub {
		r.pub = p
	}
	return p
}

func (r *rig) run() Report {
	r.t.Helper()
	trigger := r.trigger
	if trigger == "" {
		trigger = "manual"
	}
	rep := r.publisher().Run(r.t.Context(), Request{Run: "r1", Trigger: trigger, DryRun: r.dry, Unblock: r.unblock})
	if strings.Contains(fmt.Sprint(rep), r.passwords[r.login]) {
		r.t.Errorf("the report bears the password: %+v", rep)
	}
	return rep
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// transport lets each request take a second, so that round trips can be told
// from the time that a run takes.
func (r *rig) transport() http.RoundTripper {
	return roundTripper(func(q *http.Request) (*http.Response, error) {
		time.Sleep(time.Second)
		if r.mixUp != nil {
			q = r.mixUp(q)
		}
		return r.site.RoundTrip(q)
	})
}

// asRead is a request for a post in place of a write.
func (r *rig) asRead(q *http.Request, id int64) *http.Request {
	r.t.Helper()
	read := q.Clone(q.Context())
	read.Method, read.Body, read.ContentLength = http.MethodGet, http.NoBody, 0
	read.URL.Path += fmt.Sprintf("/%d", id)
	read.URL.RawQuery += "&context=edit"
	return read
}

// writes counts the writes that reached the site.
func (r *rig) writes() (n int) {
	for _, q := range r.site.Requests() {
		if q.Write() {
			n++
		}
	}
	return n
}

// posts are the site's posts in a status.
func (r *rig) posts(status string) (posts []fakewp.Post) {
	for _, p := range r.site.Posts() {
		if p.Type == "post" && p.Status == status {
			posts = append(posts, p)
		}
	}
	return posts
}

// exactlyOne checks what must hold when all is done: one post of ours is
// scheduled for the slot, no draft is left over, the file is in done/.
func (r *rig) exactlyOne(name string) {
	r.t.Helper()
	future := r.posts("future")
	if len(future) != 1 || !future[0].Instant().Equal(r.slot()) {
		r.t.Errorf("got scheduled posts %v, want one at %s", future, r.slot())
	}
	if drafts := r.posts("draft"); len(drafts) != 0 {
		r.t.Errorf("drafts left over: %v", drafts)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "done", name)); err != nil {
		r.t.Errorf("the file is not in done/: %v", err)
	}
}

// want checks a run's outcome.
func (r *rig) want(rep Report, outcome Outcome) {
	r.t.Helper()
	if rep.Outcome != outcome {
		r.t.Errorf("got outcome %s (%v, %+v, notices %q), want %s", rep.Outcome, rep.Err, rep.Slots, rep.Notices, outcome)
	}
}
