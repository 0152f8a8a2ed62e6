// Package lock lets one runner work on a site at a time, by a lock that the
// operating system holds and frees however its holder dies.
//
// The lock is flock(2), LockFileEx on Windows, on an empty file that is never
// deleted. No lock reaches across machines. Nothing but this lock decides; two
// files beside it inform people only: a holder locks the second one as well, so
// that others can see it without touching the first, and introduces itself in
// the third.
package lock

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	// patience bounds each call into the file system: a dead mount can hang
	// any of them for ever.
	patience = 5 * time.Second

	firstPause   = 5 * time.Millisecond
	longestPause = 200 * time.Millisecond
)

// Options say which lock a Locker takes.
type Options struct {
	// Dir is the folder of the lock files; empty means DefaultDir().
	Dir string
	// Site is the address of the site that the lock stands for; it is
	// normalised, so that two spellings of one site share a lock.
	Site string
	// Now is the wall clock; nil means time.Now.
	Now func() time.Time
}

// Locker takes one site's lock; each Acquire uses a fresh handle. It is safe
// for concurrent use, and two Acquires exclude each other in one process too.
type Locker struct {
	path string
	held string
	note note
	now  func() time.Time
}

// New normalises the site and refuses a folder on a network or synced file
// system. It writes nothing: a folder that lacks is created by Acquire.
func New(o Options) (*Locker, error) {
	name, err := fileName(o.Site)
	if err != nil {
		return nil, err
	}
	if o.Dir == "" {
		o.Dir = DefaultDir()
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("find lock folder: %w", err)
	}
	check := func() (struct{}, error) { return struct{}{}, checkFolder(dir) }
	if _, err := within(patience, check, nil); err != nil {
		return nil, fmt.Errorf("use lock folder %s: %w", dir, err)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	path := filepath.Join(dir, name)
	return &Locker{path: path + ".lock", held: path + ".held", note: note{path + ".note"}, now: o.Now}, nil
}

// Path is the lock file's path.
func (l *Locker) Path() string { return l.path }

// Acquire takes the lock. wait 0 tries once, a negative wait waits until ctx
// ends, else it waits at most that long.
// Contention is no error: ok is false. The end of ctx is one: its Err.
// release is safe to call twice and needs no live context.
func (l *Locker) Acquire(ctx context.Context, wait time.Duration) (release func() error, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	var expired <-chan time.Time
	if wait >= 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		expired = timer.C
	}
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		f, err := attempt(ctx, l.path)
		if err != nil {
			return nil, false, fmt.Errorf("lock %s: %w", l.path, err)
		}
		if f != nil {
			return l.announce(ctx, f), true, nil
		}
		if wait == 0 {
			return nil, false, nil
		}
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-expired:
			return nil, false, nil
		case <-time.After(pause):
		}
	}
}

// announce lets others see who holds f, and gives the function that ends both.
// Whoever looks has the second file for an instant, shared; one that stays on it
// (a stopped process) is not waited for.
func (l *Locker) announce(ctx context.Context, f *flock.Flock) (release func() error) {
	const tries, pause = 200, 2 * time.Millisecond
	var sign *flock.Flock
	for range tries {
		var err error
		if sign, err = attempt(ctx, l.held); sign != nil || err != nil || rest(ctx, pause) != nil {
			break
		}
	}
	l.note.write(self(l.now()))
	return sync.OnceValue(func() error {
		// The lock last: without it, sign and note may be the next holder's.
		l.note.clear()
		if sign != nil {
			_ = sign.Unlock()
		}
		if err := f.Unlock(); err != nil {
			return fmt.Errorf("unlock %s: %w", l.path, err)
		}
		return nil
	})
}

// attempt tries once; nil without an error means that another holds the lock.
func attempt(ctx context.Context, path string) (*flock.Flock, error) {
	return within(patience, func() (*flock.Flock, error) { return tryLock(ctx, path) }, func(f *flock.Flock) {
		if f != nil {
			_ = f.Unlock()
		}
	})
}

// Holder tells who holds the lock now; held is false when it is free. A holder
// that left no trustworthy note has zero fields. Asking writes nothing and never
// makes an Acquire fail.
func (l *Locker) Holder() (h Holder, held bool, err error) {
	held, err = within(patience, func() (bool, error) { return isHeld(l.held) }, nil)
	if err != nil {
		return Holder{}, false, fmt.Errorf("ask for the holder of %s: %w", l.path, err)
	}
	if !held {
		return Holder{}, false, nil
	}
	return l.note.holder(l.held), true, nil
}

// within gives f, which may hang in the kernel, limit to return. What f
// returns after that goes to late, if there is one.
func within[T any](limit time.Duration, f func() (T, error), late func(T)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		v, err := f()
		done <- result{v, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.value, r.err
	case <-timer.C:
	}
	if late != nil {
		go func() {
			if r := <-done; r.err == nil {
				late(r.value)
			}
		}()
	}
	var none T
	return none, fmt.Errorf("the file system does not answer within %s: set lock_dir to a folder on a local disk", limit)
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
