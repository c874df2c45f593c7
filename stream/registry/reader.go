package registry

import (
	"context"

	"rosenblatt/stream/topics"
)

// Opener opens partitions whose readers wait for the schemas of what they read.
type Opener struct {
	topics.Opener
	Gate *Gate
	// Framing says how a topic's values name their schemas; ok is false where they do not. It is asked at each Read.
	Framing func(t topics.Topic) (as Framing, ok bool)
}

// Open implements topics.Opener.
func (o Opener) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	return o.Reader(topic, partition, o.Opener.Open(topic, partition, from))
}

// Reader lets a reader of a partition wait.
func (o Opener) Reader(topic topics.Topic, partition int32, reader topics.Reader) topics.Reader {
	return &awaiting{reader, o, topic, partition}
}

type awaiting struct {
	topics.Reader
	as        Opener
	topic     topics.Topic
	partition int32
}

// Read implements topics.Reader.
func (r *awaiting) Read(ctx context.Context, run *topics.Run, max int) error {
	if err := r.Reader.Read(ctx, run, max); err != nil {
		return err
	}
	as, ok := r.as.Framing(r.topic)
	if !ok {
		return nil
	}
	g := r.as.Gate
	ids := g.Missing(as, run.Records)
	err := g.Await(ctx, r.topic, r.partition, ids)
	//mutation:first-records-counted
	if err == nil && len(ids) > 0 {
		g.CountFirst(as, run.Records, ids)
	}
	return err
}

// Advance implements topics.AdvanceReader, where the reader does.
func (r *awaiting) Advance(to int64) {
	if a, ok := r.Reader.(topics.AdvanceReader); ok {
		a.Advance(to)
	}
}
