package daemon

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"

	"rosenblatt/stream/kafka"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// Sample says how many of a topic's newest records are read.
type Sample struct {
	Records    int64
	Partitions int // of no more partitions than these, chosen at random; 0: of all
}

// ReadNewest reads the newest records of a topic, in the order of their timestamps, and returns how many partitions it
// has.
func (s Sample) ReadNewest(
	ctx context.Context, client *kafka.Client, topic topics.Topic, add func(partition int32, r *topics.Record),
) (partitions int, err error) {
	starts, err := client.OffsetsAt(ctx, topic, LogStart)
	if err != nil {
		return 0, err
	}
	ends, err := client.OffsetsAt(ctx, topic, LogEnd)
	if err != nil {
		return 0, err
	}
	partitions = min(len(starts), len(ends))
	from := replay.FromTopic("", asInput{client, topic}, s.newest(starts, ends))
	for done := false; !done; {
		var b replay.Block
		err := from.Fill(ctx, &b)
		if done = errors.Is(err, io.EOF); err != nil && !done {
			return 0, err
		}
		for i := range b.Records {
			add(b.Partitions[i], &b.Records[i])
		}
	}
	return partitions, nil
}

// newest returns the last offsets of partitions, or a few more than there are to be: as many of each, and those that
// some lack of others.
func (s Sample) newest(starts, ends []int64) (parts []topics.Part) {
	for p := range min(len(starts), len(ends)) {
		if ends[p] > starts[p] {
			parts = append(parts, topics.Part{Partition: int32(p), From: ends[p], To: ends[p]})
		}
	}
	if s.Partitions > 0 && len(parts) > s.Partitions {
		rand.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		parts = parts[:s.Partitions]
	}
	n := s.Records
	each := (n + int64(len(parts)) - 1) / max(1, int64(len(parts)))
	for i := range parts {
		p := &parts[i]
		p.From = max(starts[p.Partition], p.To-each)
		n -= p.To - p.From
	}
	for i := range parts {
		p := &parts[i]
		more := max(0, min(n, p.From-starts[p.Partition]))
		p.From -= more
		n -= more
	}
	return parts
}

// asInput opens partitions of one topic for a source that reads the input.
type asInput struct {
	topics.Opener
	topic topics.Topic
}

// Open implements topics.Opener.
func (a asInput) Open(_ topics.Topic, partition int32, offset int64) topics.Reader {
	return a.Opener.Open(a.topic, partition, offset)
}
