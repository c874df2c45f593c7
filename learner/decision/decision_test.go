package decision

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"rosenblatt/learner/internal/exact"
)

func TestParseRule(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "sign", "sign": "sign", "probability=0.30": "probability=0.3",
		"cost=fn:20,fp:1": "cost=fp:1,fn:20", "cost=fp:0.5,fn:1e3": "cost=fp:0.5,fn:1000",
		"precision=.9": "precision=0.9", "recall=0.8": "recall=0.8", "alerts=0.01": "alerts=0.01"} {
		r, err := ParseRule(text)
		if err != nil || r.String() != want {
			t.Errorf("%q is %v (%v), want %s", text, r, err, want)
		}
		if again, err := ParseRule(r.String()); err != nil || again != r {
			t.Errorf("%v is read as %v (%v)", r, again, err)
		}
	}
	for _, text := range []string{"sign=", "sign=0", "signs", "probability", "probability=1", "probability=0",
		"probability=NaN", "probability=-0.1", "precision=90%", "cost", "cost=1", "cost=fp:1", "cost=fp:1,fn:0",
		"cost=fp:1,fn:2,fp:1", "cost=fp:1,fn:inf", "cost=fp:1,fn:2,", "=", "=0.5"} {
		if r, err := ParseRule(text); err == nil {
			t.Errorf("%q is %v", text, r)
		}
	}
}

func TestMillionths(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{0: "0.000001", 1e-7: "0.000001", 0.5: "0.5", 0.25: "0.25", 1: "0.999999",
		0.9999994: "0.999999", 0.123456499: "0.123456", 0.1234565001: "0.123457", 0.00001: "0.00001"} {
		m := MillionthsOf(p)
		var read float64
		text := m.Append(nil)
		if err := json.Unmarshal(text, &read); err != nil || string(text) != want || read != m.Float() {
			t.Errorf("%v is %s, read as %v, want %s", p, m.Append(nil), read, want)
		}
		if !m.Valid() || m.Rest()+m != million {
			t.Errorf("%v: the rest of %d is %d", p, m, m.Rest())
		}
	}
	if Millionths(0).Valid() || Millionths(million).Valid() {
		t.Error("0 and 1 are no probabilities")
	}
}

// A state that is saved at any example and read again goes on with the same bits.
func TestStateGoesOn(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"precision=0.5", "recall=0.8", "alerts=0.05", "cost=fp:1,fn:20"} {
		rule, _ := ParseRule(text)
		platt, cut := NewPlatt(), NewCut(rule)
		for i, x := range stream("turns") {
			if i%397 == 0 {
				platt, cut = reread(t, platt, cut)
			}
			want, wantCut := platt, cut
			for _, to := range []struct {
				*Platt
				*Cut
			}{{&platt, &cut}, {&want, &wantCut}} {
				positive, _, _ := to.Decide(x.s, to.Odds())
				to.Publish(positive)
				odds := to.Odds().Of(x.s)
				to.Platt.Learn(x.s, x.label)
				to.Cut.Learn(odds, x.label, positive, Waiting{})
			}
			if platt != want || cut != wantCut {
				t.Fatalf("%s, example %d: %+v %+v, want %+v %+v", text, i, platt, cut, want, wantCut)
			}
		}
	}
}

func reread(t *testing.T, p Platt, c Cut) (Platt, Cut) {
	t.Helper()
	a, _ := json.Marshal(p)
	b, _ := json.Marshal(c.CutState)
	var read Platt
	var state CutState
	fresh := NewCut(c.Rule())
	if json.Unmarshal(a, &read) != nil || json.Unmarshal(b, &state) != nil || !fresh.Load(state) || !read.Valid() {
		t.Fatalf("%s %s is refused", a, b)
	}
	return read, fresh
}

func TestHostileStates(t *testing.T) {
	t.Parallel()
	for _, p := range []Platt{{A: math.NaN()}, {C: math.Inf(1)}, {H: [3]float64{-1}}, {Square: -1}, {Labels: -1},
		{H: [3]float64{0, 0, math.Inf(1)}}} {
		if p.Valid() {
			t.Errorf("%+v is valid", p)
		}
	}
	for _, s := range []CutState{{Theta: 31}, {Theta: math.NaN()}, {Labels: [2]int64{0, -1}}, {Events: -1},
		{Progress: Progress{Hits: 1}}, {Progress: Progress{Ring: [16]uint64{1}}},
		{Progress: Progress{Count: 2000, Hits: 2000}},
		{Progress: Progress{Count: 5, Ring: [16]uint64{15: 1 << 63}, Hits: 1}}} {
		if c := NewCut(Rule{Kind: Recall, Value: 0.5}); c.Load(s) {
			t.Errorf("%+v is valid", s)
		}
	}
	if c := NewCut(Rule{Kind: Probability, Value: 0.3}); c.Load(CutState{Theta: 1}) {
		t.Error("a cut that does not move has moved")
	}
}

// Whatever scores come, the numbers stay finite, and p is a probability.
func TestExtremeScores(t *testing.T) {
	t.Parallel()
	for _, scores := range [][]float64{{0}, {5}, {1e308, -1e308}, {1e100, 1e-100}, {5e-324, 0}, {1e200, 1},
		{-1e99, 1e99}, {1e-200, -1e-200}, {1000.001, 1000}} {
		for _, share := range []uint64{2, 50} {
			r := rand.New(rand.NewPCG(1, 1))
			p := NewPlatt()
			for range 2000 {
				s := scores[r.IntN(len(scores))]
				p.Learn(s, r.Uint64N(share) == 0)
				if m := MillionthsOf(Sigmoid(p.Odds().Of(s))); !p.Valid() || !m.Valid() {
					t.Fatalf("%v: %d, %+v", scores, m, p)
				}
			}
		}
	}
}

// Log-loss stays near that of the best fit in hindsight where scores are large, small, or close and far from 0.
func TestScalesOfScores(t *testing.T) {
	t.Parallel()
	loss := func(size, shift float64) (sum float64) {
		p := NewPlatt()
		for _, x := range stream("even") {
			s := float64(size*x.s) + shift
			given := MillionthsOf(Sigmoid(p.Odds().Of(s)))
			if !x.label {
				given = given.Rest()
			}
			sum -= exact.Log(given.Float())
			p.Learn(s, x.label)
		}
		return sum
	}
	const hindsight = 852.5 // numpy
	for _, x := range [][2]float64{{1, 0}, {1000, 0}, {0.001, 0}, {0.1, -5}, {0.01, -5}, {0.1, 1000}} {
		if got := loss(x[0], x[1]); !(got < 1.05*hindsight) {
			t.Errorf("%v + %v·s: the log-losses sum up to %.1f, in hindsight %.1f", x[1], x[0], got, hindsight)
		}
	}
}

// TestFirstLabelsMislead: of scores that grow, the first ones may say the opposite. A slope that they made would be far
// off in the units of the later ones, and take thousands of labels to come back.
func TestFirstLabelsMislead(t *testing.T) {
	t.Parallel()
	p, q := NewPlatt(), NewPlatt()
	for _, label := range []bool{true, false, true} {
		p.Learn(map[bool]float64{true: -1, false: 1}[label], label)
	}
	sum, want := 0.0, 0.0
	for _, x := range stream("even") {
		s := 30 * x.s
		for _, y := range []struct {
			*Platt
			sum *float64
		}{{&p, &sum}, {&q, &want}} {
			given := MillionthsOf(Sigmoid(y.Odds().Of(s)))
			if !x.label {
				given = given.Rest()
			}
			*y.sum -= exact.Log(given.Float())
			y.Learn(s, x.label)
		}
	}
	if !(sum < 1.03*want) {
		t.Errorf("the log-losses sum up to %.1f, without those labels to %.1f", sum, want)
	}
}

// Exponentials by the table are those of package exact but for some units in the last place.
func TestExp(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 200_000 {
		x := -r.ExpFloat64() * 20
		if i%10 == 0 {
			x = -float64(i) / 300
		}
		got, want := exp(x), exact.Exp(x)
		if math.Abs(got-want) > 1e-15*want {
			t.Fatalf("e^%v is %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{0, -700, -701, -746, math.Inf(-1), -1e308} {
		if got, want := exp(x), exact.Exp(x); math.Abs(got-want) > 1e-15*want {
			t.Errorf("e^%v is %v, want %v", x, got, want)
		}
	}
}

// A cut of precision that has been driven beyond all scores comes back.
func TestSilentCutComesBack(t *testing.T) {
	t.Parallel()
	c := NewCut(Rule{Kind: Precision, Value: 0.5})
	c.Labels = [2]int64{ready, ready}
	c.Theta = 25
	for range 30_000 {
		c.Publish(false)
	}
	if !(c.Theta < 1.5) {
		t.Errorf("θ is %v", c.Theta)
	}
}

// TestWaitingDampsTheCut: with w waiting predictions, w + 1 labels that say the same move the cut by at most 3.
func TestWaitingDampsTheCut(t *testing.T) {
	t.Parallel()
	c := NewCut(Rule{Kind: Precision, Value: 0.9})
	c.Labels = [2]int64{ready, ready}
	from := c.Theta
	for w := int64(999); w >= 0; w-- {
		c.Learn(0, false, true, Waiting{Positives: 999})
	}
	if moved := c.Theta - from; !(moved > 2.6 && moved <= 3) {
		t.Errorf("moved by %v", moved)
	}
}

func BenchmarkPlatt(b *testing.B) {
	p := NewPlatt()
	cut := NewCut(Rule{Kind: Cost, FP: 1, FN: 20})
	cut.Labels = [2]int64{ready, ready}
	text := make([]byte, 0, 64)
	data := stream("even")
	for i := 0; b.Loop(); i++ {
		x := &data[i%len(data)]
		odds := p.Odds()
		m := MillionthsOf(Sigmoid(odds.Of(x.s)))
		cut.Decide(x.s, odds)
		text = m.Append(text[:0])
		p.Learn(x.s, x.label)
		cut.Learn(odds.Of(x.s), x.label, false, Waiting{})
	}
}
