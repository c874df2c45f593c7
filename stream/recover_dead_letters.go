package stream

import (
	"context"
	"slices"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/topics"
)

// readDeadLetters finds this model's dead letters between the saved ends and the markers. Each is final, whatever the
// model would predict for its record now.
func (r *recovery) readDeadLetters(ctx context.Context) error {
	//mutation:read-dead-letters
	if r.plan.InputReplaced {
		return nil // they name another topic's offsets
	}
	parts := make([]*readahead.Cursor, len(r.st.fence.DeadLetters))
	for p := range parts {
		parts[p] = r.open(topics.DeadLetters, int32(p), r.st.base.DeadLetters[p], r.st.fence.DeadLetters[p])
	}
	for p, part := range parts {
		for l, err := range journal.DeadLetters(ctx, part, r.writer()) {
			if err != nil {
				return err
			}
			r.addDeadLetter(int32(p), l)
		}
	}
	return nil
}

// open reads a part of a partition ahead.
func (r *recovery) open(topic topics.Topic, partition int32, from, to int64) *readahead.Cursor {
	p := topics.Part{Partition: partition, From: from, To: to}
	return r.ahead.Open(topic, p, r.t.Log.Open(topic, partition, from))
}

// writer says which dead letters are this task's own.
func (r *recovery) writer() journal.Writer {
	return journal.Writer{Model: r.t.Config.Model, Input: r.top.Input.Name, Output: r.top.Output.Name}
}

// addDeadLetter keeps a dead letter whose record is still to be read.
func (r *recovery) addDeadLetter(partition int32, l journal.DeadLetter) {
	switch {
	case int(l.Partition) >= len(r.st.positions) || l.Offset < r.st.positions[l.Partition]:
	case slices.Contains(r.plan.Truncated, l.Partition): // other records get those offsets
	default:
		r.st.dead[place{l.Partition, l.Offset}] = deadLetter{reason: l.Reason, partition: partition, offset: l.Own}
	}
}
