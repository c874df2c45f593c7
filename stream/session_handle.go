package stream

import (
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

const (
	refusedText = "the broker refuses the prediction for this record as too large: " +
		"raise max.message.bytes of the output topic, or shorten the id"
	noBatchText = "the prediction and the key fit into no batch: " +
		"shorten the id or the key, or raise max.message.bytes of the output topic"
)

// handle predicts and learns one record, or dead-letters it (PROTOCOL.md, "Predictions and dead letters"). It returns
// false, and has done nothing, if that does not fit into the job's batch.
func (s *session) handle(j *writeJob, c *chunk, i int) bool {
	r, e, st := &c.Records[i], &c.Examples[i], s.st
	at := place{c.Partition, r.Offset}
	if st.skip(at, e) {
		return true
	}
	o, rejected := st.proc.Predict(e, c.Features(i))
	if rejected == nil && len(s.t.tooLarge) > 0 && s.t.tooLarge[at] {
		rejected = event.NewError(event.PredictionTooLarge, refusedText)
	}
	if rejected != nil {
		return s.reject(j, at, r, rejected)
	}
	//mutation:predict
	prediction := s.encoder.Append(j.predictions.Start(j.now, r.Key), c.Partition, r, e, o, st.seq+1)
	if !j.predictions.Finish(prediction) {
		if j.predictions.Len() > 0 {
			return false
		}
		return s.reject(j, at, r, event.NewError(event.PredictionTooLarge, noBatchText))
	}
	// Only now is the label learned.
	st.seq++
	st.counts.Read++
	st.counts.Answered++
	if o.Mistake {
		s.t.recent.mistake(at, r, o)
	}
	//mutation:learn
	st.proc.Learn(r, o)
	j.predicted = append(j.predicted, r.Offset)
	if st.counts.Answered == s.nextProgress {
		s.nextProgress *= 2
		s.progress()
	}
	return true
}

// skip counts a record that was dead-lettered before the takeover, or a tombstone that is to be skipped.
func (st *state) skip(at place, e *event.Example) bool {
	//mutation:dead-letter-final
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
	}
	return e.Skip
}

// reject dead-letters one record. It returns false, and has done nothing, if that does not fit into the job's batch.
func (s *session) reject(j *writeJob, at place, r *topics.Record, why *event.Error) bool {
	bare, x := s.t.bare[at], journal.Rejection{Partition: at.partition, Record: r, Why: why}
	if !s.deadLetters.Append(j.deadLetters, j.now, x, bare) {
		if j.deadLetters.Len() > 0 {
			return false
		}
		if bare || !s.deadLetters.AppendFitting(j.deadLetters, j.now, x) {
			s.stuck = true // the position stays before this record
			s.stop(errNoBatch(at))
			return false
		}
	}
	j.rejected = append(j.rejected, r.Offset)
	s.st.counts.Reject(why.Reason)
	s.t.recent.reject(at, r, why)
	return true
}

func errNoBatch(at place) error {
	return fmt.Errorf("input partition %d offset %d: its dead letter fits into no batch even without value and key: "+
		"raise max.message.bytes of the dead-letter topic", at.partition, at.offset)
}
