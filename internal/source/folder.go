package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// doneDir is the sub-folder that booked files move to.
const doneDir = "done"

// FolderOptions configure a Folder.
type FolderOptions struct {
	Dir string
	// Type is the post type that the items become, by its REST base; "posts"
	// when empty.
	Type string
	// MinAge: a file changed more recently is still being written; 10 s when 0.
	MinAge time.Duration
	// MayLack: a folder that is not there is empty; it is made when needed.
	MayLack bool
	// Memory is a file that keeps what a large folder says from one process to
	// the next; empty for none. It may be deleted at any moment.
	Memory string
	Now    func() time.Time // time.Now when nil
}

// Folder is a folder of Markdown and HTML files. Its methods may be called
// from several goroutines. It remembers what it read of a file until the
// file's size, time or identity changes.
type Folder struct {
	dir     string
	typ     string
	minAge  time.Duration
	mayLack bool
	now     func() time.Time
	read    func(path string, want fs.FileInfo) ([]byte, error)
	rename  func(from, to string) error

	memory   string
	worth    int // how many fresh ones make it worth writing
	recalled bool
	fresh    int // files that this process has read since the memory was written

	mu    sync.Mutex
	cache map[string]cached        // by file name
	twins map[string][]string      // as last listed
	hung  map[string]chan struct{} // reads that have not come back
}

type cached struct {
	info  fs.FileInfo // nil when an earlier process read it
	stamp stamp
	sum   [sha256.Size]byte // of the whole file
	parsed
}

// NewFolder makes a folder source; the folder is looked at by Entries.
func NewFolder(o FolderOptions) *Folder {
	f := &Folder{
		dir: o.Dir, typ: cmp.Or(o.Type, "posts"), minAge: cmp.Or(o.MinAge, 10*time.Second), mayLack: o.MayLack, memory: o.Memory, worth: worthKeeping, now: o.Now, read: readFile, rename: os.Rename,
		cache: make(map[string]cached), hung: make(map[string]chan struct{}),
	}
	if f.now == nil {
		f.now = time.Now
	}
	return f
}

// Entries lists what is there in natural filename order. loc is the site's
// zone, for dates without one. The error is for the folder itself; a faulty
// file is an entry.
//
// Sub-folders are not read. Of two files with one Key or one slug the first is
// the item; a copy of another file, in the folder or in done/, is none. A folder or file that does not answer within 10 s is given up.
func (f *Folder) Entries(ctx context.Context, loc *time.Location) ([]Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found, err := within(ctx, f.hung, f.dir, func() (listing, error) { return list(f.dir) })
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.mayLack:
		return nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read folder %s: %w; make it, or correct the source of the job", f.dir, bare(err))
	case err != nil:
		return nil, fmt.Errorf("read folder %s: %w", f.dir, bare(err))
	}
	f.twins = found.twins
	f.recall()
	present := make(map[string]bool, len(found.files))
	entries := make([]Entry, 0, len(found.files))
	taken := identities{keys: map[string]string{}, slugs: map[string]string{}}
	originals := make(map[string]string, len(found.files))
	hangs := 0
	for _, c := range found.files {
		present[c.name] = true
		p, err := f.look(ctx, c, hangs)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("read folder %s: %w", f.dir, context.Cause(ctx))
		}
		if errors.Is(err, errHangs) {
			hangs++
		}
		if p.isItem() {
			if original := f.sameText(ctx, found.root, c, originals, found.done); original != "" {
				p = parsed{state: Ignored, reason: "same text as " + original + "; change it if it is an item of its own"}
			}
		}
		p = taken.check(p.of(f.typ).in(loc, f.now()))
		e := Entry{Name: c.name, State: p.state, Reason: p.reason, Wait: p.wait}
		if p.state == Ready {
			p.item.Root, p.item.Dir = f.dir, article(c.name)
			e.Item = &p.item
		}
		entries = append(entries, e)
	}
	maps.DeleteFunc(f.cache, func(name string, _ cached) bool { return !present[name] })
	_ = f.keep() // without it the next process reads all again
	return entries, nil
}

// look judges one file. The error is for its reading, and told in the result.
func (f *Folder) look(ctx context.Context, c candidate, hangs int) (parsed, error) {
	if c.reason != "" {
		return parsed{state: Ignored, reason: c.reason}, nil
	}
	if !utf8.ValidString(c.name) {
		return faulty("the file's name is not UTF-8; rename it"), nil
	}
	if p, young := f.tooYoung(c.changed); young {
		return p, nil
	}
	if known, ok := f.cache[c.name]; ok && known.fits(c.info) {
		return known.parsed, nil
	}
	if hangs >= maxHangs {
		return held("not read this time, because other files here gave no answer; is the cloud or network folder connected?"), nil
	}
	data, err := within(ctx, f.hung, c.path, func() ([]byte, error) { return f.read(c.path, c.info) })
	if err != nil {
		return unread(err), err
	}
	p := parse(c.name, data)
	f.cache[c.name] = cached{c.info, stampOf(c.info), sha256.Sum256(data), p}
	f.fresh++
	return p, nil
}

func (f *Folder) tooYoung(changed time.Time) (p parsed, young bool) {
	switch age := f.now().Sub(changed); {
	case age < 0:
		return held("its time, %s, lies in the future; save it again, or set the clock right", changed.Format(time.DateTime)), true
	case age < f.minAge:
		p = held("changed %v ago; taken once it has been left alone for %v", age.Round(time.Second), f.minAge)
		p.wait = f.minAge - age
		return p, true
	}
	return p, false
}

// unread tells a file that may come right by itself from one that won't.
func unread(err error) parsed {
	switch {
	case errors.Is(err, errChanging), errors.Is(err, fs.ErrNotExist):
		return held("changed while it was read, or not fully downloaded; looked at again next time")
	case errors.Is(err, errHangs):
		return held("reading it gave %v; is the cloud or network folder connected?", err)
	case errors.Is(err, errTooLarge):
		return faulty("the file is %v; is it a text? A picture written out in it (data:…) needs an https:// address instead", err)
	}
	return faulty("the file can't be read: %v", bare(err))
}

// identities are the keys and slugs that files have, with the files' names.
type identities struct{ keys, slugs map[string]string }

// check finds the second file of one identity: on the site the two would be
// taken for one post.
func (t identities) check(p parsed) parsed {
	if !p.isItem() {
		return p
	}
	slug := strings.ToLower(norm.NFC.String(p.item.Slug))
	if first, ok := t.slugs[slug]; ok {
		p.state, p.reason = Faulty, fmt.Sprintf("same slug as %s (%s); set another slug: in its front matter", first, p.item.Slug)
		return p
	}
	if first, ok := t.keys[p.item.Key]; ok {
		p.state, p.reason = Faulty, fmt.Sprintf("same name as %s but for order and extension; rename it", first)
		return p
	}
	t.keys[p.item.Key], t.slugs[slug] = p.item.Name, p.item.Name
	return p
}
