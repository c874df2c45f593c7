package training

import (
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// scaledAmong scales a value by the mean and deviation of all, of which it is one.
func scaledAmong(all []float64, x float64) float64 {
	mean, squares := 0.0, 0.0
	for _, v := range all {
		mean += v / float64(len(all))
	}
	for _, v := range all {
		squares += (v - mean) * (v - mean)
	}
	return (x - mean) / math.Sqrt(squares/float64(len(all)))
}

// TestHeldOutRowsDoNotScale: the statistics of scaling are those of the examples trained on alone, with two labels and
// with classes, each of which keeps an example, also where only one has it.
func TestHeldOutRowsDoNotScale(t *testing.T) {
	for _, task := range []string{"binary", "multiclass"} {
		var table strings.Builder
		var xs []float64
		table.WriteString("a,label\n")
		for i := range 41 {
			x := math.Exp(float64(i % 13))
			xs = append(xs, x)
			label := []string{"-1", "1"}[i%2]
			if i == 40 && task == "multiclass" {
				label = "7"
			}
			fmt.Fprintf(&table, "%v,%s\n", x, label)
		}
		s := settings(t)
		s.Task, s.Scale, s.Validation = task, "standard", 0.4
		program := &cli.Program{Stdin: strings.NewReader(table.String()), Stdout: io.Discard, Stderr: io.Discard}
		p, err := newPlan(program, s, map[string]bool{"format": true})
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.read()
		if err != nil {
			t.Fatal(err)
		}
		var trained []float64
		for i, x := range xs {
			if !data.out[i] {
				trained = append(trained, x)
			}
		}
		for i, x := range xs {
			among := trained
			if data.out[i] { // as an event that is predicted
				among = append([]float64{x}, trained...)
			}
			want := scaledAmong(among, x)
			if got := data.examples[i].X[0].Value; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: value %v is scaled to %v, want %v", task, x, got, want)
			}
		}
		if held := len(xs) - len(trained); held != 16 || task == "multiclass" && data.out[40] {
			t.Errorf("%s: %d examples are held out", task, held)
		}
		machines, err := p.train(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range machines {
			if m.HeldOut == 0 || m.Trained+m.HeldOut > len(xs) {
				t.Errorf("%s: %d trained on, %d held out", task, m.Trained, m.HeldOut)
			}
		}
	}
}
