package stream_test

import (
	"fmt"

	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/event"
)

// A processor answers each event before it learns the label.
func ExampleProcessor() {
	options := event.Defaults(event.JSON)
	proc, err := stream.NewProcessor(stream.Fixed{
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
		`{"label":1}`,
	} {
		r := stream.Record{Offset: int64(i), Value: []byte(value)}
		arena = d.Decode(r.Key, r.Value, arena[:0], &e)
		o, reason, text := proc.Predict(&e, e.Features(arena))
		if reason != event.OK {
			fmt.Println("rejected:", reason, text)
			continue
		}
		proc.Learn(&r, o)
		fmt.Println("prediction", o.Prediction, "score", o.Score, "mistake", o.Mistake)
	}
	fmt.Println(proc.Score.Mistakes(), "mistakes of", proc.Score.Examples())
	// Output:
	// prediction 1 score 0 mistake true
	// prediction -1 score -2 mistake false
	// prediction 1 score 2 mistake false
	// rejected: no-features there is not a single feature
	// 1 mistakes of 3
}

// A stop says what was found, what is safe and what to do.
func ExampleStop() {
	fmt.Println(stream.InputGoneStop("events", 3, 100, 250))
	// Output:
	// error=input-gone: topic events partition 3 begins at offset 250, the model's position is 100: 150 records are gone unread. Safe: all that was answered and learned before. To do: restore the records; or go on at the log's start without them with --accept input-gone; and raise the input's retention
}
