package model_test

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// A processor answers each event before it learns the label.
func ExampleProcessor() {
	options := event.Defaults(event.JSON)
	proc, err := model.NewProcessor(model.Config{
		Learner: learner.Spec{Learner: "perceptron", Scale: "none", Bits: options.Bits}.WithDefaults(),
		Decode:  options,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := event.New(options)
	if err != nil {
		fmt.Println(err)
		return
	}
	var e event.Example
	var arena []learner.Feature
	for i, value := range []string{
		`{"label":-1,"features":{"x":1}}`,
		`{"label":-1,"features":{"x":1}}`,
		`{"label":1,"features":{"x":-3}}`,
		`{}`,
	} {
		r := topics.Record{Offset: int64(i), Value: []byte(value)}
		arena = d.Decode(&r, arena[:0], &e)
		o, rejected := proc.Predict(&e, e.Features(arena))
		if rejected != nil {
			fmt.Println("rejected:", rejected.Reason, rejected.Message())
			continue
		}
		proc.Learn(&r, o)
		fmt.Println("prediction", string(proc.AppendPrediction(nil, &options, o)), "score", o.Score, "mistake",
			o.Mistake)
	}
	fmt.Println(proc.Score.Mistakes(), "mistakes of", proc.Score.Examples())
	// Output:
	// prediction 1 score 0 mistake true
	// prediction -1 score -2 mistake false
	// prediction 1 score 2 mistake false
	// rejected: no-features neither a field nor a label: is the format another? --no-features zero takes the event
	// 1 mistakes of 3
}
