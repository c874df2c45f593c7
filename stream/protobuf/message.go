// Package protobuf compiles schemas of Protocol Buffers to messages that can be walked along the bytes of a value.
//
// A Message says how bytes are written and what they mean in the JSON form of a value, which is what the rules for
// events are about. Fields are in the order in which the schema declares them. What no rule makes features of has no
// JSON form: it is Absent. Schemas are parsed by a library. Options, services, extensions and comments do not count.
package protobuf

// Kind is how a value is written, and what it is in JSON.
type Kind uint8

// The kinds. What is none of the others in JSON is Bytes.
const (
	Double   Kind = iota
	Float         // the number of that float
	Int           // 64 bits with a sign, or 32 of which all are written
	Int32         // of what is written, the lowest 32 bits count
	Uint          // 64 bits without a sign
	Uint32        // likewise, 32 bits
	Sint          // zigzag
	Sint32        // zigzag, 32 bits
	Fixed64       // eight bytes, without a sign
	Fixed32       // four bytes
	Sfixed64      // eight bytes, with a sign
	Sfixed32      // four bytes
	Bool          // true or false
	Enum          // the name of the number, or the number as a text
	String        // a text
	Bytes         // absent
	Nested        // a message
)

// Wire is the type of a value on the wire, the lowest three bits of its tag.
type Wire uint8

// The wire types.
const (
	Varint     Wire = 0
	Eight      Wire = 1 // eight bytes
	Sized      Wire = 2 // a length and so many bytes
	StartGroup Wire = 3
	EndGroup   Wire = 4
	Four       Wire = 5 // four bytes
)

// wires are the types of values of each kind.
var wires = [...]Wire{Double: Eight, Float: Four, Fixed64: Eight, Sfixed64: Eight, Fixed32: Four, Sfixed32: Four,
	String: Sized, Bytes: Sized, Nested: Sized}

// Meaning is what a message is in JSON.
type Meaning uint8

// The meanings. Those behind Object are types that come with Protocol Buffers.
const (
	Object    Meaning = iota
	Wrapper           // what is in its field 1: a number, a text or a truth
	Timestamp         // milliseconds since 1970
	Duration          // milliseconds
	Decimal           // a number: confluent.type.Decimal
	Struct            // an object of any names
	Value             // any JSON
	List              // an array of any JSON
	Nothing           // absent
)

// Message is a compiled message. Messages of a recursive schema point back.
type Message struct {
	Name    string // with that of its package
	Fields  []Field
	Nested  []*Message // in the order of the file, those of maps too
	Meaning Meaning
	Entry   bool // it is an entry of a map: field 1 is the key, field 2 the value

	low  []int32         // the places of fields by their numbers, from 1; 0: no such field
	high map[int32]int32 // of higher numbers
}

// Field is a field of a message.
type Field struct {
	Name     []byte
	Number   int32
	Kind     Kind
	Wire     Wire // of one value
	Repeated bool // an array; of Entry messages a map
	Presence bool // a value that is not written is absent; else it is 0, false, the first name of an Enum or no text
	OneOf    []int
	Message  *Message // of Nested
	Enum     *EnumType
	Absent   bool // no value has a JSON form
}

// EnumType is an enum.
type EnumType struct {
	First []byte // the name that is declared first
	Names map[int32][]byte
}

// IsMap reports whether values of the field are a map.
func (f *Field) IsMap() bool { return f.Repeated && f.Kind == Nested && f.Message.Entry }

// Value returns the field with the value of an entry of a map.
func (m *Message) Value() *Field { return &m.Fields[m.Place(2)] }

// Packs reports whether several values of the field may be written in one run of bytes.
func (f *Field) Packs() bool { return f.Repeated && f.Kind < String }

// Place returns the place of the field with a number, -1 if there is none.
func (m *Message) Place(number int32) int {
	if number < int32(len(m.low)) {
		return int(m.low[number]) - 1
	}
	return int(m.high[number]) - 1
}

// mostLow bounds the numbers of fields that are looked up in a list.
const mostLow = 256

// index fills the places of fields.
func (m *Message) index() {
	for i := range m.Fields {
		n := m.Fields[i].Number
		if n >= mostLow {
			if m.high == nil {
				m.high = map[int32]int32{}
			}
			m.high[n] = int32(i + 1)
			continue
		}
		for int(n) >= len(m.low) {
			m.low = append(m.low, 0)
		}
		m.low[n] = int32(i + 1)
	}
}

// ObjectOf returns the message of which the only field, with the number 1, is a map: values of it are what the map is.
func ObjectOf(f *Field) *Message {
	m := &Message{Name: string(f.Name), Meaning: Struct, Fields: []Field{*f}}
	m.Fields[0].Number, m.Fields[0].OneOf = 1, nil
	m.index()
	return m
}

// Row returns the message of the field after, as envelopes of Debezium have it; nil if there is none.
func (m *Message) Row() *Message {
	for i := range m.Fields {
		f := &m.Fields[i]
		if string(f.Name) == "after" && f.Kind == Nested && !f.Repeated && f.Message.Meaning == Object {
			return f.Message
		}
	}
	return nil
}

// IsObject reports whether values of the message are objects in JSON.
func (m *Message) IsObject() bool { return m.Meaning == Object || m.Meaning == Struct }
