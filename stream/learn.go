package stream

import (
	"context"
	"time"

	"rosenblatt/stream/decode"
)

// learnAll answers and learns chunk after chunk, in the order in which they came, until the intake ends. It owns the state.
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
		select {
		case <-intake.Done():
		case c := <-s.order:
			<-c.decoded
			if err := s.learnChunk(write, c); err != nil {
				return err
			}
			s.free <- c
			s.publishNow(len(s.order) == 0)
		case r := <-s.t.copies:
			r.done <- s.st.copyTo(r.into)
		case <-tick.C:
			if err := s.idle(write); err != nil {
				return err
			}
		}
	}
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

// learnChunk works through one chunk. Where its answers or dead letters fill a batch, the chunk ends there and another begins.
func (s *session) learnChunk(write context.Context, c *Chunk) error {
	j, err := s.begin(write, c.Partition)
	if err != nil {
		return err
	}
	for i := 0; i < len(c.Records); {
		if s.handle(j, c, i) {
			i++
			continue
		}
		if err := s.send(write, j, c.Records[i].Offset); err != nil || s.stuck {
			return err
		}
		if j, err = s.begin(write, c.Partition); err != nil {
			return err
		}
	}
	return s.send(write, j, c.Next)
}

// handle answers and learns one record, or dead-letters it. False: its answer or letter does not fit into this batch, and
// nothing was done.
func (s *session) handle(j *job, c *Chunk, i int) bool {
	r, e, st := &c.Records[i], &c.Examples[i], s.st
	at := place{c.Partition, r.Offset}
	if len(st.dead) > 0 {
		if d, ok := st.dead[at]; ok {
			st.counts.reject(d.reason)
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
	if reason == decode.OK && len(s.t.tooLarge) > 0 && s.t.tooLarge[at] {
		reason, text = decode.AnswerTooLarge, "the broker refuses the answer to this record as too large: raise max.message.bytes of the output topic, or shorten the id"
	}
	if reason != decode.OK {
		return s.reject(j, at, r, reason, text)
	}
	value := s.ans.encode(c.Partition, r, e, &o, st.seq+1)
	if !j.answers.Append(j.now, r.Key, value) {
		if j.answers.Len() > 0 {
			return false
		}
		return s.reject(j, at, r, decode.AnswerTooLarge, "the answer and the key fit into no batch: shorten the id or the key, or raise max.message.bytes of the output topic")
	}
	// Answered: the value is fixed before the label is looked at for learning.
	st.seq++
	st.counts.Read++
	st.counts.Answered++
	st.proc.Learn(r, o)
	j.offsets = append(j.offsets, r.Offset)
	if st.counts.Answered == s.nextRow {
		s.nextRow *= 2
		s.progress()
	}
	return true
}

// reject dead-letters one record. False: the letter does not fit into this batch, and nothing was done.
func (s *session) reject(j *job, at place, r *Record, reason decode.Reason, text string) bool {
	bare := s.t.bare[at]
	if !s.let.append(j.letters, j.now, at.partition, r, reason, text, bare) {
		if j.letters.Len() > 0 {
			return false
		}
		if bare || !s.let.appendFitting(j.letters, j.now, at.partition, r, reason, text) {
			s.stuck = true // the position stays before this record
			s.stop(errLetter(at))
			return false
		}
	}
	j.rejected = append(j.rejected, r.Offset)
	s.st.counts.reject(reason)
	return true
}

// begin takes a spare job for a chunk.
func (s *session) begin(write context.Context, partition int32) (*job, error) {
	for {
		select {
		case j := <-s.spare:
			j.reset(partition)
			return j, nil
		case r := <-s.t.copies: // a slow broker must not keep /predict waiting
			r.done <- s.st.copyTo(r.into)
		case <-write.Done():
			return nil, context.Cause(write)
		}
	}
}

// send moves the position to next and hands the chunk to the writer, with a copy of the model when a checkpoint is due.
func (s *session) send(write context.Context, j *job, next int64) error {
	s.st.positions[j.partition] = next
	if s.due() {
		s.snapshot(j)
	}
	for {
		select {
		case s.jobs <- j:
			return nil
		case r := <-s.t.copies: // a slow broker must not keep /predict waiting
			r.done <- s.st.copyTo(r.into)
		case <-write.Done():
			return context.Cause(write)
		}
	}
}

// idle is done when nothing comes: a checkpoint that is due, and the status.
func (s *session) idle(write context.Context) error {
	if s.due() {
		j, err := s.begin(write, 0)
		if err != nil {
			return err
		}
		if err := s.send(write, j, s.st.positions[0]); err != nil {
			return err
		}
	}
	s.publishNow(true)
	return nil
}

// finish sends the last copy of the model after all that was answered.
func (s *session) finish(write context.Context) error {
	s.t.publish(s.st, Stopping)
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
	j, err := s.begin(write, 0)
	if err != nil {
		return err
	}
	snap.take(s.st, &s.t.Config)
	snap.last = true
	j.snap = snap
	select {
	case s.jobs <- j:
		return nil
	case <-write.Done():
		return context.Cause(write)
	}
}

func (s *session) moved() bool {
	return s.unsaved.Load() || s.renewed.Load() || s.st.seq != s.snapSeq || s.st.counts.Read != s.snapRead || sum(s.st.positions) != s.snapMoved
}

func (s *session) rememberSnap() {
	s.snapSeq, s.snapRead, s.snapMoved = s.st.seq, s.st.counts.Read, sum(s.st.positions)
}

func sum(xs []int64) (n int64) {
	for _, x := range xs {
		n += x
	}
	return n
}

// due tells whether a checkpoint is due: often enough, and never more than a tenth of the time.
func (s *session) due() bool {
	if !s.moved() {
		return false
	}
	every := s.t.Config.CheckpointEvery
	if every > 0 && s.st.seq-s.snapSeq >= every {
		return true
	}
	return time.Since(s.lastSnap) >= max(s.t.Config.CheckpointInterval, 10*s.lastSave.get())
}

// snapshot copies the state into the job, unless the last copy is still on its way to the disk.
func (s *session) snapshot(j *job) {
	select {
	case snap := <-s.snaps:
		snap.take(s.st, &s.t.Config)
		j.snap = snap
		s.lastSnap = time.Now()
		s.renewed.Store(false)
		s.rememberSnap()
	default:
	}
}
