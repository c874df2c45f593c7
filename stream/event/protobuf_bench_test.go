package event

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"rosenblatt/learner"
)

// protoBench is an event of an id, a label and 30 features in protobuf: the text of its schema, and the value.
type protoBench struct{ text, value string }

// newProtoBench returns an event whose features are a message with fields of one type, or a map.
func newProtoBench(of string, isMap bool, put func(b []byte) []byte) protoBench {
	var fields strings.Builder
	var features []byte
	for i := range 30 {
		number, name := protowire.Number(i+1), fmt.Sprintf("f%d", i)
		wire := map[string]protowire.Type{"double": protowire.Fixed64Type, "sint64": protowire.VarintType,
			"string": protowire.BytesType}[strings.TrimPrefix(of, "optional ")]
		fmt.Fprintf(&fields, "%s %s = %d;\n", of, name, number)
		if isMap {
			entry := protowire.AppendString(protowire.AppendTag(nil, 1, protowire.BytesType), name)
			entry = put(protowire.AppendTag(entry, 2, wire))
			features = protowire.AppendBytes(protowire.AppendTag(features, 3, protowire.BytesType), entry)
			continue
		}
		features = put(protowire.AppendTag(features, number, wire))
	}
	kind := "F"
	if isMap {
		kind = "map<string, " + of + ">"
	} else {
		features = []byte(tagged(3, string(features)))
	}
	return protoBench{`syntax = "proto3"; message E { string id = 1; int32 label = 2; ` + kind + ` features = 3; }
		message F { ` + fields.String() + `}`, tagged(1, "e17") + tagged(2, 1) + string(features)}
}

func protoBenches() map[string]protoBench {
	r := rand.New(rand.NewPCG(1, 2))
	double := func(b []byte) []byte {
		v := math.Round(r.NormFloat64()/3*1e6) / 1e6
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return map[string]protoBench{
		"message":  newProtoBench("double", false, double),
		"map":      newProtoBench("double", true, double),
		"optional": newProtoBench("optional double", false, double),
		"longs": newProtoBench("sint64", false, func(b []byte) []byte {
			return protowire.AppendVarint(b, protowire.EncodeZigZag(int64(r.NormFloat64()*1000)))
		}),
		"words": newProtoBench("string", false, func(b []byte) []byte {
			return protowire.AppendString(b, fmt.Sprintf("w%d", r.IntN(30)))
		}),
	}
}

// BenchmarkProtobuf decodes events in protobuf and their JSON forms.
func BenchmarkProtobuf(b *testing.B) {
	for name, e := range protoBenches() {
		o, _ := protoOptions(b, Defaults(JSON), e.text)
		d := decoder(b, o)
		form, ok := d.JSONForm(nil, &Record{Value: []byte(e.value)})
		if !ok {
			b.Fatal("no form")
		}
		b.Run(name+"/protobuf", func(b *testing.B) { benchDecode(b, o, e.value) })
		b.Run(name+"/json", func(b *testing.B) { benchDecode(b, Defaults(JSON), string(form)) })
		b.Run(name+"/unplanned", func(b *testing.B) {
			var example Example
			b.ReportAllocs()
			for b.Loop() {
				parsed(d, []byte(e.value), d.arena[:0], &example)
			}
		})
	}
}

// TestProtobufDoesNotAllocate: once a decoder is warm, no way of reading an event allocates.
func TestProtobufDoesNotAllocate(t *testing.T) {
	text := `syntax = "proto3"; import "google/protobuf/struct.proto"; import "google/protobuf/timestamp.proto";
		import "google/protobuf/wrappers.proto"; import "confluent/type/decimal.proto";
		message E { uint64 id = 1; double label = 2; confluent.type.Decimal d = 3; google.protobuf.Timestamp at = 4;
		string w = 5; map<int32, float> m = 6; repeated string l = 7; repeated sint32 n = 8;
		google.protobuf.Struct s = 9; google.protobuf.DoubleValue v = 10; E e = 11; }`
	value := tagged(1, 1<<40) + tagged(2, 1.0) + tagged(3, tagged(1, "\x01\x02\x03")+tagged(3, 2)) +
		tagged(4, tagged(1, 1764194700)+tagged(2, 123456789)) + tagged(5, "a word") +
		tagged(6, tagged(1, 7)+"\x15\x00\x00\x80\x3f") + tagged(7, "x") + tagged(7, "tag") + tagged(8, "\x02\x04") +
		tagged(9, tagged(1, tagged(1, "k")+tagged(2, tagged(2, 2.5)))) + tagged(10, tagged(1, 3.5))
	for _, task := range []string{Binary, Multiclass} {
		o := Defaults(JSON)
		o.Task = task
		o, _ = protoOptions(t, o, text)
		d := decoder(t, o)
		var e Example
		var arena []learner.Feature
		record := Record{Value: []byte(value)}
		decode := func() { arena = d.Decode(&record, arena[:0], &e) }
		unplanned := func() { parsed(d, record.Value, d.arena[:0], &e) }
		for range 3 {
			decode()
		}
		if e.Rejected != nil || len(arena) != 10 || !inOnePass(d, value, &e) {
			t.Fatal(e.text(), arena)
		}
		for _, way := range []func(){decode, unplanned} {
			if n := testing.AllocsPerRun(1000, way); n != 0 {
				t.Errorf("%v allocations", n)
			}
		}
	}
}
