package stream

import (
	"context"
	"slices"

	"rosenblatt/stream/journal"
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
