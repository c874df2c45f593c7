package journal

import (
	"context"
	"iter"

	"rosenblatt/stream/topics"
)

// Writer says whose dead letters are read. Models of one name may share a dead-letter topic: they differ in the input
// or the output.
type Writer struct {
	Model         string
	Input, Output string // topics
	Labels        string // the topic of label records; empty without later labels
}

// wrote reports whether a dead letter is the writer's.
func (w *Writer) wrote(l *DeadLetter) bool {
	//mutation:dead-letter-output
	if l.Output != w.Output {
		return false
	}
	//mutation:dead-letter-topics
	return IsModel(l.Model, w.Model) && (l.Topic == w.Input || l.Topic == w.Labels && w.Labels != "")
}

// Records is a part of a partition, as topics.Cursor reads it.
type Records interface {
	Head(ctx context.Context) (*topics.Record, error)
	Take()
}

// DeadLetters reads a writer's dead letters in a part of a dead-letter partition. An error comes last.
func DeadLetters(ctx context.Context, c Records, w Writer) iter.Seq2[DeadLetter, error] {
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
			if l, ok := ParseDeadLetter(r); ok && w.wrote(&l) && !yield(l, nil) {
				return
			}
		}
	}
}
