package profile

import (
	"bytes"
	"slices"

	"rosenblatt/stream/event"
)

// Bounds of what is kept.
const (
	Window    = 10_000 // events
	Windows   = 30     // whole windows before the newest one
	MaxFields = 200    // those of the reference, then the first that come
	maxName   = 256    // bytes

	maxChanges = 100 // the latest are kept
)

// Profile is fed by Add. The zero value is not usable: see New.
type Profile struct {
	decoder *event.Decoder
	fields  []*field
	named   map[string]*field
	order   []*field // of the values of the event before
	more    int64    // values of fields beyond MaxFields

	events    int64 // so far
	filled    int   // of the current window
	began     int64 // the timestamp of its first event, ms
	beganWas  int64 // that of the window before
	latest    int64 // the timestamp of the newest event, ms
	now       int   // events of the newest whole window; 0 before it
	before    []int // events of those before it
	reference int   // events of the reference; 0 if there is none yet
	changes   []Change
}

// field is what is known of one.
type field struct {
	name      string
	current   counts
	now       *Summary // of the newest whole window; nil if the field is newer
	seen      Bitmap   // the words of that window
	before    []*Summary
	reference *Summary // nil: the reference does not have it
	shifts    []float64
	judged    judgement
	since     int64 // the timestamp of the first event of the window that began the alert, ms
	span      Span  // likewise
}

// New returns a profile of events with these options. With a reference other than nil, that is what is compared with.
func New(o event.Options, reference *Reference) (*Profile, error) {
	d, err := event.New(o)
	if err != nil {
		return nil, err
	}
	p := &Profile{decoder: d, named: map[string]*field{}}
	if reference != nil {
		p.reference = reference.Events
		for _, f := range reference.Fields {
			p.add([]byte(f.Name)).reference = f.Summary
		}
	}
	return p, nil
}

// Add profiles an event. It reports false if the event is rejected or skipped, which leaves no trace.
func (p *Profile) Add(r *event.Record) bool {
	n := 0
	ok := p.decoder.Values(r, func(v event.Value) {
		if f := p.field(n, v.Field); f != nil {
			f.current.add(p.events, &v, f.reference)
		}
		n++
	})
	if !ok {
		return false
	}
	p.events++
	if p.filled == 0 {
		p.began = r.Timestamp
	}
	p.latest = r.Timestamp
	if p.filled++; p.filled == Window {
		p.seal()
	}
	return true
}

// Events counts the events so far.
func (p *Profile) Events() int64 { return p.events }

// field returns the field of value n of an event, nil if there are too many. Events often have the same fields.
func (p *Profile) field(n int, name []byte) *field {
	if len(name) > maxName {
		name = bytes.ToValidUTF8(name[:maxName], nil)
	}
	if n < len(p.order) && p.order[n].name == string(name) {
		return p.order[n]
	}
	f := p.named[string(name)]
	if f == nil {
		if len(p.fields) == MaxFields {
			p.more++
			return nil
		}
		f = p.add(name)
	}
	if n < len(p.order) {
		p.order[n] = f
	} else if n == len(p.order) && n < MaxFields {
		p.order = append(p.order, f)
	}
	return f
}

func (p *Profile) add(name []byte) *field {
	f := &field{name: string(name)}
	f.current.last = -1
	p.named[f.name] = f
	p.fields = append(p.fields, f)
	return f
}

// seal ends the current window.
func (p *Profile) seal() {
	first := p.reference == 0
	if p.now > 0 {
		p.before = keep(p.before, p.now)
	}
	for _, f := range p.fields {
		if p.now > 0 {
			f.before = keep(f.before, f.now)
		}
		//mutation:reference-is-the-first
		if first {
			f.reference = f.current.summary(p.filled, true)
		}
		was := f.judged.alert
		f.judge(p.filled, p.before)
		f.now, f.seen = f.current.summary(p.filled, false), append(f.seen[:0], f.current.seen...)
		//mutation:alert-begins-once
		if a := f.judged.alert; a != "" && a != was {
			//mutation:alert-since
			f.since = p.began
			//mutation:alert-span
			f.span = Span{timeOf(p.beganWas), timeOf(p.latest)}
			p.changes = append(p.changes, f.change(p.events, p.filled))
			p.changes = p.changes[max(0, len(p.changes)-maxChanges):]
		} else if a == "" && was != "" {
			p.end(f.name)
		}
		f.current.reset()
	}
	if first {
		p.reference = p.filled
	}
	p.now, p.filled, p.beganWas = p.filled, 0, p.began
}

// SetReference makes the newest whole window the reference. It reports false before there is one.
func (p *Profile) SetReference() bool {
	if p.now == 0 {
		return false
	}
	p.reference = p.now
	for _, f := range p.fields {
		//mutation:reference-as-it-is-now
		if f.reference = nil; f.now != nil && f.now.Present+f.now.Nulls > 0 {
			now := *f.now
			now.Seen, now.points, now.kept = slices.Clone(f.seen), nil, nil
			f.reference = &now
		}
		f.judged.shift.Reference, f.judged.newWords = nil, nil // of the next window
	}
	return true
}

// keep appends to what is kept of the windows before.
func keep[T any](all []T, x T) []T {
	if len(all) == Windows {
		all = append(all[:0], all[1:]...)
	}
	return append(all, x)
}
