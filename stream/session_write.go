package stream

import (
	"context"
	"time"

	"rosenblatt/stream/topics"
)

// writer writes flight after flight, each acknowledged before the next. Its goroutine owns the ends of the journal.
type writer struct {
	journal Journal
	flights *flightQueue
	saver   *saver
	ends    topics.Ends
	shared  *shared
}

// checkFence is how often an idle writer checks its fence.
const checkFence = 250 * time.Millisecond

// run writes until the queue is closed, and then ends the saver.
func (w *writer) run(ctx context.Context) error {
	defer close(w.saver.saves)
	check := time.NewTicker(checkFence)
	defer check.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-check.C:
			err = w.renew(ctx, w.overtaken())
		case f, ok := <-w.flights.out:
			if !ok {
				return nil
			}
			//mutation:one-flight
			if err = w.write(ctx, f); err == nil {
				w.flights.spare <- f
			}
		}
		switch {
		case err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		}
	}
}

// overtaken reports whether an output partition was seen to end beyond what this process wrote, with nothing in flight:
// another process may have taken over.
func (w *writer) overtaken() bool {
	seen := w.shared.output.Load()
	if seen == nil {
		return false
	}
	for p, b := range *seen {
		//mutation:overtaken
		if p < len(w.ends.Output) && b.End > w.ends.Output[p] {
			return true
		}
	}
	return false
}

func (w *writer) renew(ctx context.Context, now bool) error {
	fence, err := w.journal.Renew(ctx, now)
	if err != nil {
		return err
	}
	if w.ends.Advance(fence.Ends()) {
		w.saver.renewed.Store(true)
	}
	return nil
}

// write sends a flight's dead letters, then its predictions, each acknowledged before the next step. Then its copy of
// the state may be saved.
func (w *writer) write(ctx context.Context, f *flight) error {
	if err := w.renew(ctx, false); err != nil {
		return err
	}
	deadLetters, predictions, ends := f.deadLetterBatches(), f.predictionBatches(), w.ends.Clone()
	//mutation:write-dead-letters
	if err := w.append(ctx, deadLetters, w.ends.DeadLetters); err != nil {
		return f.refusedDeadLetter(err, deadLetters)
	}
	//mutation:write-predictions
	if err := w.append(ctx, predictions, ends.Output); err != nil {
		return refusedPrediction(err, predictions)
	}
	//mutation:output-end
	copy(w.ends.Output, ends.Output)
	w.shared.acknowledge(f)
	//mutation:save-copy
	if f.snap != nil {
		f.snap.setEnds(w.ends) // no dead letter of a later flight has been sent yet
		w.saver.saves <- f.snap
		f.snap = nil
	}
	return nil
}

// append writes batches at once and notes the new ends.
func (w *writer) append(ctx context.Context, batches []topics.Batch, ends []int64) error {
	if len(batches) == 0 {
		return nil
	}
	if err := w.journal.Append(ctx, batches); err != nil {
		return err
	}
	for _, b := range batches {
		ends[b.Partition] = b.End
	}
	return nil
}
