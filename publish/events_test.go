package publish

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"morrow/internal/fakewp"
)

// TestEvents: what people want to be told of wherever they are is an event,
// once, and stands among the notices too.
func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		name string
		want []EventKind
		reps func(t *testing.T, r *rig) []Report
	}{
		{"a missed schedule that was mended", []EventKind{Mended}, func(_ *testing.T, r *rig) []Report { return missed(r) }},
		{"one that could not be mended at first", []EventKind{Overdue, Mended}, func(_ *testing.T, r *rig) []Report {
			r.site.Inject(fakewp.Fault{
				Match: func(q *http.Request) bool { return q.Method == http.MethodPost && time.Now().After(r.slot()) },
				Times: 1, Instead: true, Status: http.StatusForbidden, Body: "{}",
			})
			return missed(r)
		}},
		{"twins", []EventKind{Withdrawn}, func(t *testing.T, r *rig) []Report {
			t.Helper()
			twins(t, r)
			return []Report{r.run(), r.run()}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				var got []EventKind
				for _, rep := range tt.reps(t, r) {
					for _, e := range rep.Events {
						got = append(got, e.Kind)
						if e.Post == 0 || !slices.Contains(rep.Notices, e.Text) {
							t.Errorf("event %+v names no post, or is not among the notices %q", e, rep.Notices)
						}
					}
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("events %v, want %v", got, tt.want)
				}
			})
		})
	}
}

// missed books a post that WordPress does not publish, and follows it.
func missed(r *rig) []Report {
	r.keepPub = true
	r.site.SetCronDead(true)
	r.file("010-first.md", first)
	return r.follow(r.run(), 3*time.Minute)
}
