package event

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// randomProto makes schemas and values that they describe, as bytes, also as no library writes them: fields in any
// order and several times, packed or not, with fields that the schema lacks, or has with another type.
type randomProto struct {
	*rand.Rand
	syntax   string
	messages []string // names of those that can be used
	within   []string // messages around what is made
	types    int
	clock    bool // there are times
}

var protoImports = []string{"wrappers", "timestamp", "duration", "struct", "any", "empty", "field_mask"}

// text returns the text of a schema with the message E.
func (r *randomProto) text() string {
	r.syntax = []string{`syntax = "proto2";`, `syntax = "proto3";`, `edition = "2023";`}[r.IntN(3)]
	var b strings.Builder
	b.WriteString(r.syntax + "\n")
	for _, name := range protoImports {
		fmt.Fprintf(&b, "import \"google/protobuf/%s.proto\";\n", name)
	}
	b.WriteString("import \"confluent/type/decimal.proto\";\n")
	if r.syntax[0] == 'e' && r.IntN(2) == 0 {
		b.WriteString("option features.field_presence = IMPLICIT;\n")
	}
	b.WriteString("enum Y { UP = 0; odd = 1; a = 7; A_1 = -1; }\n")
	b.WriteString(r.message("E", 3))
	return b.String()
}

var protoNames = []string{"label", "id", "weight", "features", "msg", "x", "y", "z", "n", "s", "a", "b", "m", "p", "c",
	"price", "text", "w", "e", "u", "d", "q"}

func (r *randomProto) message(name string, depth int) string {
	var b strings.Builder
	r.within = append(r.within, name)
	defer func() { r.within = r.within[:len(r.within)-1] }()
	r.messages = append(r.messages, strings.Join(r.within, "."))
	fmt.Fprintf(&b, "message %s {\n", name)
	used, numbers := map[string]bool{}, r.Perm(20)
	if r.IntN(2) == 0 {
		slices.Sort(numbers)
	}
	inOneOf := false
	for range r.IntN(9) {
		field := protoNames[r.IntN(len(protoNames))]
		if used[field] || used[strings.ToUpper(field)] {
			continue
		}
		used[field] = true
		number := numbers[0] + 1
		if numbers = numbers[1:]; r.IntN(10) == 0 {
			number = number*1000 + 18000*(number/18)
		}
		if !inOneOf && r.IntN(8) == 0 {
			fmt.Fprintf(&b, "oneof o%d {\n", len(used))
			inOneOf = true
		}
		b.WriteString(r.field(field, number, depth, inOneOf))
		if inOneOf && r.IntN(2) == 0 {
			b.WriteString("}\n")
			inOneOf = false
		}
	}
	if inOneOf {
		b.WriteString("}\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func (r *randomProto) field(name string, number, depth int, oneOf bool) string {
	before, of := "", ""
	if depth > 0 && r.IntN(4) == 0 {
		r.types++
		of = fmt.Sprint("T", r.types)
		before = r.message(of, depth-1)
	} else {
		of = r.typeName()
	}
	if name == "features" && r.IntN(3) > 0 && depth > 0 && before == "" {
		r.types++
		of = fmt.Sprint("T", r.types)
		before = r.message(of, depth-1)
	}
	if oneOf { // no message can be declared in it
		if before != "" {
			r.messages = slices.DeleteFunc(r.messages, func(name string) bool {
				return strings.Contains(before, "message "+name[strings.LastIndexByte(name, '.')+1:]+" {")
			})
			of = r.typeName()
		}
		return fmt.Sprintf("%s %s = %d;\n", of, name, number)
	}
	isScalar := of[0] >= 'a' && of[0] <= 'z' && !strings.Contains(of, ".")
	switch n := r.IntN(10); {
	case n == 0:
		key := []string{"string", "int32", "bool", "uint64", "sint64", "fixed32", "string"}[r.IntN(7)]
		return before + fmt.Sprintf("map<%s, %s> %s = %d;\n", key, of, name, number)
	case n < 3:
		option := ""
		if isScalar && of != "string" && of != "bytes" && r.IntN(3) == 0 && r.syntax[0] == 's' {
			option = fmt.Sprintf(" [packed = %v]", r.IntN(2) == 0)
		}
		return before + fmt.Sprintf("repeated %s %s = %d%s;\n", of, name, number, option)
	case strings.Contains(r.syntax, "proto2") && n == 3 && depth > 0:
		r.types++
		return before + fmt.Sprintf("optional group %s = %d { optional double x = 1; optional group G = 2 { "+
			"repeated int32 a = 1; } }\n", strings.ToUpper(name[:1])+name[1:], number)
	case strings.Contains(r.syntax, "proto2"):
		return before + fmt.Sprintf("%s %s %s = %d;\n", []string{"optional", "required"}[r.IntN(2)], of, name, number)
	case r.syntax[0] == 'e':
		option := ""
		if before != "" && n == 4 {
			option = " [features.message_encoding = DELIMITED]"
		} else if isScalar && n == 5 {
			option = " [features.field_presence = EXPLICIT]"
		}
		return before + fmt.Sprintf("%s %s = %d%s;\n", of, name, number, option)
	case n == 4:
		return before + fmt.Sprintf("optional %s %s = %d;\n", of, name, number)
	}
	return before + fmt.Sprintf("%s %s = %d;\n", of, name, number)
}

func (r *randomProto) typeName() string {
	scalars := []string{"double", "double", "float", "int32", "int64", "uint32", "uint64", "sint32", "sint64",
		"fixed32", "fixed64", "sfixed32", "sfixed64", "bool", "string", "string", "string", "bytes"}
	known := []string{"DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value", "UInt32Value",
		"BoolValue", "StringValue", "BytesValue", "Struct", "Value", "Value", "ListValue", "Any", "Empty", "FieldMask",
		"Duration"}
	if r.clock {
		known = append(known, "Timestamp", "Timestamp")
	}
	switch n := r.IntN(12); {
	case n == 0:
		return ".Y"
	case n < 3:
		return "google.protobuf." + known[r.IntN(len(known))]
	case n == 3:
		return "confluent.type.Decimal"
	case n == 4:
		return "." + r.messages[r.IntN(len(r.messages))]
	}
	return scalars[r.IntN(len(scalars))]
}

// value appends a random value of a message.
func (r *randomProto) value(b []byte, d protoreflect.MessageDescriptor, depth int) []byte {
	fields := d.Fields()
	order := r.Perm(fields.Len())
	if r.IntN(3) > 0 {
		slices.SortFunc(order, func(i, j int) int { return int(fields.Get(i).Number() - fields.Get(j).Number()) })
	}
	for _, i := range order {
		f := fields.Get(i)
		n := 1
		switch {
		case depth <= 0 && f.Message() != nil, r.IntN(5) == 0:
			n = 0
		case f.Cardinality() == protoreflect.Repeated:
			n = r.IntN(4)
		case r.IntN(10) == 0:
			n = 2
		}
		b = r.field2(b, f, n, depth)
	}
	if r.IntN(8) == 0 {
		b = r.unknown(b)
	}
	if n := fields.Len(); n > 0 && r.IntN(12) == 0 { // one more time, behind all others
		if f := fields.Get(r.IntN(n)); depth > 0 || f.Message() == nil {
			b = r.field2(b, f, 1, depth)
		}
	}
	return b
}

// tag appends a tag, sometimes with a byte that says nothing.
func (r *randomProto) tag(b []byte, f protoreflect.FieldDescriptor, wire protowire.Type) []byte {
	if tag := uint64(f.Number())<<3 | uint64(wire); tag < 1<<7 && r.IntN(60) == 0 {
		return append(b, byte(tag)|0x80, 0)
	}
	return protowire.AppendTag(b, f.Number(), wire)
}

// field2 appends n values of a field.
func (r *randomProto) field2(b []byte, f protoreflect.FieldDescriptor, n, depth int) []byte {
	isText := f.Kind() == protoreflect.StringKind || f.Kind() == protoreflect.BytesKind
	packs := f.Cardinality() == protoreflect.Repeated && f.Message() == nil && !isText
	if packs && r.IntN(3) > 0 {
		var run []byte
		for range n {
			run = r.scalar(run, f)
		}
		return protowire.AppendBytes(r.tag(b, f, protowire.BytesType), run)
	}
	for range n {
		if r.IntN(40) == 0 { // another type on the wire
			b = protowire.AppendFixed32(r.tag(b, f, protowire.Fixed32Type), r.Uint32())
			continue
		}
		switch {
		case f.Kind() == protoreflect.GroupKind:
			b = r.tag(b, f, protowire.StartGroupType)
			b = r.value(b, f.Message(), depth-1)
			b = r.tag(b, f, protowire.EndGroupType)
		case f.Message() != nil:
			b = r.tag(b, f, protowire.BytesType)
			b = protowire.AppendBytes(b, r.value(nil, f.Message(), depth-1))
		default:
			b = r.scalar(r.tag(b, f, wireOf(f.Kind())), f)
		}
	}
	return b
}

func wireOf(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.DoubleKind, protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return protowire.Fixed64Type
	case protoreflect.FloatKind, protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return protowire.Fixed32Type
	case protoreflect.StringKind, protoreflect.BytesKind:
		return protowire.BytesType
	}
	return protowire.VarintType
}

// unknown appends a field that no schema has.
func (r *randomProto) unknown(b []byte) []byte {
	const number = 777
	switch r.IntN(4) {
	case 0:
		return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), r.Uint64())
	case 1:
		return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), []byte("\xff\x00"))
	case 2:
		return protowire.AppendFixed64(protowire.AppendTag(b, number, protowire.Fixed64Type), 7)
	}
	b = protowire.AppendTag(b, number, protowire.StartGroupType)
	if r.IntN(2) == 0 {
		b = r.unknown(b)
	}
	return protowire.AppendTag(b, number, protowire.EndGroupType)
}

var protoWords = []string{"", "1", "a", "UP", "down", "1.5", "Buy now, BUY", "é", " ", "7", "true", "2026-11-26", "-1",
	"a\"b\\", "x\ty", "\xff", "no\xc3", "odd", "1e5", "NA", "éé", "x", "label", "b", "features", "id", "a.b", "x", "y"}

// scalar appends a value that is no message, without its tag.
func (r *randomProto) scalar(b []byte, f protoreflect.FieldDescriptor) []byte {
	a := randomAvro{Rand: r.Rand}
	switch f.Kind() {
	case protoreflect.DoubleKind:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(a.float()))
	case protoreflect.FloatKind:
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(a.float())))
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		return binary.LittleEndian.AppendUint64(b, uint64(a.integer()))
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		return binary.LittleEndian.AppendUint32(b, uint32(a.integer()))
	case protoreflect.BoolKind:
		return protowire.AppendVarint(b, uint64(r.IntN(3)))
	case protoreflect.EnumKind:
		return protowire.AppendVarint(b, uint64([]int64{0, 1, 7, -1, 5, 1<<32 + 1}[r.IntN(6)]))
	case protoreflect.StringKind:
		return protowire.AppendString(b, protoWords[r.IntN(len(protoWords))])
	case protoreflect.BytesKind:
		return a.scalar2(b)
	}
	n := uint64(a.integer())
	if n < 100 && r.IntN(10) == 0 { // with bytes that say nothing
		return append(b, byte(n)|0x80, 0x80, 0)
	}
	return protowire.AppendVarint(b, n)
}

// scalar2 appends some bytes with their length.
func (r *randomAvro) scalar2(b []byte) []byte {
	n := r.IntN(20)
	b = protowire.AppendVarint(b, uint64(n))
	for range n {
		b = append(b, byte(r.Uint32()&(r.Uint32()|0xff00)))
	}
	return b
}
