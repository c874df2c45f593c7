package stream

import (
	"context"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// tail is one output partition between its saved end and its marker, as a stream of answers.
type tail struct {
	r         *recovery
	partition int32
	marker    int64
	reader    topics.Reader
	chunk     topics.Run
	i         int // the next record of chunk
	have      bool
	answer    journal.Prediction // if have
	offset    int64              // of answer
}

func (r *recovery) openTail(partition int32, from, marker int64) *tail {
	return &tail{r: r, partition: partition, marker: marker, reader: r.t.Log.Open(topics.Output, partition, from), chunk: topics.Run{Partition: partition, Next: from}}
}

// next is the offset from which the partition is still to be followed.
func (t *tail) next() int64 {
	if t.have {
		return t.offset
	}
	if t.i < len(t.chunk.Records) {
		return t.chunk.Records[t.i].Offset
	}
	return min(t.chunk.Next, t.marker)
}

// fill makes answer the partition's next one; have stays false at the marker.
func (t *tail) fill(ctx context.Context) error {
	for !t.have {
		if t.i == len(t.chunk.Records) {
			if t.chunk.Next >= t.marker {
				return nil
			}
			t.i = 0
			if err := t.reader.Read(ctx, &t.chunk, t.r.t.Config.ChunkRecords); err != nil {
				return err
			}
			continue
		}
		rec := &t.chunk.Records[t.i]
		t.i++
		if rec.Offset >= t.marker {
			t.i = len(t.chunk.Records)
			return nil
		}
		a, err := journal.ParsePrediction(rec.Value)
		if err != nil || !journal.IsModel(a.Model, t.r.t.Config.Model) {
			return foreign(t.r.top.Output.Name, int(t.partition), rec, err)
		}
		t.have, t.answer, t.offset = true, a, rec.Offset
	}
	return nil
}

// nextTail returns the partition that holds the next answer by seq; nil when all are at their markers.
func nextTail(ctx context.Context, tails []*tail) (*tail, error) {
	var first *tail
	least := int64(math.MaxInt64)
	for _, t := range tails {
		if err := t.fill(ctx); err != nil {
			return nil, err
		}
		if t.have && t.answer.Seq < least {
			first, least = t, t.answer.Seq
		}
	}
	return first, nil
}
