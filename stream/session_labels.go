package stream

import (
	"context"
	"time"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/late"
	"rosenblatt/stream/topics"
)

// releaseHeld gives a held label its turn by time where its event is known by now. It need not wait for what other
// partitions hold in open transactions.
func (s *labelledSession) releaseHeld() {
	for n := range s.merger.sources {
		x := &s.merger.sources[n]
		if !x.held {
			continue
		}
		c := x.chunks[0]
		//mutation:held-label-released
		if s.late.Waiting.Knows(c.ids[c.handled]) {
			s.merger.release(n)
		}
	}
}

// learnLabels handles the label records of a chunk, or the next part of them, up to one that has to wait.
func (s *labelledSession) learnLabels(write context.Context, n int, c *chunk) error {
	end := s.merger.part(c)
	for {
		if err := s.begin(write); err != nil {
			return err
		}
		switch s.labelRun(s.flights.open, n, c, end) {
		case allHandled:
			s.st.LabelPositions[c.Partition] = c.position()
			s.st.Moved(topics.Labels, c.Partition, c.position(), c.Leader)
			s.t.board.CopySamples()
			return s.learned(write, n, c)
		case flightFull:
			if s.complete(); s.stuck {
				return nil
			}
		case eventUnknown:
			s.merger.hold(n)
			return s.interrupted(write)
		case eventWanted:
			s.merger.pause(n)
			s.wantAhead(n)
			s.recaller.request(s.late)
			return s.interrupted(write)
		}
	}
}

// interrupted offers what was made of a chunk that has to wait.
func (s *labelledSession) interrupted(write context.Context) error {
	s.t.board.CopySamples()
	s.flights.keep = s.merger.pick() >= 0
	return s.offer(write)
}

// progress of a run of label records.
type labelProgress uint8

const (
	handled      labelProgress = iota // one record is
	allHandled                        // all are
	flightFull                        // the next record, or an outcome that is due, does not fit
	eventUnknown                      // the next record's event may still come
	eventWanted                       // the next record's event has to be read back
)

// labelRun handles the next records of a chunk up to an end, and outcomes as they are due.
func (s *labelledSession) labelRun(f *flight, n int, c *chunk, end int) labelProgress {
	began := time.Now()
	f.now = began.UnixMilli()
	defer func() {
		f.learning += time.Since(began)
		f.full = f.full || f.learning >= maxLearning || f.bytes >= maxFlightBytes-maxBatchBytes
	}()
	for {
		switch {
		case s.placeDue(f) == full, f.isFull():
			return flightFull
		case c.handled == end:
			return allHandled
		}
		if p := s.label(f, n, c); p != handled {
			return p
		}
		r := &c.Records[c.handled]
		c.handled++
		s.st.LabelPositions[c.Partition] = r.Offset + 1
		s.st.Moved(topics.Labels, c.Partition, r.Offset+1, c.Leader)
		//mutation:label-moves-time
		s.late.NoteRead(c.Partition, r, f.now)
	}
}

// label handles the next record of a chunk. It returns handled, or has done nothing.
func (s *labelledSession) label(f *flight, n int, c *chunk) labelProgress {
	l, i := s.late, c.handled
	r, e := &c.Records[i], &c.Examples[i]
	at := topics.Place{Topic: topics.Labels, Partition: c.Partition, Offset: r.Offset}
	switch {
	case s.st.SkipLabel(at, r, e, c.ids[i]):
		return handled
	case e.Rejected != nil:
		return s.rejectLabel(f, at, r, e.Rejected)
	}
	l.IDs.NoteKind(&l.LabelKinds, e, r)
	if i >= c.warm {
		l.Cache.Warm(l.Waiting.Warm(c.prefetch(i)))
	}
	switch verdict, x := l.Waiting.Find(c.ids[i], labels.LabelOf(e)); verdict {
	case labels.Waits:
		return s.placeLabel(f, at, x, &late.LabelRecord{Partition: c.Partition, Record: r, Example: e})
	case labels.Repeat:
		l.CountRepeat()
		s.t.board.Accept(topics.Labels)
		return handled
	case labels.Conflicting:
		return s.rejectLabel(f, at, r, labels.Conflicting.Error(false))
	case labels.Late:
		p := s.rejectLabel(f, at, r, labels.Late.Error(s.inSeconds(r)))
		if p == handled {
			l.CountLate(e, r, c.ids[i])
		}
		return p
	}
	//mutation:label-waits-for-event
	if !s.merger.past(n) {
		return eventUnknown
	}
	why := labels.NoExample.Error(s.inSeconds(r))
	if s.t.Config.Partition != nil && !s.inSeconds(r) {
		why = errNoExampleHere
	}
	s.t.board.ApartIDs(l.Apart())
	return s.rejectLabel(f, at, r, why)
}

// errNoExampleHere is about a label for a model of one partition.
var errNoExampleHere = event.NewError(event.NoExample, "no event of this partition that was predicted has its id;"+
	" producers have to place its key with the partitioner of the events, and a number and a number in quotes are two"+
	" ids")

// inSeconds reports whether the timestamp of a label, or those of events, seem to be in seconds.
func (s *labelledSession) inSeconds(r *topics.Record) bool {
	return labels.InSeconds(r.Timestamp) || s.t.board.Seconds[topics.Input].Load()
}

func (s *labelledSession) rejectLabel(f *flight, at topics.Place, r *topics.Record, why *event.Error) labelProgress {
	if s.reject(f, at, r, why) != placed {
		return flightFull
	}
	return handled
}

// placeLabel places the outcome of a label whose example waits.
func (s *labelledSession) placeLabel(
	f *flight, at topics.Place, x *labels.Example, label *late.LabelRecord,
) labelProgress {
	l := s.late
	k, known := l.Features(x)
	if !known {
		l.Want(x)
		return eventWanted
	}
	o, rejected := l.MakeLabelled(x, k, label, s.st.Proc)
	if rejected == nil && s.promotes(f) && s.promote(f, true) {
		o, rejected = l.MakeLabelled(x, k, label, s.st.Proc)
	}
	switch {
	case rejected != nil:
		return s.rejectLabel(f, at, label.Record, rejected)
	case s.placeOutcome(f, o) == full:
		return flightFull
	}
	s.t.board.Accept(topics.Labels)
	l.CountLabel(label.Example, label.Record, labels.Labelled)
	return handled
}

// placeNow places what is due in a flight: label time may have moved without records, and events were read back.
func (s *labelledSession) placeNow(write context.Context) error {
	l := s.late
	s.merger.tick()
	l.Clock.Advance(time.Now().UnixMilli())
	for l.IsDue() {
		if err := s.begin(write); err != nil {
			return err
		}
		f := s.flights.open
		f.now = time.Now().UnixMilli()
		if s.placeDue(f) == placed {
			break
		}
		s.complete()
	}
	if s.recaller.request(l); s.flights.open == nil {
		return nil
	}
	return s.offer(write)
}
