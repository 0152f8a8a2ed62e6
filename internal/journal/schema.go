package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

var errNewer = errors.New("a newer morrow made it: use that one, or move the file away")

// migrations lead from one schema version to the next. One that was released is
// never changed.
func migrations() []string {
	return []string{
		`CREATE TABLE runs (
			id      TEXT PRIMARY KEY,
			job     TEXT NOT NULL,
			site    TEXT NOT NULL,
			trigger TEXT NOT NULL,
			pid     INTEGER NOT NULL,
			host    TEXT NOT NULL,
			started INTEGER NOT NULL, -- times are Unix milliseconds
			ended   INTEGER,
			outcome TEXT NOT NULL,
			reason  TEXT NOT NULL
		) STRICT, WITHOUT ROWID;
		CREATE INDEX runs_started ON runs (started);
		CREATE INDEX runs_job ON runs (job, started);
		CREATE TABLE bookings (
			site    TEXT NOT NULL,
			job     TEXT NOT NULL,
			slot    INTEGER NOT NULL,
			state   TEXT NOT NULL,
			ours    INTEGER NOT NULL,
			post_id INTEGER NOT NULL,
			status  TEXT NOT NULL,
			slug    TEXT NOT NULL,
			link    TEXT NOT NULL,
			title   TEXT NOT NULL,
			item    TEXT NOT NULL,
			queued  INTEGER NOT NULL,
			reason  TEXT NOT NULL,
			seen    INTEGER NOT NULL,
			PRIMARY KEY (site, job, slot)
		) STRICT, WITHOUT ROWID;
		CREATE TABLE asides (
			site   TEXT NOT NULL,
			job    TEXT NOT NULL,
			name   TEXT NOT NULL,
			reason TEXT NOT NULL,
			seen   INTEGER NOT NULL,
			PRIMARY KEY (site, job, name)
		) STRICT, WITHOUT ROWID;
		CREATE TABLE facts (
			site  TEXT PRIMARY KEY,
			facts BLOB NOT NULL,
			at    INTEGER NOT NULL
		) STRICT, WITHOUT ROWID;
		CREATE TABLE media (
			site TEXT NOT NULL,
			hash TEXT NOT NULL,
			id   INTEGER NOT NULL,
			url  TEXT NOT NULL,
			PRIMARY KEY (site, hash)
		) STRICT, WITHOUT ROWID;`,
	}
}

type queryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func schemaVersion(ctx context.Context, q queryer) (version int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}

// migrate brings the schema up to date. Where it is, a write that changes
// nothing finds out that the file cannot be written to.
func migrate(ctx context.Context, db *sql.DB) error {
	short := context.WithoutCancel(ctx) // why, see Journal.do
	version, err := schemaVersion(short, db)
	if err != nil {
		return err
	}
	if version == len(migrations()) {
		_, err := db.ExecContext(short, "DELETE FROM facts WHERE FALSE")
		return err
	}
	if version == 0 {
		if err := enterWAL(ctx, db); err != nil {
			return err
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := migrateIn(ctx, tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// migrateIn reads the version again: another process may have been faster.
func migrateIn(ctx context.Context, tx *sql.Tx) error {
	version, err := schemaVersion(ctx, tx)
	if err != nil {
		return err
	}
	steps := migrations()
	if version > len(steps) {
		return errNewer
	}
	for _, step := range steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return fmt.Errorf("migrate: %w", err)
		}
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(steps)))
	return err
}

// enterWAL turns the file to WAL mode, which it keeps. SQLite does not wait for
// other processes here, whatever the busy timeout. Where WAL is impossible the
// file stays as it is, only slower.
func enterWAL(ctx context.Context, db *sql.DB) error {
	const pause = 5 * time.Millisecond
	for deadline := time.Now().Add(patience); ; {
		var mode string
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if primaryCode(err) != sqlite3.SQLITE_BUSY || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
