package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Journal writes answers and dead letters as plain batches with a producer id, an epoch and a sequence, one in flight at a
// time. One goroutine uses it. It is a stream.Journal.
type Journal struct {
	client      *Client
	held        topics.Producer
	fence       *topics.Fence // nil before a takeover, and once nothing more may be sent
	began       time.Time     // when the request was sent that the fence's age counts from
	output      []partitionState
	deadLetters []partitionState
	failed      error // why nothing more is sent until the next takeover
}

// A partitionState is one partition that is written.
type partitionState struct {
	sequence int32 // of the next record; wraps from 2147483647 to 0
	end      int64 // expected base offset of the next batch; of the output topic only, which has no other writer
}

// Journal returns a new writer of the client's output and dead-letter topics. It writes nothing before Takeover.
func (c *Client) Journal() *Journal { return &Journal{client: c, held: topics.NoProducer} }

// Takeover is described at stream.Journal. With stream.NoProducer (a starting process) InitProducerID always succeeds and
// fences whoever is there; with what is held Kafka refuses a process that was fenced.
func (j *Journal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	j.fence, j.failed = nil, errors.New("the takeover before was not completed")
	for try := 0; ; try++ {
		err := j.takeover(ctx, held)
		if err == nil {
			return j.copy(), nil
		}
		// A late copy of our own InitProducerID may have raised the epoch once more. What the coordinator holds in doubt, the
		// next InitProducerID settles.
		c := classify(err)
		again := c == fenced && held == topics.NoProducer || c == indeterminate
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !again || try == maxTakeovers:
			return nil, stopFor(err)
		}
		if err := pause(ctx, randomPause()); err != nil {
			return nil, err
		}
	}
}

func (j *Journal) takeover(ctx context.Context, held topics.Producer) error {
	began := time.Now()
	highWatermarks, err := j.client.highWatermarks(ctx)
	if err != nil {
		return err
	}
	p, err := j.client.initProducer(ctx, held)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, j.client.opt.FenceTimeout)
	defer cancel()
	f, err := j.client.writeMarkers(limited, p, highWatermarks, nil)
	if err != nil {
		return timedOut(ctx, limited, err, j.client.opt.FenceTimeout)
	}
	j.hold(f, began)
	j.output, j.deadLetters = make([]partitionState, len(f.Output)), make([]partitionState, len(f.DeadLetters))
	j.expect()
	return nil
}

// hold makes a fence the one that counts.
func (j *Journal) hold(f *topics.Fence, began time.Time) {
	j.held, j.fence, j.began, j.failed = f.Producer, f, began, nil
}

// expect sets the expected ends behind the fence's markers.
func (j *Journal) expect() {
	for p, at := range j.fence.Output {
		j.output[p].end = at + 1
	}
}

// Renew is described at stream.Journal.
func (j *Journal) Renew(ctx context.Context) (*topics.Fence, error) {
	if j.failed != nil {
		return nil, j.failed
	}
	if j.fence == nil {
		return nil, errors.New("nothing to renew before a takeover")
	}
	if age(j.began, time.Now()) <= j.client.opt.RenewEvery {
		return j.copy(), nil
	}
	began := time.Now()
	limited, cancel := context.WithTimeout(ctx, j.client.opt.FenceTimeout)
	defer cancel()
	err := j.renew(limited, began)
	if err != nil {
		err = timedOut(ctx, limited, err, j.client.opt.FenceTimeout)
		return nil, j.fail(j.explain(ctx, err))
	}
	return j.copy(), nil
}

// renew repeats the empty transaction under the epoch that is held. In the output the log is read on from the expected end:
// between it and the marker there may be nothing but markers of our own.
func (j *Journal) renew(ctx context.Context, began time.Time) error {
	highWatermarks, err := j.client.highWatermarks(ctx)
	if err != nil {
		return err
	}
	// Partitions that were added since are not ours to fence here: the next takeover does.
	highWatermarks.output, highWatermarks.deadLetters = highWatermarks.output[:len(j.output)], highWatermarks.deadLetters[:len(j.deadLetters)]
	for p := range j.output {
		highWatermarks.output[p] = j.output[p].end
	}
	f, err := j.client.writeMarkers(ctx, j.held, highWatermarks, j.client.onlyOwn(j.held))
	if err != nil {
		return err
	}
	j.hold(f, began)
	j.expect()
	return nil
}

// age is how old a fence is, by the wall clock or by the monotonic one, whichever says more: the latter stands still while
// a machine sleeps, the former may be set back.
func age(began, now time.Time) time.Duration {
	return max(now.Sub(began), now.Round(0).Sub(began.Round(0)))
}

func (j *Journal) copy() *topics.Fence {
	return &topics.Fence{
		Producer:    j.fence.Producer,
		Output:      append([]int64(nil), j.fence.Output...),
		DeadLetters: append([]int64(nil), j.fence.DeadLetters...),
	}
}

// fail remembers why nothing more is sent: whatever comes next could pass what is in doubt.
func (j *Journal) fail(err error) error {
	j.failed = err
	return err
}

// explain leaves the context's error and stops as they are, says what is in doubt, and makes stops of others.
func (j *Journal) explain(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case classify(err) == indeterminate:
		return fmt.Errorf("%w: %w", topics.ErrIndeterminate, err)
	}
	return stopFor(err)
}

func stopFenced(err error) *stops.Error {
	return &stops.Error{
		Name: stops.Fenced,
		What: fmt.Sprintf("another process has taken over this output topic (%s)", words(err)),
		Safe: "everything: the other process goes on from what is acknowledged",
		Do:   "find out which of the two is meant to run; do not restart this one automatically", Cause: err,
	}
}

func timedOut(ctx, limited context.Context, err error, limit time.Duration) error {
	if ctx.Err() != nil || limited.Err() == nil {
		return err
	}
	return &stops.Error{
		Name: stops.FenceFailed,
		What: fmt.Sprintf("the markers of our fence were not readable in every partition within %v (%s)", limit, words(err)),
		Safe: "everything: nothing was written",
		Do:   "see that every partition of the output and dead-letter topics has a leader and enough replicas, then start again", Cause: err,
	}
}
