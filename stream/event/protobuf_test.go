package event

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"rosenblatt/stream/protobuf"
)

// protoOptions returns options with the schema of a text, and its message E.
func protoOptions(t testing.TB, o Options, text string) (Options, protoreflect.MessageDescriptor) {
	t.Helper()
	bundle, err := protobuf.Normalize(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	o.Format, o.Schema, o.Message = Protobuf, bundle, "E"
	d, err := protobuf.Descriptor(bundle, "E")
	if err != nil {
		t.Fatal(err)
	}
	return o, d
}

// TestProtobufIsItsJSONForm: random values of random schemas, good and broken, are what their JSON forms are.
func TestProtobufIsItsJSONForm(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 500
	}
	planned, taken := 0, 0
	for seed := range n {
		random := &randomProto{Rand: rand.New(rand.NewPCG(uint64(seed), 39))}
		options := avroFuzzOptions()
		o := options[random.IntN(len(options))]
		random.clock = len(o.TimeParts) == 0
		p, e := agreeMessage(t, random, o, random.text())
		planned, taken = planned+p, taken+e
	}
	t.Log(planned, taken)
}

// agreeMessage compares values of a schema.
func agreeMessage(t *testing.T, random *randomProto, o Options, text string) (planned, taken int) {
	t.Helper()
	jsonDecoder := decoder(t, o)
	o, descriptor := protoOptions(t, o, text)
	oracle, err := newProtoOracle(descriptor, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	d := decoder(t, o)
	for range 20 {
		value := random.value([]byte{}, descriptor, 5)
		agreeForm(t, d, jsonDecoder, oracle, value)
		agreeForm(t, d, jsonDecoder, oracle, value)
		var e Example
		if inOnePass(d, string(value), &e) {
			planned++
		}
		if decoded(d, string(value)).Rejected == nil {
			taken++
		}
		broken := bytes.Clone(value)
		if len(broken) > 0 {
			broken[random.IntN(len(broken))] ^= byte(1 << random.IntN(8))
			agreeForm(t, d, jsonDecoder, oracle, broken)
			agreeForm(t, d, jsonDecoder, oracle, value[:random.IntN(len(value))])
		}
		agreeForm(t, d, jsonDecoder, oracle, append(value, 0))
	}
	return planned, taken
}

// FuzzProtobuf holds the decoder against its JSON form: a random schema, and bytes that are broken values of it at
// first.
func FuzzProtobuf(f *testing.F) {
	schemaOf := func(seed uint64) (*randomProto, string) {
		random := &randomProto{Rand: rand.New(rand.NewPCG(seed, 40)), clock: true}
		return random, random.text()
	}
	for seed := range uint64(40) {
		random, text := schemaOf(seed)
		_, d := protoOptions(f, Defaults(JSON), text)
		f.Add(random.value([]byte{}, d, 5), seed, byte(seed))
	}
	f.Fuzz(func(t *testing.T, value []byte, seed uint64, which byte) {
		random, text := schemaOf(seed)
		all := avroFuzzOptions()
		o := all[int(which)%len(all)]
		if value = slices.Clone(value); len(o.TimeParts) > 0 || value == nil { // what a number counts is not in JSON
			return
		}
		jsonDecoder := decoder(t, o)
		o, descriptor := protoOptions(t, o, text)
		oracle, err := newProtoOracle(descriptor, text)
		if err != nil {
			t.Fatal(err)
		}
		d := decoder(t, o)
		agreeForm(t, d, jsonDecoder, oracle, value)
		agreeForm(t, d, jsonDecoder, oracle, value)
		agreeForm(t, d, jsonDecoder, oracle, random.value([]byte{}, descriptor, 5))
		agreeForm(t, d, jsonDecoder, oracle, value)
	})
}
