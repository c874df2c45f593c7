package event

import (
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/schema"
)

// ValueKind is what a value of a field is.
type ValueKind uint8

// The kinds of values. A null is also a blank cell, or a word that means a missing value.
const (
	NumberValue ValueKind = iota
	WordValue
	BooleanValue
	NullValue
)

// Value is a value that a field of an event has, as its features are made of it. An array has several, and so has a
// text that is split into words.
type Value struct {
	Field  []byte // the dotted name, of elements that of the array; of vw the namespace
	Kind   ValueKind
	Number float64 // before --log
	Word   []byte  // a boolean, too
}

// Values decodes an event again and calls visit with the values of its features, in the order of the event. It reports
// false, without a visit, if the event is rejected or skipped. Values are valid until visit returns.
func (d *Decoder) Values(r *Record, visit func(Value)) bool {
	d.noted.reset()
	d.notes = &d.noted
	defer func() { d.notes = nil }()
	var e Example
	d.place = schema.PlaceOf(r, d.records.labels)
	r, ok := d.eventOf(r)
	if !ok {
		return false
	}
	whole, content, skip := d.parser.open(r.Value, r.Headers)
	if skip {
		return false
	}
	d.decode(r, whole, content, d.noted.arena[:0], &e)
	d.noted.arena = d.arena[:0]
	if e.Rejected != nil || e.Skip {
		return false
	}
	for _, v := range d.noted.values {
		visit(v)
	}
	return true
}

// notes collects the values of an event. What it is told is in scratch memory, so it has copies.
type notes struct {
	values []Value
	text   []byte
	arena  []learner.Feature // that nobody reads
}

func (n *notes) reset() { n.values, n.text = n.values[:0], n.text[:0] }

func (n *notes) copy(b []byte) []byte {
	from := len(n.text)
	n.text = append(n.text, b...)
	return n.text[from:]
}

func (n *notes) number(field []byte, v float64) {
	n.values = append(n.values, Value{Field: n.copy(field), Kind: NumberValue, Number: v})
}

func (n *notes) word(field []byte, kind ValueKind, word []byte) {
	n.values = append(n.values, Value{Field: n.copy(field), Kind: kind, Word: n.copy(word)})
}

// fieldOf returns the field to which a value of f belongs.
func (s *sink) fieldOf(f *field) []byte {
	switch {
	case s.options.Format != VW:
		return f.name
	case f.prefix == 0:
		return []byte("|")
	}
	return f.name[:f.prefix-1] // without its ^
}

// noteNumber notes a number. A feature of vw without a value is a word of its namespace.
func (s *sink) noteNumber(f *field, token []byte, v float64) {
	if token == nil && s.options.Format == VW {
		s.notes.word(s.fieldOf(f), WordValue, f.name[f.prefix:])
		return
	}
	s.notes.number(s.fieldOf(f), v)
}

// noteWord notes a word; of vw it has the name of the feature in front.
func (s *sink) noteWord(f *field, kind ValueKind, word []byte) {
	if s.options.Format == VW {
		word = slices.Concat(f.name[f.prefix:], []byte("="), word)
	}
	s.notes.word(s.fieldOf(f), kind, word)
}

// noteNull notes that a field has no value.
func (s *sink) noteNull(f *field) {
	if s.notes != nil && f.role == plainRole {
		s.notes.word(s.fieldOf(f), NullValue, nil)
	}
}
