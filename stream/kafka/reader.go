package kafka

import (
	"context"
	"fmt"
	"time"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

const (
	readPatience = 100 * time.Millisecond // how much longer than the broker a Read waits
	runBytes     = 512 << 10              // of keys and values in a run, plus one record: bounds a task's memory
)

// reader reads one partition at its own position, as far as the fetcher's results for it go.
type reader struct {
	client    *Client
	topic     topics.Topic
	name      string
	partition int32
	inTurns   bool
	next      int64              // the position
	end       int64              // of the log's readable records as of the last result
	reached   topics.Reached     // where the last batch was read to
	leader    int32              // epoch of the batches that are read now
	skip      []topics.SkipRange // in the input only

	batches  *batchReader // of the last fetch; nil when delivered
	unpacker recordbatch.Unpacker
	bytes    int // of keys and values in the current run

	sub   *fetch.Subscription // nil when there is none
	timer *time.Timer

	errs     cluster.Backoff
	badReads int // failed reads of the batch at badAt
	badAt    int64
}

// Open is described at topics.Opener. An open transaction holds the reader until it ends.
func (c *Client) Open(topic topics.Topic, partition int32, from int64) topics.Reader {
	r := &reader{client: c, topic: topic, name: c.names.Of(topic), partition: partition, next: from,
		leader: topics.UnknownEpoch}
	if topic == topics.Input {
		r.skip = *c.skip.Load()
	}
	r.unpacker = recordbatch.Unpacker{
		Limit:  c.fetcher.MaxBatch(r.name),
		Memory: func(size int) []byte { return r.batches.memory(size) },
	}
	return r
}

// InTurns is described at topics.TurnReader.
func (r *reader) InTurns() { r.inTurns = true }

// Advance is described at topics.AdvanceReader.
func (r *reader) Advance(to int64) {
	if r.batches != nil {
		r.batches.Release()
		r.batches = nil
	}
	r.unsubscribe()
	//mutation:reader-advances
	r.next = to
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
		if leader, other := r.batches.otherLeader(r); other {
			if len(run.Records) > 0 {
				break // a run is of one epoch
			}
			if known, err := r.compareLeaders(ctx, leader); err != nil || !known {
				run.More = err == nil
				return err
			}
		}
		if err := r.batches.deliver(r, run, max); err != nil {
			if len(run.Records) == 0 {
				if err := r.badBatch(err); err != nil {
					return err
				}
			}
			// What precedes the unreadable batch is delivered now; the next Read meets the batch again.
			r.batches = nil
			r.unsubscribe()
			break
		}
		r.reached = topics.Reached{Offset: r.next, Leader: r.leader}
	}
	if r.badReads > 0 && r.next > r.badAt {
		r.badReads = 0
	}
	run.Next, run.More, run.Behind = r.next, r.batches != nil, r.next < r.end
	if r.reached.Offset == r.next {
		run.Leader = r.leader
	}
	if len(run.Records) > 0 {
		batches.share(run)
	}
	if batches != nil && !run.More {
		batches.Release()
	}
	return nil
}

// receive waits about a second at most for the next result. Without one, or after a retriable error, it returns
// nil.
func (r *reader) receive(ctx context.Context) error {
	f := r.client.fetcher
	if r.sub == nil || !f.Asked(r.sub) {
		r.subscribe(ctx)
	}
	wait := r.client.opt.fetchWait + readPatience
	if r.timer == nil {
		r.timer = time.NewTimer(wait)
	} else {
		r.timer.Reset(wait)
	}
	defer r.timer.Stop()
	select {
	case next := <-r.sub.Results:
		f.Taken(r.sub)
		return r.accept(ctx, next)
	case <-r.timer.C:
		return nil
	case <-ctx.Done():
		r.unsubscribe()
		r.client.cluster.Outages.Clear(r.what())
		return ctx.Err()
	}
}

// accept makes a result current.
func (r *reader) accept(ctx context.Context, f fetch.Fetched) error {
	if f.Err == nil && !f.Result.ByID && r.client.cluster.IDDue(r.name, r.client.opt.identity) {
		_, f.Err = r.client.cluster.Identify(ctx, r.name)
	}
	if f.Err != nil {
		r.unsubscribe()
		return r.failed(ctx, f.Err)
	}
	r.errs.Reset()
	if r.badReads == 0 {
		r.client.cluster.Outages.Recovered(r.what())
	}
	switch {
	case f.Result.At != r.next: // the position has moved past the batch in between
		r.unsubscribe()
	case len(f.Result.Data) > 0:
		r.end = f.Result.End()
		r.batches = newBatchReader(f.Result, r.client)
	}
	return nil
}

// subscribe lets the fetcher request the partition from the position on.
func (r *reader) subscribe(ctx context.Context) {
	s := fetch.NewSubscription(r.name, r.partition, r.next)
	s.InTurns = r.inTurns
	s.Disconnect, s.Report = r.badReads > 0, r.errs.Waited()
	r.sub = s
	r.client.fetcher.Subscribe(ctx, s)
}

func (r *reader) unsubscribe() {
	if r.sub != nil {
		r.client.fetcher.Drop(r.sub)
		r.sub = nil
	}
}

func (r *reader) what() string { return fmt.Sprintf("fetch of %s/%d", r.name, r.partition) }

// skipTo returns the end of the skip range that contains an offset, or the offset.
func (r *reader) skipTo(offset int64) int64 { return topics.SkipTo(r.skip, r.partition, offset) }
