package event

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

// The oracle of protobuf: the library decodes the value, and the message is written as JSON, for today's JSON decoder
// to read. It shares no code with the walker.

// protoOracle makes the JSON form of values of a message.
type protoOracle struct {
	oracleState
	of    protoreflect.MessageDescriptor
	plain protoreflect.MessageDescriptor
}

// newProtoOracle returns the oracle of a message. The library decodes with a schema of the same bytes that loses
// nothing: maps are messages, so that their order stays, and strings are bytes, which may be any.
func newProtoOracle(d protoreflect.MessageDescriptor, text string) (*protoOracle, error) {
	var set descriptorpb.FileDescriptorSet
	had := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(d protoreflect.FileDescriptor) {
		if had[d.Path()] {
			return
		}
		had[d.Path()] = true
		for i := range d.Imports().Len() {
			add(d.Imports().Get(i).FileDescriptor)
		}
		f := protodesc.ToFileDescriptorProto(d)
		for _, m := range f.MessageType {
			plainMessage(m)
		}
		set.File = append(set.File, f)
	}
	add(d.ParentFile())
	files, err := protodesc.NewFiles(&set)
	if err != nil {
		return nil, err
	}
	plain, err := files.FindDescriptorByName(d.FullName())
	if err != nil {
		return nil, err
	}
	return &protoOracle{oracleState{shown: text}, d, plain.(protoreflect.MessageDescriptor)}, nil
}

func plainMessage(m *descriptorpb.DescriptorProto) {
	if m.Options != nil {
		m.Options.MapEntry = nil
	}
	for _, f := range m.Field {
		if f.GetType() == descriptorpb.FieldDescriptorProto_TYPE_STRING {
			f.Type = descriptorpb.FieldDescriptorProto_TYPE_BYTES.Enum()
		}
	}
	for _, nested := range m.NestedType {
		plainMessage(nested)
	}
}

// form returns the JSON form of a value. The error says that it has none.
func (o *protoOracle) form(value []byte, nan string) (form string, err error) {
	o.oracleState = oracleState{nan: nan, shown: o.shown}
	m := dynamicpb.NewMessage(o.plain)
	if err := (proto.UnmarshalOptions{AllowPartial: true}).Unmarshal(value, m); err != nil {
		return "", err
	}
	form = o.message(o.of, m)
	o.look(o.of, value)
	return form, nil
}

// look looks for strings that are not UTF-8, also where another value of the field counts.
func (o *protoOracle) look(d protoreflect.MessageDescriptor, b []byte) {
	for len(b) > 0 {
		number, wire, n := protowire.ConsumeTag(b)
		f := d.Fields().ByNumber(number)
		size := protowire.ConsumeFieldValue(number, wire, b[n:])
		content := b[n : n+size]
		switch b = b[n+size:]; {
		case f == nil || absentField(f):
		case f.Kind() == protoreflect.StringKind && wire == protowire.BytesType:
			text, _ := protowire.ConsumeBytes(content)
			o.quote(string(text))
		case f.Kind() == protoreflect.GroupKind && wire == protowire.StartGroupType:
			fields, _ := protowire.ConsumeGroup(number, content)
			o.look(f.Message(), fields)
		case f.Kind() == protoreflect.MessageKind && wire == protowire.BytesType:
			fields, _ := protowire.ConsumeBytes(content)
			o.look(f.Message(), fields)
		}
	}
}

// message writes a message, by the descriptor in which maps are maps.
func (o *protoOracle) message(d protoreflect.MessageDescriptor, m protoreflect.Message) string {
	var members []string
	for i := range d.Fields().Len() {
		f := d.Fields().Get(i)
		as := m.Descriptor().Fields().ByNumber(f.Number())
		if text, ok := o.member(f, m, as); ok {
			members = append(members, o.quote(string(f.Name()))+":"+text)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func absentField(f protoreflect.FieldDescriptor) bool {
	switch {
	case f.Kind() == protoreflect.BytesKind:
		return true
	case f.Message() == nil || f.IsMap():
		return false
	}
	switch f.Message().FullName() {
	case "google.protobuf.Any", "google.protobuf.Empty", "google.protobuf.FieldMask", "google.protobuf.BytesValue":
		return true
	}
	return false
}

func (o *protoOracle) member(f protoreflect.FieldDescriptor, m protoreflect.Message,
	as protoreflect.FieldDescriptor) (string, bool) {
	v := m.Get(as)
	switch {
	case absentField(f):
		return "", false
	case f.IsMap():
		return o.entries(f, v.List())
	case f.IsList():
		var all []string
		for i := range v.List().Len() {
			all = append(all, o.value(f, v.List().Get(i)))
		}
		return "[" + strings.Join(all, ",") + "]", len(all) > 0
	case f.HasPresence() && !m.Has(as):
		return "", false
	case f.Kind() == protoreflect.StringKind && !f.HasPresence() && len(v.Bytes()) == 0:
		return "", false
	}
	return o.value(f, v), true
}

func (o *protoOracle) entries(f protoreflect.FieldDescriptor, all protoreflect.List) (string, bool) {
	var members []string
	for i := range all.Len() {
		entry := all.Get(i).Message()
		fields := entry.Descriptor().Fields()
		key := o.key(f.MapKey(), entry.Get(fields.ByNumber(1)))
		if !absentField(f.MapValue()) {
			members = append(members, key+":"+o.value(f.MapValue(), entry.Get(fields.ByNumber(2))))
		}
	}
	return "{" + strings.Join(members, ",") + "}", all.Len() > 0
}

func (o *protoOracle) key(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	if f.Kind() == protoreflect.StringKind {
		return o.quote(string(v.Bytes()))
	}
	return strconv.Quote(fmt.Sprint(v.Interface()))
}

// value writes one value.
func (o *protoOracle) value(f protoreflect.FieldDescriptor, v protoreflect.Value) string {
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return o.known(f.Message(), v.Message())
	case protoreflect.StringKind:
		return o.quote(string(v.Bytes()))
	case protoreflect.EnumKind:
		if of := f.Enum().Values().ByNumber(v.Enum()); of != nil {
			return o.quote(string(of.Name()))
		}
		return fmt.Sprintf(`"%d"`, v.Enum())
	case protoreflect.DoubleKind, protoreflect.FloatKind:
		return o.float(v.Float())
	}
	return fmt.Sprint(v.Interface()) // truths and integers
}

// known writes messages that have a meaning.
func (o *protoOracle) known(d protoreflect.MessageDescriptor, m protoreflect.Message) string {
	get := func(name protoreflect.Name) protoreflect.Value { return m.Get(m.Descriptor().Fields().ByName(name)) }
	fields := d.Fields()
	switch name := string(d.FullName()); name {
	case "google.protobuf.Timestamp", "google.protobuf.Duration":
		n := new(big.Int).Mul(big.NewInt(get("seconds").Int()), big.NewInt(1e9))
		return rational(new(big.Rat).SetFrac(n.Add(n, big.NewInt(get("nanos").Int())), big.NewInt(1e6)))
	case "confluent.type.Decimal":
		return o.decimal(get("value").Bytes(), get("scale").Int())
	case "google.protobuf.Struct":
		text, _ := o.entries(fields.ByName("fields"), get("fields").List())
		return text
	case "google.protobuf.ListValue":
		text, _ := o.member(fields.ByName("values"), m, m.Descriptor().Fields().ByName("values"))
		return text
	case "google.protobuf.Value":
		set := m.WhichOneof(m.Descriptor().Oneofs().Get(0))
		if set == nil || set.Number() == 1 {
			return "null"
		}
		return o.value(fields.ByNumber(set.Number()), m.Get(set))
	default:
		if strings.HasPrefix(name, "google.protobuf.") && strings.HasSuffix(name, "Value") {
			return o.value(fields.ByNumber(1), get("value"))
		}
	}
	return o.message(d, m)
}

// rational writes the number nearest to a rational one.
func rational(r *big.Rat) string {
	if r.IsInt() && r.Num().IsInt64() {
		return r.Num().String()
	}
	v, _ := r.Float64()
	return strconv.FormatFloat(v, 'g', -1, 64)
}
