package batch_test

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/learner/batch"
)

// table makes a truth table over two features of the outcomes for (0,0), (0,1), (1,0) and (1,1).
func table(outcomes ...int8) []batch.Example {
	var examples []batch.Example
	for i, y := range outcomes {
		x := []batch.Term{{Index: 0, Value: float64(i / 2)}, {Index: 1, Value: float64(i % 2)}}
		examples = append(examples, batch.Example{X: x, Label: y})
	}
	return examples
}

func show(examples []batch.Example, o batch.Options) {
	r, err := batch.Train(examples, 2, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s after %d updates", r.Stopped, r.Updates)
	if r.Separated {
		fmt.Printf(", which cannot be more than %.0f", r.Bound)
	} else {
		fmt.Printf(", at best %d mistake of %d", r.Pocket.Mistakes, r.Trained)
	}
	if r.Weights != nil {
		fmt.Print(": w ", r.Weights, ", b ", r.Bias)
	}
	fmt.Println()
	if r.Separated {
		fmt.Print("scores")
		for i := range examples {
			fmt.Printf(" %.2f (%+d)", r.Score(examples[i].X), examples[i].Label)
		}
		fmt.Println()
	}
}

// AND is separable.
func Example_and() {
	show(table(-1, -1, -1, 1), batch.Options{Algorithm: batch.PLA})
	// Output:
	// separated after 18 updates, which cannot be more than 87: w [3 2], b -4
	// scores -4.00 (-1) -2.00 (-1) -1.00 (-1) 1.00 (+1)
}

// So is OR.
func Example_or() {
	show(table(-1, 1, 1, 1), batch.Options{Algorithm: batch.Primal})
	// Output:
	// separated after 9 updates, which cannot be more than 27: w [2 2], b -1
	// scores -1.00 (-1) 1.00 (+1) 1.00 (+1) 3.00 (+1)
}

// XOR is not, by any line: three of its four rows are the best there is. In the feature space of a kernel it is.
func Example_xor() {
	xor := table(-1, 1, 1, -1)
	show(xor, batch.Options{Algorithm: batch.Primal, Order: batch.Random, MaxPasses: 100})
	poly := learner.Kernel{Name: learner.KernelPoly, Degree: 2, Offset: 1}
	show(xor, batch.Options{Algorithm: batch.Dual, Kernel: poly})
	show(xor, batch.Options{Algorithm: batch.Dual, Kernel: learner.Kernel{Name: learner.KernelRBF, Gamma: 1}})
	// Output:
	// budget after 270 updates, at best 1 mistake of 4: w [2 2], b -1
	// separated after 25 updates, which cannot be more than 580
	// scores -2.00 (-1) 1.00 (+1) 1.00 (+1) -6.00 (-1)
	// separated after 4 updates, which cannot be more than 20
	// scores -0.40 (-1) 0.40 (+1) 0.40 (+1) -0.40 (-1)
}
