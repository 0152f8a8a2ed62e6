package publish

import (
	"testing"

	"morrow/internal/fakewp"
)

const settings = "---\ntitle: First\nsticky: true\nformat: aside\ncomments: false\n---\nThe text.\n"

func (r *rig) wantSettings() {
	r.t.Helper()
	for _, p := range r.posts("future") {
		if !p.Sticky || p.Format != "aside" || p.CommentStatus != "closed" || p.PingStatus != "open" {
			r.t.Errorf("the site has %+v", p)
		}
	}
}

func TestSettingsGoOut(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.file("010-first.md", settings)
		r.want(r.run(), Booked)
		r.exactlyOne("010-first.md")
		r.wantSettings()
	})
}

// TestSettingsAfterALostCreate: the draft that a lost create has left is found
// in a list, which does not show the settings.
func TestSettingsAfterALostCreate(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.file("010-first.md", settings)
		r.site.Inject(fakewp.Fault{Method: "POST", CutAfter: true, Times: 1})
		r.want(r.run(), Booked)
		r.exactlyOne("010-first.md")
		r.wantSettings()
	})
}

// TestSettingsChangedBeforeTheBooking: a left-over draft gets what the file
// says now, though its text is the same.
func TestSettingsChangedBeforeTheBooking(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.file("010-first.md", first)
		mend := r.site.Inject(fakewp.Fault{Method: "POST", Skip: 1, Instead: true, Status: 500})
		r.want(r.run(), Unknown)
		mend()
		r.file("010-first.md", settings)
		r.want(r.run(), Booked)
		r.exactlyOne("010-first.md")
		r.wantSettings()
	})
}

// TestSettingsThatAreDropped: the next file is taken, and nothing is left over.
func TestSettingsThatAreDropped(t *testing.T) {
	bubble(t, func(_ *testing.T, r *rig) {
		r.file("005-meta.md", "---\ntitle: Meta\nmeta: {mood: x}\n---\nText.\n")
		r.file("010-first.md", first)
		r.want(r.run(), Booked)
		r.exactlyOne("010-first.md")
	})
}
