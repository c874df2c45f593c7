package kafka

import (
	"context"
	"fmt"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

const (
	readPatience = 100 * time.Millisecond // how much longer than the broker a Read waits
	runBytes     = 512 << 10              // of keys and values in a run, plus one record: bounds a task's memory
)

// reader reads one partition at its own position. At most one fetch is in flight, ahead of delivery when partitions are
// few, in a goroutine that ends with its response or with the context of its Read.
type reader struct {
	client    *Client
	topic     topics.Topic
	name      string
	partition int32
	next      int64              // the position
	skip      []topics.SkipRange // in the input only

	batches  *batchReader // of the last fetch; nil when delivered
	unpacker recordbatch.Unpacker
	bytes    int // of keys and values in the current run

	ahead   chan fetched // the fetch in flight; nil when there is none
	aheadAt int64        // its offset

	errs     backoff
	quiet    backoff // for a broker that responds at once with nothing
	badReads int     // failed reads of the batch at badAt
	badAt    int64
}

type fetched struct {
	result *fetchResult
	err    error
}

// Open is described at topics.Opener. An open transaction holds the reader until it ends.
func (c *Client) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := &reader{client: c, topic: topic, name: c.name(topic), partition: partition, next: from}
	if topic == topics.Input {
		r.skip = *c.skip.Load()
	}
	r.unpacker = recordbatch.Unpacker{
		Limit:  c.maxBatch(r.name),
		Memory: func(size int) []byte { return r.batches.memory(size) },
	}
	return r
}

// Read is described at topics.Reader. Errors are *stops.Error or the context's.
func (r *reader) Read(ctx context.Context, run *topics.Run, max int) error {
	run.Reset(r.partition, r.next)
	if r.batches == nil {
		if err := r.receive(ctx); err != nil {
			return err
		}
	}
	batches := r.batches
	for r.bytes = 0; r.batches != nil && len(run.Records) < max && r.bytes < runBytes; {
		if err := r.batches.deliver(r, run, max); err != nil {
			if len(run.Records) == 0 {
				if err := r.badBatch(err); err != nil {
					return err
				}
			}
			// What precedes the unreadable batch is delivered now; the next Read meets the batch again.
			r.batches, r.ahead = nil, nil
			break
		}
	}
	if r.badReads > 0 && r.next > r.badAt {
		r.badReads = 0
	}
	run.Next, run.More = r.next, r.batches != nil
	if len(run.Records) > 0 {
		batches.share(run)
	}
	if batches != nil && !run.More {
		batches.Release()
	}
	return nil
}

// receive waits about half a second at most for the next fetch. Without a result, or after a retriable error, it
// returns nil.
func (r *reader) receive(ctx context.Context) error {
	if r.ahead == nil || r.aheadAt != r.next {
		r.fetch(ctx, r.next)
	}
	t := time.NewTimer(r.client.opt.fetchWait + readPatience)
	defer t.Stop()
	var f fetched
	select {
	case f = <-r.ahead:
		r.ahead = nil
	case <-t.C:
		return nil
	case <-ctx.Done():
		r.ahead = nil
		r.client.outages.clear(r.what())
		return ctx.Err()
	}
	if f.err == nil && !f.result.byID && r.client.ids.due(r.name, r.client.opt.identity) {
		_, f.err = r.client.identify(ctx, r.name)
	}
	if f.err != nil {
		return r.failed(ctx, f.err)
	}
	r.errs.reset()
	if r.topic == topics.Input {
		r.client.highs.note(r.partition, f.result.high)
	}
	if r.badReads == 0 {
		r.client.outages.recovered(r.what())
	}
	return r.accept(ctx, f.result)
}

// accept makes a result current and starts the next fetch.
func (r *reader) accept(ctx context.Context, f *fetchResult) error {
	if len(f.data) == 0 {
		// Between the last stable offset and the high watermark the broker responds at once, with nothing.
		if f.took < r.client.opt.fetchWait/2 {
			r.quiet.next = min(r.quiet.next, r.client.opt.fetchWait/4)
			return r.quiet.wait(ctx)
		}
		return nil
	}
	r.quiet.reset()
	r.batches = newBatchReader(f, r.client)
	if after := endOfBatches(f.data, f.at); after > f.at && r.badReads == 0 && r.client.readsAhead() {
		r.fetch(ctx, after)
	}
	return nil
}

func (r *reader) fetch(ctx context.Context, at int64) {
	req := r.client.fetchRequest(r.name, r.partition, at)
	req.isolation, req.wait, req.disconnect = committed, r.client.opt.fetchWait, r.badReads > 0
	ch := make(chan fetched, 1)
	r.ahead, r.aheadAt = ch, at
	go func() {
		var f fetched
		if req.id, f.err = r.client.topicID(ctx, r.name); f.err == nil {
			steps, began := r.client.slow.steps.Load(), time.Now()
			req.bytes = max(1, req.bytes>>steps)
			f.result, f.err = r.client.fetch(ctx, req)
			r.client.slow.note(steps, time.Since(began), r.client.opt.request+req.wait, f.err)
		}
		ch <- f
	}()
}

func (r *reader) what() string { return fmt.Sprintf("fetch of %s/%d", r.name, r.partition) }

// skipTo returns the end of the skip range that contains an offset, or the offset.
func (r *reader) skipTo(offset int64) int64 { return topics.SkipTo(r.skip, r.partition, offset) }
