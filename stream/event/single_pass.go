package event

import (
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// parseSinglePass decodes an event that fits the template. It reports false, and e is meaningless, if the event does
// not fit or has to be rejected.
func (d *Decoder) parseSinglePass(r *Record, whole, content []byte, arena []learner.Feature, e *Example) bool {
	most := d.options.MaxBytes
	if d.along == nil && !d.template.ready() || len(whole) == 0 || len(whole) > most || len(r.Key) > most {
		return false
	}
	*e = Example{Weight: d.records.weight, Start: len(arena)}
	d.value, d.example, d.start, d.failed = content, e, len(arena), Error{}
	room := len(d.template.keys) + 1
	if len(d.options.TimeParts) > 0 {
		room += len(d.template.keys) // a time makes two features
	}
	d.arena = slices.Grow(arena, room)
	d.words, d.moved = false, false
	d.crosses.reset()
	n := len(arena)
	if !d.fit(content) || len(d.arena) == n && !d.records.bare || len(d.arena)-n > d.options.MaxFeatures {
		return false
	}
	d.identify(r, e)
	if d.records.labels && (e.ID == nil || e.Label == 0 && e.Class == nil) {
		return false
	}
	e.End = len(d.arena)
	if !d.moved && !d.words {
		e.Names = d.template.listOf(e.End - e.Start)
	}
	//mutation:cross-single-pass
	if d.crosses != nil && !d.crossTemplate() {
		return false
	}
	e.End = len(d.arena)
	d.template.hit()
	return true
}

// fit reads an event that fits the template, or the plan of its schema.
func (d *Decoder) fit(content []byte) bool {
	if d.along != nil {
		return d.along()
	}
	return d.fits(content)
}

// listOf returns Example.Names of an event of n features that has the keys of the event before, all of them numbers.
func (t *template) listOf(n int) uint64 {
	if t.list == 0 {
		t.list, t.listed = lists.Add(1), 0
		for k := t.first.next; k != &t.last; k = k.next {
			if k.role == plainRole {
				t.listed++
			}
		}
	}
	if n != t.listed {
		return 0 // a value is missing
	}
	return t.list
}

// addTemplateWord adds the indicator `name=word`, where k has the name. It reports false if another feature of the
// event may have the same name.
func (d *Decoder) addTemplateWord(k *templateKey, word []byte) bool {
	t := d.template.template
	h := d.wordSum(k, word)
	if _, found := t.seen.find(h); found || !d.once(h) {
		return false
	}
	if k.crossed {
		d.crosses.note(t.name(k), word, len(d.arena)-d.start)
	}
	d.arena = append(d.arena,
		learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Indicator, Value: 1})
	return true
}

// once notes the name of a feature that the template does not have. It reports false if the event had it already.
func (d *Decoder) once(h uint64) bool {
	if !d.words {
		d.words = true
		d.seen.reset()
	}
	return !d.seen.add(h, 0)
}

// addTemplateNumber adds the feature of k. It reports false if the value is out of range.
func (d *Decoder) addTemplateNumber(k *templateKey, v float64) bool {
	if k.kind == timeKind {
		c, ok := clockOf(v)
		return d.addTemplateTime(k, c, ok)
	}
	f := k.feature
	f.Value = v
	//mutation:log-single-pass
	if k.logged {
		f.Value = learner.LogScale(v)
	}
	if k.crossed {
		name := d.template.name(k)
		d.crosses.note(name[:len(name)-1], nil, len(d.arena)-d.start)
	}
	d.arena = append(d.arena, f)
	return v >= -limit && v <= limit
}

// addTemplateCell is sink.cell for a feature of the template. It reports false if the event may have to be rejected,
// another feature may have the same name, or the word in a column of numbers has to be told.
func (d *Decoder) addTemplateCell(k *templateKey, text, trimmed []byte) bool {
	switch v, as, absent := d.read(k.kind, trimmed); {
	case as == number.Finite:
		return d.addTemplateNumber(k, v)
	case absent:
		return true
	case k.kind == timeKind:
		c, ok := parseClock(trimmed)
		return d.addTemplateTime(k, c, ok)
	case as == number.Word && (k.kind != numberKind || len(d.options.Columns) == 0):
		return d.addTemplateWord(k, text)
	}
	return false
}
