package verify

import (
	"context"
	"fmt"
	"time"

	"rosenblatt/stream/readahead"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// patience is how long a partition may return no record below its end: a transaction may be open, brokers unreachable.
const patience = 2 * time.Minute

// readAhead makes the group of what is read ahead.
func (a *auditor) readAhead() error {
	decoders, err := readahead.Decoders(a.From.Config.Decode, 2)
	if err == nil {
		partitions := 2*len(a.top.Output.Partitions) + len(a.top.Outcomes.Partitions) // with their inputs
		a.ahead = readahead.New(a.ctx, decoders, a.Model, partitions)
	}
	return err
}

// read reads a partition ahead, up to an offset.
func (a *auditor) read(topic topics.Topic, partition int32, from, to int64) *readahead.Cursor {
	p := topics.Part{Partition: partition, From: from, To: to}
	if topic == topics.Input {
		return a.ahead.Open(topic, p, a.openInput(partition, from))
	}
	return a.ahead.Open(topic, p, a.Open(topic, partition, from))
}

func (a *auditor) openInput(partition int32, from int64) topics.Reader {
	reader := a.Open(topics.Input, partition, from)
	if len(a.From.Skipped) > 0 {
		return &skipReader{Reader: reader, a: a, partition: partition, opened: -1}
	}
	return reader
}

// skipReader passes over what cannot be read of the input and --skip passed. Readable records of it may have been
// predicted before, so they are not passed.
type skipReader struct {
	topics.Reader
	a         *auditor
	partition int32
	opened    int64 // where it was opened with the ranges, or -1
}

// Read implements topics.Reader.
func (s *skipReader) Read(ctx context.Context, c *topics.Run, max int) error {
	from := c.Next
	err := s.Reader.Read(ctx, c, max)
	if stops.Is(err, stops.BadBatch) && s.opened < from {
		s.Reader, s.opened = s.a.open(topics.Input, s.partition, from, s.a.From.Skipped), from
		c.Reset(s.partition, from)
		err = s.Reader.Read(ctx, c, max)
	}
	return err
}

// patientReader fails where a partition returns no record for long.
type patientReader struct {
	topics.Reader
	topic     topics.TopicState
	partition int32
	empty     time.Time // since when nothing was returned; zero: something was
}

// Read implements topics.Reader.
func (p *patientReader) Read(ctx context.Context, c *topics.Run, max int) error {
	from := c.Next
	err := p.Reader.Read(ctx, c, max)
	switch {
	case err != nil:
	case c.Next > from:
		p.empty = time.Time{}
	case p.empty.IsZero(): // nobody may have asked for long
		p.empty = time.Now()
	case time.Since(p.empty) > patience:
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
	a.opening.Lock()
	defer a.opening.Unlock()
	a.Log.Skip(pass)
	reader := a.Log.Open(topic, partition, from)
	return &patientReader{Reader: reader, topic: *a.top.Of(topic), partition: partition}
}
