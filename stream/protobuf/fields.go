package protobuf

import (
	"slices"

	"rosenblatt/stream/avro"
)

// mostFields bounds what Fields returns: a small schema may use a message over and over.
const mostFields = 10_000

// Fields lists the fields of a message by path, in its order, with those within messages and without objects
// themselves. The values of a map have a * in the place of the key, and so have the members of a Struct. A message
// within itself is left out.
func Fields(top *Message) []avro.FieldUse {
	l := lister{}
	l.members(top, "", nil)
	return l.all
}

type lister struct{ all []avro.FieldUse }

// members lists what is in an object; around are the messages that it is within.
func (l *lister) members(m *Message, prefix string, around []*Message) {
	if m.Meaning == Struct {
		l.add(prefix+"*", avro.Feature)
		return
	}
	if m.Meaning != Object || slices.Contains(around, m) {
		return
	}
	around = append(around[:len(around):len(around)], m)
	for i := range m.Fields {
		f := &m.Fields[i]
		path := prefix + string(f.Name)
		switch {
		case f.IsMap():
			l.value(f.Message.Value(), path+".*", around)
		case f.Absent:
			l.add(path, avro.Never)
		case f.Repeated:
			l.add(path, f.element())
		default:
			l.value(f, path, around)
		}
	}
}

// value lists a field, or what is in the object that it is.
func (l *lister) value(f *Field, path string, around []*Message) {
	switch {
	case f.Absent:
		l.add(path, avro.Never)
	case f.Kind == Nested && (f.Message.Meaning == Object || f.Message.Meaning == Struct):
		l.members(f.Message, path+".", around)
	default:
		l.add(path, avro.Feature)
	}
}

// element is what becomes of an array: truths, objects and arrays are no elements of features.
func (f *Field) element() avro.Use {
	switch {
	case f.Kind == Bool:
		return avro.Rejects
	case f.Kind == Nested:
		switch m := f.Message; m.Meaning {
		case Object, Struct, List:
			return avro.Rejects
		case Wrapper:
			return m.Fields[0].element()
		}
	}
	return avro.Feature
}

func (l *lister) add(path string, use avro.Use) {
	if len(l.all) < mostFields {
		l.all = append(l.all, avro.FieldUse{Path: path, Use: use})
	}
}
