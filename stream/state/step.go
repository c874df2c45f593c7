package state

import (
	"rosenblatt/stream/event"
	"rosenblatt/stream/late"
	"rosenblatt/stream/topics"
)

// Step says what becomes of a record of the input, in this order: it is skipped, rejected or predicted. Of p it takes
// the partition, the record and what was decoded, and sets the outcome of a prediction. What is skipped is counted;
// else nothing has changed. A rejected record gets a dead letter, which the caller writes and counts. A prediction is
// published, then Learn follows.
//
// Live handling, recovery and what is made anew differ in what they do with the result, and in nothing before it: so a
// record that is handled again becomes what it became.
func (s *State) Step(p *late.Predicted) (skipped bool, rejected *event.Error) {
	if s.Skip(topics.Place{Partition: p.Partition, Offset: p.Record.Offset}, p.Example) {
		return true, nil
	}
	p.Outcome, rejected = s.Proc.Predict(p.Example, p.Features)
	return false, rejected
}

// Skip counts a record that was dead-lettered before the takeover, or a tombstone that is to be skipped. What an
// operator skips is not counted.
func (s *State) Skip(at topics.Place, e *event.Example) bool {
	//mutation:dead-letter-final
	if len(s.Dead) > 0 {
		if d, ok := s.Dead.Take(at); ok {
			s.Counts.Of(at.Topic).Reject(d.Reason)
			return true
		}
	}
	if len(s.Skipped) > 0 && at.Topic == topics.Input && topics.Skips(s.Skipped, at.Partition, at.Offset) {
		return true
	}
	if e.Skip {
		s.Counts.Of(at.Topic).SkipTombstone()
	}
	return e.Skip
}

// Learn counts a prediction that is published, and scores and learns it, unless it waits for its outcome.
func (s *State) Learn(p *late.Predicted) {
	s.Counts.Predict(p.Outcome)
	s.Proc.Slice(p.Record, p.Outcome)
	//mutation:publish
	s.Proc.Publish(p.Outcome)
	if s.Pending != nil {
		s.predicted = *p // it is no garbage
		if s.Pending.Predicted(&s.predicted) {
			return
		}
	}
	s.Proc.Learn(p.Record, p.Outcome)
}

// LearnUnpublished is Learn for a record whose prediction is lost, and with it what would become of that.
func (s *State) LearnUnpublished(p *late.Predicted) {
	s.Counts.Predict(p.Outcome)
	s.Proc.Slice(p.Record, p.Outcome)
	s.Proc.Publish(p.Outcome)
	s.Proc.Learn(p.Record, p.Outcome)
}
