// Package journal keeps a machine's history and its cache of what sites said:
// an embedded SQLite file. Nothing is decided by it alone; losing it costs
// only time.
//
// Several processes use one file at once. Times are kept to the millisecond and
// come back in UTC.
package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Journal is an open journal, or one that keeps nothing (see Discard). It is
// safe for concurrent use.
type Journal struct {
	path     string
	readOnly bool

	mu     sync.Mutex
	closed bool
	db     *sql.DB     // nil in a read-only journal: reads as empty
	file   fs.FileInfo // the file that db has open
	notice string
}

// Open opens or creates the journal file, and its folder, and brings its schema
// up to date. A damaged file is moved aside and a new one begun; Notice tells
// so. The error of a folder or file that cannot be written to leaves the caller
// to Discard.
func Open(ctx context.Context, path string) (*Journal, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{path: path}
	if err := j.open(ctx); err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	return j, nil
}

// OpenReadOnly opens the journal file for reading and changes nothing on disk;
// writes are swallowed. A file that is missing, or older than its schema, reads
// as empty. Another process may go on writing: its rows are seen.
func OpenReadOnly(ctx context.Context, path string) (*Journal, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	j := &Journal{path: path, readOnly: true}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return j, nil
	}
	if err := regular(info); err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	db, err := openDB(readOnlyDSN(path))
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	version, err := schemaVersion(ctx, db)
	switch {
	case err == nil && version == len(migrations()):
		j.db = db
		return j, nil
	case err == nil && version > len(migrations()):
		err = errNewer
	}
	_ = db.Close()
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	return j, nil
}

// Discard is a journal that keeps nothing: it reads as empty.
func Discard() *Journal { return &Journal{readOnly: true} }

// Notice is what a person should know of the journal: that a damaged file was
// moved aside, and where to. It is empty when all is well.
func (j *Journal) Notice() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.notice
}

// Close closes the file; after it the journal keeps nothing. The last process to
// close brings the WAL into the file, which syncs the disk three times.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	db := j.db
	j.db, j.closed = nil, true
	if db == nil {
		return nil
	}
	if err := db.Close(); err != nil {
		return fmt.Errorf("close journal: %w", err)
	}
	return nil
}

// Leave is Close for a process that is about to end. Like one that is killed it
// leaves the WAL to the next, which loses nothing and spares the syncs. A WAL
// that has grown is brought in all the same: a process that finds no other
// having the file open reads the whole of it, and cannot know how much of it is
// in the file already.
func (j *Journal) Leave() error {
	if wal, err := os.Stat(j.path + "-wal"); err != nil || wal.Size() > leftBytes {
		return j.Close()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	return nil
}

// open connects j to the file at its path, whatever it had open before.
func (j *Journal) open(ctx context.Context) (err error) {
	const turns = 5 // several processes can find a damaged file at once
	for range turns {
		if err = j.tryOpen(ctx); err == nil {
			return nil
		}
		if err = j.repair(err); err != nil {
			return err
		}
	}
	return errors.New("other processes replace it again and again")
}

func (j *Journal) tryOpen(ctx context.Context) error {
	if j.db != nil {
		// Its file is gone; what the end of it says changes nothing.
		_ = j.db.Close()
		j.db = nil
	}
	if err := os.MkdirAll(filepath.Dir(j.path), 0o700); err != nil {
		return err
	}
	// Known before it is opened, so that repair moves no file but this one.
	j.file, _ = os.Stat(j.path)
	if err := regular(j.file); err != nil {
		return err
	}
	db, err := openDB(readWriteDSN(j.path))
	if err != nil {
		return err
	}
	if err := migrate(ctx, db); err != nil {
		_ = db.Close()
		return err
	}
	j.db = db
	j.file, err = os.Stat(j.path)
	return err
}

// regular refuses what can't be a journal before it is opened: to open a named
// pipe is to wait for ever. A nil info is that of no file.
func regular(info fs.FileInfo) error {
	if info != nil && !info.Mode().IsRegular() {
		return fmt.Errorf("it is no regular file (%s); move it away, or set state_dir to another folder", info.Mode().Type())
	}
	return nil
}

// write runs f in a transaction, which no other process' write interrupts.
func (j *Journal) write(ctx context.Context, what string, f func(context.Context, *sql.Tx) error) error {
	if j.readOnly {
		return nil
	}
	return j.do(ctx, what, func(ctx context.Context, db *sql.DB) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := f(ctx, tx); err != nil {
			_ = tx.Rollback()
			return err
		}
		return tx.Commit()
	})
}

// do runs f on the open file. It begins a new file where somebody deleted or
// replaced the one it had, or where that turns out to be damaged; f runs again
// then. The end of ctx keeps f from being begun, and no more: a statement is
// short, waits for others no longer than patience, and one that could be
// interrupted would cost two goroutines.
func (j *Journal) do(ctx context.Context, what string, f func(context.Context, *sql.DB) error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	short := context.WithoutCancel(ctx)
	err := j.try(short, f)
	if err != nil && !j.readOnly {
		if err = j.repair(err); err == nil {
			err = j.try(short, f)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (j *Journal) try(ctx context.Context, f func(context.Context, *sql.DB) error) error {
	if !j.readOnly && (j.db == nil || !j.isCurrent()) {
		if err := j.open(ctx); err != nil {
			return fmt.Errorf("reopen journal %s: %w", j.path, err)
		}
	}
	if j.db == nil {
		return nil
	}
	return f(ctx, j.db)
}

// isCurrent tells whether the path still names the file that was opened.
func (j *Journal) isCurrent() bool {
	named, err := os.Stat(j.path)
	return err == nil && j.file != nil && os.SameFile(named, j.file)
}
