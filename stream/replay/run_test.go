package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"rosenblatt/learner"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var three = []string{"perceptron", "perceptron:update=mistake", "perceptron:rate=0.5,threshold=1"}

// Several learners side by side are each what it is alone, and what nothing but a processor in a loop gives.
func TestSideBySideIsAlone(t *testing.T) {
	t.Parallel()
	records := stretch(1, 5000)
	var predictions [3][]prediction
	var learners []Learner
	for i, name := range three {
		learners = append(learners, seen(t, name, &predictions[i]))
	}
	together := mustRun(t, &values{records: records}, Config{Learners: learners})
	for i, name := range three {
		want, wantPredictions := atOnce(t, name, records)
		same(t, together.Learners[i].Processor, predictions[i], want, wantPredictions)
		var alone []prediction
		one := mustRun(t, &values{records: records, step: 7},
			Config{Learners: []Learner{seen(t, name, &alone)}, Decoders: 1})
		same(t, one.Learners[0].Processor, alone, want, wantPredictions)
		if got := together.Learners[i]; got.Name != name || got.Predictions != 4900 || got.Report.Predictions != 4900 ||
			got.Rejected[event.Syntax] != 100 {
			t.Errorf("%s: %d predicted, %d scored, rejected %v", got.Name, got.Predictions, got.Report.Predictions,
				got.Rejected)
		}
	}
	if together.Records != 5000 || together.Passes != 1 {
		t.Errorf("%d records, %d passes", together.Records, together.Passes)
	}
	if b := together.Baselines(); len(b) != 2 || b[0].Name != "no-change" ||
		b[0].Examples != together.Learners[0].Report.Examples {
		t.Errorf("baselines %+v", b)
	}
}

// The curve's points are the score at those moments, and the last one is the whole.
func TestCurve(t *testing.T) {
	t.Parallel()
	for _, n := range []int{5, 300, 12000} {
		records := stretch(2, n)
		r := mustRun(t, &values{records: records},
			Config{Curves: true, Learners: []Learner{{Name: "perceptron", Processor: processor(t, "perceptron")}}})
		curve := r.Learners[0].Curve
		if len(curve) == 0 || len(curve) > maxPoints+1 ||
			!reflect.DeepEqual(curve[len(curve)-1], r.Learners[0].Report) {
			t.Fatalf("%d points of %d examples", len(curve), n)
		}
		for i := range curve {
			at := curve[i].Examples
			if i > 0 && i < len(curve)-1 && at-curve[i-1].Examples != curve[1].Examples-curve[0].Examples {
				t.Errorf("point %d of %d is at %d, the one before at %d", i, len(curve), at, curve[i-1].Examples)
			}
			if i%100 == 0 {
				cut := len(records)
				for labelled := int64(0); labelled < at; cut++ {
					if cut == len(records) {
						cut = 0
					}
					if cut%20 != 7 && cut%50 != 13 {
						labelled++
					}
				}
				want, _ := atOnce(t, "perceptron", records[:cut])
				if got, w := curve[i].Row, want.Score.Report().Row; got != w {
					t.Errorf("at %d examples: %+v, want %+v", at, got, w)
				}
			}
		}
	}
}

func TestPasses(t *testing.T) {
	t.Parallel()
	records := stretch(3, 1500)
	var again []topics.Record
	for range 3 {
		again = append(again, records...)
	}
	var got []prediction
	r := mustRun(t, &values{records: records, step: 10},
		Config{Passes: 3, Learners: []Learner{seen(t, "perceptron", &got)}})
	want, wantPredictions := atOnce(t, "perceptron", again)
	same(t, r.Learners[0].Processor, got, want, wantPredictions)
	if r.Records != 4500 {
		t.Errorf("%d records", r.Records)
	}
}

// A shuffle takes every example once a pass, in an order that the seed and the pass alone decide.
func TestShuffle(t *testing.T) {
	t.Parallel()
	records := stretch(4, 1500)
	run := func(seed uint64, step int) []prediction {
		var got []prediction
		r := mustRun(t, &values{records: records, step: step},
			Config{Passes: 2, Shuffle: true, Seed: seed, Learners: []Learner{seen(t, "perceptron", &got)}})
		var order []topics.Record
		for pass := range uint64(2) {
			mixed := append([]topics.Record(nil), records...)
			rand.New(rand.NewPCG(seed, pass)).Shuffle(len(mixed),
				func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			order = append(order, mixed...)
		}
		want, wantPredictions := atOnce(t, "perceptron", order)
		same(t, r.Learners[0].Processor, got, want, wantPredictions)
		return got
	}
	one, other, two := run(1, 0), run(1, 100), run(2, 0)
	if !reflect.DeepEqual(one, other) {
		t.Error("the order depends on the blocks")
	}
	if reflect.DeepEqual(one, two) {
		t.Error("two seeds give one order")
	}
	half := len(one) / 2
	if reflect.DeepEqual(one[:half], one[half:]) {
		t.Error("both passes have one order")
	}
}

// Strict ends at the first record that is rejected, whichever learner says so first.
func TestStrict(t *testing.T) {
	t.Parallel()
	records := stretch(5, 3000)
	for range 5 {
		var learners []Learner
		for _, name := range three {
			learners = append(learners, Learner{Name: name, Processor: processor(t, name)})
		}
		_, err := Run(t.Context(), &values{records: records, step: 3},
			Config{Decode: options(), Learners: learners, Strict: true})
		var x *Rejected
		if !errors.As(err, &x) || x.Where != "values:14" || x.Reason != event.Syntax || x.Learner != "" ||
			x.Column != 13 {
			t.Fatalf("%#v", err)
		}
		if !strings.HasPrefix(err.Error(), "values:14:13: syntax: ") || strings.Contains(err.Error(), "offset") {
			t.Error(err)
		}
	}
}

// What only one learner rejects is that learner's: here one knows labels of another spelling.
func TestRejectedByOne(t *testing.T) {
	t.Parallel()
	records := good(stretch(6, 40))
	records[30].Value = []byte(`broken`)
	strange := func() *model.Processor {
		p := processor(t, "perceptron")
		p.Family = event.Boolean
		return p
	}
	learners := func() []Learner {
		return []Learner{{Name: "a", Processor: processor(t, "perceptron")}, {Name: "b", Processor: strange()},
			{Name: "c", Processor: processor(t, "perceptron")}}
	}
	r := mustRun(t, &values{records: records}, Config{Learners: learners()})
	if r.Rejected[event.Syntax] != 1 || len(r.Rejected) != 1 {
		t.Errorf("all rejected %v", r.Rejected)
	}
	if n := r.Learners[1].Rejected[event.BadLabel]; n < 30 || r.Learners[0].Rejected[event.BadLabel] != 0 {
		t.Errorf("%d bad labels of b, of a %v", n, r.Learners[0].Rejected)
	}
	if x := r.Rejects[0]; len(r.Rejects) != keptRejects || x.Learner != "b" || x.Where != "values:1" ||
		x.Error() != "values:1: b: bad-label: "+x.Text {
		t.Errorf("%d, first %v", len(r.Rejects), x)
	}
	// Strict: the learner that comes first in the stream decides, not the one that is asked first.
	for range 5 {
		_, err := Run(t.Context(), &values{records: records, step: 2},
			Config{Decode: options(), Strict: true, Learners: learners()})
		var x *Rejected
		if !errors.As(err, &x) || x.Where != "values:1" || x.Learner != "b" {
			t.Fatal(err)
		}
	}
	all := []Learner{{Name: "b", Processor: strange()}, {Name: "d", Processor: strange()}}
	r = mustRun(t, &values{records: records}, Config{Learners: all})
	if r.Rejected[event.BadLabel] < 30 || r.Rejects[0].Learner != "" {
		t.Errorf("%v, first %v", r.Rejected, r.Rejects[0])
	}
}

// The bins and the log-loss are those of the probabilities 1/(1+e^-score).
func TestCalibration(t *testing.T) {
	t.Parallel()
	for _, delay := range []Delay{{}, {Examples: 50}} {
		var want calibration
		loss, labelled := 0.0, 0.0
		l := Learner{Name: "logistic", Processor: processor(t, "logistic"),
			Watch: func(_ *Block, _ int, o model.Outcome) {
				if o.Labelled && !o.Untrained {
					want.add(1/(1+math.Exp(-o.Score)), o.Label == model.Positive)
					loss += math.Log1p(math.Exp(-o.Score * float64(2*o.Label-1)))
					labelled++
				}
			}}
		r := mustRun(t, &values{records: stretch(11, 3000)},
			Config{Delay: delay, Learners: []Learner{l, {Name: "perceptron", Processor: processor(t, "perceptron")}}})
		got := r.Learners[0]
		if len(got.Calibration) != bins || r.Learners[1].Calibration != nil ||
			r.Learners[1].Report.LogLoss != (metrics.Optional{}) ||
			math.Abs(got.Report.LogLoss.Value()-loss/labelled) > 1e-9 {
			t.Fatalf("%d bins, log-loss %v, want %v", len(got.Calibration), got.Report.LogLoss.Value(), loss/labelled)
		}
		for i, b := range want.list() {
			g := got.Calibration[i]
			if g.Examples != b.Examples || g.Positives != b.Positives || math.Abs(g.Probability-b.Probability) > 1e-9 {
				t.Errorf("bin %d: %+v, want %+v", i, g, b)
			}
		}
	}
	var sure calibration
	sure.add(1, false)
	sure.add(1, true)
	if b := sure.list()[bins-1]; b.Examples != 2 || b.Share() != 0.5 {
		t.Errorf("%+v", b)
	}
}

// failing is a source that ends with an error, or waits for its context.
type failing struct {
	values
	err error
}

func (f *failing) Fill(ctx context.Context, b *Block) error {
	err := f.values.Fill(ctx, b)
	if !errors.Is(err, io.EOF) {
		return err
	}
	if f.err != nil {
		return f.err
	}
	<-ctx.Done()
	return ctx.Err()
}

func TestRunEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("the disk is gone")
	c := Config{Decode: options(), Learners: []Learner{{Name: "a", Processor: processor(t, "perceptron")}}}
	if _, err := Run(t.Context(), &failing{values{records: stretch(6, 3000)}, broken}, c); !errors.Is(err, broken) {
		t.Errorf("%v, want what the source said", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	asked := errors.New("asked to end")
	c.Learners[0] = Learner{Processor: processor(t, "perceptron"), Watch: func(b *Block, i int, _ model.Outcome) {
		if b.Records[i].Offset == 2000 {
			cancel(asked)
		}
	}}
	if _, err := Run(ctx, &failing{values{records: stretch(6, 3000)}, nil}, c); !errors.Is(err, asked) {
		t.Errorf("%v, want the cause of the context", err)
	}
	if _, err := Run(t.Context(), &values{}, Config{Decode: options()}); err == nil {
		t.Error("no learner, and no error")
	}
	c.Decode.Bits = 0
	if _, err := Run(t.Context(), &values{}, c); err == nil {
		t.Error("no valid options, and no error")
	}
}

// Progress comes at powers of two, in order, with every learner's score of that moment.
func TestProgress(t *testing.T) {
	t.Parallel()
	records := stretch(7, 3000)
	var learners []Learner
	for _, name := range three {
		learners = append(learners, Learner{Name: name, Processor: processor(t, name)})
	}
	next, moved := int64(1), int64(0)
	mustRun(t, &values{records: records},
		Config{Learners: learners, Passes: 2, Progress: func(n int64, reports []metrics.Report) {
			if n != next || len(reports) != 3 {
				t.Errorf("%d reports at %d, want 3 at %d", len(reports), n, next)
			}
			for i := range reports {
				if reports[i].Predictions != n {
					t.Errorf("%s was at %d, not %d", three[i], reports[i].Predictions, n)
				}
			}
			next *= 2
		}, Moved: func(done, total int64) {
			if done < moved || done > total || total != 6000 {
				t.Errorf("at %d of %d after %d", done, total, moved)
			}
			moved = done
		}})
	if next != 8192 {
		t.Errorf("progress ended before %d", next)
	}
	if moved != 6000 {
		t.Errorf("the end was shown as %d", moved)
	}
}

// TestProgressEvery: where powers of two are far apart, rows come between them, each with every learner's score of the
// same moment.
func TestProgressEvery(t *testing.T) {
	t.Parallel()
	var learners []Learner
	for _, name := range three {
		learners = append(learners, Learner{Name: name, Processor: processor(t, name)})
	}
	between := 0
	mustRun(t, &values{records: stretch(7, 3000)}, Config{Learners: learners, Passes: 2, ProgressEvery: 1,
		Progress: func(n int64, reports []metrics.Report) {
			for i := range reports {
				if reports[i].Predictions != n {
					t.Errorf("%s was at %d, not %d", three[i], reports[i].Predictions, n)
				}
			}
			if n&(n-1) != 0 {
				between++
			}
		}})
	if between < 3 {
		t.Errorf("%d rows between powers of two", between)
	}
}

func ExampleRun() {
	spec := learner.Spec{Scale: learner.ScaleNone}
	proc, err := model.NewProcessor(model.Config{Learner: spec.WithDefaults(), Decode: event.Defaults(event.JSON)})
	if err != nil {
		fmt.Println(err)
		return
	}
	source := &values{records: []topics.Record{
		{Value: []byte(`{"label":-1,"features":{"x":1}}`)},
		{Value: []byte(`{"label":-1,"features":{"x":2}}`)},
		{Value: []byte(`{"label":1,"features":{"x":-1}}`)},
	}}
	result, err := Run(context.Background(), source,
		Config{Decode: event.Defaults(event.JSON), Learners: []Learner{{Name: "perceptron", Processor: proc}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Learners[0].Report.Examples, "examples,", result.Learners[0].Report.Mistakes, "mistakes")
	// Output: 3 examples, 1 mistakes
}
