package journal

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// SaveFacts caches what was learned of a site (JSON) and when.
func (j *Journal) SaveFacts(ctx context.Context, site string, facts []byte, at time.Time) error {
	return j.write(ctx, "cache facts of site", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO facts (site, facts, at) VALUES (?, ?, ?)",
			site, facts, toMillis(at))
		return err
	})
}

// Facts gives the cached facts; at is zero when there are none.
func (j *Journal) Facts(ctx context.Context, site string) (facts []byte, at time.Time, err error) {
	var millis sql.NullInt64
	err = j.one(ctx, "read facts of site", []any{&facts, &millis}, "SELECT facts, at FROM facts WHERE site = ?", site)
	return facts, fromMillis(millis), err
}

// SaveMedia remembers a file's media id and address on a site, by the hash of
// its content.
func (j *Journal) SaveMedia(ctx context.Context, site, hash string, id int64, url string) error {
	return j.write(ctx, "record media", func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO media (site, hash, id, url) VALUES (?, ?, ?, ?)",
			site, hash, id, url)
		return err
	})
}

// Media gives what SaveMedia was told; id is 0 when that was nothing.
func (j *Journal) Media(ctx context.Context, site, hash string) (id int64, url string, err error) {
	err = j.one(ctx, "read media", []any{&id, &url}, "SELECT id, url FROM media WHERE site = ? AND hash = ?", site, hash)
	return id, url, err
}

// one reads a row into dest, and leaves dest as it is if there is none.
func (j *Journal) one(ctx context.Context, what string, dest []any, query string, args ...any) error {
	return j.do(ctx, what, func(ctx context.Context, db *sql.DB) error {
		err := db.QueryRowContext(ctx, query, args...).Scan(dest...)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
}
