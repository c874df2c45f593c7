package kafka

import (
	"testing"

	"rosenblatt/stream"
)

func TestFenceRoundTrip(t *testing.T) {
	b := newBed(t, 1)
	j := b.client(nil).Journal()
	f := takeover(t, j, stream.NoProducer)
	if len(f.Answers) != 2 || len(f.Letters) != 1 {
		t.Fatalf("fence over %d and %d partitions", len(f.Answers), len(f.Letters))
	}
	for p := range int32(2) {
		for n := range 3 {
			end := appendAll(t, j, stream.Answers, p, numbered("a", n+1)...)
			if want := f.Answers[p] + 1 + int64((n+1)*(n+2)/2); end != want {
				t.Fatalf("partition %d ends at %d, want %d", p, end, want)
			}
		}
	}
	appendAll(t, j, stream.Letters, 0, "l0", "l1")
	c := b.client(nil)
	values, _ := read(t, c.Open(stream.Answers, 1, 0), f.Answers[1]+7)
	if len(values) != 6 || values[5] != "a2" {
		t.Fatalf("read %q", values)
	}
	values, _ = read(t, c.Open(stream.Letters, 0, 0), f.Letters[0]+3)
	if len(values) != 2 {
		t.Fatalf("read %q", values)
	}
	g := takeover(t, j, f.Producer) // the holder again: sequences start at 0 in the next epoch
	if g.Producer.ID != f.Producer.ID || g.Producer.Epoch <= f.Producer.Epoch {
		t.Fatalf("took over with %v after %v", g.Producer, f.Producer)
	}
	if end := appendAll(t, j, stream.Answers, 0, "b"); end != g.Answers[0]+2 {
		t.Fatalf("end %d behind a marker at %d", end, g.Answers[0])
	}
}
