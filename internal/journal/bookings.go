package journal

import (
	"context"
	"database/sql"
	"time"
)

// Booking is a slot as it was last seen on the site.
type Booking struct {
	Site, Job string
	Slot      time.Time
	State     string // taken, free, unknown, too_late
	Ours      bool
	PostID    int64
	Status    string
	Slug      string
	Link      string
	Title     string
	Item      string
	Queued    bool // the item's file may still be in the queue
	Reason    string
	Seen      time.Time
}

// SaveBookings records what was seen, replacing older rows of the same slots. A
// row that was seen later stays.
func (j *Journal) SaveBookings(ctx context.Context, bs []Booking) error {
	if len(bs) == 0 {
		return nil
	}
	return j.write(ctx, "record bookings", func(ctx context.Context, tx *sql.Tx) error {
		for _, b := range bs {
			_, err := tx.ExecContext(ctx, `
				INSERT INTO bookings (site, job, slot, state, ours, post_id, status, slug, link, title, item, queued, reason, seen)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (site, job, slot) DO UPDATE SET state = excluded.state, ours = excluded.ours,
					post_id = excluded.post_id, status = excluded.status, slug = excluded.slug, link = excluded.link,
					title = excluded.title, item = excluded.item, queued = excluded.queued, reason = excluded.reason, seen = excluded.seen
				WHERE excluded.seen >= seen`,
				b.Site, b.Job, toMillis(b.Slot), b.State, b.Ours, b.PostID, b.Status, b.Slug, b.Link, b.Title, b.Item,
				b.Queued, b.Reason, toMillis(b.Seen))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Bookings lists a job's slots with from <= slot < to, in order.
func (j *Journal) Bookings(ctx context.Context, site, job string, from, to time.Time) ([]Booking, error) {
	return list(ctx, j, "list bookings", scanBooking, `
		SELECT site, job, slot, state, ours, post_id, status, slug, link, title, item, queued, reason, seen FROM bookings
		WHERE site = ? AND job = ? AND slot >= ? AND slot < ? ORDER BY slot`,
		site, job, from.UnixMilli(), to.UnixMilli())
}

// PostOf gives the post that an item of a job was last booked as, 0 when the
// journal knows of none, and whether its file was left in the queue.
func (j *Journal) PostOf(ctx context.Context, site, job, item string) (id int64, queued bool, err error) {
	type post struct {
		id     int64
		queued bool
	}
	posts, err := list(ctx, j, "find the post of an item", func(rows *sql.Rows) (p post, err error) {
		return p, rows.Scan(&p.id, &p.queued)
	}, `SELECT post_id, queued FROM bookings WHERE site = ? AND job = ? AND item = ? AND ours ORDER BY slot DESC LIMIT 1`, site, job, item)
	if err != nil || len(posts) == 0 {
		return 0, false, err
	}
	return posts[0].id, posts[0].queued, nil
}

func scanBooking(rows *sql.Rows) (b Booking, err error) {
	var slot, seen sql.NullInt64
	err = rows.Scan(&b.Site, &b.Job, &slot, &b.State, &b.Ours, &b.PostID, &b.Status, &b.Slug, &b.Link, &b.Title,
		&b.Item, &b.Queued, &b.Reason, &seen)
	b.Slot, b.Seen = fromMillis(slot), fromMillis(seen)
	return b, err
}
