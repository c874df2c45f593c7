package stream

import (
	"context"

	"rosenblatt/stream/topics"
)

// awaitSchemas waits until the schemas are known that records which were read need. Meanwhile it holds nothing that
// other partitions need: neither its turn, nor the place of one whose result of several chunks is being passed on. It
// returns whether the reader has a turn now.
func (s *session) awaitSchemas(ctx context.Context, topic topics.Topic, run *topics.Run, has, passing bool) (bool,
	error) {
	ids := s.t.missingSchemas(topic, run.Records)
	if len(ids) == 0 {
		return has, nil
	}
	//mutation:wait-holds-turn
	if has {
		<-s.chunks.turns
	}
	//mutation:wait-holds-passing
	if passing {
		s.chunks.end()
	}
	err := s.t.awaitSchemas(ctx, topic, run.Partition, ids)
	if err == nil {
		s.t.countFirst(topic, run.Records, ids)
	}
	if passing && err == nil {
		s.chunks.begin(ctx)
	}
	return false, err
}
