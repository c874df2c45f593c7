package generate

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"testing"
)

// perceptron is Rosenblatt's rule with rate 1 and a bias, nothing more.
type perceptron struct{ w [DefaultFeatures + 1]float64 }

func (p *perceptron) score(x []float64) float64 {
	s := p.w[DefaultFeatures]
	for i, v := range x {
		s += float64(p.w[i] * v)
	}
	return s
}

func (p *perceptron) right(e Event) bool { return (p.score(e.Features) >= 0) == (e.Label > 0) }

func (p *perceptron) learn(e Event) {
	y := float64(e.Label)
	if y*p.score(e.Features) > 0 {
		return
	}
	for i, v := range e.Features {
		p.w[i] += float64(y * v)
	}
	p.w[DefaultFeatures] += y
}

// With the defaults a plain perceptron is far better than the no-change baseline, and than itself frozen after 2,000
// examples.
func TestDefaultsRewardLearning(t *testing.T) {
	const n = 40_000
	for seed := uint64(1); seed <= 5; seed++ {
		h := New(seed)
		var p, frozen perceptron
		last := 1
		var right, same, afterwards, stale int
		for i := range n {
			e := h.Next()
			if p.right(e) {
				right++
				if i >= 2000 {
					afterwards++
				}
			}
			if i >= 2000 && frozen.right(e) {
				stale++
			}
			if e.Label == last {
				same++
			}
			last = e.Label
			p.learn(e)
			if i == 1999 {
				frozen = p
			}
		}
		if accuracy := float64(right) / n; accuracy < 0.80 || accuracy > 0.90 {
			t.Errorf("seed %d: the perceptron's accuracy is %.3f, want 0.80 to 0.90", seed, accuracy)
		}
		if accuracy := float64(same) / n; accuracy < 0.48 || accuracy > 0.52 {
			t.Errorf("seed %d: the accuracy of the no-change baseline is %.3f, want about 0.5", seed, accuracy)
		}
		if gap := float64(afterwards-stale) / (n - 2000); gap < 0.15 {
			t.Errorf("seed %d: the learning model is better than the frozen one by only %.3f", seed, gap)
		}
	}
}

// Without drift a frozen model stays accurate.
func TestNoDrift(t *testing.T) {
	h := &Hyperplane{Seed: 3}
	var p perceptron
	for range 20_000 {
		p.learn(h.Next())
	}
	right := 0
	h.SkipTo(1_000_000_000)
	for range 10_000 {
		if p.right(h.Next()) {
			right++
		}
	}
	if right < 9_600 {
		t.Errorf("without drift and noise %d of 10000 are right a billion events later, want at least 9600", right)
	}
}

// The figures of the demo and the README depend on the stream: it is the same in every version and on every machine.
func TestStreamIsFixed(t *testing.T) {
	h := New(7)
	const first = `{"id":"e0","label":-1,"features":{"f0":-0.7252,"f1":-0.3521,"f2":0.7219,"f3":-0.548,"f4":-0.6719,` +
		`"f5":0.3804,"f6":0.5966,"f7":-0.3562,"f8":-0.1472,"f9":-0.6074}}`
	sum := fnv.New64a()
	for i := range 10_000 {
		line := h.AppendJSON(nil)
		if i == 0 && string(line) != first {
			t.Errorf("event 0 of seed 7 is\n%s\nwant\n%s", line, first)
		}
		_, _ = sum.Write(line)
	}
	if got, want := sum.Sum64(), uint64(0x43d86bb97afcbf38); got != want {
		t.Errorf("10,000 events of seed 7 have the sum %#x, want %#x", got, want)
	}
}

func TestSkipTo(t *testing.T) {
	one := New(11)
	lines := make([]string, 3_000)
	for i := range lines {
		lines[i] = string(one.AppendJSON(nil))
	}
	other := New(11)
	for _, n := range []int64{2_999, 0, 1_500, 1_501, 7} {
		other.SkipTo(n)
		if other.Position() != n {
			t.Errorf("after SkipTo(%d) the position is %d", n, other.Position())
		}
		if got := string(other.AppendJSON(nil)); got != lines[n] {
			t.Errorf("after SkipTo(%d):\n%s, want\n%s", n, got, lines[n])
		}
		if other.Position() != n+1 {
			t.Errorf("after event %d the position is %d", n, other.Position())
		}
	}
	if other.SkipTo(math.MaxInt64 - 1); other.Next().Number != math.MaxInt64-1 {
		t.Error("the last events are out of reach")
	}
}

func TestSeedsDiffer(t *testing.T) {
	a, b := New(1), New(2)
	same := 0
	for range 4_000 {
		if a.Next().Label == b.Next().Label {
			same++
		}
	}
	if same < 1_000 || same > 3_000 {
		t.Errorf("seeds 1 and 2 agree on %d of 4000 labels", same)
	}
}

// Each event has a random number generator of its own, but consecutive events are unrelated.
func TestPointsAreUniformAndUnrelated(t *testing.T) {
	const n = 50_000
	h := New(5)
	var sum, squares, lag, positive, previous float64
	least, most := 1.0, -1.0
	for range n {
		e := h.Next()
		x := e.Features[0]
		sum, squares, lag = sum+x, squares+x*x, lag+x*previous
		least, most, previous = min(least, x), max(most, x), x
		if e.Label > 0 {
			positive++
		}
	}
	// Four standard deviations of each mean: of x (1/3), x² (4/45), x·x' (1/9) and of a coin.
	for _, c := range []struct {
		what                 string
		got, want, tolerance float64
	}{
		{"mean", sum / n, 0, 4 * math.Sqrt(1.0/3/n)},
		{"mean square", squares / n, 1.0 / 3, 4 * math.Sqrt(4.0/45/n)},
		{"mean product with the previous value", lag / n, 0, 4 * math.Sqrt(1.0/9/n)},
		{"share of positive labels", positive / n, 0.5, 4 * math.Sqrt(0.25/n)},
	} {
		if math.Abs(c.got-c.want) > c.tolerance {
			t.Errorf("%s is %.4f, want %.4f ± %.4f", c.what, c.got, c.want, c.tolerance)
		}
	}
	if least > -0.999 || most < 0.999 {
		t.Errorf("f0 stays in [%v, %v], want nearly [-1, 1]", least, most)
	}
}

// Noise is the share of labels that differ from those of a stream without noise.
func TestNoise(t *testing.T) {
	clean, noisy := &Hyperplane{Seed: 4, Drift: 0.0002}, &Hyperplane{Seed: 4, Drift: 0.0002, Noise: 0.05}
	flipped := 0
	const n = 50_000
	for range n {
		a, b := clean.Next(), noisy.Next()
		if a.Label != b.Label {
			flipped++
		}
		if a.Features[3] != b.Features[3] {
			t.Fatal("noise changed a point")
		}
	}
	if share := float64(flipped) / n; math.Abs(share-0.05) > 4*math.Sqrt(0.05*0.95/n) {
		t.Errorf("%.4f of the labels are flipped, want 0.05", share)
	}
}

// A weight moves by half to one and a half of the drift with each event, and stays between -1 and 1.
func TestWeightsMoveAsStated(t *testing.T) {
	h := &Hyperplane{Features: 50, Drift: 0.001, Seed: 9}
	h.Next()
	for i := range 50 {
		for n := int64(0); n < 10_000; n += 7 {
			a, b := float64(h.weights.at(i, n))/(1<<31), float64(h.weights.at(i, n+1))/(1<<31)
			if math.Abs(a) > 1 {
				t.Fatalf("weight %d is %v at event %d", i, a, n)
			}
			step := math.Abs(a - b)
			turning := max(math.Abs(a), math.Abs(b)) > 1-0.0016
			if step > 0.0015+1e-6 || (step < 0.0005-1e-6 && !turning) {
				t.Fatalf("weight %d moves by %v at event %d, want 0.0005 to 0.0015", i, step, n)
			}
		}
	}
}

// The JSON holds exactly the numbers that the label was computed from.
func TestJSON(t *testing.T) {
	a, b := New(6), New(6)
	for range 1_000 {
		e := a.Next()
		var got struct {
			ID       string
			Label    int
			Features map[string]float64
		}
		if err := json.Unmarshal(b.AppendJSON(nil), &got); err != nil {
			t.Fatal(err)
		}
		if got.ID != fmt.Sprint("e", e.Number) || got.Label != e.Label || len(got.Features) != len(e.Features) {
			t.Fatalf("the JSON is %+v, the event %+v", got, e)
		}
		for i, v := range e.Features {
			if got.Features["f"+strconv.Itoa(i)] != v {
				t.Fatalf("event %d: f%d is %v in JSON, want %v", e.Number, i, got.Features["f"+strconv.Itoa(i)], v)
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, h := range []*Hyperplane{
		{Features: -1}, {Features: MaxFeatures + 1}, {Noise: -0.1}, {Noise: 0.51}, {Noise: math.NaN()},
		{Drift: -1}, {Drift: 1.1}, {Drift: math.NaN()},
	} {
		if h.Check() == nil {
			t.Errorf("%+v passes", h)
		}
	}
	for _, h := range []*Hyperplane{New(0), {}, {Features: MaxFeatures, Noise: 0.5, Drift: 1}} {
		if err := h.Check(); err != nil {
			t.Error(err)
		}
		if e := h.Next(); len(e.Features) != h.Features {
			t.Errorf("%d features, want %d", len(e.Features), h.Features)
		}
	}
}

func TestAppendJSONAllocatesNothing(t *testing.T) {
	h := New(1)
	buf := h.AppendJSON(make([]byte, 0, 1024))
	if n := testing.AllocsPerRun(100, func() { buf = h.AppendJSON(buf[:0]) }); n != 0 {
		t.Errorf("%v allocations per event", n)
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	h := New(1)
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		buf = h.AppendJSON(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}
