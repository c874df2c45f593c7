package main

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner/decision"
	"rosenblatt/stream/event"
	"rosenblatt/stream/streamtest"
)

// worthSet is a set of the page of decisions.
type worthSet struct {
	name, title string
	drifts      bool     // what tells the labels apart changes
	made        *madeSet // nil: openSet reads it
}

// madeSet is a plane in ten dimensions that tells the positive label with some noise. The plane turns by an angle, and
// jumps by a right one in the middle.
type madeSet struct {
	events int
	share  func(at float64) float64 // of positives, at 0 to 1 of the stream
	turn   float64
	jump   bool
}

func steady(share float64) func(float64) float64 { return func(float64) float64 { return share } }

var worthSets = []worthSet{
	{"a9a", "a9a", false, nil},
	{"letter", "letter, Z against the rest", false, nil},
	{"magic", "magic", false, nil},
	{"warezclient", "KDD99, warezclient among normal, shuffled", false, nil},
	{"made05", "made, 0.5 %", false, &madeSet{60_000, steady(0.005), 0, false}},
	{"moving", "made, 0.5 to 2 %, slowly moving", false, &madeSet{60_000,
		func(at float64) float64 { return 0.0125 - float64(0.0075*math.Cos(4*math.Pi*at)) }, 0, false}},
	{"made40", "made, 40 %", false, &madeSet{40_000, steady(0.4), 0, false}},
	{"elec2", "Elec2", true, nil},
	{"kdd99", "KDD99, attacks, every eighth in its order", true, nil},
	{"rotates", "made, 10 %, rotates", true, &madeSet{40_000, steady(0.1), math.Pi, false}},
	{"jumps", "made, 10 %, jumps", true, &madeSet{40_000, steady(0.1), 0, true}},
}

// open makes the set, or reads it.
func (w *worthSet) open(t *testing.T) *decidedSet {
	if w.made == nil {
		return openSet(t, w.name)
	}
	s := &decidedSet{name: w.name, decode: event.Defaults(event.CSV)}
	s.decode.Columns, s.decode.LabelField = strings.Split("x0,x1,x2,x3,x4,x5,x6,x7,x8,x9,label", ","), "label"
	r := rand.New(rand.NewPCG(36, 1))
	known := map[float64]float64{}
	for i := range w.made.events {
		s.events = append(s.events, w.made.event(r, float64(i)/float64(w.made.events), known))
	}
	return s
}

func (m *madeSet) event(r *rand.Rand, at float64, known map[float64]float64) string {
	angle := m.turn * at
	if m.jump && at > 0.5 {
		angle += math.Pi / 2
	}
	var b strings.Builder
	var x [10]float64
	for i := range x {
		x[i] = r.NormFloat64()
		fmt.Fprintf(&b, "%g,", x[i])
	}
	score := 4 * (math.Cos(angle)*(x[0]+x[1]+x[2])/math.Sqrt(3) + math.Sin(angle)*(x[3]-x[4])/math.Sqrt2)
	share := math.Round(1e4*m.share(at)) / 1e4
	if _, is := known[share]; !is {
		known[share] = biasFor(share)
	}
	label := "0"
	if r.Float64() < decision.Sigmoid(score+known[share]) {
		label = "1"
	}
	return b.String() + label
}

// biasFor is what brings a share of positives about, of scores that are normal with a deviation of 4.
func biasFor(share float64) float64 {
	low, high := -60.0, 60.0
	for range 60 {
		bias, sum, weight := (low+high)/2, 0.0, 0.0
		for z := -6.0; z <= 6; z += 0.02 {
			density := math.Exp(-z * z / 2)
			sum, weight = sum+density*decision.Sigmoid(4*z+bias), weight+density
		}
		if sum/weight > share {
			high = bias
		} else {
			low = bias
		}
	}
	return (low + high) / 2
}

// worthRow is what the decisions of a learner on a set are worth. Costs are of 1,000 events.
type worthRow struct {
	learner           string
	late              int64
	sign, cost, best  float64
	half, most        reached // of precision=0.5 and 0.9
	before, after, in float64 // log-loss: of the score itself, calibrated, and of the best calibration in hindsight
}

// reached is a precision over the second part of a stream, and the recall at it; fixed is the recall of the fixed cut
// with the precision that was asked for, chosen in hindsight. NaN: there is none.
type reached struct {
	precision, recall, fixed float64
	alarms                   int64
}

const (
	costRule           = "cost=fp:1,fn:20"
	falseAlarm, missed = 1.0, 20.0
	fewAlarms          = 300 // below which a precision says little
)

func worthOf(learner string, late int64, got map[string]*decidedRun) worthRow {
	sign, cost := got[learner+" sign"], got[learner+" "+costRule]
	row := worthRow{learner: learner, late: late, sign: sign.cost(), cost: cost.cost(), best: sign.bestCost()}
	row.half, row.most = got[learner+" precision=0.5"].reached(0.5), got[learner+" precision=0.9"].reached(0.9)
	plain := make([]float64, len(sign.scores))
	for i, s := range sign.scores {
		plain[i] = min(max(decision.Sigmoid(s), 1e-6), 1-1e-6)
	}
	row.before, row.after, row.in = sign.logLoss(plain), sign.logLoss(sign.p), sign.hindsight()
	return row
}

// cost is that of the mistakes in 1,000 events.
func (d *decidedRun) cost() float64 {
	predicted, right, positives := d.count(0)
	return 1000 * (falseAlarm*float64(predicted-right) + missed*float64(positives-right)) / float64(len(d.scores))
}

// byScore are the examples from one on, the highest score first.
func (d *decidedRun) byScore(from int) []int {
	order := make([]int, 0, len(d.scores)-from)
	for i := from; i < len(d.scores); i++ {
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(d.scores[b], d.scores[a]) })
	return order
}

// cuts calls use for each fixed cut: how many examples from one on are predicted positive, and how many of them right.
func (d *decidedRun) cuts(from int, use func(predicted, right int64)) {
	var predicted, right int64
	order := d.byScore(from)
	use(0, 0)
	for n, i := range order {
		if predicted++; d.positive[i] {
			right++
		}
		if n+1 == len(order) || d.scores[order[n+1]] != d.scores[i] {
			use(predicted, right)
		}
	}
}

func (d *decidedRun) bestCost() float64 {
	_, _, positives := d.count(0)
	best := math.Inf(1)
	d.cuts(0, func(predicted, right int64) {
		best = min(best, falseAlarm*float64(predicted-right)+missed*float64(positives-right))
	})
	return 1000 * best / float64(len(d.scores))
}

// second is where the second part begins.
func (d *decidedRun) second() int {
	if len(d.scores) > 30_000 {
		return 20_000
	}
	return len(d.scores) / 2
}

func (d *decidedRun) reached(asked float64) reached {
	from := d.second()
	predicted, right, positives := d.count(from)
	out := reached{precision: float64(right) / float64(predicted), recall: float64(right) / float64(positives),
		fixed: math.NaN(), alarms: predicted}
	d.cuts(from, func(predicted, right int64) {
		if right > 0 && float64(right) >= asked*float64(predicted) { // the lowest such cut finds most
			out.fixed = float64(right) / float64(positives)
		}
	})
	return out
}

func (d *decidedRun) logLoss(p []float64) (sum float64) {
	for i, positive := range d.positive {
		if positive {
			sum -= math.Log(p[i])
		} else {
			sum -= math.Log(1 - p[i])
		}
	}
	return sum / float64(len(p))
}

// hindsight is the log-loss of the logistic regression of the label on the score, by Newton's steps.
func (d *decidedRun) hindsight() float64 {
	var mean, square float64
	for _, s := range d.scores {
		mean, square = mean+s/float64(len(d.scores)), square+s*s/float64(len(d.scores))
	}
	deviation := math.Sqrt(max(square-mean*mean, 1e-300))
	a, c, p := 0.0, 0.0, make([]float64, len(d.scores))
	loss := func(a, c float64) float64 {
		for i, s := range d.scores {
			p[i] = min(max(decision.Sigmoid(a*(s-mean)/deviation+c), 1e-6), 1-1e-6)
		}
		return d.logLoss(p)
	}
	best := loss(a, c)
	for range 50 {
		var ga, gc, haa, hac, hcc float64
		for i, s := range d.scores {
			x, y := (s-mean)/deviation, 0.0
			if d.positive[i] {
				y = 1
			}
			w := p[i] * (1 - p[i])
			ga, gc = ga+(y-p[i])*x, gc+y-p[i]
			haa, hac, hcc = haa+w*x*x, hac+w*x, hcc+w
		}
		det := haa*hcc - hac*hac + 1e-300
		da, dc := (hcc*ga-hac*gc)/det, (haa*gc-hac*ga)/det
		size := 1.0
		for ; size > 1e-6 && loss(a+size*da, c+size*dc) > best; size /= 2 {
		}
		now := loss(a+size*da, c+size*dc)
		if best-now < 1e-10 {
			return min(best, now)
		}
		a, c, best = a+size*da, c+size*dc, now
	}
	return best
}

const worthPage = "cmd/rosenblatt/reference/worth.md"

// TestWorthOfDecisions writes the page of what decisions are worth. It replays a million events 72 times, so it needs
// ROSENBLATT_TEST_LONG.
func TestWorthOfDecisions(t *testing.T) {
	if !streamtest.Long() {
		t.Skip("some minutes: with ROSENBLATT_TEST_LONG=1, and ROSENBLATT_UPDATE_GOLDEN=1 to write the page")
	}
	learners := []string{"perceptron", "averaged", "pa1", "arow", "logistic", "alma"}
	rules := []string{"sign", costRule, "precision=0.5", "precision=0.9"}
	var page worthText
	for _, w := range worthSets {
		s, share := w.open(t), 0.0
		var rows []worthRow
		for _, late := range []int64{0, 1000, 10_000} {
			for _, l := range learners {
				got := s.run(t, []string{l}, rules, late)
				rows = append(rows, worthOf(l, late, got))
				_, _, positives := got[l+" sign"].count(0)
				share = float64(positives) / float64(len(got[l+" sign"].scores))
			}
		}
		page.add(&w, len(s.events), share, rows)
	}
	upToDate(t, worthPage, page.text())
}
