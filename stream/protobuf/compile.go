package protobuf

import (
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// File is what is compiled of a schema.
type File struct {
	Messages []*Message // in the order of the file
	named    map[string]*Message
}

// At returns the message at a place: among those of the file, then among those nested in the one before. It is nil if
// there is none.
func (f *File) At(indexes []int64) (m *Message) {
	among := f.Messages
	for _, i := range indexes {
		//mutation:protobuf-index
		if i < 0 || i >= int64(len(among)) {
			return nil
		}
		m = among[i]
		//mutation:protobuf-index-of-map
		if m.Entry {
			m = beside(among, int(i))
		}
		if m == nil {
			return nil
		}
		among = m.Nested
	}
	return m
}

// beside returns message n of those that are no entries of maps. Most writers count entries, as descriptors do, and
// values are none of them: one that names an entry does not count them.
func beside(among []*Message, n int) *Message {
	for _, m := range among {
		if m.Entry {
			continue
		}
		if n--; n < 0 {
			return m
		}
	}
	return nil
}

// Named returns the message with a full name, nil if there is none.
func (f *File) Named(name string) *Message { return f.named[name] }

// compiler compiles the messages of files that use each other.
type compiler struct {
	messages map[protoreflect.FullName]*Message
	enums    map[protoreflect.FullName]*EnumType
	rest     []protoreflect.MessageDescriptor // of which the fields are to be compiled
}

// compile compiles what is in a file, without recursion: messages may be nested and used in circles.
func compile(d protoreflect.FileDescriptor) *File {
	c := &compiler{map[protoreflect.FullName]*Message{}, map[protoreflect.FullName]*EnumType{}, nil}
	f := &File{named: map[string]*Message{}}
	for i := range d.Messages().Len() {
		f.Messages = append(f.Messages, c.message(d.Messages().Get(i)))
	}
	for len(c.rest) > 0 {
		last := len(c.rest) - 1
		of := c.rest[last]
		c.rest = c.rest[:last]
		c.parts(c.messages[of.FullName()], of)
	}
	for name, m := range c.messages {
		if !m.Entry {
			f.named[string(name)] = m
		}
	}
	c.settle()
	return f
}

// message returns the message of a descriptor, of which the fields are compiled later.
func (c *compiler) message(d protoreflect.MessageDescriptor) *Message {
	if m := c.messages[d.FullName()]; m != nil {
		return m
	}
	m := &Message{Name: string(d.FullName()), Entry: d.IsMapEntry(), Meaning: meanings[string(d.FullName())]}
	c.messages[d.FullName()] = m
	c.rest = append(c.rest, d)
	return m
}

// parts compiles the fields of a message, and what is nested in it.
func (c *compiler) parts(m *Message, d protoreflect.MessageDescriptor) {
	for i := range d.Messages().Len() {
		m.Nested = append(m.Nested, c.message(d.Messages().Get(i)))
	}
	fields := d.Fields()
	for i := range fields.Len() {
		m.Fields = append(m.Fields, c.field(fields.Get(i)))
	}
	for i := range fields.Len() {
		of := fields.Get(i).ContainingOneof()
		if of == nil || of.Fields().Len() < 2 {
			continue
		}
		for n := range of.Fields().Len() {
			m.Fields[i].OneOf = append(m.Fields[i].OneOf, of.Fields().Get(n).Index())
		}
	}
	m.index()
}

// kinds are the kinds of the library's.
var kinds = map[protoreflect.Kind]Kind{
	protoreflect.DoubleKind: Double, protoreflect.FloatKind: Float,
	protoreflect.Int64Kind: Int, protoreflect.Int32Kind: Int32,
	protoreflect.Uint64Kind: Uint, protoreflect.Uint32Kind: Uint32,
	protoreflect.Sint64Kind: Sint, protoreflect.Sint32Kind: Sint32,
	protoreflect.Fixed64Kind: Fixed64, protoreflect.Fixed32Kind: Fixed32,
	protoreflect.Sfixed64Kind: Sfixed64, protoreflect.Sfixed32Kind: Sfixed32,
	protoreflect.BoolKind: Bool, protoreflect.EnumKind: Enum,
	protoreflect.StringKind: String, protoreflect.BytesKind: Bytes,
	protoreflect.MessageKind: Nested, protoreflect.GroupKind: Nested,
}

func (c *compiler) field(d protoreflect.FieldDescriptor) Field {
	f := Field{Name: []byte(d.Name()), Number: int32(d.Number()), Kind: kinds[d.Kind()],
		Repeated: d.Cardinality() == protoreflect.Repeated, Presence: d.HasPresence()}
	f.Wire = wires[f.Kind]
	switch {
	case d.Kind() == protoreflect.GroupKind && !d.IsMap():
		f.Wire = StartGroup
		f.Message = c.message(d.Message())
	case f.Kind == Nested:
		f.Message = c.message(d.Message())
	case f.Kind == Enum:
		f.Enum = c.enum(d.Enum())
	}
	return f
}

func (c *compiler) enum(d protoreflect.EnumDescriptor) *EnumType {
	if e := c.enums[d.FullName()]; e != nil {
		return e
	}
	values := d.Values()
	e := &EnumType{Names: map[int32][]byte{}}
	for i := range values.Len() {
		v := values.Get(i)
		if i == 0 {
			e.First = []byte(v.Name())
		}
		if _, has := e.Names[int32(v.Number())]; !has { // of two names the first counts
			e.Names[int32(v.Number())] = []byte(v.Name())
		}
	}
	c.enums[d.FullName()] = e
	return e
}

// settle finds out which messages are what their names say, and which fields have no JSON form.
func (c *compiler) settle() {
	for _, m := range c.messages {
		if m.Meaning != Nothing && !m.has(shapes[m.Meaning]) {
			m.Meaning = Object
		}
	}
	for _, m := range c.messages {
		for i := range m.Fields {
			f := &m.Fields[i]
			f.Absent = f.Kind == Bytes || f.Kind == Nested && f.Message.Meaning == Nothing
		}
	}
}

// shape is a field that messages of a meaning have.
type shape struct {
	number   int32
	repeated bool
	kinds    []Kind
}

// shapes are the fields of messages with a meaning. A message of that name that lacks them is any other one.
var shapes = [...][]shape{
	Wrapper:   {{1, false, []Kind{Double, Float, Int, Int32, Uint, Uint32, Bool, String}}},
	Timestamp: {{1, false, []Kind{Int}}, {2, false, []Kind{Int32}}},
	Duration:  {{1, false, []Kind{Int}}, {2, false, []Kind{Int32}}},
	Decimal:   {{1, false, []Kind{Bytes}}, {3, false, []Kind{Int32}}},
	Struct:    {{1, true, []Kind{Nested}}},
	Value: {{1, false, []Kind{Enum}}, {2, false, []Kind{Double}}, {3, false, []Kind{String}},
		{4, false, []Kind{Bool}}, {5, false, []Kind{Nested}}, {6, false, []Kind{Nested}}},
	List:    {{1, true, []Kind{Nested}}},
	Nothing: nil,
}

func (m *Message) has(shapes []shape) bool {
	for _, s := range shapes {
		n := m.Place(s.number)
		if n < 0 || m.Fields[n].Repeated != s.repeated || !slices.Contains(s.kinds, m.Fields[n].Kind) {
			return false
		}
		if of := m.Fields[n].Message; of != nil && !of.suits(m.Meaning, s.number) {
			return false
		}
	}
	return true
}

// suits reports whether a message is what one of a meaning has as a field.
func (m *Message) suits(within Meaning, number int32) bool {
	switch {
	case within == Struct:
		return m.Entry && m.Fields[m.Place(1)].Kind == String && m.Fields[m.Place(2)].Kind == Nested &&
			meanings[m.Fields[m.Place(2)].Message.Name] == Value
	case within == List:
		return meanings[m.Name] == Value
	case number == 5:
		return meanings[m.Name] == Struct
	}
	return meanings[m.Name] == List
}

// meanings are those of messages that are no objects, by their full names.
var meanings = map[string]Meaning{
	"google.protobuf.DoubleValue": Wrapper, "google.protobuf.FloatValue": Wrapper,
	"google.protobuf.Int64Value": Wrapper, "google.protobuf.UInt64Value": Wrapper,
	"google.protobuf.Int32Value": Wrapper, "google.protobuf.UInt32Value": Wrapper,
	"google.protobuf.BoolValue": Wrapper, "google.protobuf.StringValue": Wrapper,
	"google.protobuf.BytesValue": Nothing,
	"google.protobuf.Timestamp":  Timestamp, "google.protobuf.Duration": Duration,
	"google.protobuf.Struct": Struct, "google.protobuf.Value": Value, "google.protobuf.ListValue": List,
	"google.protobuf.Any": Nothing, "google.protobuf.FieldMask": Nothing, "google.protobuf.Empty": Nothing,
	"confluent.type.Decimal": Decimal,
}
