package stream

import (
	"context"
	"slices"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// readDeadLetters finds this model's dead letters between the saved ends and the markers. Each is final, whatever the
// model would predict for its record now.
func (r *recovery) readDeadLetters(ctx context.Context) error {
	//mutation:read-dead-letters
	if r.plan.InputReplaced {
		return nil // they name another topic's offsets
	}
	c := &r.t.Config
	for p, marker := range r.st.fence.DeadLetters {
		part := topics.Part{Partition: int32(p), From: r.st.base.DeadLetters[p], To: marker}
		cursor := topics.NewCursor(r.t.Log, topics.DeadLetters, part, c.BatchRecords)
		for l, err := range journal.DeadLetters(ctx, cursor, r.writer()) {
			if err != nil {
				return err
			}
			r.addDeadLetter(part.Partition, l)
		}
	}
	return nil
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
