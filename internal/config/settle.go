package config

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// settle checks the entries against each other and sorts the sound from the
// faulty.
func (l *loader) settle() {
	sites := byName(l.sites)
	for _, e := range l.sites {
		settleSite(e)
	}
	for _, e := range l.sites {
		if len(e.problems) > 0 {
			l.fault("site", e.name, e.problems)
			continue
		}
		e.value.Name = e.name
		l.cfg.Sites = append(l.cfg.Sites, e.value)
	}
	byName(l.jobs)
	for _, e := range l.jobs {
		settleJob(e, sites)
		if len(e.problems) == 0 {
			e.value.Name = e.name
			l.coincide(e)
			l.reachable(e)
			l.settleCommand(e)
		}
		if len(e.problems) > 0 {
			l.fault("job", e.name, e.problems)
			continue
		}
		l.cfg.Jobs = append(l.cfg.Jobs, e.value)
	}
}

func (l *loader) fault(kind, name string, problems []Problem) {
	sortProblems(problems)
	l.cfg.Faults = append(l.cfg.Faults, Fault{Kind: kind, Name: name, Problems: problems})
}

// byName indexes entries. Two of one name are both faulty: which of them a
// person means by the name can't be known.
func byName[T any](entries []*entry[T]) map[string]*entry[T] {
	out := make(map[string]*entry[T], len(entries))
	for _, e := range entries {
		first, twice := out[e.name]
		if !twice {
			out[e.name] = e
			continue
		}
		const text = "another one of this name stands in %s:%d; give each a name of its own"
		e.fail(e.lines.at("name"), e.path, text, first.file, first.lines.at("name"))
		first.fail(first.lines.at("name"), first.path, text, e.file, e.lines.at("name"))
	}
	return out
}

// settleSite checks what a site's keys say together.
func settleSite(e *entry[Site]) {
	s := e.value
	e.need("url", s.URL == "")
	e.need("user", s.User == "")
	if strings.Contains(s.User, ":") {
		e.fail(e.lines.at("user"), e.path+".user", "has a colon, which no login over HTTP can have; want the user name, without the password")
	}
	unsaid := s.password.reveal == nil && s.passwordFile == "" && s.passwordCommand == nil && s.passwordKeyring == nil
	if unsaid && !slices.ContainsFunc(passwordKeys(), e.lines.has) {
		e.misshapen(e.lines.at(""), e.path, "has no password, password_file, password_command or password_keyring")
	}
	e.onePassword(e.lines, e.path)
	for key, address := range map[string]string{"url": s.URL, "api": s.API} {
		if insecure(address) && !s.AllowHTTP {
			e.fail(e.lines.at(key), e.path+"."+key,
				"would send the password unencrypted; use https, or allow_http: true if you accept that")
		}
	}
}

// settleJob checks what a job's keys say together and with its site.
func settleJob(e *entry[Job], sites map[string]*entry[Site]) {
	j := &e.value
	e.need("site", j.Site == "")
	e.need("check", j.Check == "")
	e.need("publish", j.Publish == "")
	e.need("source", j.Source.Folder == "")
	if len(j.Skip.Weekdays) == 7 {
		e.fail(e.lines.at("skip"), e.path+".skip.weekdays", "leaves no day of the week")
	}
	if j.Site == "" {
		return
	}
	site, ok := sites[j.Site]
	switch {
	case !ok:
		e.fail(e.lines.at("site"), e.path+".site", "there is no site %q%s", j.Site, suggest(j.Site, slices.Sorted(maps.Keys(sites))))
	case len(site.problems) > 0:
		e.fail(e.lines.at("site"), e.path+".site", "its site %s can't be used; mend that first", j.Site)
		e.problems[len(e.problems)-1].follows = true
	default:
		settleLead(e, site.value.Timeout)
	}
}

// settleLead holds lead above the time in which a commit may still be on its
// way: two requests, and the minute below which WordPress publishes at once.
func settleLead(e *entry[Job], timeout time.Duration) {
	j, floor := &e.value, 2*timeout+time.Minute
	switch {
	case j.Lead == 0:
		j.Lead = max(DefaultLead, floor)
	case j.Lead < floor:
		e.fail(e.lines.at("lead"), e.path+".lead", "%s is too short: the least is %s here, 2 × timeout + 1m", short(j.Lead), short(floor))
	}
}

// coincide refuses a job whose slots are those of an earlier job of the same
// site, unless a scope says whose posts are whose.
func (l *loader) coincide(e *entry[Job]) {
	if l.opt.Coincide == nil || e.value.Scope.narrow() {
		return
	}
	fills := func(j Job, typ string) bool { return j.Type == typ || slices.Contains(j.Scope.Types, typ) }
	site, _ := l.cfg.Site(e.value.Site)
	for _, other := range l.cfg.Jobs {
		s, _ := l.cfg.Site(other.Site)
		meet := fills(e.value, other.Type) || fills(other, e.value.Type)
		if s.Key() == site.Key() && meet && !other.Scope.narrow() && l.opt.Coincide(other, e.value) {
			e.fail(e.lines.at("publish"), e.path+".publish",
				"publishes on the same site at the same instants as job %s; give one of them another time or a scope", other.Name)
		}
	}
}

// reachable refuses a job whose slots follow each other so closely that one
// comes into view only when it is nearer than lead, and is never booked.
func (l *loader) reachable(e *entry[Job]) {
	if l.opt.LeastAhead == nil {
		return
	}
	if j := e.value; j.Ahead < l.opt.LeastAhead(j) {
		e.fail(e.lines.at("publish"), e.path+".publish",
			"has slots less than lead (%s) apart, which could never be booked: set ahead: %d or more, or a shorter lead", short(j.Lead), l.opt.LeastAhead(j))
	}
}

// need says that a required key is missing; one that is written and wrong has
// its own problem already.
func (e *entry[T]) need(key string, missing bool) {
	if missing && !e.lines.has(key) {
		e.misshapen(e.lines.at(""), e.path, "has no %s", key)
	}
}
