package verify

import (
	"context"
	"fmt"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// blockRecords is how many records are read and prepared in one go: few, for every partition keeps some blocks ahead.
const blockRecords = 512

// ahead is how many blocks a feed has: one at hand, one being prepared, one being read.
const ahead = 3

// patience is how long a partition may give nothing though its end is further on: an open transaction, or brokers away.
const patience = 2 * time.Minute

// block is a run of records of a partition, decoded.
type block struct {
	topics.Run
	input    bool              // examples are decoded; else answers are
	examples []event.Example   // beside Records
	arena    []learner.Feature // of all examples
	answers  []answer          // beside Records
	ready    chan struct{}
}

// feed is one partition of a topic as a stream of prepared records.
type feed struct {
	ctx    context.Context
	blocks chan *block // in the order of the partition
	free   chan *block
	err    error // why it ended early; read when blocks is closed
	now    *block
	i      int // the next record of now
}

// open begins to read a partition up to an offset, in a goroutine of its own.
func (a *auditor) open(topic topics.Topic, partition int32, from, to int64) *feed {
	f := &feed{ctx: a.ctx, blocks: make(chan *block, ahead), free: make(chan *block, ahead)}
	for range ahead {
		f.free <- &block{input: topic == topics.Input, ready: make(chan struct{}, 1)}
	}
	a.group.Go(func() error {
		defer close(f.blocks)
		f.err = a.read(f, topic, partition, from, to)
		return nil
	})
	return f
}

// read fills block after block, and hands each out to be prepared and, in order, to be used.
func (a *auditor) read(f *feed, topic topics.Topic, partition int32, from, to int64) error {
	reader, reopened, moved := a.reader(topic, partition, from, nil), int64(-1), time.Now()
	for next := from; next < to; {
		var b *block
		select {
		case b = <-f.free:
		case <-a.ctx.Done():
			return a.ctx.Err()
		}
		b.Run.Partition, b.Run.Next = partition, next
		err := reader.Read(a.ctx, &b.Run, blockRecords)
		switch {
		case stops.Is(err, stops.BadBatch) && topic == topics.Input && len(a.From.Skipped) > 0 && reopened < next:
			// What --skip passed may be unreadable. Readable records of such a range may have been answered before,
			// so only now is it passed.
			reader, reopened = a.reader(topic, partition, next, a.From.Skipped), next
			f.free <- b
			continue
		case err != nil:
			return err
		case len(b.Run.Records) > 0 || b.Run.Next > next:
			moved = time.Now()
		case time.Since(moved) > patience:
			return a.stalled(topic, partition, next, to)
		}
		next = b.Run.Next
		if len(b.Run.Records) == 0 {
			f.free <- b
			continue
		}
		select {
		case a.work <- b:
			f.blocks <- b // as roomy as there are blocks
		case <-a.ctx.Done():
			return a.ctx.Err()
		}
	}
	return nil
}

func (a *auditor) stalled(topic topics.Topic, partition int32, at, end int64) error {
	return fmt.Errorf("topic %s partition %d gave nothing for %s at offset %d, below its end %d: a transaction may be open",
		a.topicName(topic), partition, patience, at, end)
}

// reader opens a partition so that these ranges of the input are passed. What is to be passed is the log's to know.
func (a *auditor) reader(topic topics.Topic, partition int32, from int64, pass []topics.SkipRange) topics.Reader {
	a.opening.Lock()
	defer a.opening.Unlock()
	a.Log.Skip(pass)
	return a.Log.Open(topic, partition, from)
}

// prepare decodes or parses blocks until the audit ends.
func (a *auditor) prepare(d *event.Decoder) error {
	for {
		select {
		case <-a.ctx.Done():
			return nil
		case b := <-a.work:
			if b.input {
				b.decode(d)
			} else {
				b.parse(a.Model)
			}
			b.ready <- struct{}{}
		}
	}
}

func (b *block) decode(d *event.Decoder) {
	if cap(b.examples) < len(b.Records) {
		b.examples = make([]event.Example, blockRecords)
	}
	b.examples, b.arena = b.examples[:len(b.Records)], b.arena[:0]
	for i := range b.Records {
		b.arena = d.Decode(b.Records[i].Key, b.Records[i].Value, b.arena, &b.examples[i])
	}
}

func (b *block) parse(model string) {
	b.answers = b.answers[:0]
	for i := range b.Records {
		b.answers = append(b.answers, parse(b.Records[i].Value, model))
	}
}

// more sees to it that record i of block now is there; false at the end.
func (f *feed) more() (bool, error) {
	for f.now == nil || f.i == len(f.now.Records) {
		if f.now != nil {
			f.free <- f.now // as roomy as there are blocks
			f.now = nil
		}
		var b *block
		var ok bool
		select {
		case b, ok = <-f.blocks:
		case <-f.ctx.Done():
			return false, f.ctx.Err()
		}
		if !ok {
			return false, f.err
		}
		select {
		case <-b.ready:
		case <-f.ctx.Done():
			return false, f.ctx.Err()
		}
		f.now, f.i = b, 0
	}
	return true, nil
}

// record is the one at hand, after more.
func (f *feed) record() *topics.Record { return &f.now.Records[f.i] }
