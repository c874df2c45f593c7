// Package avro compiles schemas of Apache Avro to types that can be walked along the bytes of a value, and reads
// container files.
//
// A Type says how bytes are written and what they mean in the JSON form of a value, which is what the rules for events
// are about. Bytes that no rule makes features of have no JSON form: they are Absent. Schemas are parsed by a library.
// Defaults, aliases, documentation and orders of sorting do not count: a value is read with the schema that it was
// written with.
package avro

// Kind is how a value is written, and what it is in JSON.
type Kind uint8

// The kinds. What is none of the others in JSON is Bytes or Fixed.
const (
	Null    Kind = iota
	Boolean      // a byte
	Int          // a varint, a number
	Long         // a longer varint, a number
	Float        // four bytes, a number
	Double       // eight bytes, a number
	String       // a length and so many bytes, a string
	Enum         // a varint, a string: one of Symbols
	UUID         // sixteen bytes, a string
	Record       // its Fields one after the other, an object
	Map          // blocks of keys and values, an object
	Array        // blocks of elements, an array
	Union        // a varint and the value of that branch, which is what it is in JSON
	Decimal      // bytes, of which there are Size or, if that is negative, a length before them: a number
	Scaled       // a record of the fields scale and value: a number
	Bytes        // a length and so many bytes; absent
	Fixed        // Size bytes; absent
)

// Clock is what a number tells of time.
type Clock uint8

// The clocks.
const (
	NoClock Clock = iota
	Date          // days since 1970
	Time          // milliseconds of the day
	Moment        // milliseconds since 1970
)

// Type is a compiled type. Types of a recursive schema point back.
type Type struct {
	Kind    Kind
	Name    string   // of a record, an enum or a fixed; of others that of the kind
	Fields  []Field  // of a record, and of Scaled
	Element *Type    // of an array; of the values of a map
	Types   []*Type  // the branches of a union
	Symbols [][]byte // of an enum
	Size    int      // of Fixed and Decimal
	Scale   int      // of Decimal
	Clock   Clock    // of Int and Long
	Divisor int64    // of a number with a clock: how many of the unit written are one of the Clock's; else 1

	// Absent says that no value of the type has a JSON form. MayBeAbsent says that some have none, in a union or in an
	// array.
	Absent, MayBeAbsent bool
	// Empty says that values of the type have no bytes.
	Empty bool

	state state
}

// Field is a field of a record.
type Field struct {
	Name []byte
	Type *Type
}

// IsObject reports whether values of the type are objects in JSON, or, of a union, some of them.
func (t *Type) IsObject() bool {
	if t.Kind != Union {
		return t.Kind == Record || t.Kind == Map
	}
	for _, branch := range t.Types {
		if branch.IsObject() {
			return true
		}
	}
	return false
}

// state is how far the properties of a type are known.
type state uint8

const (
	unknown state = iota
	underway
	known
)

// settle finds out which types are absent or have no bytes. A record that contains itself has neither property.
func (t *Type) settle() {
	if t.state != unknown {
		return
	}
	t.state = underway
	for _, of := range t.Types {
		of.settle()
	}
	for i := range t.Fields {
		t.Fields[i].Type.settle()
	}
	if t.Element != nil {
		t.Element.settle()
	}
	switch t.Kind {
	case Bytes, Fixed:
		t.Absent, t.Empty = true, t.Kind == Fixed && t.Size == 0
	case Null:
		t.Empty = true
	case Array:
		t.Absent = t.Element.Absent
		t.MayBeAbsent = t.Element.Absent || t.Element.MayBeAbsent
	case Record:
		t.Empty = true
		for _, f := range t.Fields {
			t.Empty = t.Empty && f.Type.state == known && f.Type.Empty
		}
	case Union:
		for _, of := range t.Types {
			t.MayBeAbsent = t.MayBeAbsent || of.Absent || of.MayBeAbsent
		}
	}
	t.state = known
}
