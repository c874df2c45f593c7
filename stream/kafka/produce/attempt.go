package produce

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// A produceAttempt is the sending of one batch, whole or in parts.
type produceAttempt struct {
	*producer
	state *partitionState
	short func(*topics.Record) // makes a record smaller that is refused alone; may be nil

	parts     []*recordbatch.Builder // to be sent, the last one first
	data      []byte                 // the batch that is sent, nil before it is sealed
	split     bool                   // refused as a whole, sent in parts
	shortened bool                   // the next part is one record, made smaller
	began     time.Time              // time of the first request with the same bytes
	last      error                  // error of the last such request, if any
	maybe     bool                   // an earlier one may have been written

	written int   // acknowledged records
	err     error // a *topics.Refused
}

func (a *produceAttempt) done() bool { return len(a.parts) == 0 || a.err != nil }

func (a *produceAttempt) what() string {
	return fmt.Sprintf("produce to %s/%d", a.state.topic, a.state.partition)
}

func (a *produceAttempt) batch() *recordbatch.Builder { return a.parts[len(a.parts)-1] }

// prepare seals the next batch. A resend has the same bytes, while the batch has not expired.
func (a *produceAttempt) prepare() error {
	if a.last != nil || a.split {
		if err := a.expired(a); err != nil {
			return err
		}
	}
	//mutation:same-bytes
	if a.data != nil {
		return nil
	}
	a.began, a.last, a.maybe = time.Now(), nil, false
	return a.seal()
}

func (a *produceAttempt) seal() (err error) {
	//mutation:idempotence
	a.data, err = a.batch().Seal(a.id.ID, a.id.Epoch, a.state.sequence, a.codec)
	return err
}

// settle takes in what became of the batch that was sent. It reports whether it is to be sent again after a pause. The
// error is one after which nothing more is sent.
func (a *produceAttempt) settle(ctx context.Context, base int64, err error) (again bool, _ error) {
	outages := &a.cluster.Outages
	if err == nil {
		outages.Recovered(a.what())
		return false, a.delivered(ctx, base)
	}
	a.last = err
	if ctx.Err() != nil {
		return false, fmt.Errorf("%s: %w, while %s", a.what(), context.Cause(ctx), verdict.Words(err))
	}
	switch verdict.Judge(err, a.operation) {
	case verdict.Retriable:
		outages.Failed(a.what(), err)
		return true, a.stamp(err)
	case verdict.Refused:
		return false, a.refused(err)
	}
	return false, fmt.Errorf("%s: %w", a.what(), err)
}

// stamp gives a batch the present time that is refused for its timestamp, unless an earlier request may have been
// written.
func (a *produceAttempt) stamp(err error) error {
	a.maybe = a.maybe || mayBeWritten(err)
	if a.maybe || !verdict.IsCode(err, kerr.InvalidTimestamp) {
		return nil
	}
	a.batch().Stamp(a.cluster.Options.Now().UnixMilli())
	return a.seal()
}

func (a *produceAttempt) delivered(ctx context.Context, base int64) error {
	n := a.batch().Len()
	a.next()
	a.shortened = false
	a.state.sequence = advance(a.state.sequence, n)
	if a.acknowledged != nil {
		if err := a.acknowledged(ctx, a.state, base); err != nil {
			return err
		}
	}
	a.state.end = base + int64(n)
	a.written += n
	return nil
}

// next drops the batch that was sent last.
func (a *produceAttempt) next() { a.parts, a.data, a.last = a.parts[:len(a.parts)-1], nil, nil }

// refused puts halves in the place of a batch that was refused as a whole: it used no sequence. The second half waits
// for the first's acknowledgement. A single record is made smaller, once.
func (a *produceAttempt) refused(err error) error {
	b := a.batch()
	n := b.Len()
	switch {
	case n == 1 && a.operation == verdict.OnAppend && verdict.IsCode(err, kerr.InvalidRecord):
		return verdict.StopInvalid(a.what(), err)
	case n == 1 && (a.short == nil || a.shortened):
		a.err = &topics.Refused{Index: a.written, Err: err}
		return nil
	}
	a.next()
	a.split, a.shortened = true, n == 1
	half := &recordbatch.Builder{Limit: b.Limit}
	if n > 1 {
		b.CopyRange(half, n/2, n, nil)
		a.parts = append(a.parts, half)
		half = &recordbatch.Builder{Limit: b.Limit}
		b.CopyRange(half, 0, n/2, nil)
	} else {
		b.CopyRange(half, 0, 1, a.short)
	}
	a.parts = append(a.parts, half)
	return nil
}

// advance adds to a sequence; it wraps from 2147483647 to 0 as Kafka's does (DefaultRecordBatch.incrementSequence).
func advance(sequence int32, records int) int32 {
	return int32((int64(sequence) + int64(records)) & math.MaxInt32)
}
