package verify

import (
	"context"
	"fmt"
	"time"

	"rosenblatt/stream/topics"
)

// patience is how long a partition may return no record below its end: a transaction may be open, brokers unreachable.
const patience = 2 * time.Minute

// patientReader fails where a partition returns no record for long.
type patientReader struct {
	topics.Reader
	topic     topics.TopicState
	partition int32
	moved     time.Time // when the position moved
}

// Read implements topics.Reader.
func (p *patientReader) Read(ctx context.Context, c *topics.Run, max int) error {
	from := c.Next
	err := p.Reader.Read(ctx, c, max)
	switch {
	case err != nil:
	case c.Next > from:
		p.moved = time.Now()
	case time.Since(p.moved) > patience:
		err = fmt.Errorf("topic %s partition %d returned no record for %s at offset %d, below its end %d:"+
			" a transaction may be open",
			p.topic.Name, p.partition, patience, from, p.topic.Partitions[p.partition].End)
	}
	return err
}

// Open implements topics.Opener.
func (a *auditor) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	return a.open(topic, partition, from, nil)
}

// open opens a partition so that these ranges of the input are passed; the log has one setting for all.
func (a *auditor) open(topic topics.Topic, partition int32, from int64, pass []topics.SkipRange) topics.Reader {
	state := map[topics.Topic]topics.TopicState{
		topics.Input: a.top.Input, topics.Output: a.top.Output, topics.DeadLetters: a.top.DeadLetters,
	}[topic]
	a.opening.Lock()
	defer a.opening.Unlock()
	a.Log.Skip(pass)
	reader := a.Log.Open(topic, partition, from)
	return &patientReader{Reader: reader, topic: state, partition: partition, moved: time.Now()}
}
