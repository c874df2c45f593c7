package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

const (
	maxBadReads  = 5                      // times that a batch may be unreadable
	readPatience = 100 * time.Millisecond // how much longer than the broker a Read waits
	chunkBytes   = 512 << 10              // of keys and values in a chunk, and one record more: what bounds a task's memory
)

// reader reads one partition at its own position. While one fetchResult is being delivered the next one is on its way, if the partitions are
// few: at most one request is under way, in a goroutine that ends with its answer or with the context of the Read that started it.
type reader struct {
	client    *Client
	topic     topics.Topic
	name      string
	partition int32
	bytes     int   // of keys and values in the chunk that is being filled
	next      int64 // the position: no record below it is delivered any more

	page     *batchReader
	unpacker recordbatch.Unpacker
	skip     []SkipRange
	ahead    chan fetched // the request under way; nil when there is none
	asked    int64        // the offset it asks for
	errs     backoff
	quiet    backoff // for a broker that answers at once though there is nothing to read
	badReads int     // how often what stands at badAt could not be read
	badAt    int64
}

type fetched struct {
	fetchResult *fetchResult
	err         error
}

// Open starts reading a partition at an offset. Records of aborted transactions and control records are not delivered, of
// whichever topic; an open transaction holds the reader up until it ends.
func (c *Client) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := &reader{client: c, topic: topic, name: c.name(topic), partition: partition, next: from, skip: *c.skip.Load()}
	r.unpacker = recordbatch.Unpacker{Limit: c.opt.MaxBatchBytes, Memory: func(size int) []byte { return r.page.memory(size) }}
	return r
}

// Read is described at stream.Reader. Errors are *stream.Stop, the context's, or say that the cluster refuses us.
func (r *reader) Read(ctx context.Context, c *topics.Run, max int) error {
	c.Reset(r.partition, r.next)
	if r.page == nil {
		if err := r.turn(ctx); err != nil {
			return err
		}
	}
	page := r.page
	for r.bytes = 0; r.page != nil && len(c.Records) < max && r.bytes < chunkBytes; {
		if err := r.page.deliver(r, c, max); err != nil {
			if len(c.Records) == 0 {
				if err := r.badBatch(err); err != nil {
					return err
				}
			}
			// What was read before the unreadable batch is delivered now; the batch is met again by the next Read.
			r.page, r.ahead = nil, nil
			break
		}
	}
	if r.badReads > 0 && r.next > r.badAt {
		r.badReads = 0 // what could not be read has been read
	}
	c.Next, c.More = r.next, r.page != nil
	if len(c.Records) > 0 {
		page.share(c)
	}
	if page != nil && !c.More {
		page.Release()
	}
	return nil
}

// turn waits for the next fetchResult, about half a second at most, and makes it the page; without one it returns as if there was
// nothing to read, but for what does not pass.
func (r *reader) turn(ctx context.Context) error {
	if r.ahead == nil || r.asked != r.next {
		r.start(ctx, r.next)
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
	if f.err == nil && !f.fetchResult.byID && r.client.ids.due(r.name, r.client.opt.identity) {
		_, f.err = r.client.identify(ctx, r.name)
	}
	if f.err != nil {
		return r.failed(ctx, f.err)
	}
	r.errs.reset()
	if r.badReads == 0 {
		r.client.outages.recovered(r.what())
	}
	return r.accept(ctx, f.fetchResult)
}

// accept makes a fetchResult the page and sends for the next one.
func (r *reader) accept(ctx context.Context, h *fetchResult) error {
	if len(h.data) == 0 {
		// Between the last stable offset and the high watermark the broker answers at once with nothing.
		if h.took < r.client.opt.fetchWait/2 {
			r.quiet.next = min(r.quiet.next, r.client.opt.fetchWait/4)
			return r.quiet.wait(ctx)
		}
		return nil
	}
	r.quiet.reset()
	r.page = newBatchReader(h, r.client)
	if after := reach(h.data, h.at); after > h.at && r.badReads == 0 && r.client.few() {
		r.start(ctx, after)
	}
	return nil
}

// start sends for records from an offset on.
func (r *reader) start(ctx context.Context, at int64) {
	w := fetchRequest{topic: r.name, partition: r.partition, at: at, isolation: committed,
		bytes: r.client.fetchBytes(), wait: r.client.opt.fetchWait, disconnect: r.badReads > 0}
	ch := make(chan fetched, 1)
	r.ahead, r.asked = ch, at
	go func() {
		var f fetched
		if w.id, f.err = r.client.topicID(ctx, r.name); f.err == nil {
			f.fetchResult, f.err = r.client.fetch(ctx, w)
		}
		ch <- f
	}()
}

// topicID returns the topic's id as it was first seen, asking for it when it is not known yet.
func (c *Client) topicID(ctx context.Context, name string) ([16]byte, error) {
	if id, ok := c.ids.get(name); ok {
		return id, nil
	}
	return c.identify(ctx, name)
}

func (r *reader) what() string { return fmt.Sprintf("fetch of %s/%d", r.name, r.partition) }

// failed looks at an error: nil after a pause when it passes by itself.
func (r *reader) failed(ctx context.Context, err error) error {
	var stop *stops.Error
	var big *oversized
	switch code, _ := codeOf(err); {
	case ctx.Err() != nil:
		r.client.outages.clear(r.what())
		return ctx.Err()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil // the context of the Read that started the request has ended, not this one's
	case errors.As(err, &stop):
		return stop
	case errors.As(err, &big):
		return r.pass(big.first, big.last, err)
	case code == codeOutOfRange, code == codeUnknownTopic, code == codeUnknownTopicID, code == codeOtherTopicID, isMissing(err):
		if err := r.examine(ctx, code); err != nil {
			return err
		}
	case classify(err) == retriable:
	default:
		return stopFor(err)
	}
	r.client.outages.failed(r.what(), err)
	return r.errs.wait(ctx)
}

// examine finds out whether the position lies outside of the log, or the topic is no longer the one it was.
func (r *reader) examine(ctx context.Context, code int16) error {
	_, err := r.client.identify(ctx, r.name)
	var start, end int64
	if err == nil && code == codeOutOfRange {
		start, end, err = r.client.extent(ctx, r.name, r.partition)
		if err == nil && (r.next < start || r.next > end) {
			return r.outside(start, end)
		}
	}
	var stop *stops.Error
	if errors.As(err, &stop) {
		return stop
	}
	return nil // the question failed, or the answer has changed: the next fetch will tell
}

// outside is the stop for a position that the log does not hold.
func (r *reader) outside(start, end int64) *stops.Error {
	s := &stops.Error{
		Name: stops.InputGone,
		What: fmt.Sprintf("%s/%d is read at offset %d, its log goes from %d to %d", r.name, r.partition, r.next, start, end),
		Safe: "everything answered so far, and the checkpoint of it",
	}
	switch {
	case r.topic == topics.Output:
		s.Name = stops.JournalGone
	case r.topic == topics.DeadLetters:
		s.Name = stops.DeadLettersGone
	case r.next > end:
		s.Name = stops.BeyondEnd
	}
	if r.next < start {
		s.Do = fmt.Sprintf("restore the %d offsets below %d, or start with --accept %s to go on without them", start-r.next, start, s.Name)
	} else {
		s.Do = fmt.Sprintf("find out why the log ends %d offsets before it did, or start with --accept %s to go on at its end", r.next-end, s.Name)
	}
	return s
}

// strike counts a batch that could not be read: after the first time the connection is changed, after the fifth it is a stop.
func (r *reader) badBatch(err error) error {
	var bad *brokenBatch
	var big *recordbatch.TooBig
	if !errors.As(err, &bad) {
		bad = &brokenBatch{first: r.next, last: r.next}
	}
	if errors.As(err, &big) || r.skipTo(r.next) > r.next {
		return r.pass(bad.first, bad.last, err)
	}
	if r.badAt != r.next {
		r.badReads, r.badAt = 0, r.next
	}
	r.badReads++
	r.client.outages.failed(r.what(), err)
	if r.badReads >= maxBadReads {
		return r.pass(bad.first, bad.last, err)
	}
	return nil
}

// pass goes to the end of the skip range that the position lies in, and is a stop when there is none.
func (r *reader) pass(first, last int64, err error) error {
	first = max(first, r.next)
	last = max(last, first)
	r.badReads = 0
	if to := r.skipTo(first); to > first && first == r.next {
		// Where a batch ends that cannot be read is not to be trusted: what lies behind the range is fetched anew.
		r.client.skipped.Add(to - r.next)
		r.next = to
		return nil
	}
	return &stops.Error{
		Name: stops.BadBatch,
		What: fmt.Sprintf("%s/%d: the batch at offsets %d to %d cannot be read: %v", r.name, r.partition, first, last, err),
		Safe: "everything answered so far, and the checkpoint of it",
		Do:   fmt.Sprintf("restore it, or pass over it once with --skip %d:%d-%d", r.partition, first, last),
	}
}

// skipTo gives the offset behind the skip range in which an offset lies, or the offset itself.
func (r *reader) skipTo(offset int64) int64 {
	if r.topic != topics.Input {
		return offset
	}
	return topics.SkipTo(r.skip, r.partition, offset)
}
