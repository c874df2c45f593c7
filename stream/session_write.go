package stream

import (
	"context"
	"sync"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/topics"
)

// writer writes flight after flight, each acknowledged before the next. Its goroutine owns the ends of the journal.
type writer struct {
	journal topics.Journal
	flights *flightQueue
	saver   *saver
	saved   <-chan struct{} // closed when the saver has ended
	ends    topics.Ends
	board   *board.Board

	// saveSchemas makes durable what the journal may depend on; nil for nothing.
	saveSchemas func(ctx context.Context, renew func(context.Context) error) error
}

// checkFence is how often an idle writer checks its fence.
const checkFence = 250 * time.Millisecond

// run writes until the queue is closed, and then ends the saver: pieces of its last checkpoint wait for a young fence.
func (w *writer) run(ctx context.Context) error {
	end := sync.OnceFunc(func() { close(w.saver.saves) })
	defer end()
	check := time.NewTicker(checkFence)
	defer check.Stop()
	for flights := w.flights.out; ; {
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-w.saved:
			return nil
		case <-check.C:
			//mutation:renew-at-the-end
			err = w.renew(ctx, flights != nil && w.otherWriterSeen())
		case f, ok := <-flights:
			if !ok {
				flights = nil
				end()
				continue
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

// otherWriterSeen reports whether a partition of the journal was seen to end beyond what this process wrote, with
// nothing in flight: another process may have taken over.
func (w *writer) otherWriterSeen() bool {
	seen := w.board.Listed()
	if seen == nil {
		return false
	}
	for _, t := range seen.Journal() {
		ends := *w.ends.Of(t)
		for p, b := range seen.Of(t).Partitions {
			//mutation:other-writer-seen
			if p < len(ends) && b.End > ends[p] {
				return true
			}
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

// write sends a flight's dead letters, then its entries, each acknowledged before the next step. Then its copy of
// the state may be saved.
func (w *writer) write(ctx context.Context, f *flight) error {
	if err := w.renew(ctx, false); err != nil {
		return err
	}
	//mutation:schemas-before-entries
	if w.saveSchemas != nil {
		if err := w.saveSchemas(ctx, func(ctx context.Context) error { return w.renew(ctx, false) }); err != nil {
			return err
		}
	}
	defer w.board.Sending()()
	deadLetters, entries, ends := f.deadLetterBatches(), f.journalBatches(), w.ends.Clone()
	//mutation:write-dead-letters
	if err := w.append(ctx, deadLetters, w.ends); err != nil {
		return f.refusedDeadLetter(err, deadLetters)
	}
	//mutation:write-predictions
	if err := w.append(ctx, entries, ends); err != nil {
		return refusedEntry(err, entries)
	}
	//mutation:journal-end
	w.ends.Advance(ends)
	f.acknowledge(w.board)
	f.acknowledgePromotion()
	//mutation:save-copy
	if f.snap != nil {
		f.snap.setEnds(w.ends) // no dead letter of a later flight has been sent yet
		w.saver.saves <- f.snap
		f.snap = nil
	}
	return nil
}

// append writes batches at once and notes the new ends.
func (w *writer) append(ctx context.Context, batches []topics.Batch, ends topics.Ends) error {
	if len(batches) == 0 {
		return nil
	}
	if err := w.journal.Append(ctx, batches); err != nil {
		return err
	}
	for _, b := range batches {
		(*ends.Of(b.Topic))[b.Partition] = b.End
	}
	return nil
}
