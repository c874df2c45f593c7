package event

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
)

// frames are what serializers write before json.
var frames = []string{"\x00\x00\x00\x00\x07", "\x00\x00\x00\x00\x00", "\x00{{{{", "\x00\xff\xfe\xfd\xfc",
	"\x01\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"}

// TestFramedJSON: an event behind a frame is the event, with and without a template, and beside events without a frame.
func TestFramedJSON(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	bare := decoder(t, Defaults(JSON))
	for i, value := range []string{`{"id":"e1","label":1,"features":{"x":0.5,"m":"vic"}}`, ` {"x":1,"y":2}`,
		`{"x":"é"}`, "\r\n\t{\"label\":0,\"x\":3}", "\xef\xbb\xbf{\"x\":1}", `{}`, `{"x":`, `{"x":[{}]}`,
		`{"x":1e400}`} {
		for round := range 3 {
			frame := frames[(i+round)%len(frames)]
			if strings.HasPrefix(value, "\xef") {
				frame = "" // a byte order mark is no blank
			}
			var e, want Example
			arena := d.Decode(&Record{Value: []byte(frame + value)}, nil, &e)
			wanted := bare.Decode(&Record{Value: []byte(value)}, nil, &want)
			if !slices.Equal(arena, wanted) || string(e.ID) != string(want.ID) || e.Label != want.Label ||
				e.reason() != want.reason() {
				t.Errorf("%q: %+v %v, want %+v %v", frame+value, e, arena, want, wanted)
			}
			if w := want.Rejected; w != nil && w.Offset >= 0 && e.Rejected.Offset != w.Offset+len(frame) {
				t.Errorf("%q: offset %d of the value", frame+value, e.Rejected.Offset)
			}
			n := 0
			d.Walk(&Record{Value: []byte(frame + value)}, func([]byte, learner.Feature) { n++ })
			if n != len(wanted) {
				t.Errorf("%q: names of %d features", frame+value, n)
			}
		}
	}
}

// TestFrameOffset: the error says where in the value it is.
func TestFrameOffset(t *testing.T) {
	e := decoded(decoder(t, Defaults(JSON)), frames[0]+`{"x":tree}`)
	if e.reason() != Syntax || e.Rejected.Offset != 10 {
		t.Errorf("%+v", e.Rejected)
	}
}

// TestFrameCounts: the limit is about the value with its frame.
func TestFrameCounts(t *testing.T) {
	o := Defaults(JSON)
	o.MaxBytes = 12
	for value, want := range map[string]Reason{`{"x":1}`: OK, `{"x":1.5}`: TooLarge, `{"x":123456}`: TooLarge} {
		if e := decoded(decoder(t, o), frames[0]+value); e.reason() != want {
			t.Errorf("%s: %v, want %v", value, e.reason(), want)
		}
	}
}

// TestNotFramed: a frame is taken off json alone, and not by models that were begun without it.
func TestNotFramed(t *testing.T) {
	old := Defaults(JSON)
	old.Framed = false
	utf16 := Defaults(JSON)
	utf16.Encoding = "utf-16be"
	for i, c := range []struct {
		o     Options
		value string
		want  Reason
	}{
		{old, frames[0] + `{"x":1}`, Syntax},
		{Defaults(JSON), frames[0] + `[1]`, Syntax},
		{Defaults(JSON), frames[0] + "\xc3\xa9" + `{"x":1}`, Syntax},
		{Defaults(JSON), "\x02\x00\x00\x00\x07" + `{"x":1}`, Syntax},
		{Defaults(VW), frames[0] + `{x | a:1`, BadLabel},
		{utf16, "\x00{\x00\"\x00{\x00\"\x00:\x001\x00}", OK},
	} {
		if e := decoded(decoder(t, c.o), c.value); e.reason() != c.want {
			t.Errorf("%d, %q: %v %s, want %v", i, c.value, e.reason(), e.text(), c.want)
		}
	}
}

// TestFramedLabels: so are label records.
func TestFramedLabels(t *testing.T) {
	for _, keyed := range []bool{false, true} {
		d, err := NewLabels(Defaults(JSON), keyed)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			var e Example
			d.Decode(&Record{Key: []byte("e1"), Value: []byte(frames[0] + `{"id":"e1","label":-1}`)}, nil, &e)
			if e.Rejected != nil || e.Label != -1 || strings.Trim(string(e.ID), `"`) != "e1" {
				t.Errorf("keyed %t: %+v", keyed, e)
			}
		}
	}
}

// TestFramedBatch: events that are decoded together keep their ids.
func TestFramedBatch(t *testing.T) {
	d := decoder(t, Defaults(JSON))
	var records []Record
	for i := range 50 {
		records = append(records, Record{Value: fmt.Appendf(nil, `%s{"id":"e%d","x":%d}`, frames[i%2*4], i, i)})
	}
	var b Batch
	b.Decode(d, records)
	for i := range b.Examples {
		if id := string(b.Examples[i].ID); id != fmt.Sprintf(`"e%d"`, i) || b.Features(i)[0].Value != float64(i) {
			t.Errorf("event %d: id %s", i, id)
		}
	}
}
