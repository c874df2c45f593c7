package produce

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A producer is idempotent (KIP-98): a partition's batches carry consecutive sequences, and a batch whose
// acknowledgement is lost is resent as the same bytes, which the broker recognizes. Partitions may be written
// concurrently, each by one caller.
type producer struct {
	cluster   *cluster.Cluster
	codec     recordbatch.Codec
	operation verdict.Operation // opAppend or opSend
	id        topics.Producer
	// expired returns why a batch may not be resent, nil while it may.
	expired func(*produceAttempt) error
	// acknowledged, if set, checks where records were written.
	acknowledged func(ctx context.Context, p *partitionState, base int64) error
	// turn, if set, waits until requests may be sent. They may until release.
	turn func(ctx context.Context) (release func(), err error)
	slow cluster.Slow
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
			p.cluster.Outages.Clear(a.what())
		}
	}()
	var pause cluster.Backoff
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
			pause.Reset()
		case pause.Wait(ctx) != nil:
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
	return fmt.Errorf("%s: %w, while %s", a.what(), context.Cause(ctx), verdict.Words(a.last))
}

func (p *producer) attempt(s *partitionState, b *recordbatch.Builder) *produceAttempt {
	return &produceAttempt{producer: p, state: s, parts: []*recordbatch.Builder{b}}
}

// requestID requests a producer id until patience ends.
func requestID(
	ctx context.Context, c *cluster.Cluster, to cluster.Route, patience time.Duration, req kmsg.InitProducerIDRequest,
) (p topics.Producer, err error) {
	err = c.Retry(ctx, "InitProducerID", patience, func(ctx context.Context) error {
		res, err := cluster.Ask[*kmsg.InitProducerIDResponse](ctx, c, to, &req)
		if err != nil {
			return err
		}
		p = topics.Producer{ID: res.ProducerID, Epoch: res.ProducerEpoch}
		if req.TransactionalID != nil {
			return verdict.Coded(res.ErrorCode, "InitProducerID for %s", *req.TransactionalID)
		}
		return verdict.Coded(res.ErrorCode, "InitProducerID")
	})
	return p, err
}
