package protobuf

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"rosenblatt/stream/internal/jsonform"
)

// Writer writes messages of a schema in a file, whose JSON forms are given.
type Writer struct {
	Text    string   // of the schema, as a registry has it
	Imports []string // what the schema imports and a registry does not have by itself

	message protoreflect.MessageDescriptor
}

// NewWriter returns a writer of the message with a name, or of the only one, of a file as Bundle reads it.
func NewWriter(path, name string) (*Writer, error) {
	m, err := messageOf(path, name)
	if err != nil {
		return nil, err
	}
	w := &Writer{message: m}
	for i := range m.ParentFile().Imports().Len() {
		at := m.ParentFile().Imports().Get(i).Path()
		if _, ok := builtIn(at); !ok && !strings.HasPrefix(at, "google/protobuf/") {
			w.Imports = append(w.Imports, at)
		}
	}
	if strings.HasSuffix(path, ".proto") {
		b, err := os.ReadFile(path)
		w.Text = string(b)
		return w, err
	}
	b, err := proto.Marshal(protodesc.ToFileDescriptorProto(m.ParentFile()))
	w.Text = base64.StdEncoding.EncodeToString(b)
	return w, err
}

// Indexes returns the place of the message in its file, as it is behind the id of a schema.
func (w *Writer) Indexes() []byte {
	var places []int64
	for d := protoreflect.Descriptor(w.message); ; d = d.Parent() {
		if _, is := d.(protoreflect.FileDescriptor); is {
			break
		}
		places = append(places, int64(d.Index()))
	}
	slices.Reverse(places)
	//mutation:encode-indexes
	if len(places) == 1 && places[0] == 0 {
		return []byte{0}
	}
	b := binary.AppendVarint(nil, int64(len(places)))
	for _, n := range places {
		b = binary.AppendVarint(b, n)
	}
	return b
}

// Append appends the bytes of a message, whose JSON form this is. The error says which field does not suit the schema.
func (w *Writer) Append(dst, form []byte) ([]byte, error) {
	if !gjson.ValidBytes(form) {
		return dst, errors.New("it is no json")
	}
	m := dynamicpb.NewMessage(w.message)
	if err := fill(m, gjson.ParseBytes(form), ""); err != nil {
		return dst, err
	}
	return proto.MarshalOptions{Deterministic: true, AllowPartial: true}.MarshalAppend(dst, m)
}

// fill sets what a message has from its JSON form.
func fill(m protoreflect.Message, v gjson.Result, path string) (err error) {
	if meaning, ok := meanings[string(m.Descriptor().FullName())]; ok {
		return fillMeaning(m, meaning, v, path)
	}
	if !v.IsObject() {
		return jsonform.Misfit(path, "%s does not suit %s", jsonform.Clip(v), m.Descriptor().FullName())
	}
	had := map[string]bool{}
	v.ForEach(func(key, member gjson.Result) bool {
		name, at := key.String(), jsonform.Join(path, key.String())
		f := m.Descriptor().Fields().ByName(protoreflect.Name(name))
		switch {
		case f == nil:
			err = jsonform.Misfit(at, "the schema has no such field")
		case had[name]:
			err = jsonform.Misfit(at, "it is there twice")
		case member.Type != gjson.Null || isAnyJSON(f):
			err = setField(m, f, member, at)
		}
		had[name] = true
		return err == nil
	})
	return err
}

// isAnyJSON reports whether null is a value of a field.
func isAnyJSON(f protoreflect.FieldDescriptor) bool {
	return !f.IsList() && !f.IsMap() && f.Message() != nil && meanings[string(f.Message().FullName())] == Value
}

func setField(m protoreflect.Message, f protoreflect.FieldDescriptor, v gjson.Result, path string) error {
	switch {
	case f.IsMap() && v.IsObject():
		return setEntries(m.Mutable(f).Map(), f, v, path)
	case f.IsList() && v.IsArray():
		return setElements(m.Mutable(f).List(), f, v, path)
	case f.IsMap():
		return jsonform.Misfit(path, "%s does not suit a map", jsonform.Clip(v))
	case f.IsList():
		return jsonform.Misfit(path, "%s does not suit a repeated field", jsonform.Clip(v))
	}
	if of := f.ContainingOneof(); of != nil && m.WhichOneof(of) != nil {
		return jsonform.Misfit(path, "%s is there, too, and a message has one of them", m.WhichOneof(of).Name())
	}
	x, err := valueOf(f, v, path, func() protoreflect.Value { return m.NewField(f) })
	if err == nil {
		m.Set(f, x)
	}
	return err
}

func setElements(list protoreflect.List, f protoreflect.FieldDescriptor, v gjson.Result, path string) (err error) {
	v.ForEach(func(_, element gjson.Result) bool {
		var x protoreflect.Value
		x, err = valueOf(f, element, fmt.Sprintf("%s[%d]", path, list.Len()), list.NewElement)
		if err == nil {
			list.Append(x)
		}
		return err == nil
	})
	return err
}

func setEntries(entries protoreflect.Map, f protoreflect.FieldDescriptor, v gjson.Result, path string) (err error) {
	v.ForEach(func(key, member gjson.Result) bool {
		at := jsonform.Join(path, key.String())
		k := key
		if f.MapKey().Kind() != protoreflect.StringKind {
			k = gjson.Parse(key.String())
		}
		var name, x protoreflect.Value
		if name, err = valueOf(f.MapKey(), k, at, nil); err != nil {
			return false
		}
		if entries.Has(name.MapKey()) {
			err = jsonform.Misfit(at, "it is there twice")
			return false
		}
		if x, err = valueOf(f.MapValue(), member, at, entries.NewValue); err == nil {
			entries.Set(name.MapKey(), x)
		}
		return err == nil
	})
	return err
}
