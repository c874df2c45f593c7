package kafka

import (
	"context"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

const safeSoFar = "every prediction published so far, and the checkpoint of it"

// failed handles a fetch's error: nil after a pause when it is retriable.
func (r *reader) failed(ctx context.Context, err error) error {
	var stop *stops.Error
	var oversized *fetch.OversizedBatch
	switch {
	case ctx.Err() != nil:
		r.client.cluster.Outages.Clear(r.what())
		return ctx.Err()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return nil // the context of the Read that started the fetch has ended
	case errors.As(err, &stop):
		return stop
	case errors.As(err, &oversized):
		return r.pass(oversized.First, oversized.Last, err)
	case verdict.Judge(err, verdict.OnFetch) != verdict.Retriable:
		return verdict.StopFor(err)
	}
	if verdict.IsOfTopic(err) || verdict.IsCode(err, kerr.OffsetOutOfRange) {
		if err := r.examine(ctx, err); err != nil {
			return err
		}
	}
	r.client.cluster.Outages.Failed(r.what(), err)
	return r.errs.Wait(ctx)
}

// examine checks whether the position is outside of the log or the topic has changed.
func (r *reader) examine(ctx context.Context, failure error) error {
	_, err := r.client.cluster.Identify(ctx, r.name)
	if err == nil && verdict.IsCode(failure, kerr.OffsetOutOfRange) {
		var start, end int64
		start, end, err = r.client.cluster.Extent(ctx, r.name, r.partition)
		switch {
		case err != nil || r.next >= start && r.next <= end:
		case r.topic == topics.Checkpoints && r.next < start:
			r.next = start // what was below was compacted away
		default:
			return r.outside(start, end)
		}
	}
	var stop *stops.Error
	if errors.As(err, &stop) {
		return stop
	}
	return nil // the request failed, or the log has changed since: the next fetch decides
}

// outside is the stop for a position outside of the log.
func (r *reader) outside(start, end int64) *stops.Error {
	s := &stops.Error{
		Name: r.gone(),
		What: fmt.Sprintf("%s/%d is read at offset %d, its log goes from %d to %d",
			r.name, r.partition, r.next, start, end),
		Safe: safeSoFar,
	}
	if s.Name == stops.InputGone && r.next > end {
		s.Name = stops.BeyondEnd
	}
	if r.next < start {
		s.Do = fmt.Sprintf("restore the %d offsets below %d, or start with --accept %s to go on without them",
			start-r.next, start, s.Name)
	} else {
		s.Do = fmt.Sprintf("find out why the log ends %d offsets earlier, or start with --accept %s to go on"+
			" at its end", r.next-end, s.Name)
	}
	return s
}

// badBatch counts failed reads of a batch: the connection is changed first; after five it is a stop.
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
	r.client.cluster.Outages.Failed(r.what(), err)
	if r.badReads >= fetch.MaxBadReads {
		return r.pass(bad.first, bad.last, err)
	}
	return nil
}

// pass moves the position to the end of its skip range; without one it is a stop.
func (r *reader) pass(first, last int64, err error) error {
	first = max(first, r.next)
	last = max(last, first)
	r.badReads = 0
	if to := r.skipTo(first); to > first && first == r.next {
		// The end of an unreadable batch is not reliable: what is after the range is fetched again.
		r.client.skipped.Add(to - r.next)
		r.next = to
		return nil
	}
	//mutation:damaged-checkpoint
	if r.topic == topics.Checkpoints { // the manifest tells what is missing
		r.client.opt.Log.Error().Err(err).Msgf("%s/%d: offsets %d to %d cannot be read", r.name, r.partition, first,
			last)
		r.next = last + 1
		return nil
	}
	return &stops.Error{
		Name: stops.BadBatch,
		What: fmt.Sprintf("%s/%d: the batch at offsets %d to %d cannot be read: %v",
			r.name, r.partition, first, last, err),
		Safe: safeSoFar,
		Do:   r.adviseOnBatch(first, last),
	}
}

// adviseOnBatch says what to do about a batch that cannot be read. Only those of the input can be skipped: of the
// others recovery needs every record, or the decision to go on without them.
func (r *reader) adviseOnBatch(first, last int64) string {
	const raise = "restore it; or raise --max-batch-bytes if it is only too large; or "
	if r.topic == topics.Input {
		return raise + fmt.Sprintf("pass over it once with --skip %d:%d-%d", r.partition, first, last)
	}
	advice := "restore it; or "
	if r.topic == topics.Labels {
		advice = raise
	}
	return advice + fmt.Sprintf("delete the records of topic %s partition %d below offset %d (kafka-delete-records)"+
		" and go on without them with --accept %s; --skip is for the input only", r.name, r.partition, last+1, r.gone())
}

// gone is the stop for records that the topic no longer holds.
func (r *reader) gone() string {
	switch r.topic {
	case topics.Output, topics.Outcomes:
		return stops.JournalGone
	case topics.DeadLetters:
		return stops.DeadLettersGone
	case topics.Checkpoints:
		return stops.StateInvalid
	}
	return stops.InputGone
}
