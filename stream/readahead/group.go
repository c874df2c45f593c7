package readahead

import (
	"context"
	"sync"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

const (
	aheadRecords = 32 << 10 // of all partitions together
	mostRecords  = 128      // in a block: so many, decoded, are still in a processor's cache when they are used
	leastRecords = 16       // fewer cost more to pass on than to decode
	mostBlocks   = 16       // of a partition
	leastBlocks  = 2        // one is used while the other is read
)

// Group is partitions that are read ahead for one goroutine.
type Group struct {
	model   string
	blocks  int // of each partition
	records int // in a block
	ctx     context.Context
	end     context.CancelFunc
	running sync.WaitGroup
	work    chan *block // to be decoded

	// What follows belongs to the goroutine that uses the records.
	decoder  *event.Decoder
	used     *Cursor        // the last one of the input
	examples []*event.Batch // spare ones
}

// New makes a group for about so many partitions. The first decoder is for the goroutine that uses the records, and
// there is a goroutine for each of the others; model is that of the predictions (journal.Parse).
func New(ctx context.Context, decoders []*event.Decoder, model string, partitions int) *Group {
	each := aheadRecords / max(partitions, 1)
	records := min(max(each/leastBlocks, leastRecords), mostRecords)
	g := &Group{model: model, records: records, blocks: min(max(each/records, leastBlocks), mostBlocks),
		work: make(chan *block, 2*len(decoders)), decoder: decoders[0]}
	g.ctx, g.end = context.WithCancel(ctx)
	for _, d := range decoders[1:] {
		g.running.Go(func() { g.decode(d) })
	}
	return g
}

// Decoders makes decoders for New: that of the goroutine that uses the records, and n more.
func Decoders(o event.Options, n int) (all []*event.Decoder, err error) {
	for range n + 1 {
		d, err := event.New(o)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// Open reads a part of a partition ahead; reader is at p.From.
func (g *Group) Open(topic topics.Topic, p topics.Part, reader topics.Reader) *Cursor {
	c := &Cursor{Part: p, at: p.From, group: g, topic: topic, blocks: make(chan *block, g.blocks),
		free: make(chan *block, g.blocks)}
	for range g.blocks {
		c.free <- newBlock()
	}
	g.running.Go(func() {
		defer close(c.blocks)
		c.err = g.read(c, p, reader)
	})
	return c
}

// Close ends all reading, and returns when it has ended. The cursors are of no use then.
func (g *Group) Close() {
	g.end()
	g.running.Wait()
}

// read reads block after block, in the order in which they are to be used.
func (g *Group) read(c *Cursor, p topics.Part, reader topics.Reader) error {
	for next := p.From; next < p.To; {
		var b *block
		select {
		case b = <-c.free:
		case <-g.ctx.Done():
			return g.ctx.Err()
		}
		b.Reset(p.Partition, next)
		if err := reader.Read(g.ctx, &b.Run, g.records); err != nil {
			return err
		}
		if b.Next == next {
			c.free <- b // it has room for all blocks, as have the cursor's
			continue
		}
		next = b.Next
		c.blocks <- b
	}
	return nil
}

// newExamples returns memory for what records say.
func (g *Group) newExamples() *event.Batch {
	n := len(g.examples)
	if n == 0 {
		return &event.Batch{CopyIDs: true}
	}
	spare := g.examples[n-1] // the one that is most likely in a cache
	g.examples = g.examples[:n-1]
	return spare
}

// pass lets a decoder decode a block.
func (g *Group) pass(b *block) {
	select {
	case g.work <- b:
	case <-g.ctx.Done():
	}
}

func (g *Group) decode(d *event.Decoder) {
	for {
		select {
		case b := <-g.work:
			b.decode(d, 0, len(b.Records))
			b.decoded <- struct{}{}
		case <-g.ctx.Done():
			return
		}
	}
}
