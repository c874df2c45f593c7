package replay

import (
	"context"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
)

// Source supplies records in the order in which they are predicted. One goroutine uses it, except for Where.
type Source interface {
	// Fill appends records until b.Full, or fewer rather than wait long. The end is io.EOF, with or without records.
	// Any other error ends the run.
	Fill(ctx context.Context, b *Block) error
	// Done returns how far the source is, in its own measure, and its total, 0 for unknown.
	Done() (done, total int64)
	// Where names record i of a block for people: "events.csv:17". It is called from the learners' goroutines.
	Where(b *Block, i int) string
}

// Learner is one learner to evaluate.
type Learner struct {
	Name      string           // as given
	Processor *model.Processor // with an empty score; Run changes it

	// Watch may be nil. The learner's goroutine calls it for each prediction before its label is scored.
	Watch func(b *Block, i int, o model.Outcome)
	// Refused may be nil. The learner's goroutine calls it for each record that it rejects and does not predict.
	Refused func(b *Block, i int, why *event.Error)

	// Waits may be nil. With labels in records of their own, the learner's goroutine calls it after Watch: the example
	// waits for its label under a number. Without a number it does not wait; it may be a duplicate.
	Waits func(number int64, duplicate bool)
	// Ended may be nil. The learner's goroutine calls it when the waiting of an example has ended.
	Ended func(x *Ending)
}

// Ending is what became of an example that waited for its label.
type Ending struct {
	Number  int64 // as it was given to Waits
	Outcome labels.Outcome
	Example *event.Example // with the label that is learned; nil: none is
	Learned *model.Outcome // of Example: what was predicted at first, and whether it was a mistake
	Why     *event.Error   // the learner rejects the label; else nil
	Delay   int64          // from the event's timestamp to the label record's, ms; of labels.Labelled
}
