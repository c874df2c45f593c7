package event

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// agreeForm compares a value that a schema describes with its JSON form.
func agreeForm(t *testing.T, avro, json *Decoder, forms formed, value []byte) {
	t.Helper()
	var e Example
	before := []learner.Feature{{Slot: 1, Value: 2}}
	arena := avro.Decode(&Record{Value: value}, before, &e)
	agreeNames(t, e.Names, e.Features(arena))
	nan := "null"
	if avro.options.AbsentNaN {
		nan = "NaN"
	}
	form, err := forms.form(value, nan)
	oracle := forms.state()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\nschema %s\nvalue %x\nform %s, %v\noptions %+v\ngot %q %s", fmt.Sprintf(format, args...),
			oracle.shown, value, form, err, json.options, e.reason(), e.text())
	}
	stopped := slices.Contains([]Reason{Syntax, TooDeep, Encoding, TooManyFeatures}, e.reason())
	switch {
	case len(value) == 0 && avro.options.Format == Avro:
		if e.reason() != Empty {
			fail("no bytes")
		}
		return
	case err != nil && strings.Contains(err.Error(), "4096-element limit"): // ours is another one
		return
	case err != nil:
		if !stopped {
			fail("a bad value is taken")
		}
		return
	case oracle.invalid && stopped, strings.Contains(e.text(), "a block of"), // the library does not read the size
		oracle.notFinite && (e.reason() == NotFinite || e.reason() == BadLabel):
		return
	}
	var want Example
	forget(json)
	features := json.Decode(&Record{Value: []byte(form)}, before, &want)
	if oracle.notFinite && e.reason() != OK { // null in its place may give another reason, or none
		return
	}
	reason := e.reason()
	if reason != want.reason() {
		if reason == TooManyFeatures && strings.Contains(e.text(), "without a byte") {
			return
		}
		first := []Reason{reason, want.reason()} // which is before the other depends on the order of fields
		if slices.Contains(first, TooDeep) && slices.Contains(first, Syntax) && avro.options.Format == Protobuf {
			return
		}
		fail("reason: want %q %s", want.reason(), want.text())
	}
	got := e
	got.Rejected, want.Rejected = nil, nil
	if stopped && avro.options.Format == Protobuf { // nothing of it was read
		want = got
	}
	same := got.Label == want.Label && got.Family == want.Family && got.Skip == want.Skip &&
		math.Float64bits(got.Weight) == math.Float64bits(want.Weight) && bytes.Equal(got.Class, want.Class) &&
		(got.Class == nil) == (want.Class == nil) && got.Start == want.Start && got.End == want.End
	if !same || string(AppendID(nil, &got)) != string(AppendID(nil, &want)) {
		fail("want %+v", want)
	}
	if !slices.EqualFunc(arena, features, func(a, b learner.Feature) bool {
		return a.Slot == b.Slot && a.Print == b.Print && a.Kind == b.Kind &&
			math.Float64bits(a.Value) == math.Float64bits(b.Value)
	}) {
		fail("features %v\nwant %v", arena, features)
	}
	if got, want := walked(avro, string(value)), walked(json, form); !slices.Equal(got, want) {
		fail("names %v\nwant %v", got, want)
	}
	if got, want := valuesOf(avro, string(value)), valuesOf(json, form); reason == OK && got != want {
		fail("values %v\nwant %v", got, want)
	}
	if reason == TooDeep || reason == Syntax || oracle.invalid || oracle.notFinite && nan == "null" {
		return
	}
	if text, ok := avro.JSONForm(nil, &Record{Value: value}); ok && string(text) != form ||
		!ok && avro.failed.Reason != TooManyFeatures {
		fail("JSONForm %s", text)
	}
}

// avroFuzzOptions are those of json, with other tasks.
func avroFuzzOptions() []Options {
	all := fuzzOptions()
	classes := all[0]
	classes.Task, classes.Positive = Multiclass, ""
	texts := all[1]
	texts.TextIDs = true
	deep := all[0]
	deep.MaxDepth, deep.MaxFeatures = 32, 100
	return append(all, classes, texts, deep)
}

// TestAvroIsItsJSONForm: random values of random schemas, good and broken, are what their JSON forms are.
func TestAvroIsItsJSONForm(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 500
	}
	planned, taken := 0, 0
	for seed := range n {
		random := &randomAvro{Rand: rand.New(rand.NewPCG(uint64(seed), 37)), named: map[string]any{}}
		options := avroFuzzOptions()
		o := options[random.IntN(len(options))]
		random.clock = len(o.TimeParts) == 0
		var schema any = random.record(4)
		if random.IntN(10) == 0 {
			schema = map[string]any{"type": "map", "values": random.schema(3)}
		}
		p, e := agreeSchema(t, random, o, schema)
		planned, taken = planned+p, taken+e
	}
	if planned < taken/4 {
		t.Errorf("of %d events that were taken, %d were read along plans", taken, planned)
	}
}

// agreeSchema compares values of a schema.
func agreeSchema(t *testing.T, random *randomAvro, o Options, schema any) (planned, taken int) {
	t.Helper()
	text := schemaText(schema)
	oracle, err := newFormOracle(text)
	if err != nil { // it refers to a type that was left out
		return 0, 0
	}
	jsonDecoder := decoder(t, o)
	o.Format, o.Schema = Avro, text
	avroDecoder := decoder(t, o)
	for range 20 {
		value := random.value([]byte{}, schema, 6)
		agreeForm(t, avroDecoder, jsonDecoder, oracle, value)
		agreeForm(t, avroDecoder, jsonDecoder, oracle, value)
		var e Example
		if inOnePass(avroDecoder, string(value), &e) {
			planned++
		}
		if decoded(avroDecoder, string(value)).Rejected == nil {
			taken++
		}
		broken := bytes.Clone(value)
		if len(broken) > 0 {
			broken[random.IntN(len(broken))] ^= byte(1 << random.IntN(8))
			agreeForm(t, avroDecoder, jsonDecoder, oracle, broken)
			agreeForm(t, avroDecoder, jsonDecoder, oracle, value[:random.IntN(len(value))])
		}
		agreeForm(t, avroDecoder, jsonDecoder, oracle, append(value, 0))
	}
	return planned, taken
}

// FuzzAvro holds the decoder against its JSON form: a random schema, and bytes that are broken values of it at first.
func FuzzAvro(f *testing.F) {
	for seed := range uint64(40) {
		random := &randomAvro{Rand: rand.New(rand.NewPCG(seed, 38)), named: map[string]any{}, clock: true}
		f.Add(random.value([]byte{}, random.record(4), 6), seed, byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte, seed uint64, which byte) {
		random := &randomAvro{Rand: rand.New(rand.NewPCG(seed, 38)), named: map[string]any{}, clock: true}
		schema := random.record(4)
		all := avroFuzzOptions()
		o := all[int(which)%len(all)]
		if value = slices.Clone(value); len(o.TimeParts) > 0 { // what a number counts is not in its JSON form
			return
		}
		oracle, err := newFormOracle(schemaText(schema))
		if err != nil {
			return
		}
		jsonDecoder := decoder(t, o)
		o.Format, o.Schema = Avro, schemaText(schema)
		d := decoder(t, o)
		agreeForm(t, d, jsonDecoder, oracle, value)
		agreeForm(t, d, jsonDecoder, oracle, value)
		agreeForm(t, d, jsonDecoder, oracle, random.value([]byte{}, schema, 6))
		agreeForm(t, d, jsonDecoder, oracle, value)
	})
}

// TestAvroPlans: what most events are made of is read along the plan of their schema, also where values are null and
// maps and arrays are not those of the event before. The list of names is that of the values that are there.
func TestAvroPlans(t *testing.T) {
	o := Defaults(Avro)
	o.Schema = `{"type":"record","name":"E","fields":[{"name":"label","type":"int"},` +
		`{"name":"a","type":["null","double"]},` +
		`{"name":"b","type":["double","null"]},{"name":"m","type":{"type":"map","values":"double"}},` +
		`{"name":"l","type":{"type":"array","items":"int"}},` +
		`{"name":"r","type":["null",{"type":"record","name":"R","fields":[{"name":"x","type":"long"}]}]}]}`
	d := decoder(t, o)
	const one = "\x00\x00\x00\x00\x00\x00\xf0\x3f"
	names := map[uint64]string{}
	for range 3 {
		for value, features := range map[string]int{
			"\x02\x02" + one + "\x00" + one + "\x02\x02k" + one + "\x00\x02\x04\x00\x00":  4,
			"\x02\x00\x02\x04\x02k" + one + "\x02j" + one + "\x00\x00\x00":                2,
			"\x02\x00\x00" + one + "\x04\x02j" + one + "\x02k" + one + "\x00\x00\x02\x0e": 4,
			"\x02\x02" + one + "\x02\x00\x04\x02\x02\x00\x00":                             3,
		} {
			var fits bool
			var e Example
			for range 2 { // the second one has the names of the first
				decoded(d, value)
				fits = inOnePass(d, value, &e)
			}
			if !fits || e.End-e.Start != features || e.Label != 1 {
				t.Errorf("%x: fits %v, %d features, want %d", value, fits, e.End-e.Start, features)
			}
			if was := names[e.Names]; e.Names == 0 || was != "" && was != value {
				t.Errorf("%x: the list of names %d is that of %x", value, e.Names, was)
			}
			names[e.Names] = value
		}
	}
	twice := "\x02\x00\x02\x04\x02k" + one + "\x02k" + one + "\x00\x00\x00"
	for _, value := range []string{twice, "\x02\x00\x02\x00\x00\x01"} {
		if inOnePass(d, value, new(Example)) {
			t.Errorf("%x fits", value)
		}
	}
}
