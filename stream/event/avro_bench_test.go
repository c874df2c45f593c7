package event

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// avroBench is an event of an id, a label and 30 features in avro, and its JSON form.
type avroBench struct {
	schema string
	value  []byte
}

// newAvroBench returns an event whose features are a record of one type, or a map.
func newAvroBench(of string, isMap bool, put func(b []byte, i int) []byte) avroBench {
	var fields []string
	var features []byte
	if isMap {
		features = binary.AppendVarint(features, 30)
	}
	for i := range 30 {
		name := fmt.Sprintf("f%d", i)
		fields = append(fields, fmt.Sprintf(`{"name":%q,"type":%s}`, name, of))
		if isMap {
			features = append(binary.AppendVarint(features, int64(len(name))), name...)
		}
		features = put(features, i)
	}
	record := `{"type":"record","name":"F","fields":[` + strings.Join(fields, ",") + `]}`
	if isMap {
		record, features = `{"type":"map","values":`+of+`}`, append(features, 0)
	}
	e := avroBench{schema: `{"type":"record","name":"E","fields":[{"name":"id","type":"string"},` +
		`{"name":"label","type":"int"},{"name":"features","type":` + record + `}]}`}
	e.value = append(append(binary.AppendVarint(nil, 3), "e17"...), 2)
	e.value = append(e.value, features...)
	return e
}

func (e avroBench) options() Options {
	o := Defaults(Avro)
	o.Schema = e.schema
	return o
}

func avroBenches() map[string]avroBench {
	r := rand.New(rand.NewPCG(1, 2))
	double := func(b []byte, _ int) []byte {
		v := math.Round(r.NormFloat64()/3*1e6) / 1e6
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return map[string]avroBench{
		"record": newAvroBench(`"double"`, false, double),
		"map":    newAvroBench(`"double"`, true, double),
		"nullable": newAvroBench(`["null","double"]`, false, func(b []byte, i int) []byte {
			return double(append(b, 2), i)
		}),
		"longs": newAvroBench(`"long"`, false, func(b []byte, _ int) []byte {
			return binary.AppendVarint(b, int64(r.NormFloat64()*1000))
		}),
		"words": newAvroBench(`"string"`, false, func(b []byte, _ int) []byte {
			word := fmt.Sprintf("w%d", r.IntN(30))
			return append(binary.AppendVarint(b, int64(len(word))), word...)
		}),
	}
}

// BenchmarkAvro decodes events in avro and their JSON forms.
func BenchmarkAvro(b *testing.B) {
	for name, e := range avroBenches() {
		d := decoder(b, e.options())
		form, ok := d.JSONForm(nil, &Record{Value: e.value})
		if !ok {
			b.Fatal("no form")
		}
		b.Run(name+"/avro", func(b *testing.B) { benchDecode(b, e.options(), string(e.value)) })
		b.Run(name+"/json", func(b *testing.B) { benchDecode(b, Defaults(JSON), string(form)) })
		b.Run(name+"/unplanned", func(b *testing.B) {
			var example Example
			b.ReportAllocs()
			for b.Loop() {
				parsed(d, e.value, d.arena[:0], &example)
			}
		})
	}
}

// TestAvroDoesNotAllocate: once a decoder is warm, no way of reading an event allocates, also where an id or a label is
// a number.
func TestAvroDoesNotAllocate(t *testing.T) {
	schema := `{"type":"record","name":"E","fields":[{"name":"id","type":"long"},{"name":"label","type":"double"},` +
		`{"name":"d","type":{"type":"bytes","logicalType":"decimal","precision":30,"scale":3}},` +
		`{"name":"at","type":{"type":"long","logicalType":"timestamp-nanos"}},{"name":"w","type":"string"},` +
		`{"name":"m","type":{"type":"map","values":"float"}},{"name":"l","type":{"type":"array","items":"string"}},` +
		`{"name":"u","type":["null",{"type":"array","items":["null","double"]}]}]}`
	r := &randomAvro{Rand: rand.New(rand.NewPCG(1, 2))}
	value := append(binary.AppendVarint(nil, 1<<40), 0, 0, 0, 0, 0, 0, 0xf0, 0x3f)
	value = append(value, 26, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
	value = r.text(binary.AppendVarint(value, 1764194700123456789), "a word")
	value = append(r.text(append(value, 4), "k"), 0, 0, 0x80, 0x3f)
	value = append(r.text(value, "x"), 0, 0, 0, 0x40, 0)
	value = append(r.text(append(value, 2), "tag"), 0, 0)
	for _, task := range []string{Binary, Multiclass} {
		o := Defaults(Avro)
		o.Schema, o.Task = schema, task
		d := decoder(t, o)
		var e Example
		var arena []learner.Feature
		record := Record{Value: value}
		decode := func() { arena = d.Decode(&record, arena[:0], &e) }
		unplanned := func() { parsed(d, value, d.arena[:0], &e) }
		for range 3 {
			decode()
		}
		if e.Rejected != nil || len(arena) != 6 {
			t.Fatal(e.text(), arena)
		}
		for _, way := range []func(){decode, unplanned} {
			if n := testing.AllocsPerRun(1000, way); n != 0 {
				t.Errorf("%v allocations", n)
			}
		}
	}
}
