package model

import (
	"fmt"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// TestSharing: where many features share slots, that is told with the bits that make it rare, which then do.
func TestSharing(t *testing.T) {
	sharing := func(bits, names int) string {
		o := event.Defaults(event.JSON)
		o.Bits = bits
		proc, err := NewProcessor(Config{Hash: HashName, Decode: o,
			Learner: learner.Spec{Learner: "perceptron", Scale: "none", Bits: bits}.WithDefaults()})
		if err != nil {
			t.Fatal(err)
		}
		d, err := event.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range names {
			r := topics.Record{Value: fmt.Appendf(nil, `{"label":%d,"f%d":1}`, i%2, i)}
			var e event.Example
			x := d.Decode(&event.Record{Value: r.Value}, nil, &e)
			o, rejected := proc.Predict(&e, x)
			if rejected != nil {
				t.Fatal(rejected)
			}
			proc.Learn(&r, o)
		}
		return proc.Sharing()
	}
	for bits, want := range map[int]string{
		10: "595 of 886 slots in use are shared by several features, which then have one weight; with --bits 18 " +
			"(now 10) about 1 in 100 would be",
		18: "", 4: "16 of 16 slots in use are shared by several features, which then have one weight; with --bits",
	} {
		if got := sharing(bits, 2000); !strings.Contains(got, want) || (want == "") != (got == "") {
			t.Errorf("%d bits: %q", bits, got)
		}
	}
	if full := rareBits(1<<learner.MaxBits, 1<<learner.MaxBits); full <= learner.MaxBits {
		t.Errorf("%d bits", full)
	}
}
