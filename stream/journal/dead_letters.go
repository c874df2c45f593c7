package journal

import (
	"context"
	"iter"

	"rosenblatt/stream/topics"
)

// DeadLetters reads the dead letters of a model about records of an input, in a part of a dead-letter partition. An
// error comes last.
func DeadLetters(ctx context.Context, c *topics.Cursor, model, input string) iter.Seq2[DeadLetter, error] {
	return func(yield func(DeadLetter, error) bool) {
		for {
			r, err := c.Head(ctx)
			switch {
			case err != nil:
				yield(DeadLetter{}, err)
				return
			case r == nil:
				return
			}
			c.Take()
			l, ok := ParseDeadLetter(r)
			if ok && IsModel(l.Model, model) && l.Topic == input && !yield(l, nil) {
				return
			}
		}
	}
}
