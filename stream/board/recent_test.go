package board

import (
	"bytes"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

func TestRecentIsBounded(t *testing.T) {
	t.Parallel()
	var h recent
	options := event.Defaults(event.JSON)
	p, err := model.NewProcessor(model.Config{Learner: learner.Spec{Bits: options.Bits}.WithDefaults(),
		Decode: options})
	if err != nil {
		t.Fatal(err)
	}
	value := bytes.Repeat([]byte{0xff}, 1<<20)
	text := strings.Repeat("€", 1<<19)
	for i := range int64(100) {
		r := &topics.Record{Value: value, Timestamp: i}
		h.mistake(topics.Place{Offset: i}, r, &model.Outcome{Prediction: model.Positive, Label: model.Negative,
			Scores: make([]float64, 5)})
		for _, reason := range event.Reasons() {
			h.reject(topics.Place{Partition: 1, Offset: i}, r, event.NewError(reason, text))
		}
	}
	c := h.copy(p, &options)
	if h.copy(p, &options) != c {
		t.Error("nothing has changed, and there is another copy")
	}
	for _, reason := range event.Reasons() {
		samples := c.Rejected[reason.String()]
		if len(samples) != keptRejects || samples[0].Offset != 99 || samples[2].Offset != 97 {
			t.Fatalf("%s: %d samples", reason, len(samples))
		}
		if s := samples[0]; len(s.Value) != sampleBytes || s.Size != 1<<20 || len(s.Error) > sampleBytes ||
			!strings.HasSuffix(s.Error, "€…") {
			t.Errorf("%s: %d bytes of %d, a text of %d", reason, len(s.Value), s.Size, len(s.Error))
		}
	}
	if len(c.Mistakes) != keptMistakes || c.Mistakes[0].Offset != 99 || c.Mistakes[0].Prediction != "1" ||
		c.Mistakes[0].Label != "-1" {
		t.Errorf("%d mistakes", len(c.Mistakes))
	}
	used := topics.Record{Value: []byte("x")}
	h.mistake(topics.Place{Partition: 0, Offset: 100}, &used, &model.Outcome{})
	h.copySamples()
	used.Value[0] = 'y'
	if m := h.copy(p, &options).Mistakes; len(m) != keptMistakes || m[0].Offset != 100 || m[0].Value[0] != 'x' ||
		m[1].Offset != 99 {
		t.Errorf("after the record's memory was used again: %+v", m[0])
	}
	if c.Mistakes[keptMistakes-1].Value[0] != 0xff {
		t.Error("a copy changed")
	}
	h.reject(topics.Place{Partition: 2, Offset: 5}, &topics.Record{}, event.NewError(event.Empty, "null"))
	if s := h.copy(p, &options).Rejected["empty"][0]; !s.Null || s.Partition != 2 {
		t.Errorf("%+v", s)
	}
}

// TestRecentAllocatesNothing: the samples of a model that is often wrong take no memory.
func TestRecentAllocatesNothing(t *testing.T) {
	var h recent
	r := &topics.Record{Value: make([]byte, 500)}
	o := model.Outcome{Prediction: model.Positive, Label: model.Negative}
	wrong := func() {
		h.mistake(topics.Place{}, r, &o)
		h.copySamples()
	}
	for range 2 * keptMistakes {
		wrong()
	}
	if n := testing.AllocsPerRun(100, wrong); n != 0 {
		t.Errorf("%v allocations a mistake", n)
	}
}

// BenchmarkMistake is what a wrong prediction costs beside learning from it: a copy of at most a kilobyte.
func BenchmarkMistake(b *testing.B) {
	var h recent
	r := &topics.Record{Value: make([]byte, 500)}
	o := model.Outcome{Prediction: model.Positive, Label: model.Negative}
	for b.Loop() {
		h.mistake(topics.Place{}, r, &o)
	}
}

// TestAvroMistakes: an event in avro is shown as its JSON form, as far as it was kept whole.
func TestAvroMistakes(t *testing.T) {
	options := event.Defaults(event.Avro)
	options.Schema = `{"type":"record","name":"E","fields":[{"name":"s","type":"string"},{"name":"x","type":"int"}]}`
	p, err := model.NewProcessor(model.Config{Learner: learner.Spec{Bits: options.Bits}.WithDefaults(),
		Decode: options})
	if err != nil {
		t.Fatal(err)
	}
	var h recent
	long := "\xd0\x0f" + strings.Repeat("a", 1000) + "\x02"
	for i, value := range []string{"\x02a\x02", long + strings.Repeat("\x00", 100), "\x02a"} {
		h.mistake(topics.Place{Offset: int64(i)}, &topics.Record{Value: []byte(value)}, &model.Outcome{})
	}
	m := h.copy(p, &options).Mistakes
	if string(m[2].Value) != `{"s":"a","x":1}` || m[2].Size != 15 || m[1].Value[0] != 0xd0 ||
		string(m[0].Value) != "\x02a" {
		t.Errorf("%+v", m)
	}
}
