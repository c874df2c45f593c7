package kafka

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A producer is idempotent (KIP-98): a partition's batches carry consecutive sequences, and a batch whose
// acknowledgement is lost is resent as the same bytes, which the broker recognizes. Partitions may be written
// concurrently, each by one caller.
type producer struct {
	cluster   *Cluster
	codec     recordbatch.Codec
	operation operation // opAppend or opSend
	id        topics.Producer
	// expired returns why a batch may not be resent, nil while it may.
	expired func(*produceAttempt) error
	// acknowledged, if set, checks where records were written.
	acknowledged func(ctx context.Context, p *partitionState, base int64) error
	// turn, if set, waits until requests may be sent. They may until release.
	turn func(ctx context.Context) (release func(), err error)
	slow slow
}

type partitionState struct {
	topic     string
	partition int32
	sequence  int32 // of the next record; wraps from 2147483647 to 0
	end       int64 // expected base offset of the next batch, if there is no other writer
}

// write writes batches of several partitions at once, until each is acknowledged or has a record that is refused for
// good. Another error ends them all; then it is not known what was written.
func (p *producer) write(ctx context.Context, all ...*produceAttempt) error {
	defer func() {
		for _, a := range all {
			p.cluster.outages.clear(a.what())
		}
	}()
	var pause backoff
	for {
		waiting := slices.DeleteFunc(slices.Clone(all), (*produceAttempt).done)
		if len(waiting) == 0 {
			return nil
		}
		again, err := p.round(ctx, waiting)
		switch {
		case err != nil:
			return err
		case !again:
			pause.reset()
		case pause.wait(ctx) != nil:
			return paused(ctx, waiting)
		}
	}
}

// round sends the next batch of each attempt once. It reports whether some are to be sent again after a pause.
func (p *producer) round(ctx context.Context, waiting []*produceAttempt) (again bool, first error) {
	if p.turn != nil {
		release, err := p.turn(ctx)
		if err != nil {
			return false, err
		}
		defer release()
	}
	for _, a := range waiting {
		if err := a.prepare(); err != nil {
			return false, err
		}
	}
	for i, r := range p.send(ctx, waiting) {
		retry, err := waiting[i].settle(ctx, r.base, r.err)
		again = again || retry
		if first == nil {
			first = err
		}
	}
	return again, first
}

// paused is the error of a context that ended in a pause.
func paused(ctx context.Context, waiting []*produceAttempt) error {
	a := waiting[slices.IndexFunc(waiting, func(a *produceAttempt) bool { return a.last != nil })]
	return fmt.Errorf("%s: %w, while %s", a.what(), context.Cause(ctx), words(a.last))
}

func (p *producer) attempt(s *partitionState, b *recordbatch.Builder) *produceAttempt {
	return &produceAttempt{producer: p, state: s, parts: []*recordbatch.Builder{b}}
}

// initProducer requests a producer id until patience ends.
func (c *Cluster) initProducer(
	ctx context.Context, to route, patience time.Duration, req kmsg.InitProducerIDRequest,
) (p topics.Producer, err error) {
	err = c.retry(ctx, "InitProducerID", patience, func(ctx context.Context) error {
		res, err := request[*kmsg.InitProducerIDResponse](ctx, c, to, &req)
		if err != nil {
			return err
		}
		p = topics.Producer{ID: res.ProducerID, Epoch: res.ProducerEpoch}
		if req.TransactionalID != nil {
			return coded(res.ErrorCode, "InitProducerID for %s", *req.TransactionalID)
		}
		return coded(res.ErrorCode, "InitProducerID")
	})
	return p, err
}
