package stream

import (
	"context"
	"slices"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// learnAll answers and learns chunk after chunk, in the order in which they came, until the intake ends. It owns the state.
//
// A job takes the answers to all chunks of a run. At the run's end it goes to the writer as soon as that is free; until then
// further chunks of the same partition are added: batches are as small as the input is slow, and grow with the backlog. When
// a chunk of another partition comes first, the job waits in a short line.
func (s *session) learnAll(intake, write context.Context) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if s.atEnd() {
			s.stop(errEnd)
		}
		if intake.Err() != nil {
			return s.finish(write)
		}
		jobs, next := s.ready()
		select {
		case <-intake.Done():
		case c := <-s.order:
			if c.few {
				c.decode(s.decoder)
			} else {
				<-c.decoded
			}
			if err := s.learnChunk(write, c); err != nil {
				return err
			}
			s.publishNow(len(s.order) == 0)
		case jobs <- next:
			s.handed()
		case r := <-s.t.copies:
			r.done <- s.st.copyTo(r.into)
		case <-write.Done():
			return context.Cause(write)
		case <-tick.C:
			if err := s.idle(write); err != nil {
				return err
			}
		}
	}
}

// ready gives the job that the writer is to have next, and the channel to it: nil, which is never ready, when there is none.
func (s *session) ready() (chan<- *job, *job) {
	switch {
	case len(s.line) > 0:
		return s.jobs, s.line[0]
	case s.job != nil && !s.mid:
		return s.jobs, s.job
	}
	return nil, nil
}

// handed forgets the job that ready gave.
func (s *session) handed() {
	if len(s.line) == 0 {
		s.job = nil
		return
	}
	s.line = slices.Delete(s.line, 0, 1)
}

// atEnd tells whether a run that ends at the end is there.
func (s *session) atEnd() bool {
	if !s.t.Config.UntilEnd {
		return false
	}
	for p, end := range s.t.targets {
		if s.st.positions[p] < end {
			return false
		}
	}
	return true
}

// learnChunk works through one chunk. Where its answers or dead letters fill a batch, the job ends there and another begins.
func (s *session) learnChunk(write context.Context, c *Chunk) error {
	if s.job != nil && (s.job.partition != c.Partition || s.job.records+len(c.Records) > s.t.Config.ChunkRecords) {
		if err := s.send(write); err != nil {
			return err
		}
	}
	if s.job != nil {
		s.job.now = time.Now().UnixMilli()
		s.job.note(c, 0)
	}
	for i := 0; i < len(c.Records); {
		if s.job == nil {
			if err := s.begin(write, c.Partition); err != nil {
				return err
			}
			s.job.note(c, i)
		}
		if s.handle(s.job, c, i) {
			i++
			continue
		}
		s.st.positions[c.Partition] = c.Records[i].Offset
		if err := s.send(write); err != nil || s.stuck {
			return err
		}
	}
	s.st.positions[c.Partition] = c.Next
	if s.job != nil {
		s.job.records += len(c.Records)
	}
	s.mid = c.More
	s.t.recent.settle()
	c.Release()
	s.free <- c
	if s.mid {
		return nil
	}
	if s.due() {
		return s.checkpoint(write)
	}
	jobs, next := s.ready()
	select {
	case jobs <- next:
		s.handed()
	default: // the writer is busy: more may be added
	}
	return nil
}

// handle answers and learns one record, or dead-letters it. False: its answer or letter does not fit into this batch, and
// nothing was done.
func (s *session) handle(j *job, c *Chunk, i int) bool {
	r, e, st := &c.Records[i], &c.Examples[i], s.st
	at := place{c.Partition, r.Offset}
	if len(st.dead) > 0 {
		if d, ok := st.dead[at]; ok {
			st.counts.Reject(d.reason)
			delete(st.dead, at)
			return true
		}
	}
	if e.Skip {
		st.counts.Read++
		st.counts.Tombstones++
		return true
	}
	o, reason, text := st.proc.Predict(e, c.features(i))
	if reason == event.OK && len(s.t.tooLarge) > 0 && s.t.tooLarge[at] {
		reason, text = event.PredictionTooLarge, "the broker refuses the answer to this record as too large: raise max.message.bytes of the output topic, or shorten the id"
	}
	if reason != event.OK {
		return s.reject(j, at, r, reason, text)
	}
	answer := s.ans.Append(j.answers.Start(j.now, r.Key), c.Partition, r, e, o, st.seq+1)
	if !j.answers.Finish(answer) {
		if j.answers.Len() > 0 {
			return false
		}
		return s.reject(j, at, r, event.PredictionTooLarge, "the answer and the key fit into no batch: shorten the id or the key, or raise max.message.bytes of the output topic")
	}
	// Answered: the value is fixed before the label is looked at for learning.
	st.seq++
	st.counts.Read++
	st.counts.Answered++
	if o.Mistake {
		s.t.recent.mistake(at, r, o)
	}
	st.proc.Learn(r, o)
	j.offsets = append(j.offsets, r.Offset)
	if st.counts.Answered == s.nextRow {
		s.nextRow *= 2
		s.progress()
	}
	return true
}

// reject dead-letters one record. False: the letter does not fit into this batch, and nothing was done.
func (s *session) reject(j *job, at place, r *topics.Record, reason event.Reason, text string) bool {
	bare, x := s.t.bare[at], journal.Rejection{Partition: at.partition, Record: r, Reason: reason, Text: text}
	if !s.let.Append(j.letters, j.now, x, bare) {
		if j.letters.Len() > 0 {
			return false
		}
		if bare || !s.let.AppendFitting(j.letters, j.now, x) {
			s.stuck = true // the position stays before this record
			s.stop(errLetter(at))
			return false
		}
	}
	j.rejected = append(j.rejected, r.Offset)
	s.st.counts.Reject(reason)
	s.t.recent.reject(at, r, reason, text)
	return true
}

// begin sees to it that there is a job for a chunk of the partition: a spare one, if none is under way.
func (s *session) begin(write context.Context, partition int32) error {
	for s.job == nil {
		select {
		case s.job = <-s.spare:
			s.job.reset(partition)
		case r := <-s.t.copies: // a slow broker must not keep /predict waiting
			r.done <- s.st.copyTo(r.into)
		case <-write.Done():
			return context.Cause(write)
		}
	}
	return nil
}

// send has the job wait for the writer, with a copy of the model when a checkpoint is due.
func (s *session) send(write context.Context) error {
	if s.due() {
		s.snapshot(s.job)
	}
	s.line = append(s.line, s.job)
	s.job = nil
	return s.hand(write, waiting)
}

// checkpoint sends the job, or an empty one, with the copy of the model that is due.
func (s *session) checkpoint(write context.Context) error {
	if err := s.begin(write, 0); err != nil {
		return err
	}
	return s.send(write)
}

// hand waits until no more than so many jobs wait for the writer.
func (s *session) hand(write context.Context, most int) error {
	for len(s.line) > most {
		jobs, next := s.ready()
		select {
		case jobs <- next:
			s.handed()
		case r := <-s.t.copies: // a slow broker must not keep /predict waiting
			r.done <- s.st.copyTo(r.into)
		case <-write.Done():
			return context.Cause(write)
		}
	}
	return nil
}

// idle is done now and then: a checkpoint that is due, and the status.
func (s *session) idle(write context.Context) error {
	if s.due() && !s.mid {
		if err := s.checkpoint(write); err != nil {
			return err
		}
	}
	s.publishNow(true)
	return nil
}

// finish sends the last copy of the model after all that was answered.
func (s *session) finish(write context.Context) error {
	s.t.publish(s.st, Stopping)
	if s.job != nil {
		s.line = append(s.line, s.job)
		s.job = nil
	}
	if err := s.hand(write, 0); err != nil {
		return err
	}
	var snap *snapshot
	select { // the save before has ended then, well or not
	case snap = <-s.snaps:
	case <-write.Done():
		return context.Cause(write)
	}
	if !s.moved() {
		s.snaps <- snap
		return nil
	}
	if err := s.begin(write, 0); err != nil {
		return err
	}
	snap.take(s.st, &s.t.Config)
	snap.last = true
	s.job.snap = snap
	s.line = append(s.line, s.job)
	return s.hand(write, 0)
}
