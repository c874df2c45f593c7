package stream

import (
	"context"
	"math"
	"slices"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

func (r *recovery) openDeadLetters() {
	for p, from := range r.st.Base.DeadLetters {
		r.deadLetters = append(r.deadLetters, r.open(topics.DeadLetters, int32(p), from, r.st.Fence.DeadLetters[p]))
	}
}

// readDeadLetters finds this model's dead letters up to the markers. Each is final, whatever the model would say of its
// record now.
func (r *recovery) readDeadLetters(ctx context.Context) error {
	for p, part := range r.deadLetters {
		part.To = r.st.Fence.DeadLetters[p]
		for l, err := range journal.DeadLetters(ctx, part, r.writer()) {
			if err != nil {
				return err
			}
			if r.isNewDeadLetter(int32(p), &l) {
				return errNewWriter
			}
			if err := r.addDeadLetter(int32(p), l); err != nil {
				return err
			}
		}
	}
	return nil
}

// open reads a part of a partition ahead, and where that grows, all that comes.
func (r *recovery) open(topic topics.Topic, partition int32, from, to int64) *readahead.Cursor {
	//mutation:own-partition-followed
	if r.following && !r.top.Of(topic).Partitions[partition].OtherTask {
		to = math.MaxInt64
	}
	p := topics.Part{Partition: partition, From: from, To: to}
	return r.ahead.Open(topic, p, r.reader(topic, partition, from))
}

// reader opens a partition, and tells what the checkpoint knows of what is before.
func (r *recovery) reader(topic topics.Topic, partition int32, from int64) topics.Reader {
	if topic == topics.Input {
		return r.st.Open(r.t.Log, topic, partition)
	}
	reader := r.t.Log.Open(topic, partition, from)
	known := r.written[topic]
	if r, ok := reader.(topics.EpochReader); ok && int(partition) < len(known) {
		r.After(known[partition])
	}
	return reader
}

// writer says which dead letters are this task's own.
func (r *recovery) writer() journal.Writer {
	return journal.Writer{Model: r.t.Config.Model, Input: r.top.Input.Name, Labels: r.top.Labels.Name,
		Output: r.top.Output.Name}
}

// addDeadLetter keeps a dead letter whose record is still to be read.
func (r *recovery) addDeadLetter(partition int32, l journal.DeadLetter) error {
	at := r.placeOf(&l)
	switch from := r.plan.Of(at.Topic); {
	//mutation:read-dead-letters
	case from.Replaced: // it names another topic's offset
	//mutation:dead-letter-of-added
	case r.following && int(at.Partition) >= len(r.st.PositionsOf(at.Topic)):
		return state.ErrPartitions
	case !state.IsAhead(at, r.st.PositionsOf(at.Topic)):
	case slices.Contains(from.Truncated, l.Partition): // other records get those offsets
	default:
		r.st.Dead.Add(at, state.DeadLetter{Reason: l.Reason, Partition: partition, Offset: l.Own})
	}
	return nil
}

// placeOf is where the record of a dead letter is that writer takes.
func (r *recovery) placeOf(l *journal.DeadLetter) topics.Place {
	at := topics.Place{Partition: l.Partition, Offset: l.Offset}
	//mutation:dead-letter-place
	if l.Topic != r.top.Input.Name {
		at.Topic = topics.Labels
	}
	return at
}
