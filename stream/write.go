package stream

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// job is what was answered and learned in one go, one chunk or several of one partition, and what is to be written for it:
// the job of PROTOCOL.md, "Order".
type job struct {
	partition int32
	records   int
	now       int64     // the moment of answering, ms
	oldest    int64     // the first timestamp of the records, ms; 0 or less: there is none
	arrived   time.Time // of the first records
	answers   *recordbatch.Builder
	offsets   []int64 // input offsets of the answers
	letters   *recordbatch.Builder
	rejected  []int64   // input offsets of the letters
	snap      *snapshot // a copy of the state after this chunk, or nil
}

func (j *job) reset(partition int32) {
	j.partition, j.records, j.now, j.snap = partition, 0, time.Now().UnixMilli(), nil
	j.oldest, j.arrived = 0, time.Time{}
	j.answers.Reset()
	j.letters.Reset()
	j.offsets, j.rejected = j.offsets[:0], j.rejected[:0]
}

// note takes the times of the records from i on, if they are the job's first.
func (j *job) note(c *Chunk, i int) {
	if j.arrived.IsZero() && i < len(c.Records) {
		j.oldest, j.arrived = c.Records[i].Timestamp, c.arrived
	}
}

func errLetter(at place) error {
	return fmt.Errorf("input partition %d offset %d: its dead letter fits into no batch even without value and key: raise max.message.bytes of the dead-letter topic", at.partition, at.offset)
}

// newJob makes a job with empty batches within the topics' limits.
func (s *session) newJob() *job {
	return &job{
		answers: &recordbatch.Builder{Limit: batchLimit(s.st.topology.Output)},
		letters: &recordbatch.Builder{Limit: s.st.topology.DeadLetters.MaxMessageBytes},
	}
}

// maxBatchBytes bounds a batch of predictions (PROTOCOL.md, "Predictions and dead letters").
const maxBatchBytes = 900_000

func batchLimit(t topics.TopicState) int {
	if t.MaxMessageBytes <= 0 {
		return maxBatchBytes
	}
	return min(maxBatchBytes, t.MaxMessageBytes)
}

// writeAll writes job after job: the one place from which anything is sent.
func (s *session) writeAll(ctx context.Context) error {
	defer close(s.saves)
	renew := time.NewTicker(10 * time.Second)
	defer renew.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-renew.C:
			if err := s.renew(ctx); err != nil {
				return s.cause(ctx, err)
			}
		case j, ok := <-s.jobs:
			if !ok {
				return nil
			}
			if err := s.write(ctx, j); err != nil {
				return s.cause(ctx, err)
			}
			s.spare <- j
		}
	}
}

// cause names why the context ended where that is what made err.
func (s *session) cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// renew asks whether the fence still holds when it is old.
func (s *session) renew(ctx context.Context) error {
	fence, err := s.t.Journal.Renew(ctx)
	if err != nil {
		return err
	}
	if s.ends.Advance(fence.Ends()) {
		s.renewed.Store(true)
	}
	return nil
}

// write sends one chunk's dead letters, then its answers, each acknowledged before the next step; then its copy of the state
// may be saved.
func (s *session) write(ctx context.Context, j *job) error {
	if err := s.renew(ctx); err != nil {
		return err
	}
	if j.letters.Len() > 0 {
		to := j.partition % int32(len(s.ends.DeadLetters))
		end, err := s.append(ctx, topics.DeadLetters, to, j.letters)
		if err != nil {
			return refusal(err, j.partition, j.rejected, true)
		}
		s.ends.DeadLetters[to] = end
	}
	if j.answers.Len() > 0 {
		end, err := s.append(ctx, topics.Output, j.partition, j.answers)
		if err != nil {
			return refusal(err, j.partition, j.offsets, false)
		}
		s.ends.Output[j.partition] = end
		s.t.timings.acknowledged(j)
	}
	s.t.wrote.Add(int64(j.answers.Len()))
	if j.snap != nil {
		j.snap.setEnds(s.ends) // no letter of a later chunk has been sent yet
		s.saves <- j.snap
		j.snap = nil
	}
	return nil
}

// append writes one batch and returns the partition's end after it.
func (s *session) append(ctx context.Context, topic topics.Topic, partition int32, records *recordbatch.Builder) (int64, error) {
	batches := []topics.Batch{{Topic: topic, Partition: partition, Records: records}}
	err := s.t.Journal.Append(ctx, batches)
	return batches[0].End, err
}

// refusal names the record behind a refused answer or letter.
func refusal(err error, partition int32, offsets []int64, letter bool) error {
	var r *topics.Refused
	if errors.As(err, &r) && r.Index < len(offsets) {
		return &refusedRecord{at: place{partition, offsets[r.Index]}, letter: letter, cause: err}
	}
	return err
}

// saveTimes is the duration of the last save, shared by the saver and the learner.
type saveTimes struct{ d atomic.Int64 }

func (s *saveTimes) get() time.Duration  { return time.Duration(s.d.Load()) }
func (s *saveTimes) set(d time.Duration) { s.d.Store(int64(d)) }

// saveAll saves snapshot after snapshot. A failed one is told and counted, and the next one is tried; only the last one of a
// run must not fail.
func (s *session) saveAll() error {
	var last error
	for snap := range s.saves {
		saved, err := snap.save(s.t.Store)
		if err != nil {
			s.t.Logger.Error().Err(err).Int64("seq", snap.header.Seq).Msg("checkpoint failed; learning goes on, the next one is tried")
			s.t.saveFailed(err)
			s.unsaved.Store(true)
		} else {
			if s.unsaved.Swap(false) {
				s.t.Logger.Info().Int64("seq", snap.header.Seq).Msg("checkpoints are saved again")
			}
			s.lastSave.set(saved.Duration)
			s.t.saved(saved)
			s.t.commit(snap.header.Positions)
		}
		if snap.last && err != nil {
			last = fmt.Errorf("%w: the last checkpoint: %w", ErrUnfinished, err)
		}
		s.snaps <- snap
	}
	return last
}

// commit tells lag tools where the checkpoint stands.
func (t *Task) commit(positions []int64) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := t.Group.Commit(ctx, positions); err != nil {
		t.commitFails.Add(1)
		t.Logger.Warn().Err(err).Msg("group offsets were not committed; they are for lag tools only")
	}
}
