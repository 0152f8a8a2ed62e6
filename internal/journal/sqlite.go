package journal

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// patience is how long a statement waits for other processes.
const patience = 5 * time.Second

// checkpointPages is the size of the WAL, in pages of 4 KiB, that a write brings
// into the main file: that of some 50 runs.
const checkpointPages = 250

// leftBytes is how large a WAL may be that Leave leaves: that of some 30 runs.
const leftBytes = 512 << 10

// readWriteDSN: in WAL mode NORMAL syncs at checkpoints only. A power cut can
// cost the last rows, but not the file. Small checkpoints, because whoever opens
// the file after processes that did not close it reads the whole WAL.
func readWriteDSN(path string) string {
	return dsn(path, fmt.Sprintf("_txlock=immediate&_busy_timeout=%d&_synchronous=NORMAL&_pragma=wal_autocheckpoint(%d)",
		patience.Milliseconds(), checkpointPages))
}

// readOnlyDSN chooses a way to read that creates and touches no file. Rows that
// are only in the WAL need its index (-shm), which is then read as it is, or
// rebuilt in memory if its owner was killed. Without a WAL all rows are in the
// main file, and SQLite would create both to read it, unless told that nobody
// writes.
func readOnlyDSN(path string) string {
	wal, err := os.Stat(path + "-wal")
	if _, serr := os.Stat(path + "-shm"); err == nil && wal.Size() > 0 && serr == nil {
		return dsn(path, fmt.Sprintf("mode=ro&readonly_shm=1&_busy_timeout=%d", patience.Milliseconds()))
	}
	return dsn(path, "mode=ro&immutable=1")
}

func dsn(path, query string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: query}
	return u.String()
}

// openDB gives one connection; the file is opened by its first use.
func openDB(dsn string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(1)
	return db, nil
}

// primaryCode is SQLite's result code without its extension, SQLITE_OK for
// errors that are not SQLite's.
func primaryCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return sqlite3.SQLITE_OK
	}
	return e.Code() & 0xff
}

// repair answers an error of the file. nil means that it is worth trying again:
// the damaged file is out of the way, or another process has just moved it.
func (j *Journal) repair(err error) error {
	switch primaryCode(err) {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		if !j.isCurrent() {
			return nil
		}
		aside := j.path + ".corrupt-" + time.Now().UTC().Format("20060102T150405.000")
		if merr := j.moveTo(aside); merr != nil {
			return errors.Join(err, merr)
		}
		j.notice = fmt.Sprintf("the journal was damaged (%v) and begins anew; the old file is %s", err, aside)
		return nil
	case sqlite3.SQLITE_IOERR:
		if !j.isCurrent() {
			return nil
		}
	}
	return err
}

// moveTo renames the file and its WAL. The main file goes last: once it is away
// another process may begin a new one, whose WAL must not be taken.
func (j *Journal) moveTo(aside string) error {
	if j.db != nil {
		_ = j.db.Close() // Windows renames no open file
		j.db = nil
	}
	for _, suffix := range []string{"-shm", "-wal", ""} {
		err := os.Rename(j.path+suffix, aside+suffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move damaged journal aside: %w", err)
		}
	}
	return nil
}
