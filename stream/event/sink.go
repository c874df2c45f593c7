package event

import (
	"bytes"

	"github.com/cespare/xxhash/v2"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// sink is what parsers tell the values of an event, in its order: number, literal, word, cell and textBeside, and enter
// and leave for the objects around them. It is the one place where values become features, a label, an id and a weight.
// Parsers know how events are written, the sink knows what they mean. An event that fits the template does not pass
// through it (single_pass.go).
type sink struct {
	options Options
	mask    uint32 // of the slots
	deepest int    // Options.MaxDepth, but where what is read is not the event
	labels  labelReader
	roles   fieldRoles // of fields, columns and, in the formats without either, of feature names
	within  fieldRoles // of names within the features object
	missing fieldRoles // the words that mean a missing value in a cell
	comma   bool       // numbers in cells have a comma instead of a point
	records recordKind // events, or label records
	digest  xxhash.Digest
	crosses *crosses // nil if there are none
	runs    wordRuns // of words of a text

	// The current event.
	example *Example
	arena   []learner.Feature
	start   int       // where its features begin in the arena
	failed  Error     // what is wrong with the event
	unfit   Error     // what is wrong with its features; forgotten if they are discarded
	seen    nameTable // its features; in a single pass, only its words
	empty   bool      // it has neither a field nor a label
	visit   func(name []byte, index int)
	notes   *notes // of the values of fields; nil: nobody asks
	objects        // of formats that have such

	name     []byte       // scratch: the name of the current feature, after the names of the objects around it
	base     int          // where names begin in name
	prefixes []prefixHash // of long prefixes in name, each of which continues the one before
	token    []byte       // scratch: how a value of a binary format is written
	kept     []byte       // texts that outlive the event
}

// field is what values belong to: a feature, or a role. Formats that know their fields before any event make each once.
type field struct {
	name   []byte // of the feature, with those of the objects around it; valid until there is another name
	prefix int    // where the key begins in sink.name; sink.base if the name is the key alone
	hash   uint64 // of the name, if hashed
	hashed bool
	role   role
	kind   kind
}

// newField returns the field of a name of which the role is known.
func newField(name []byte, prefix int, r role) field {
	f := field{name: name, prefix: prefix, role: r}
	if r >= wordRole {
		f.role, f.kind = plainRole, wordKind+kind(r-wordRole)
	}
	return f
}

func newSink(o Options) sink {
	s := sink{options: o, mask: 1<<o.Bits - 1, deepest: o.MaxDepth, records: recordKind{weight: 1},
		crosses: newCrosses(&o)}
	s.setLabels()
	for _, word := range o.Missing {
		s.missing.add(word, ignoreRole)
	}
	return s
}

// reset begins an event.
func (s *sink) reset(arena []learner.Feature, e *Example) {
	*e = Example{Weight: s.records.weight, Start: len(arena)}
	s.example, s.arena, s.start = e, arena, len(arena)
	s.failed, s.unfit, s.empty = Error{}, Error{}, false
	s.name, s.base, s.prefixes = s.name[:0], 0, s.prefixes[:0]
	s.seen.reset()
	s.crosses.reset()
}

// number takes a number, and how it is written.
func (s *sink) number(f *field, token []byte, v float64) {
	switch {
	case f.role != plainRole:
		s.numberRole(f.role, token, v)
	//mutation:number-as-word
	case f.kind == wordKind:
		s.addWord(f, token)
	case f.kind == timeKind:
		c, ok := clockOf(v)
		s.timeOf(f, c, ok, -1)
	default:
		if s.notes != nil {
			s.noteNumber(f, token, v)
		}
		if f.hashed {
			s.addHashed(f.hash, f.name, v, learner.Numeric, false)
			return
		}
		s.add(f.name, v, learner.Numeric)
	}
}

// literal takes true or false.
func (s *sink) literal(f *field, token []byte) {
	switch f.role {
	case plainRole:
		if f.kind == timeKind {
			s.notTime(-1, f.name)
			return
		}
		s.addIndicator(f, BooleanValue, token)
	case labelRole:
		s.labels.token(s, token, false, 0)
	case idRole:
		s.typedID(token)
	case weightRole:
		s.badWeight(token)
	}
}

// word takes a text, at offset at, which its format tells from numbers. raw is how it is written in JSON.
func (s *sink) word(at int, f *field, raw, text []byte) {
	switch f.role {
	case plainRole:
		switch f.kind {
		case numberKind:
			s.cell(at, f, text, trim(text))
			return
		case timeKind:
			c, ok := parseClock(text)
			s.timeOf(f, c, ok, at)
			return
		}
		s.addWord(f, text)
	case textRole:
		s.addText(f, text)
	case labelRole:
		//mutation:blank-label
		if !blankText(text) {
			s.labels.quoted(s, raw, text)
		}
	case idRole:
		s.example.ID, s.example.IDIsJSON = raw, true
	case weightRole:
		if !blankText(text) {
			s.badWeight(raw)
		}
	}
}

// blankText reports whether a text has no content: it is no label and no weight, like a blank cell.
func blankText(text []byte) bool { return len(bytes.Trim(text, " ")) == 0 }

// cell takes a text, at offset at, that may be a number: a feature of a table, or of json where a setting says so. It
// reports whether the text is a word, of which the blanks around it are part (RFC 4180, section 2.4).
func (s *sink) cell(at int, f *field, text, trimmed []byte) (word bool) {
	v, k, absent := s.read(f.kind, trimmed)
	switch {
	case k == number.Finite && f.hashed && s.notes == nil: // sink.number of a column, inlined by hand
		s.addHashed(f.hash, f.name, v, learner.Numeric, false)
	case k == number.Finite:
		s.number(f, trimmed, v)
	case absent:
		s.noteNull(f)
	case f.kind == timeKind:
		c, ok := parseClock(trimmed)
		s.timeOf(f, c, ok, at)
	case k == number.NotFinite:
		s.notFinite(at, f.name, trimmed)
	default:
		s.addWord(f, text)
		return true
	}
	return false
}

// read tells what a cell without the blanks around it is, as the value of a feature of a kind. Where nothing says that
// the feature is a number, what looks like one over the limit is a word, as the code 04e09220.
func (s *sink) read(of kind, trimmed []byte) (v float64, k number.Kind, absent bool) {
	//mutation:words-of-digits
	if of != wordKind {
		if s.comma {
			v, k = commaNumber(trimmed)
		} else {
			v, k = number.Text(trimmed)
		}
	}
	//mutation:code-over-limit
	if of == anyKind && !(v >= -limit && v <= limit) {
		k = number.Word
	}
	return v, k, k != number.Finite && s.absent(trimmed)
}

// absent reports whether a cell without the blanks around it means a missing value.
func (s *sink) absent(trimmed []byte) bool {
	return len(trimmed) == 0 || s.missing.of(trimmed) != plainRole
}

func (s *sink) notFinite(at int, name, text []byte) {
	s.unfit.add(NotFinite, at, "the value of %v is not finite: %v; leave it out", quoted(name), quoted(text))
}

// numberRole takes a number that is no feature.
func (s *sink) numberRole(r role, token []byte, v float64) {
	switch r {
	case labelRole:
		s.labels.token(s, token, true, v)
	case idRole:
		s.typedID(token)
	case weightRole:
		s.weight(token, v)
	}
}

// typedID takes an id that is a number, true or false.
func (s *sink) typedID(token []byte) {
	//mutation:ids-as-text
	s.example.ID, s.example.IDIsJSON = token, !s.options.TextIDs
}

// composite rejects an object or an array, at offset at, where a role needs a single value. raw is how it is written.
func (s *sink) composite(at int, r role, raw []byte) {
	switch r {
	case labelRole:
		s.failed.add(BadLabel, at, "the label is not a number, bool or string%s", s.setting(labelRole))
	case weightRole:
		s.badWeight(raw)
	}
}

// finish completes the example.
func (s *sink) finish() {
	if s.example.Skip {
		s.arena = s.arena[:s.start]
		return
	}
	s.cross()
	if s.unfit.Reason != OK && s.failed.replacedBy(s.unfit.Reason) {
		s.failed = s.unfit
	}
	if s.failed.Reason == OK {
		s.checkContent()
	}
	if s.failed.Reason == OK {
		s.example.End = len(s.arena)
		return
	}
	s.arena = s.arena[:s.start]
	reject(s.example, s.start, s.failed)
}

// checkContent checks that the record has what its kind needs.
func (s *sink) checkContent() {
	switch k := &s.records; {
	//mutation:empty-event
	case s.empty && !k.bare && !s.options.EmptyIsZero:
		s.failed.add(NoFeatures, -1, "neither a field nor a label: is the format another? "+
			"--no-features zero takes the event")
	//mutation:key-is-null
	case k.keyed && s.example.ID == nil:
		s.failed.add(NoID, -1, "%s", NoKey)
	case k.labels && s.example.ID == nil:
		s.failed.add(NoID, -1, "the label record has no id (%s)", s.options.IDField)
	case k.labels && s.example.Label == 0 && s.example.Class == nil:
		s.failed.add(NoLabel, -1, "the label record has no label (%s)", s.options.LabelField)
	}
}

// reject makes e a rejected example. The label is kept only if a later check may still reject it.
func reject(e *Example, start int, err Error) {
	e.Rejected, e.Start, e.End = &err, start, start
	if err.Reason <= BadLabel || err.Reason == Internal {
		e.Label, e.Class, e.Family = 0, nil, Unlabelled
	}
}
