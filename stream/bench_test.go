package stream

import (
	"fmt"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// benchChunk is a chunk of JSON events of 30 features and about 500 bytes, decoded.
func benchChunk(tb testing.TB, n, bits int) (*chunk, model.Config) {
	tb.Helper()
	options := event.Defaults(event.JSON)
	options.Bits = bits
	fixed := model.Config{
		Hash:    model.HashName,
		Learner: learner.Spec{Scale: "standard", Bits: bits}.WithDefaults(),
		Decode:  options,
	}
	d, err := event.New(options)
	if err != nil {
		tb.Fatal(err)
	}
	c := &chunk{}
	for i := range n {
		v := fmt.Appendf(nil, `{"id":"e%d","label":%d,"features":{`, i, 1-2*(i%2))
		for f := range 30 {
			v = fmt.Appendf(v, `"f%d":%.6f,`, f, float64((i*31+f*17)%1000)/500-1)
		}
		v[len(v)-1] = '}'
		c.Records = append(c.Records, topics.Record{
			Offset: int64(i), Timestamp: 1795257554199, Key: []byte("key"), Value: append(v, '}'),
		})
	}
	c.Next = int64(n)
	c.Decode(d, c.Records)
	return c, fixed
}

func benchState(tb testing.TB, fixed model.Config) *state.State {
	tb.Helper()
	proc, err := model.NewProcessor(fixed)
	if err != nil {
		tb.Fatal(err)
	}
	return &state.State{
		Proc: proc, Fixed: fixed, Positions: []int64{0}, Topology: &topics.Topology{}, Dead: state.DeadLetters{},
		Fence: &topics.Fence{Output: []int64{0}, DeadLetters: []int64{0}},
	}
}

func benchSession(tb testing.TB, fixed model.Config) (*session, *flight) {
	tb.Helper()
	st := benchState(tb, fixed)
	s := &session{
		t: (&Task{}).Open(), st: st, deadLetters: &journal.DeadLetterWriter{},
		encoder: journal.NewPredictionEncoder(fixed.Decode, st.Proc, "bench", 1),
	}
	return s, &flight{limits: limitsOf(&topics.Topology{}, 1<<20, false), pool: &sharePool{}}
}

// BenchmarkHandle is all that the learner does for one event: predict, encode the prediction into the batch, score,
// learn.
func BenchmarkHandle(b *testing.B) { benchHandle(b, nil, nil, nil) }

// BenchmarkHandleSliced counts decisions by a field within the features and one that events lack, too.
func BenchmarkHandleSliced(b *testing.B) {
	for n, fields := range [][]string{1: {"f3"}, 2: {"f3", "shop"}} {
		if fields != nil {
			b.Run(fmt.Sprint(n), func(b *testing.B) { benchHandle(b, fields, nil, nil) })
		}
	}
}

// BenchmarkHandleDecisions has calibrated probabilities, alone and with a cut by costs.
func BenchmarkHandleDecisions(b *testing.B) {
	for _, rule := range []string{"sign", "cost=fp:1,fn:20"} {
		b.Run(rule, func(b *testing.B) {
			benchHandle(b, nil, func(c *model.Config) error { return c.SetDecisions(model.CalibratePlatt, rule) },
				nil)
		})
	}
}

// BenchmarkHandleDrift has drifts of the mistakes detected, as run does by default, and each 32 examples.
func BenchmarkHandleDrift(b *testing.B) {
	for _, text := range []string{"adwin", "adwin:clock=32"} {
		b.Run(text, func(b *testing.B) {
			rule, err := model.ParseDrift(text, "")
			if err != nil {
				b.Fatal(err)
			}
			benchHandle(b, nil, nil, rule)
		})
	}
}

// BenchmarkHandleChallengers has further learners beside the champion.
func BenchmarkHandleChallengers(b *testing.B) {
	for n := range 4 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchHandle(b, nil, func(c *model.Config) error {
				for i := range n {
					x, err := c.ParseChallenger("pa1:C=0.1", i+1, learner.ParseLearner)
					if err != nil {
						return err
					}
					c.Challengers = append(c.Challengers, x)
				}
				return c.Validate()
			}, nil)
		})
	}
}

func benchHandle(b *testing.B, by []string, set func(*model.Config) error, drifts *model.Drift) {
	c, fixed := benchChunk(b, 1000, 18)
	if set != nil {
		if err := set(&fixed); err != nil {
			b.Fatal(err)
		}
	}
	s, f := benchSession(b, fixed)
	if _, err := s.st.Proc.SliceBy(&fixed, by); err != nil {
		b.Fatal(err)
	}
	s.st.Proc.DetectBy(&fixed, drifts)
	b.ReportAllocs()
	var to *share
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			f.reset()
			to = f.begin(c, 0)
		}
		if s.handle(f, to, c, i%1000) != placed {
			b.Fatal("does not fit")
		}
	}
}

// BenchmarkPrediction is the encoding of one prediction alone.
func BenchmarkPrediction(b *testing.B) {
	c, fixed := benchChunk(b, 1, 18)
	a := journal.NewPredictionEncoder(fixed.Decode, benchState(b, fixed).Proc, "bench", 1)
	o := model.Outcome{
		Score: 0.8312345678, Prediction: model.Positive, Labelled: true,
		Label: model.Negative, Family: event.PlusMinus, Mistake: true, Updated: true,
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = a.Append(buf[:0], 0, &c.Records[0], &c.Examples[0], &o, 42)
	}
}

// BenchmarkDecodeChunk is the decoding of one event, as the daemon does it.
func BenchmarkDecodeChunk(b *testing.B) {
	c, fixed := benchChunk(b, 1000, 18)
	d, err := event.New(fixed.Decode)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Decode(d, c.Records)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(c.Records)), "ns/event")
}

// TestNothingIsAllocatedPerEvent: a thousand events take at most two allocations.
func TestNothingIsAllocatedPerEvent(t *testing.T) {
	c, fixed := benchChunk(t, 1000, 18)
	s, f := benchSession(t, fixed)
	d, err := event.New(fixed.Decode)
	if err != nil {
		t.Fatal(err)
	}
	once := func() {
		f.reset()
		c.Decode(d, c.Records)
		to := f.begin(c, 0)
		for i := range c.Records {
			s.handle(f, to, c, i)
		}
		if _, err := to.records.Seal(1, 1, 0, recordbatch.None); err != nil {
			t.Fatal(err)
		}
	}
	once() // the first time buffers grow and names are learned
	if per := testing.AllocsPerRun(5, once); per > 2 {
		t.Errorf("%v allocations for 1,000 events", per)
	}
}
