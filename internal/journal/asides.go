package journal

import (
	"context"
	"database/sql"
	"time"
)

// Aside is an item that the last run of a job set aside, and why.
type Aside struct {
	Name   string // the item's
	Reason string
	Seen   time.Time
}

// SaveAsides records what a run set aside, in place of what earlier runs did.
func (j *Journal) SaveAsides(ctx context.Context, site, job string, as []Aside) error {
	return j.write(ctx, "record items set aside", func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM asides WHERE site = ? AND job = ?", site, job); err != nil {
			return err
		}
		for _, a := range as {
			_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO asides (site, job, name, reason, seen) VALUES (?, ?, ?, ?, ?)",
				site, job, a.Name, a.Reason, toMillis(a.Seen))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Asides lists what the last run of a job set aside, by name.
func (j *Journal) Asides(ctx context.Context, site, job string) ([]Aside, error) {
	return list(ctx, j, "list items set aside", func(rows *sql.Rows) (a Aside, err error) {
		var seen sql.NullInt64
		err = rows.Scan(&a.Name, &a.Reason, &seen)
		a.Seen = fromMillis(seen)
		return a, err
	}, "SELECT name, reason, seen FROM asides WHERE site = ? AND job = ? ORDER BY name", site, job)
}
