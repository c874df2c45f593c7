package event

import (
	"fmt"
	"strconv"

	"rosenblatt/learner"
)

// objects is where a value is in an event of a format with objects.
type objects struct {
	flat   bool      // there is no features field so far: fields without another role are features
	inside bool      // within the features object
	emit   bool      // values are features here: flat or inside, and not within an ignored object
	depth  int       // of objects and arrays
	had    uint8     // bit r is set if there was a field with role r
	null   bool      // the features field is null: the event is a tombstone
	fields nameTable // the names of the top-level fields
	beside []byte    // of the text field, where no features field was before it; nil if there is none
}

// beginObject begins an event that is an object.
func (s *sink) beginObject() {
	o := &s.objects
	if s.visit == nil { // else Walk repeats an event, and it is known
		o.flat = !s.records.bare
	}
	o.inside, o.emit, o.depth, o.had, o.null, o.beside = false, o.flat, 1, 0, false, nil
	o.fields.reset()
}

// endObject ends it.
func (s *sink) endObject() {
	s.empty = s.had == 0 && s.fields.used == 0
	if s.null {
		s.tombstone(fmt.Sprintf("the field %q is null", s.options.FeaturesField))
	}
}

// tombstone makes the event one. What says why it is.
func (s *sink) tombstone(what string) {
	s.failed, s.unfit = Error{}, Error{}
	if s.options.Tombstones == SkipTombstones {
		*s.example = Example{Weight: 1, Start: s.start, End: s.start, Skip: true}
		return
	}
	s.failed.add(Empty, -1, "%s; nulls can be skipped (tombstones)", what)
}

// currentRoles returns the roles of names in the current object.
func (s *sink) currentRoles() *fieldRoles {
	if s.inside {
		return &s.within
	}
	return &s.roles
}

// begin notes a field whose value is at offset at. It reports false if the event had it already.
func (s *sink) begin(at int, f *field) bool {
	again := false
	switch {
	case f.role == plainRole || f.role == ignoreRole:
		if s.depth > 1 {
			return true
		}
		f.hash, f.hashed = s.sum(f.name), true
		again = s.fields.add(f.hash, 0)
	case f.role == textRole && s.inside:
	default:
		again = s.had&(1<<f.role) != 0
		s.had |= 1 << f.role
	}
	if again {
		s.failed.add(DuplicateField, at, "duplicate field %v; send it once", quoted(f.name))
	}
	return !again
}

// A level is an object or an array that is being read.
type level struct {
	end      int // of its name in sink.name, with a dot for an object
	prefixes int // of the levels around it
	kind     kind
	emit     bool // values around it are features
}

// deeper counts a level of nesting that begins at offset at.
func (s *sink) deeper(at int) bool {
	if s.depth >= s.deepest {
		s.stop(TooDeep, at, "nested deeper than %d levels; raise the limit or flatten the event", s.deepest)
		return false
	}
	s.depth++
	return true
}

// enter begins the object at offset at, the value of f: the names of its members follow a dot. Of what is ignored only
// fields with a role count.
func (s *sink) enter(at int, f *field) (in level, ok bool) {
	in.end, in.emit = s.hold(f), s.emit
	s.emit = s.emit && f.role == plainRole
	s.name = append(s.name[:in.end], '.')
	in.end++
	in.prefixes = s.pushPrefix(in.end)
	return in, s.deeper(at)
}

// enterArray begins an array, whose elements are features.
func (s *sink) enterArray(at int, f *field) (in level, ok bool) {
	in.end, in.kind, in.emit = s.hold(f), f.kind, s.emit
	if f.kind == timeKind {
		s.notTime(at, f.name)
	}
	in.prefixes = s.pushPrefix(in.end)
	return in, s.deeper(at)
}

// leave ends the object or the array.
func (s *sink) leave(in level) {
	s.prefixes = s.prefixes[:in.prefixes]
	s.emit = in.emit && (s.flat || s.inside) // unless the features field was in there
	s.depth--
}

// elementNumber takes element n of an array, a number, and how it is written.
func (s *sink) elementNumber(in level, n int, token []byte, v float64) (name []byte) {
	if !in.kind.isNumber() {
		s.elementWord(in, token)
		return nil
	}
	if s.notes != nil {
		s.notes.number(s.name[s.base:in.end], v)
	}
	s.name = append(strconv.AppendInt(append(s.name[:in.end], '['), int64(n), 10), ']')
	name = s.name[s.base:]
	s.add(name, v, learner.Numeric)
	return name
}

// elementWord takes an element of an array, a word.
func (s *sink) elementWord(in level, word []byte) {
	if in.kind == timeKind {
		return // the array is no time
	}
	if s.notes != nil {
		s.notes.word(s.name[s.base:in.end], WordValue, word)
	}
	s.name = append(append(s.name[:in.end], '='), word...)
	s.addOnce(s.name[s.base:])
}

// unknown notes that a value within the array called name is neither a number nor a string, or not what those before it
// are.
func (s *sink) unknown(i int, name []byte) {
	s.unfit.add(BadFeatures, i, "field %v: an array must hold only numbers or only strings, and no null; --ignore "+
		"leaves the field out, --unknown skip all such values", quoted(name))
}

// beginFeatures begins the features field: what was a feature before it is none.
func (s *sink) beginFeatures() {
	if s.flat {
		s.flat = false
		s.discard()
	}
}

// textBeside takes the text field, within the features object or beside it. The text stays as it is until the event
// ends.
func (s *sink) textBeside(f *field, text []byte) {
	if s.flat {
		s.beside = text
	}
	s.addText(f, text)
}

// outside is what was around the features object.
type outside struct {
	base     int
	prefixes []prefixHash
}

// enterFeatures begins the features object at offset at. Names within it begin after the prefix, which the objects
// around it still need.
func (s *sink) enterFeatures(at, prefix int) (around outside, ok bool) {
	if !s.deeper(at) {
		return around, false
	}
	around = outside{s.base, s.prefixes}
	s.base, s.inside, s.emit, s.prefixes = prefix, true, true, s.prefixes[len(s.prefixes):]
	if len(s.beside) > 0 { // its features were discarded, but count beside a features field too
		s.addText(&field{name: view(s.options.TextField), prefix: prefix}, s.beside)
	}
	return around, true
}

// leaveFeatures ends it.
func (s *sink) leaveFeatures(around outside) {
	s.base, s.inside, s.emit, s.prefixes = around.base, false, false, around.prefixes
	s.depth--
}

// hold stores the name of a field in s.name, so that it can be extended, and returns where it ends.
func (s *sink) hold(f *field) (end int) {
	if f.prefix == s.base {
		s.name = append(s.name[:f.prefix], f.name...)
	}
	return len(s.name)
}

// path returns the name of a feature: the prefix in s.name and a key. Without a prefix it is the key itself.
func (s *sink) path(prefix int, key []byte) []byte {
	if prefix == s.base {
		return key
	}
	s.name = append(s.name[:prefix], key...)
	return s.name[s.base:]
}
