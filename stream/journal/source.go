package journal

import (
	"context"

	"rosenblatt/stream/topics"
)

type serial struct {
	*topics.Cursor
	topic topics.Topic
	model string
	entry Entry
}

// Open makes a source of a topic of the journal that reads when its next entry is needed, at most max records at a
// time. An empty model allows any.
func Open(log topics.Opener, topic topics.Topic, p topics.Part, model string, max int) Source {
	return &serial{Cursor: topics.NewCursor(log, topic, p, max), topic: topic, model: model}
}

// Next implements Source.
func (s *serial) Next(ctx context.Context) (*Entry, error) {
	r, err := s.Head(ctx)
	if r == nil {
		return nil, err
	}
	s.Take()
	s.entry = Parse(s.topic, s.Partition, r, s.model)
	return &s.entry, nil
}
