package stream_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
)

// spoilingLog returns records in memory of their own and overwrites it as soon as it is released, as a busy reader does
// sooner or later.
type spoilingLog struct {
	topics.Log
	released *int
}

func (l spoilingLog) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := l.Log.Open(topic, partition, from)
	if topic != topics.Input {
		return r
	}
	return spoilingReader{r, l.released}
}

type spoilingReader struct {
	topics.Reader
	released *int
}

func (r spoilingReader) Read(ctx context.Context, c *topics.Run, most int) error {
	if err := r.Reader.Read(ctx, c, min(most, 7)); err != nil {
		return err
	}
	m := &spoiled{released: r.released}
	for i := range c.Records {
		record := &c.Records[i]
		record.Key, record.Value, record.Headers = m.copy(record.Key), m.copy(record.Value), m.copy(record.Headers)
	}
	c.Hold(m)
	return nil
}

type spoiled struct {
	memory   [][]byte
	released *int
}

func (m *spoiled) copy(b []byte) []byte {
	if b == nil {
		return nil
	}
	b = bytes.Clone(b)
	m.memory = append(m.memory, b)
	return b
}

func (m *spoiled) Release() { // called by the learner of the one task
	for _, b := range m.memory {
		for i := range b {
			b[i] = 0xfe
		}
	}
	*m.released += len(m.memory)
}

// TestReleasedMemoryIsNotUsed: what a chunk has released reaches no prediction, dead letter, weight, name or class.
func TestReleasedMemoryIsNotUsed(t *testing.T) {
	t.Parallel()
	for _, task := range []string{event.Binary, event.Multiclass} {
		t.Run(task, func(t *testing.T) {
			s := streamtest.New(t, streamtest.Start(t), 2)
			s.Config.ModelConfig.Decode.Task = task
			released := 0
			s.Wrap = func(l topics.Log) topics.Log { return spoilingLog{l, &released} }
			for p := range 2 {
				values := events(uint64(p), 300)
				for i := range values {
					if i%20 == 3 {
						values[i] = fmt.Sprintf(`{"broken":%d`, i)
					}
				}
				s.Cluster.Produce(t, s.Name, p, values...)
			}
			s.MustRun(t)
			if released < 600 {
				t.Fatalf("the memory of %d keys, values and headers was released, want that of 600 records", released)
			}
			s.Wrap = nil
			s.Audit(t)
			s.MustRun(t)
			s.Audit(t)
		})
	}
}
