package notify

import (
	"slices"
	"time"
)

const (
	// forget is how long after it was last seen a thing is given up that no
	// run speaks of any more: its job was taken out.
	forget = 30 * day
	// most bounds what waits for an address that can't be reached.
	most = 1000
	// lease is how long a message may be under way. One that is not back by
	// then was lost with its process, and is sent by another.
	lease = 2 * time.Minute
)

// State says what a Line tells of its event.
type State string

// States.
const (
	Happened State = "happened" // it is past
	Begun    State = "begun"    // it lasts, and is told for the first time
	Lasts    State = "lasts"    // it still lasts
	Over     State = "resolved" // it does not last any more
)

// Line is one thing that a message tells.
type Line struct {
	Event
	State State     `json:"state"`
	At    time.Time `json:"at"`
	Since time.Time `json:"since,omitzero"` // of what lasts
}

// memory is what was said and what waits to be said. It lies in the journal:
// losing it costs that something is said again.
type memory struct {
	Lasting map[string]*condition `json:"lasting,omitempty"` // by the event's key
	Outbox  map[string]*box       `json:"outbox,omitempty"`  // by the address's name
}

// condition is something that lasts.
type condition struct {
	Event Event     `json:"event"`
	Since time.Time `json:"since"`
	Seen  time.Time `json:"seen"`
	Said  time.Time `json:"said"`
	Times int       `json:"times"` // how often it was said
}

// isDue says whether it is to be said again.
func (c *condition) isDue(now time.Time) bool {
	pauses := c.Event.Kind.pauses()
	return now.Sub(c.Said) >= pauses[min(c.Times, len(pauses))-1]
}

// box is what waits for one address.
type box struct {
	Lines []Line    `json:"lines,omitempty"`
	Taken []Line    `json:"taken,omitempty"` // under way
	Until time.Time `json:"until,omitzero"`  // the end of their lease
}

// observe takes in what a run found, and puts down what of it is to be said.
func (m *memory) observe(now time.Time, l Look, to []Address) {
	found := make(map[string]bool, len(l.Events))
	for _, e := range l.Events {
		if !e.Kind.lasts() {
			m.put(to, Line{Event: e, State: Happened, At: now})
			continue
		}
		found[e.key()] = true
		m.goesOn(now, e, to)
	}
	for key, c := range m.Lasting {
		switch {
		case found[key]:
		case !c.Event.Until.IsZero() && !now.Before(c.Event.Until), now.Sub(c.Seen) > forget:
			delete(m.Lasting, key)
		case c.Event.Job == l.Job && l.saw(c.Event.Kind):
			delete(m.Lasting, key)
			m.over(now, c, to)
		}
	}
}

// goesOn says of a thing that lasts that it does, if that is due.
func (m *memory) goesOn(now time.Time, e Event, to []Address) {
	c, known := m.Lasting[e.key()]
	if !known {
		c = &condition{Since: now}
		m.Lasting[e.key()] = c
	}
	c.Event, c.Seen = e, now
	if known && !c.isDue(now) {
		return
	}
	line := Line{Event: e, State: Lasts, At: now, Since: c.Since}
	if !known {
		line.State = Begun
	}
	c.Said, c.Times = now, c.Times+1
	m.put(to, line)
}

// put leaves a line for each address that is told of its kind, in place of what
// waits there of the same thing.
func (m *memory) put(to []Address, line Line) {
	for _, a := range to {
		if !a.wants(line.Kind) {
			continue
		}
		b, l := m.box(a), line
		if slices.ContainsFunc(b.Lines, func(waits Line) bool { return l.State == Happened && waits.Event == l.Event }) {
			continue // a run that tries in vain again and again
		}
		if waits := b.take(line.key()); waits != nil && l.State == Lasts {
			l.State = waits.State // nobody has read yet that it began
		}
		b.add(l)
	}
}

// over says that something does not last any more, where it was ever said.
func (m *memory) over(now time.Time, c *condition, to []Address) {
	for _, a := range to {
		if !a.wants(c.Event.Kind) {
			continue
		}
		b := m.box(a)
		if waits := b.take(c.Event.key()); waits == nil || waits.State != Begun {
			b.add(Line{Event: c.Event, State: Over, At: now, Since: c.Since})
		}
	}
}

func (m *memory) box(a Address) *box {
	b := m.Outbox[a.Name]
	if b == nil {
		b = &box{}
		m.Outbox[a.Name] = b
	}
	return b
}

// take removes the line that waits of something that lasts, and gives it.
func (b *box) take(key string) *Line {
	i := slices.IndexFunc(b.Lines, func(l Line) bool { return l.State != Happened && l.key() == key })
	if i < 0 {
		return nil
	}
	line := b.Lines[i]
	b.Lines = slices.Delete(b.Lines, i, i+1)
	return &line
}

func (b *box) add(lines ...Line) {
	b.Lines = append(b.Lines, lines...)
	b.Lines = b.Lines[max(0, len(b.Lines)-most):]
}

// send takes out what waits for an address; none while another process sends.
func (b *box) send(now time.Time) []Line {
	if len(b.Taken) > 0 && now.Before(b.Until) {
		return nil
	}
	b.Taken, b.Lines = append(b.Taken, b.Lines...), nil
	b.Until = now.Add(lease)
	return b.Taken
}

// sent ends what send began, unless its lease ended before: the lines are gone,
// or wait again.
func (b *box) sent(until time.Time, ok bool) {
	if !b.Until.Equal(until) {
		return
	}
	if !ok {
		b.Lines, b.Taken = append(b.Taken, b.Lines...), nil
		b.Lines = b.Lines[max(0, len(b.Lines)-most):]
	}
	b.Taken = nil
}
