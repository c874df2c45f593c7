package verify

import (
	"context"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// blockRecords is how many records are prepared together: few, since every partition reads some blocks ahead.
const blockRecords = 512

// ahead is how many blocks a feed has: one in use, one being prepared, one being read.
const ahead = 3

// block is a run of prepared records: decoded from the input, or parsed from the output.
type block struct {
	topics.Run
	event.Batch
	entries []journal.Entry // beside Records
	input   bool
	ready   chan struct{}
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

// read reads a partition up to an offset, in a goroutine of its own.
func (a *auditor) read(topic topics.Topic, partition int32, from, to int64) *feed {
	f := &feed{ctx: a.ctx, blocks: make(chan *block, ahead), free: make(chan *block, ahead)}
	for range ahead {
		f.free <- &block{input: topic == topics.Input, Batch: event.Batch{CopyIDs: true}, ready: make(chan struct{}, 1)}
	}
	a.group.Go(func() error {
		defer close(f.blocks)
		f.err = a.fill(f, topic, topics.Part{Partition: partition, From: from, To: to})
		return nil
	})
	return f
}

// fill reads block after block, and passes each on to be prepared and, in order, to be used.
func (a *auditor) fill(f *feed, topic topics.Topic, p topics.Part) error {
	reader, reopened := a.Open(topic, p.Partition, p.From), int64(-1)
	for next := p.From; next < p.To; {
		var b *block
		select {
		case b = <-f.free:
		case <-a.ctx.Done():
			return a.ctx.Err()
		}
		b.Run.Partition, b.Run.Next = p.Partition, next
		err := reader.Read(a.ctx, &b.Run, blockRecords)
		switch {
		case stops.Is(err, stops.BadBatch) && topic == topics.Input && len(a.From.Skipped) > 0 && reopened < next:
			// What --skip passed may be unreadable, but readable records of it may have been predicted before: only now
			// is it passed.
			reader, reopened = a.open(topic, p.Partition, next, a.From.Skipped), next
			f.free <- b
			continue
		case err != nil:
			return err
		}
		next = b.Run.Next
		if len(b.Run.Records) == 0 {
			f.free <- b
			continue
		}
		select {
		case a.work <- b:
			f.blocks <- b // it has room for all blocks
		case <-a.ctx.Done():
			return a.ctx.Err()
		}
	}
	return nil
}

// prepare decodes or parses blocks until the audit ends.
func (a *auditor) prepare(d *event.Decoder) error {
	for {
		select {
		case <-a.ctx.Done():
			return nil
		case b := <-a.work:
			if b.input {
				b.Decode(d, b.Records)
			} else {
				b.parse(a.Model)
			}
			b.ready <- struct{}{}
		}
	}
}

func (b *block) parse(model string) {
	b.entries = b.entries[:0]
	for i := range b.Records {
		b.entries = append(b.entries, journal.ParseEnd(b.Partition, &b.Records[i], model))
	}
}

// more makes the next record available, if none is; false at the end.
func (f *feed) more() (bool, error) {
	for f.now == nil || f.i == len(f.now.Records) {
		if f.now != nil {
			f.free <- f.now // it has room for all blocks
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

func (f *feed) record() *topics.Record { return &f.now.Records[f.i] }
