package stream

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/late"
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

const noBatchText = "the prediction and the key fit into no batch: " +
	"shorten the id or the key, or raise max.message.bytes of the output topic"

// handle predicts and learns one record, or dead-letters it (PROTOCOL.md, "Predictions and dead letters"). It returns
// full, and has done nothing, if that does not fit into the flight.
func (s *session) handle(f *flight, to *share, c *chunk, i int) placement {
	if f.isFull() {
		return full
	}
	r, e, st := &c.Records[i], &c.Examples[i], s.st
	p := late.Predicted{Partition: to.partition, At: f.now, Record: r, Example: e, Features: c.Features(i)}
	at := topics.Place{Partition: c.Partition, Offset: r.Offset}
	switch skipped, rejected := st.Step(&p); {
	case skipped:
		return placed
	case rejected != nil:
		return s.reject(f, at, r, rejected)
	}
	promoted := s.promotes(f) && s.promote(f, true)
	if promoted {
		// The champion and the new one take the event: the prediction is the new one's.
		p.Outcome, _ = st.Proc.Predict(e, p.Features)
	}
	o := p.Outcome
	run := journal.Run{Kind: journal.Predicted, Partition: to.partition}
	//mutation:predict
	switch f.place(run, to, f.limits.alone, func(to *share) bool { return s.encode(f, to, r, e, o) }) {
	case full:
		return full
	case never:
		if promoted {
			s.takeBack(f)
		}
		return s.reject(f, at, r, event.NewError(event.PredictionTooLarge, noBatchText))
	}
	// Only now is the label learned.
	st.Seq++
	s.t.board.Accept(topics.Input)
	if o.Mistake {
		s.t.board.Mistake(at, r, o)
	}
	p.Seq = st.Seq
	if len(c.ids) > 0 {
		if i >= c.warm {
			st.Labels().Waiting.Prefetch(c.prefetch(i))
		}
		p.Identified, p.ID = true, c.ids[i]
	}
	//mutation:learn
	st.Learn(&p)
	f.add(to.partition, st.Seq)
	if st.Counts.Predictions == s.nextProgress {
		s.nextProgress *= 2
		s.progress()
	}
	return placed
}

// encode adds the prediction for a record to a share, unless it does not fit.
func (s *session) encode(f *flight, to *share, r *topics.Record, e *event.Example, o *model.Outcome) bool {
	value := s.encoder.Append(to.records.Start(f.now, r.Key), to.partition, r, e, o, s.st.Seq+1)
	return to.records.Finish(value)
}

// reject dead-letters one record. It returns full, and has done nothing, if that does not fit into the flight. One that
// never fits ends the session.
func (s *session) reject(f *flight, at topics.Place, r *topics.Record, why *event.Error) placement {
	to := f.share(&f.deadLetters, at.Partition%int32(len(s.st.Fence.DeadLetters)), f.limits.deadLetters)
	to.records.Single = f.limits.deadLetter
	bare := s.t.remembered.headersOnly[at]
	x := journal.Rejection{Topic: s.st.Topology.Of(at.Topic).Name, Partition: at.Partition, Record: r, Why: why}
	if !s.deadLetters.Append(to.records, f.now, x, bare) {
		if to.records.Len() > 0 {
			return full
		}
		if bare || !s.deadLetters.AppendFitting(to.records, f.now, x) {
			s.stuck = true // the position stays before this record
			s.stop(unplaced(at, nil))
			return never
		}
	}
	to.rejected = append(to.rejected, at)
	//mutation:doubted-schema
	s.t.doubt(at.Topic, r, why.Reason)
	s.st.Counts.Of(at.Topic).Reject(why.Reason)
	options := &s.st.Fixed.Decode
	if at.Topic == topics.Labels {
		options = &s.st.Fixed.Late.Decode
	}
	s.t.board.Reject(at, r, options, why)
	return placed
}
