package stream

import (
	"fmt"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

const noBatchText = "the prediction and the key fit into no batch: " +
	"shorten the id or the key, or raise max.message.bytes of the output topic"

// handle predicts and learns one record, or dead-letters it (PROTOCOL.md, "Predictions and dead letters"). It returns
// false, and has done nothing, if that does not fit into the flight.
func (s *session) handle(f *flight, to *share, c *chunk, i int) bool {
	r, e, st := &c.Records[i], &c.Examples[i], s.st
	at := topics.Place{Partition: c.Partition, Offset: r.Offset}
	if st.skip(at, e) {
		return true
	}
	o, rejected := st.proc.Predict(e, c.Features(i))
	if rejected != nil {
		return s.reject(f, at, r, rejected)
	}
	run := journal.Run{Kind: journal.Predicted, Partition: to.partition}
	//mutation:predict
	if !f.admitsRun(run) || !s.encode(f, to, r, e, o) {
		if len(f.layout.Runs) > 0 {
			return false
		}
		to.records.Limit, f.full = f.limits.alone, true
		if !s.encode(f, to, r, e, o) {
			return s.reject(f, at, r, event.NewError(event.PredictionTooLarge, noBatchText))
		}
	}
	// Only now is the label learned.
	st.seq++
	st.counts.Predict(o)
	s.t.rejects.accept()
	if o.Mistake {
		s.t.recent.mistake(at, r, o)
	}
	p := late.Predicted{Seq: st.seq, Partition: to.partition, At: f.now, Record: r, Example: e, Features: c.Features(i),
		Outcome: o}
	if len(c.ids) > 0 {
		if i >= c.warm {
			st.labels().Waiting.Expect(c.expect(i))
		}
		p.Identified, p.ID = true, c.ids[i]
	}
	//mutation:learn
	st.learn(&p)
	f.add(to.partition, st.seq)
	if st.counts.Predictions == s.nextProgress {
		s.nextProgress *= 2
		s.progress()
	}
	return true
}

// encode adds the prediction for a record to a share, unless it does not fit.
func (s *session) encode(f *flight, to *share, r *topics.Record, e *event.Example, o *model.Outcome) bool {
	value := s.encoder.Append(to.records.Start(f.now, r.Key), to.partition, r, e, o, s.st.seq+1)
	return to.records.Finish(value)
}

// skip counts a record that was dead-lettered before the takeover, or a tombstone that is to be skipped.
func (st *state) skip(at topics.Place, e *event.Example) bool {
	//mutation:dead-letter-final
	if len(st.dead) > 0 {
		if d, ok := st.dead.take(at); ok {
			st.counts.Of(at.Topic).Reject(d.reason)
			return true
		}
	}
	if e.Skip {
		st.counts.Of(at.Topic).SkipTombstone()
	}
	return e.Skip
}

// skipLabel is skip of a label record. One whose event did not wait any longer counts for its label.
func (st *state) skipLabel(at topics.Place, r *topics.Record, e *event.Example, id labels.ID) bool {
	//mutation:late-counted-again
	if st.dead.isOf(at, event.LateLabel) && e.Rejected == nil {
		st.labels().CountLate(e, r, id)
	}
	return st.skip(at, e)
}

// reject dead-letters one record. It returns false, and has done nothing, if that does not fit into the flight.
func (s *session) reject(f *flight, at topics.Place, r *topics.Record, why *event.Error) bool {
	to := f.share(&f.deadLetters, at.Partition%int32(len(s.st.fence.DeadLetters)), f.limits.deadLetters)
	to.records.Single = f.limits.deadLetter
	bare := s.t.bare[at]
	x := journal.Rejection{Topic: s.st.topology.Of(at.Topic).Name, Partition: at.Partition, Record: r, Why: why}
	if !s.deadLetters.Append(to.records, f.now, x, bare) {
		if to.records.Len() > 0 {
			return false
		}
		if bare || !s.deadLetters.AppendFitting(to.records, f.now, x) {
			s.stuck = true // the position stays before this record
			s.stop(unplaced(at, nil))
			return false
		}
	}
	to.rejected = append(to.rejected, at)
	s.st.counts.Of(at.Topic).Reject(why.Reason)
	s.t.recent.reject(at, r, why)
	if at.Topic == topics.Labels {
		s.t.badLabels.add(&s.t.Logger, at, &s.st.fixed.Late.Decode, r.Value, why)
	} else {
		s.t.rejects.add(&s.t.Logger, at, &s.st.fixed.Decode, r.Value, why)
	}
	return true
}

// unplaced is the stop for a record whose dead letter cannot be written.
func unplaced(at topics.Place, cause error) *stops.Error {
	s := &stops.Error{Name: stops.KafkaError, Cause: cause,
		What: fmt.Sprintf("%v is rejected, and its dead letter fits into no batch even without value and key", at),
		Safe: "everything up to this record; its position is not passed",
		Do:   "raise max.message.bytes of the dead-letter topic, and start again"}
	if cause != nil {
		s.What = fmt.Sprintf("%v is rejected, and the broker refuses its dead letter even without value and key: %v",
			at, cause)
	}
	return s
}
