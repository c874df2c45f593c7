package replay

import (
	"context"

	"rosenblatt/stream/topics"
)

// Part is a stretch of a partition: offsets From up to, and not including, To.
type Part struct {
	Partition int32
	From, To  int64
}

// Opener opens partitions for reading; stream.Log is one.
type Opener interface {
	Open(topic topics.Topic, partition int32, from int64) topics.Reader
}

// fetchRecords is how many records are asked for at a time.
const fetchRecords = 2048

// partition reads a stretch of a partition record by record.
type partition struct {
	Part
	reader topics.Reader
	chunk  topics.Run
	i      int // the next record of chunk
}

func openPartition(log Opener, topic topics.Topic, p Part) *partition {
	return &partition{Part: p, reader: log.Open(topic, p.Partition, p.From), chunk: topics.Run{Partition: p.Partition, Next: p.From}}
}

// head returns the next record without taking it; nil at the end of the stretch.
func (p *partition) head(ctx context.Context) (*topics.Record, error) {
	for p.i == len(p.chunk.Records) {
		if p.chunk.Next >= p.To {
			return nil, nil
		}
		p.i = 0
		p.chunk.Records = p.chunk.Records[:0] // what was taken is a copy
		if err := p.reader.Read(ctx, &p.chunk, fetchRecords); err != nil {
			return nil, err
		}
	}
	if r := &p.chunk.Records[p.i]; r.Offset < p.To {
		return r, nil
	}
	return nil, nil
}

// take passes the head.
func (p *partition) take() { p.i++ }

// behind tells whether the next record would have to be fetched: a block should not wait for it.
func (p *partition) behind() bool { return p.i == len(p.chunk.Records) && p.chunk.Next < p.To }

// done counts the offsets passed.
func (p *partition) done() int64 {
	at := p.chunk.Next
	if p.i < len(p.chunk.Records) {
		at = p.chunk.Records[p.i].Offset
	}
	return min(at, p.To) - p.From
}
