package learner_test

import (
	"encoding/json"
	"fmt"

	"rosenblatt/learner"
)

// and is the truth table of AND over two features.
var and = []struct {
	a, b  float64
	label int8
}{{0, 0, -1}, {0, 1, -1}, {1, 0, -1}, {1, 1, 1}}

func pair(a, b float64) []learner.Feature {
	return []learner.Feature{{Slot: 0, Print: 1, Value: a}, {Slot: 1, Print: 2, Value: b}}
}

// A perceptron learns AND: round after round, each example is predicted and then learned.
func Example() {
	model, err := learner.New(learner.Spec{Bits: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	names := [][]byte{[]byte("a"), []byte("b")}
	for round, mistakes := 1, 1; mistakes > 0; round++ {
		mistakes = 0
		for _, e := range and {
			x := pair(e.a, e.b)
			score, err := model.Predict(x)
			if err != nil {
				fmt.Println(err)
				return
			}
			if _, err := model.Prepare(e.label, 1); err != nil {
				fmt.Println(err)
				return
			}
			if learner.Sign(score) != e.label {
				mistakes++
			}
			if model.Learn() {
				for i, f := range x {
					model.SetName(f.Slot, f.Print, names[i])
				}
			}
		}
		fmt.Println("round", round, "mistakes", mistakes)
	}
	for _, w := range model.Top(2) {
		fmt.Println(w.Name, w.Weight)
	}
	fmt.Println("bias", model.Bias())
	// Output:
	// round 1 mistakes 2
	// round 2 mistakes 3
	// round 3 mistakes 3
	// round 4 mistakes 2
	// round 5 mistakes 1
	// round 6 mistakes 3
	// round 7 mistakes 1
	// round 8 mistakes 1
	// round 9 mistakes 0
	// a 3
	// b 2
	// bias -4
}

// A learner is written with its parameters; what is at its default is left out again.
func ExampleParseLearner() {
	spec := learner.Spec{Scale: learner.ScaleStandard}
	fmt.Println(learner.ParseLearner("perceptron:threshold=1,rate=1.0", &spec), spec)
	fmt.Println(learner.ParseLearner("perceptron:rate=2", &spec))
	// Output:
	// <nil> perceptron:threshold=1
	// learner: "perceptron:rate=2": rate "2": want a number over 0 and up to 1
}

// A score of -1 is taken apart: what each feature adds to the bias of 1.
func ExampleModel_Explain() {
	model, err := learner.New(learner.Spec{Bits: 1})
	if err == nil {
		err = model.SetWeight(1, 2, []byte("b"), -0.5)
	}
	if err == nil {
		err = model.SetBias(1)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range model.Explain(pair(3, 4)) {
		fmt.Println(c.Slot, c.Value, c.Weight, c.Product)
	}
	// Output:
	// 0 3 0 0
	// 1 4 -0.5 -2
}

// A model is saved as its columns, its state and its Spec.
func ExampleModel_Restore() {
	model, err := learner.New(learner.Spec{Bits: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := model.SetWeight(0, 1, []byte("a"), 0.25); err != nil {
		fmt.Println(err)
		return
	}
	state, err := json.Marshal(model.State())
	fmt.Println(string(state), err)

	loaded, err := learner.New(model.Spec())
	if err != nil {
		fmt.Println(err)
		return
	}
	var texts [][]byte
	saved := model.Columns()
	for i, column := range loaded.Columns() {
		copy(column.Float64, saved[i].Float64)
		copy(column.Uint16, saved[i].Uint16)
		if column.Float64 == nil && column.Uint16 == nil {
			texts = append(texts, saved[i].Bytes)
		}
	}
	fmt.Println(loaded.Restore(model.State(), texts...), loaded.Top(1))
	// Output:
	// {"bias":0,"names":1,"collisions":0} <nil>
	// <nil> [{a 0.25 0 false}]
}

// No line parts the points of XOR. In the feature space of a polynomial of degree 2 a plane does, and the dual finds
// it.
func Example_kernel() {
	spec := learner.Spec{Bits: 1}
	if err := learner.ParseLearner("dual:kernel=poly", &spec); err != nil {
		fmt.Println(err)
		return
	}
	model, err := learner.New(spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	xor := []struct {
		a, b  float64
		label int8
	}{{0, 0, -1}, {0, 1, 1}, {1, 0, 1}, {1, 1, -1}}
	for updates := 1; updates > 0; {
		updates = 0
		for _, e := range xor {
			if _, err := model.Predict(pair(e.a, e.b)); err != nil {
				fmt.Println(err)
				return
			}
			updated, err := model.Prepare(e.label, 1)
			if err != nil {
				fmt.Println(err)
				return
			}
			if updated {
				updates++
			}
			model.Learn()
		}
	}
	for _, e := range xor {
		score, err := model.Predict(pair(e.a, e.b))
		fmt.Println(e.a, e.b, learner.Sign(score), err)
	}
	// Output:
	// 0 0 -1 <nil>
	// 0 1 1 <nil>
	// 1 0 1 <nil>
	// 1 1 -1 <nil>
}

// Logistic regression says how sure it is of its prediction.
func ExampleModel_Probability() {
	spec := learner.Spec{Bits: 1}
	if err := learner.ParseLearner("logistic:rate=0.5", &spec); err != nil {
		fmt.Println(err)
		return
	}
	model, err := learner.New(spec)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range and {
		score, err := model.Predict(pair(e.a, e.b))
		if err != nil {
			fmt.Println(err)
			return
		}
		p, _ := model.Probability()
		fmt.Printf("%+d with %.3f\n", learner.Sign(score), p)
		if _, err := model.Prepare(e.label, 1); err != nil {
			fmt.Println(err)
			return
		}
		model.Learn()
	}
	// Output:
	// +1 with 0.500
	// -1 with 0.622
	// -1 with 0.690
	// -1 with 0.883
}
