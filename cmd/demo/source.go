package main

import (
	"io"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/generate"
)

// eventSource supplies events; event n, from 0, becomes offset n of the input topic.
type eventSource interface {
	// next returns an event, valid until the following call; io.EOF at the end.
	next() ([]byte, error)
	// skip is called once, before next.
	skip(n int64) error
	close()
}

// feedable is a source with its settings for the daemon.
type feedable struct {
	eventSource
	topic   string        // the input topic, and the model's name
	title   string        // what it is, for people
	note    string        // which label was chosen; may be empty
	reading daemon.Events // how its events are read
}

// synthetic is the rotating hyperplane.
type synthetic struct {
	plane *generate.Hyperplane
	end   int64 // events it has; 0: endless
	value []byte
}

func newSynthetic(end int64) *feedable {
	return &feedable{
		eventSource: &synthetic{plane: generate.New(1), end: end},
		topic:       "hyperplane",
		title:       "a drifting synthetic stream (a turning plane; 5 % of labels wrong on purpose)",
		reading:     daemon.Defaults().Events,
	}
}

// rarePayments are payments, few of them frauds.
type rarePayments struct {
	stream *generate.Payments
	end    int64 // events it has; 0: endless
	value  []byte
}

func newPayments(end int64) *feedable {
	reading := daemon.Defaults().Events
	reading.LabelNames = []string{"fine", "fraud"}
	return &feedable{
		eventSource: &rarePayments{stream: generate.NewPayments(1), end: end},
		topic:       "payments",
		title:       "made payments, one in a hundred a fraud, whose country moves on",
		note:        "fraud",
		reading:     reading,
	}
}

func (s *rarePayments) next() ([]byte, error) {
	if s.end > 0 && s.stream.Position() >= s.end {
		return nil, io.EOF
	}
	s.value = s.stream.AppendJSON(s.value[:0])
	return s.value, nil
}

func (s *rarePayments) skip(n int64) error {
	s.stream.SkipTo(n)
	return nil
}

func (s *rarePayments) close() {}

func (s *synthetic) next() ([]byte, error) {
	if s.end > 0 && s.plane.Position() >= s.end {
		return nil, io.EOF
	}
	s.value = s.plane.AppendJSON(s.value[:0])
	return s.value, nil
}

func (s *synthetic) skip(n int64) error {
	s.plane.SkipTo(n)
	return nil
}

func (s *synthetic) close() {}
