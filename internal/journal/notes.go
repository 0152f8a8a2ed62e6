package journal

import (
	"context"
	"database/sql"
	"errors"
)

// notesKey is where, among the facts, the notes lie.
const notesKey = "notifications"

// ChangeNotes replaces what is kept of notifications (JSON; nil at first) by
// what f makes of it. No other process changes it meanwhile; f may be called
// again, and is not called where nothing is kept.
func (j *Journal) ChangeNotes(ctx context.Context, f func(kept []byte) ([]byte, error)) error {
	return j.write(ctx, "keep notes", func(ctx context.Context, tx *sql.Tx) error {
		var kept []byte
		err := tx.QueryRowContext(ctx, "SELECT facts FROM facts WHERE site = ?", notesKey).Scan(&kept)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		changed, err := f(kept)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO facts (site, facts, at) VALUES (?, ?, 0)", notesKey, changed)
		return err
	})
}
