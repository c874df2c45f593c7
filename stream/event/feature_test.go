package event

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// TestFeatures has each form of cmd/rosenblatt/docs/events.md, "Events", in the order of the event.
func TestFeatures(t *testing.T) {
	const num, ind = learner.Numeric, learner.Indicator
	o := Defaults(JSON)
	o.WeightField, o.TextField, o.Ignore = "w", "msg", []string{"skip", "in.skip"}
	for _, c := range []struct {
		event string
		want  []named
	}{
		{`{"id":"e1","label":1,"features":{"price":0.056,"market":"vic","open":true}}`,
			[]named{{"price", 0.056, num}, {"market=vic", 1, ind}, {"open=true", 1, ind}}},
		{`{"w":2,"b":0,"a":null,"label":1,"c":{"d":{"e":false}},"id":1}`,
			[]named{{"b", 0, num}, {"c.d.e=false", 1, ind}}},
		{`{"a":[3,-1e1],"b":["x","y","x"],"c":[],"d":[{}]}`, nil},
		{`{"a":[3,-1e1],"b":["x","y","x"],"c":[]}`,
			[]named{{"a[0]", 3, num}, {"a[1]", -10, num}, {"b=x", 1, ind}, {"b=y", 1, ind}}},
		{`{"features":{"a":1,"b":2,"a":0.5,"c":"x","c":"x","b=y":3,"b":"y"}}`,
			[]named{{"a", 1.5, num}, {"b", 2, num}, {"c=x", 2, ind}, {"b=y", 4, num}}},
		{`{"msg":"Don't PANIC: don\u2019t, Ünï-2 ４ x²y","x":1}`,
			[]named{{"msg=don", 1, ind}, {"msg=t", 1, ind}, {"msg=panic", 1, ind}, {"msg=ünï", 1, ind},
				{"msg=2", 1, ind}, {"msg=４", 1, ind}, {"msg=x", 1, ind}, {"msg=y", 1, ind}, {"x", 1, num}}},
		{`{"y":1,"msg":"a","z":1e31,"features":{"x":1,"msg":"b a","skip":3,"in":{"skip":4,"go":5}},"v":2}`,
			[]named{{"msg=a", 1, ind}, {"x", 1, num}, {"msg=b", 1, ind}, {"in.go", 5, num}}},
		{`{"features":{"x":1},"msg":"late"}`, []named{{"x", 1, num}, {"msg=late", 1, ind}}},
		{`{"msg":5,"skip":{"a":1,"label":2},"in":{"skip":{"b":1},"label":7}}`,
			[]named{{"msg", 5, num}, {"in.label", 7, num}}},
		{`{"msg":5,"features":{"x":1}}`, []named{{"x", 1, num}}},
		{`{"\u0061.b":1,"":2,"c\"":{"":3}}`, []named{{"a.b", 1, num}, {"", 2, num}, {`c".`, 3, num}}},
		{`{"features":{"label":1,"id":2,"w":3,"features":{"x":4}}}`,
			[]named{{"label", 1, num}, {"id", 2, num}, {"w", 3, num}, {"features.x", 4, num}}},
	} {
		if got := walked(decoder(t, o), c.event); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.event, got, c.want)
		}
	}
}

// TestIgnoredGroup: a name that ends in a dot, or in vw in ^, ignores all that begin so, an object among it.
func TestIgnoredGroup(t *testing.T) {
	const num = learner.Numeric
	o := Defaults(JSON)
	o.Ignore = []string{"user."}
	vw := Defaults(VW)
	vw.Ignore = []string{"user^"}
	for _, c := range []struct {
		options Options
		event   string
		want    []named
	}{
		{o, `{"user":{"age":1,"of":{"x":2}},"user.city":"a","users":3,"use":4}`,
			[]named{{"users", 3, num}, {"use", 4, num}}},
		{o, `{"features":{"user":{"age":1},"user.city":"a","users":3}}`, []named{{"users", 3, num}}},
		{vw, "1 |user age:3 city=a |users x:2 | user:1", []named{{"users^x", 2, num}, {"user", 1, num}}},
		{vw, "1 |item city=a |user:2 b", []named{{"item^city=a", 1, num}}},
	} {
		d := decoder(t, c.options)
		for range 3 { // the template that the first ones make says the same
			if got := walked(d, c.event); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %v, want %v", c.event, got, c.want)
			}
		}
	}
}

// TestManyFeatures: the limit counts distinct names, and the table that tells them apart grows.
func TestManyFeatures(t *testing.T) {
	var s strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&s, `"f%d":1,`, i%10000)
	}
	event := `{"features":{` + s.String() + `"f0":1}}`
	d := decoder(t, Defaults(JSON))
	got := walked(d, event)
	if len(got) != 10000 || got[0].value != 3 || got[9999] != (named{"f9999", 2, learner.Numeric}) {
		t.Fatalf("%d features", len(got))
	}
	if e := decoded(d, `{"features":{`+s.String()+`"x":1}}`); e.reason() != TooManyFeatures {
		t.Fatalf("one more: %q", e.reason())
	}
	if e := decoded(d, "{"+strings.ReplaceAll(s.String()[:90000], "f",
		"g")+`"x":1,"x":1}`); e.reason() != DuplicateField {
		t.Fatalf("many fields: %q", e.reason())
	}
}

// TestGenerations: a table that has been used 2^32 times does not take old names for new ones.
func TestGenerations(t *testing.T) {
	var s nameTable
	s.reset()
	place, _ := s.find(5)
	s.put(place, 5, 0)
	s.generation = 1<<32 - 1
	s.reset()
	if _, there := s.find(5); there || s.generation != 1 {
		t.Errorf("generation %d still holds what the first one did", s.generation)
	}
}

// TestHash: slots below 2^bits from the low bits, prints of 1 to 32767 from the high ones, and the seed changes both.
func TestHash(t *testing.T) {
	o := Defaults(JSON)
	o.Bits = 30
	d := decoder(t, o)
	o.Bits, o.Seed = 1, 99
	seeded := decoder(t, o)
	moved := 0
	for i := range 100000 {
		name := []byte(fmt.Sprint("f", i))
		slot, print := d.Hash(name)
		slot2, print2 := seeded.Hash(name)
		if slot >= 1<<30 || slot2 > 1 || print < 1 || print > 32767 || print2 < 1 || print2 > 32767 {
			t.Fatalf("%s: %d %d, %d %d", name, slot, print, slot2, print2)
		}
		if print != print2 {
			moved++
		}
	}
	if moved < 99900 {
		t.Errorf("the seed moved %d fingerprints of 100000", moved)
	}
	// XXH64 of the empty input is EF46DB3751D8E999 by its specification: print 0xEF46>>1, slot its low 30 bits.
	if slot, print := d.Hash(nil); slot != 0x51D8E999&(1<<30-1) || print != 0xEF46>>1 {
		t.Errorf("empty name: slot %x, print %x", slot, print)
	}
	if fingerprint(1<<49-1) != 1 || fingerprint(1<<63) != 1<<14 {
		t.Error("the fingerprint is that of the 15 highest bits, and never 0")
	}
}

// TestNoAllocations: once grown, a decoder allocates nothing, whatever the format.
func TestNoAllocations(t *testing.T) {
	table := Defaults(CSV)
	table.Columns, table.TextField = []string{"label", "id", "x", "y"}, "y"
	text := Defaults(JSON)
	text.TextField, text.LabelField, text.Positive, text.Seed, text.WeightField = "msg", "m.label", "UP", 5, "w"
	for _, c := range []struct {
		o     Options
		event string
	}{
		{Defaults(JSON), jsonEvents[0]}, {Defaults(JSON), jsonEvents[2]},
		{text, `{"m":{"label":"UP"},"w":0.5,"a\n":"\u00e9\"","msg":"The caf\u00e9 the","l":["a","b"],` +
			`"n":[1,0.1234567890123456789012],"o":{"p":true}}`},
		{Defaults(LIBSVM), textEvents[0]}, {Defaults(VW), `1 2.5 'e17|price:2 p:0.23 sqft |b a a:2 ig:1`},
		{table, `1,e1,word,"The ""cat"", the dog"`},
	} {
		d := decoder(t, c.o)
		value := []byte(c.event)
		var e Example
		var arena []learner.Feature
		var answer []byte
		n := testing.AllocsPerRun(100, func() {
			arena = d.Decode(&Record{Value: value}, arena[:0], &e)
			answer = AppendID(c.o.AppendLabel(answer[:0], e.Label, e.Family), &e)
		})
		if n != 0 || e.reason() != OK {
			t.Errorf("%s: %g allocations, %q %s", c.event, n, e.reason(), e.text())
		}
	}
}
