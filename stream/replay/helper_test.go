package replay

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// values is a source of values in memory.
type values struct {
	records []topics.Record
	at      int
	step    int // records in a block; 0 for as many as fit
}

func (v *values) Fill(_ context.Context, b *Block) error {
	for n := 0; !b.Full() && (v.step == 0 || n < v.step); n++ {
		if v.at == len(v.records) {
			return io.EOF
		}
		r := v.records[v.at]
		r.Value = b.Copy(r.Value)
		b.Records = append(b.Records, r)
		v.at++
	}
	return nil
}

func (v *values) Done() (done, total int64) { return int64(v.at), int64(len(v.records)) }

func (v *values) Where(b *Block, i int) string { return fmt.Sprintf("values:%d", b.Records[i].Offset) }

// stretch makes n events of a noisy plane with words, some without a label, some broken, at timestamps that mostly
// rise.
func stretch(seed uint64, n int) []topics.Record {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]topics.Record, n)
	clock := int64(1_000_000)
	for i := range out {
		x, y := r.NormFloat64(), r.NormFloat64()
		label := fmt.Sprint(2*r.IntN(2) - 1)
		if i%5 > 0 {
			label = map[bool]string{true: "1", false: "-1"}[x-2*y+r.NormFloat64()/2 > 0]
		}
		if i%20 == 7 {
			label = "null"
		}
		value := fmt.Sprintf(`{"label":%s,"features":{"x":%g,"y":%g,"market":"m%d"}}`, label, x, y, i%7)
		if i%50 == 13 {
			value = value[:20]
		}
		clock += int64(r.IntN(20)) - 3
		out[i] = topics.Record{Offset: int64(i + 1), Value: []byte(value), Timestamp: clock}
	}
	return out
}

func options() event.Options {
	o := event.Defaults(event.JSON)
	o.Bits = 10
	return o
}

// classOptions are those of a task of several classes.
func classOptions() event.Options {
	o := options()
	o.Task = event.Multiclass
	return o
}

// classes gives the labels of a stretch two more values, by an event's market.
func classes(records []topics.Record) []topics.Record {
	for i := range records {
		if r := &records[i]; bytes.Contains(r.Value, []byte(`"m3"`)) || bytes.Contains(r.Value, []byte(`"m5"`)) {
			r.Value = bytes.Replace(r.Value, []byte(`"label":1,`), []byte(`"label":"odd",`), 1)
			r.Value = bytes.Replace(r.Value, []byte(`"label":-1,`), []byte(`"label":true,`), 1)
		}
	}
	return records
}

// processor makes a learner, "perceptron", or one of several classes, "perceptron ova".
func processor(t testing.TB, name string) *model.Processor {
	t.Helper()
	spec := learner.Spec{Scale: learner.ScaleStandard, Bits: options().Bits}
	name, scheme, multiclass := strings.Cut(name, " ")
	if err := learner.ParseLearner(name, &spec); err != nil {
		t.Fatal(err)
	}
	fixed := model.Config{Learner: spec, Decode: options()}
	if multiclass {
		fixed.Decode, fixed.Multiclass = classOptions(), scheme
	}
	p, err := model.NewProcessor(fixed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// prediction is what was predicted for a record, as far as tests compare it.
type prediction struct {
	offset int64
	score  uint64 // bits
}

// seen is a learner whose predictions are recorded.
func seen(t testing.TB, name string, into *[]prediction) Learner {
	return Learner{Name: name, Processor: processor(t, name), Watch: func(b *Block, i int, o model.Outcome) {
		*into = append(*into, prediction{b.Records[i].Offset, math.Float64bits(o.Score)})
	}}
}

func mustRun(t testing.TB, source Source, c Config) *Result {
	t.Helper()
	if c.Decode.Format == "" {
		c.Decode = options()
	}
	r, err := Run(t.Context(), source, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// naive replays records one by one, with nothing but a processor and a list: labels come in when due says so.
func naive(t testing.TB, name string, records []topics.Record, due func(predicted, clock int64, r *topics.Record) int64,
	now func(predicted, clock int64) int64) (*model.Processor, []prediction) {
	t.Helper()
	type late struct {
		record topics.Record
		due    int64
		first  model.Outcome
	}
	var (
		waiting     []late
		predictions []prediction
		predicted   int64
		clock       int64
		trained     bool
	)
	proc := processor(t, name)
	d := decoderOf(t, proc)
	predict := func(r *topics.Record) (model.Outcome, bool) {
		var e event.Example
		arena := d.Decode(r, nil, &e)
		o, rejected := proc.Predict(&e, e.Features(arena))
		return *o, rejected == nil
	}
	settle := func(now int64) {
		for len(waiting) > 0 {
			at := 0 // the earliest due, of those the first that came
			for i := range waiting {
				if waiting[i].due < waiting[at].due {
					at = i
				}
			}
			if waiting[at].due > now {
				return
			}
			x := waiting[at]
			waiting = slices.Delete(waiting, at, at+1)
			o, ok := predict(&x.record)
			if !ok {
				t.Fatalf("offset %d is refused when its label comes", x.record.Offset)
			}
			o.Prediction, o.Score, o.LabelProbability = x.first.Prediction, x.first.Score, x.first.LabelProbability
			o.Baselines = x.first.Baselines
			o.Untrained = x.first.Untrained
			proc.Learn(&x.record, &o)
			trained = true
		}
	}
	for i := range records {
		r := &records[i]
		clock = max(clock, r.Timestamp)
		settle(now(predicted, clock))
		o, ok := predict(r)
		if !ok {
			continue
		}
		predictions = append(predictions, prediction{r.Offset, math.Float64bits(o.Score)})
		predicted++
		o.Untrained = !trained && due(0, 0, &topics.Record{}) > now(0, 0) // there is a delay
		waiting = append(waiting, late{*r, due(predicted, clock, r), o})
	}
	settle(math.MaxInt64)
	return proc, predictions
}

func decoderOf(t testing.TB, proc *model.Processor) *event.Decoder {
	t.Helper()
	o := options()
	if proc.Classes() != nil {
		o = classOptions()
	}
	d, err := event.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// atOnce is the naive replay whose labels are not late.
func atOnce(t testing.TB, name string, records []topics.Record) (*model.Processor, []prediction) {
	return naive(t, name, records, func(n, _ int64, _ *topics.Record) int64 { return n },
		func(n, _ int64) int64 { return n })
}

// same compares a learner's score and predictions with the naive ones.
func same(t *testing.T, got *model.Processor, gotPredictions []prediction, want *model.Processor,
	wantPredictions []prediction) {
	t.Helper()
	if !reflect.DeepEqual(got.Score, want.Score) {
		t.Errorf("score %+v, want %+v", got.Report().Row, want.Report().Row)
	}
	if !slices.Equal(gotPredictions, wantPredictions) {
		t.Errorf("%d predictions differ from the %d wanted", len(gotPredictions), len(wantPredictions))
	}
	for class, name := range want.Classes() {
		if got.Classes()[class] != name || got.Bias(class) != want.Bias(class) ||
			!slices.Equal(got.Top(class, 100), want.Top(class, 100)) {
			t.Errorf("the weights of %s differ", name)
		}
	}
	if want.Classes() == nil && (got.Bias(model.Positive) != want.Bias(model.Positive) ||
		!slices.Equal(got.Top(model.Positive, 100), want.Top(model.Positive, 100))) {
		t.Error("the weights differ")
	}
}
