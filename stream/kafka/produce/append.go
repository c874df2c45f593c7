package produce

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Append is described at topics.Journal. After ErrIndeterminate, a stop or the context's end nothing is sent until the
// next takeover; after *Refused the journal continues after the records written before the refused one.
func (j *Journal) Append(ctx context.Context, batches []topics.Batch) error {
	if j.failed != nil {
		return j.failed
	}
	all := make([]*produceAttempt, len(batches))
	for i := range batches {
		p, err := j.partition(batches[i].Topic, batches[i].Partition)
		if err != nil {
			return err
		}
		all[i] = j.producer.attempt(p, batches[i].Records)
		all[i].short = batches[i].Short
	}
	if _, err := j.Renew(ctx, false); err != nil {
		return err
	}
	began := time.Now()
	err := j.producer.write(ctx, all...)
	j.view.Fetcher.Appended(time.Since(began))
	if err != nil {
		err = j.fail(j.explain(ctx, err))
	}
	for i, a := range all {
		batches[i].End = a.state.end
		if r := (*topics.Refused)(nil); err == nil && errors.As(a.err, &r) {
			r.Batch, err = i, r
		}
	}
	return err
}

func (j *Journal) partition(topic topics.Topic, partition int32) (*partitionState, error) {
	states, written := j.partitions[topic]
	switch {
	case j.fence == nil:
		return nil, errors.New("nothing is written before a takeover")
	case !written:
		return nil, fmt.Errorf("topic %d is not one of the journal's", topic)
	}
	if partition < 0 || int(partition) >= len(states) || !j.view.Portion.Has(int(partition)) {
		name := j.view.Names.Of(topic)
		return nil, fmt.Errorf("partition %d of %s is not fenced: a takeover has to come first", partition, name)
	}
	return &states[partition], nil
}

// A batch under a fence that is too old is indeterminate: the broker may have forgotten the producer.
func (j *Journal) expired(a *produceAttempt) error {
	limit := j.view.RenewEvery
	//mutation:expired-batch
	if age(j.began, time.Now()) <= limit {
		return nil
	}
	return fmt.Errorf("%s: unacknowledged when its fence was %v old: %w", a.what(), limit, topics.ErrIndeterminate)
}

// acknowledged checks where a batch was written: at the expected end in the journal, or after markers of our own.
func (j *Journal) acknowledged(ctx context.Context, p *partitionState, base int64) error {
	//mutation:base-offset
	if p.topic == j.view.Names.DeadLetters || base == p.end {
		return nil
	}
	//mutation:recreated-output
	if _, err := j.view.Identify(ctx, p.topic); stops.Is(err, stops.TopicChanged) {
		return err // the batch is in a topic of the same name
	}
	if base < p.end {
		return otherWriter(p.topic, p.partition,
			fmt.Sprintf("our batch was written at offset %d, below %d where the log ended", base, p.end))
	}
	own := j.view.onlyOwn(j.producer.id)
	err := j.view.Fetcher.Scan(ctx, p.topic, p.partition, p.end, func(b *recordbatch.Batch) (bool, error) {
		//mutation:gap
		if b != nil && b.BaseOffset >= base {
			return true, nil
		}
		return false, own(p.topic, p.partition, b)
	})
	if verdict.IsCode(err, kerr.OffsetOutOfRange) {
		return otherWriter(p.topic, p.partition,
			fmt.Sprintf("offsets %d to %d between two of our batches cannot be read any more", p.end, base-1))
	}
	return err
}
