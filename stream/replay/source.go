package replay

import (
	"context"

	"rosenblatt/stream/model"
)

// Source gives records in the order in which they are to be answered. Only one goroutine uses it, but for Where.
type Source interface {
	// Fill appends records to b until b.Full, and fewer where waiting for more would take long. The end is io.EOF, with or
	// without records. Any other error ends the run.
	Fill(ctx context.Context, b *Block) error
	// Done tells how far the source is, in its own measure, and the whole of it; 0 when that is not known.
	Done() (done, total int64)
	// Where names record i of a block for people: "events.csv:17". It is called from the learners' goroutines.
	Where(b *Block, i int) string
}

// Learner is one learner to evaluate.
type Learner struct {
	Name      string           // as given
	Processor *model.Processor // with its score at zero; Run uses it up

	// Watch, when not nil, is called for each answered example, before its label is viewed, from the learner's goroutine.
	Watch func(b *Block, i int, o model.Outcome)
}
