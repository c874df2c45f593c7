package stream

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/topics"
)

// writer writes job after job, each acknowledged before the next. Its goroutine owns the ends of the journal.
type writer struct {
	journal Journal
	jobs    *jobQueue
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
		case j, ok := <-w.jobs.out:
			if !ok {
				return nil
			}
			//mutation:one-job
			if err = w.write(ctx, j); err == nil {
				w.jobs.spare <- j
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

// write sends a job's dead letters, then its predictions, each acknowledged before the next step. Then its copy of the
// state may be saved.
func (w *writer) write(ctx context.Context, j *writeJob) error {
	if err := w.renew(ctx, false); err != nil {
		return err
	}
	//mutation:write-dead-letters
	if j.deadLetters.Len() > 0 {
		to := j.partition % int32(len(w.ends.DeadLetters))
		end, err := w.append(ctx, topics.Batch{Topic: topics.DeadLetters, Partition: to, Records: j.deadLetters})
		if err != nil {
			return refusal(err, j.partition, j.rejected, true)
		}
		w.ends.DeadLetters[to] = end
	}
	//mutation:write-predictions
	if j.predictions.Len() > 0 {
		end, err := w.append(ctx, topics.Batch{Topic: topics.Output, Partition: j.partition, Records: j.predictions})
		if err != nil {
			return refusal(err, j.partition, j.predicted, false)
		}
		//mutation:output-end
		w.ends.Output[j.partition] = end
		w.shared.timings.acknowledged(j)
		w.shared.acknowledged.Add(int64(j.predictions.Len()))
	}
	//mutation:save-copy
	if j.snap != nil {
		j.snap.setEnds(w.ends) // no dead letter of a later job has been sent yet
		w.saver.saves <- j.snap
		j.snap = nil
	}
	return nil
}

// append writes one batch and returns the partition's new end.
func (w *writer) append(ctx context.Context, b topics.Batch) (end int64, err error) {
	batches := []topics.Batch{b}
	err = w.journal.Append(ctx, batches)
	return batches[0].End, err
}

// refusal names the record behind a refused prediction or dead letter.
func refusal(err error, partition int32, offsets []int64, deadLetter bool) error {
	var r *topics.Refused
	if errors.As(err, &r) && r.Index < len(offsets) {
		return &refusedRecord{at: place{partition, offsets[r.Index]}, deadLetter: deadLetter, cause: err}
	}
	return err
}
