package drift_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/learner/datasets"
	"rosenblatt/learner/drift"
)

// What detection and resets are worth (cmd/rosenblatt/docs/drift.md), measured with the settings that run has by
// default. ROSENBLATT_TEST_LONG=1 go test ./learner/drift -run TestWorth -v -timeout 0 prints the tables. A minute of
// it is the detector alone over 10⁹ examples.

// world is a stream of examples, in which the world changes at some of them.
type world struct {
	name    string
	n       int
	changes []int // the first example of each new world; none where it changes all the time, or not at all
	moves   bool  // it changes all the time
	next    func(r *rand.Rand, i int) (x []float64, label int8)
}

// flipped turns a share of the labels round.
func flipped(r *rand.Rand, positive bool, share float64) int8 {
	if (r.Float64() < share) != positive {
		return 1
	}
	return -1
}

// worlds are eight streams.
func worlds(t *testing.T) []world {
	quarters := func(n int) []int { return []int{n / 4, n / 2, 3 * n / 4} }
	const n = 200_000
	// SEA (Street and Kim 2001): two of three numbers add up to a threshold, which changes.
	sea := world{"SEA: four thresholds", n, quarters(n), false, func(r *rand.Rand, i int) ([]float64, int8) {
		x := []float64{10 * r.Float64(), 10 * r.Float64(), 10 * r.Float64()}
		return x, flipped(r, x[0]+x[1] <= []float64{8, 9, 7, 9.5}[i*4/n], 0.1)
	}}
	// LED (Breiman et al. 1984): seven lights of a digit, each wrong one time in ten, and seventeen that say nothing.
	// Is the digit odd? Lights change places.
	segments := [10][7]float64{{1, 1, 1, 0, 1, 1, 1}, {0, 0, 1, 0, 0, 1, 0}, {1, 0, 1, 1, 1, 0, 1},
		{1, 0, 1, 1, 0, 1, 1}, {0, 1, 1, 1, 0, 1, 0}, {1, 1, 0, 1, 0, 1, 1}, {1, 1, 0, 1, 1, 1, 1},
		{1, 0, 1, 0, 0, 1, 0}, {1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 0, 1, 1}}
	led := world{"LED: seven lights change places", n, quarters(n), false, func(r *rand.Rand, i int) ([]float64, int8) {
		x, digit := make([]float64, 24), r.IntN(10)
		for k := range x {
			at := (k + 5*(i*4/n)) % 24
			if x[at] = float64(r.IntN(2)); k < 7 {
				x[at] = segments[digit][k]
				if r.IntN(10) == 0 {
					x[at] = 1 - x[at]
				}
			}
		}
		return x, flipped(r, digit%2 == 1, 0)
	}}
	plane := func(r *rand.Rand, weight func(k int) float64) ([]float64, bool) {
		x, sum := make([]float64, 10), 0.0
		for k := range x {
			x[k] = r.NormFloat64()
			sum += x[k] * weight(k)
		}
		return x, sum >= 0
	}
	turned := world{"hyperplane: three jumps", n, quarters(n), false, func(r *rand.Rand, i int) ([]float64, int8) {
		x, positive := plane(r, func(k int) float64 { return math.Cos(float64(k*(1+i*4/n)) + float64(i*4/n)) })
		return x, flipped(r, positive, 0.05)
	}}
	inverted := world{"hyperplane: labels turn round once", n, []int{n / 2}, false,
		func(r *rand.Rand, i int) ([]float64, int8) {
			x, positive := plane(r, func(k int) float64 { return math.Cos(float64(k)) })
			return x, flipped(r, positive != (i >= n/2), 0.05)
		}}
	rotating := world{"hyperplane: rotates, twice round", n, nil, true, func(r *rand.Rand, i int) ([]float64, int8) {
		x, positive := plane(r, func(k int) float64 { return math.Cos(float64(k) + float64(i)*4*math.Pi/n) })
		return x, flipped(r, positive, 0.05)
	}}
	const day = 20_000
	cycle := world{"daily cycle of 10 ± 0.5 % mistakes", 50 * day, nil, false,
		func(r *rand.Rand, i int) ([]float64, int8) {
			x, positive := plane(r, func(k int) float64 { return math.Cos(float64(k)) })
			return x, flipped(r, positive, 0.1+0.005*math.Sin(float64(i)*2*math.Pi/day))
		}}
	still := world{"stationary, 10 % mistakes", 1_000_000, nil, false, func(r *rand.Rand, i int) ([]float64, int8) {
		x, positive := plane(r, func(k int) float64 { return math.Cos(float64(k)) })
		return x, flipped(r, positive, 0.1)
	}}
	return []world{sea, led, turned, inverted, rotating, elec2(t), cycle, still}
}

// elec2 is a real stream, of which nobody knows where it changes.
func elec2(t *testing.T) world {
	f, err := os.Open(datasets.Path(t, "elec2/electricity.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = rows[1:]
	return world{"Elec2", len(rows), nil, true, func(_ *rand.Rand, i int) (x []float64, label int8) {
		for _, cell := range rows[i][:8] {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			x = append(x, v)
		}
		return x, map[string]int8{"UP": 1, "DOWN": -1}[rows[i][8]]
	}}
}

// found is what a detector has found in a world.
type found struct {
	right  float64 // share of the examples
	delays []int   // of the changes that were found
	missed int
	false_ int // drifts that belong to no change
	drifts int
}

// live runs a learner through a world, with the detector, and with resets.
func live(t *testing.T, w *world, name string, reset bool) found {
	t.Helper()
	spec := learner.Spec{Bits: 6}
	if err := learner.ParseLearner(name, &spec); err != nil {
		t.Fatal(err)
	}
	spec.Scale = learner.ScaleStandard
	m, err := learner.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, d, out := rand.New(rand.NewPCG(7, 38)), drift.New(drift.DefaultSpec()), found{missed: len(w.changes)}
	right, open := 0, -1 // the change that is not found yet
	for i := range w.n {
		if k := len(w.changes) - out.after(w.changes, i); k > 0 && w.changes[k-1] == i {
			open = i
		}
		values, label := w.next(r, i)
		x := make([]learner.Feature, len(values))
		for k, v := range values {
			x[k] = learner.Feature{Slot: uint32(k), Print: uint16(k) + 1, Value: v}
		}
		score, err := m.Predict(x)
		if err == nil {
			_, err = m.Prepare(label, 1)
		}
		if err != nil {
			t.Fatal(err)
		}
		mistake := 1.0
		if learner.Sign(score) == label {
			mistake = 0
			right++
		}
		m.Learn()
		if latest := d.Add(mistake); !latest {
			continue
		}
		if latest, _ := d.Latest(); !latest.Drift {
			continue
		}
		out.drifts++
		if open >= 0 {
			out.delays, out.missed, open = append(out.delays, i-open), out.missed-1, -1
		} else {
			out.false_++
		}
		if reset {
			m.ForgetWeights()
		}
	}
	out.right = float64(right) / float64(w.n)
	return out
}

// after counts the changes behind an example.
func (found) after(changes []int, i int) (n int) {
	for _, at := range changes {
		if at > i {
			n++
		}
	}
	return n
}

// forgetting are learners that follow by themselves.
var forgetting = []string{"perceptron", "pa1:C=0.01", "averaged:window=1000", "averaged:window=10000",
	"averaged:decay=0.999", "arow:floor=0.01", "arow:floor=0.001", "logistic:window=1000", "logistic:window=100"}

// TestWorth prints what detection finds and what a reset is worth.
func TestWorth(t *testing.T) {
	if os.Getenv("ROSENBLATT_TEST_LONG") == "" {
		t.Skip("set ROSENBLATT_TEST_LONG=1")
	}
	var detection, resets strings.Builder
	for _, w := range worlds(t) {
		best, of := 0.0, ""
		for _, name := range forgetting {
			if got := live(t, &w, name, false); got.right > best {
				best, of = got.right, name
			}
		}
		for _, name := range []string{"perceptron", "averaged", "arow", "pa1:C=0.01", "logistic"} {
			plain, reset := live(t, &w, name, false), live(t, &w, name, true)
			fmt.Fprintf(&detection, "| %s | `%s` | %s | %s | %s |\n", w.name, name, spell(plain.delays, len(w.changes)),
				cell(plain.missed, len(w.changes)), cell(plain.false_, 1))
			fmt.Fprintf(&resets, "| %s | `%s` | %.1f | %.1f | %d | %.1f, `%s` |\n", w.name, name, 100*plain.right,
				100*reset.right, reset.drifts, 100*best, of)
		}
		t.Logf("%s\n%s\n%s", w.name, detection.String(), resets.String())
		detection.Reset()
		resets.Reset()
	}
}

func spell(delays []int, changes int) string {
	if changes == 0 {
		return "–"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(delays), " ", ", "), "[]")
}

func cell(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

// TestNoAlarmInABillion counts the drifts of a stream of mistakes that never changes, and of one with a daily cycle.
func TestNoAlarmInABillion(t *testing.T) {
	if os.Getenv("ROSENBLATT_TEST_LONG") == "" {
		t.Skip("set ROSENBLATT_TEST_LONG=1")
	}
	for _, s := range []struct {
		name string
		spec drift.Spec
		n    int
		rate func(i int) float64
	}{
		{"as by default, 10⁹", drift.DefaultSpec(), 1e9, func(int) float64 { return 0.1 }},
		{"River's settings, 10⁸", drift.Spec{Delta: 0.002, Clock: 32}, 1e8, func(int) float64 { return 0.1 }},
		{"as by default, 100 days of 10⁶ with 10 ± 0.5 %", drift.DefaultSpec(), 1e8, func(i int) float64 {
			return 0.1 + 0.005*math.Sin(float64(i)*2*math.Pi/1e6)
		}},
		{"without rise, the same", drift.Spec{Delta: 1e-7, Clock: 256}, 1e8, func(i int) float64 {
			return 0.1 + 0.005*math.Sin(float64(i)*2*math.Pi/1e6)
		}},
	} {
		d, r := drift.New(s.spec), rand.New(rand.NewPCG(9, 38))
		for i := range s.n {
			x := 0.0
			if float64(r.Uint32())*0x1p-32 < s.rate(i) {
				x = 1
			}
			d.Add(x)
		}
		t.Logf("%s: %d drifts, %d changes", s.name, d.Drifts(), d.Changes())
		if s.spec == drift.DefaultSpec() && d.Drifts() > 0 {
			t.Errorf("%s: %d drifts", s.name, d.Drifts())
		}
	}
}
