package journal

import (
	"context"
	"database/sql"
	"time"
)

// Run is one execution of a job.
type Run struct {
	ID, Job, Site, Trigger string
	PID                    int
	Host                   string
	Started                time.Time
	Ended                  time.Time // zero while it runs, or if it was killed
	Outcome                string    // empty like Ended
	Reason                 string
}

// What is kept of each job: that many runs, none of them longer ago.
const (
	keepRuns = 1000
	keepDays = 400
)

// StartRun writes the run's row when it starts; without an EndRun it reads as
// running, or killed.
func (j *Journal) StartRun(ctx context.Context, r Run) error {
	return j.write(ctx, "record start of run", func(ctx context.Context, tx *sql.Tx) error { return saveRun(ctx, tx, r) })
}

// EndRun completes the row, or writes it whole if it got lost meanwhile, and
// prunes what is too old by the run's own end.
func (j *Journal) EndRun(ctx context.Context, r Run) error {
	return j.write(ctx, "record end of run", func(ctx context.Context, tx *sql.Tx) error {
		if err := saveRun(ctx, tx, r); err != nil {
			return err
		}
		return prune(ctx, tx, r)
	})
}

func saveRun(ctx context.Context, tx *sql.Tx, r Run) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO runs (id, job, site, trigger, pid, host, started, ended, outcome, reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET ended = excluded.ended, outcome = excluded.outcome,
			reason = excluded.reason`,
		r.ID, r.Job, r.Site, r.Trigger, r.PID, r.Host, toMillis(r.Started), toMillis(r.Ended),
		r.Outcome, r.Reason)
	return err
}

func prune(ctx context.Context, tx *sql.Tx, r Run) error {
	cutoff := r.Ended.AddDate(0, 0, -keepDays).UnixMilli()
	if _, err := tx.ExecContext(ctx, "DELETE FROM runs WHERE started < ?", cutoff); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `
		DELETE FROM runs WHERE job = ?1 AND started <
			(SELECT started FROM runs WHERE job = ?1 ORDER BY started DESC LIMIT 1 OFFSET ?2)`,
		r.Job, keepRuns-1)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM bookings WHERE slot < ?", cutoff)
	return err
}

// Runs lists the newest n runs, of one job when job is not empty, newest first.
func (j *Journal) Runs(ctx context.Context, job string, n int) ([]Run, error) {
	query := `SELECT id, job, site, trigger, pid, host, started, ended, outcome, reason FROM runs`
	args := []any{n}
	if job != "" {
		query += " WHERE job = ?2"
		args = append(args, job)
	}
	query += " ORDER BY started DESC, id DESC LIMIT ?1"
	return list(ctx, j, "list runs", scanRun, query, args...)
}

func scanRun(rows *sql.Rows) (r Run, err error) {
	var started, ended sql.NullInt64
	err = rows.Scan(&r.ID, &r.Job, &r.Site, &r.Trigger, &r.PID, &r.Host, &started, &ended,
		&r.Outcome, &r.Reason)
	r.Started, r.Ended = fromMillis(started), fromMillis(ended)
	return r, err
}

// list reads all rows of a query.
func list[T any](
	ctx context.Context, j *Journal, what string, scan func(*sql.Rows) (T, error), query string, args ...any,
) (all []T, err error) {
	err = j.do(ctx, what, func(ctx context.Context, db *sql.DB) error {
		all = nil
		rows, err := db.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			one, err := scan(rows)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
		return rows.Err()
	})
	return all, err
}

func toMillis(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMilli(), Valid: !t.IsZero()}
}

func fromMillis(n sql.NullInt64) time.Time {
	if !n.Valid {
		return time.Time{}
	}
	return time.UnixMilli(n.Int64).UTC()
}
