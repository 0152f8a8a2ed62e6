package journal

import (
	"context"
	"database/sql"
	"database/sql/driver"
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

// readWriteDSN: in WAL mode NORMAL syncs at checkpoints only. A power cut can
// cost the last rows, but not the file.
func readWriteDSN(path string) string {
	return dsn(path, fmt.Sprintf("_txlock=immediate&_busy_timeout=%d&_synchronous=NORMAL&_pragma=journal_size_limit(0)",
		patience.Milliseconds()))
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
	db := sql.OpenDB(connector{c})
	db.SetMaxOpenConns(1)
	return db, nil
}

// connector opens connections that leave the WAL and its index in place when
// they close. They are deleted by name: after somebody deleted the journal, that
// name can be another process' new WAL. To keep them is faster, too.
type connector struct{ driver.Connector }

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	control, ok := conn.(sqlite.FileControl)
	if !ok {
		return conn, nil
	}
	if _, err := control.FileControlPersistWAL("main", 1); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// isDamaged tells whether the file itself is at fault.
func isDamaged(err error) bool {
	code := primaryCode(err)
	return code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
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

// startAnew moves the damaged file aside and begins a new one. If another
// process has done so already, its new file is used.
func (j *Journal) startAnew(ctx context.Context, damage error) error {
	if j.isCurrent() {
		aside := j.path + ".corrupt-" + time.Now().UTC().Format("20060102T150405.000")
		if err := j.moveTo(aside); err != nil {
			return errors.Join(damage, err)
		}
		j.notice = fmt.Sprintf("the journal was damaged (%v) and begins anew; the old file is %s", damage, aside)
	}
	return j.open(ctx)
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
