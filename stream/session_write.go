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

// renewAfter is how often an idle writer renews the fence.
const renewAfter = 10 * time.Second

// run writes until the queue is closed, and then ends the saver.
func (w *writer) run(ctx context.Context) error {
	defer close(w.saver.saves)
	renew := time.NewTicker(renewAfter)
	defer renew.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-renew.C:
			err = w.renew(ctx)
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

func (w *writer) renew(ctx context.Context) error {
	fence, err := w.journal.Renew(ctx)
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
	if err := w.renew(ctx); err != nil {
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
