package main

import (
	"io"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/stream/event"
)

// eventSource gives the events to feed, in order; event n, counted from 0, becomes offset n of the input topic.
type eventSource interface {
	// next gives the next event, in memory that the following call may use again; io.EOF at the end.
	next() ([]byte, error)
	// skip passes the first n events by. It is called once, before next.
	skip(n int64) error
	close()
}

// feedable is a source with what has to be known to run the daemon on it.
type feedable struct {
	eventSource
	topic   string        // its input topic, which is the model's name too
	title   string        // what it is, for people
	note    string        // what was chosen for the user; may be empty
	reading daemon.Events // how its events are read; what is empty is the default
}

// synthetic is the rotating hyperplane.
type synthetic struct {
	plane *generate.Hyperplane
	end   int64 // events it has; 0 without end
	value []byte
}

// seed gives a plane that is nothing special.
const seed = 1

func newSynthetic(end int64) *feedable {
	return &feedable{
		eventSource: &synthetic{plane: generate.New(seed), end: end},
		topic:       "hyperplane",
		title:       "a drifting synthetic stream (a turning plane; 5 % of labels wrong on purpose)",
		reading:     daemon.Events{Format: event.JSON},
	}
}

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
