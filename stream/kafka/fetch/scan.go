package fetch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/recordbatch"
)

const (
	MaxBadReads = 5                     // attempts to read a batch
	ScanWait    = 50 * time.Millisecond // time the broker waits for a marker in one fetch
)

// Scan calls visit for every batch of a partition from an offset on, markers and uncommitted ones too, until visit is
// done or returns an error. Where the log has no more yet, visit gets nil.
func (f *Fetcher) Scan(
	ctx context.Context, topic string, partition int32, from int64,
	visit func(*recordbatch.Batch) (done bool, err error),
) error {
	part := Partition{Topic: topic, Number: partition, At: from}
	disconnect := false
	for badReads := 0; ; {
		var result *Result
		err := f.cluster.Retry(ctx, "scan of "+topic, 0, func(ctx context.Context) (err error) {
			if part.ID, err = f.cluster.TopicID(ctx, topic); err != nil {
				return err
			}
			result, err = f.fetchOne(ctx, part, disconnect)
			if verdict.IsOfTopic(err) {
				if _, err := f.cluster.Identify(ctx, topic); err != nil && verdict.Classify(err) != verdict.Retriable {
					return err
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		done, next, err := ScanResult(result, part.At, visit)
		var corrupt *recordbatch.Corrupt
		if errors.As(err, &corrupt) && badReads < MaxBadReads {
			badReads++
			disconnect = true
			continue
		}
		if done || err != nil {
			return err
		}
		part.At = next
	}
}

// fetchOne fetches one partition's records, uncommitted ones too.
func (f *Fetcher) fetchOne(ctx context.Context, part Partition, disconnect bool) (*Result, error) {
	req := f.Request(part)
	req.Isolation, req.Wait, req.Disconnect = cluster.Uncommitted, ScanWait, disconnect
	results, err := f.Fetch(ctx, cluster.Leader(part.Topic, part.Number), req)
	switch {
	case err != nil:
		return nil, err
	case results[0].Err == nil && results[0].Result == nil:
		return nil, fmt.Errorf("fetch of %s/%d: the response is about something else", part.Topic, part.Number)
	}
	return results[0].Result, results[0].Err
}

// ScanResult passes the batches of a result from an offset on to visit, until it is done or returns an error, and nil
// where there are none. next is where to go on.
func ScanResult(
	f *Result, at int64, visit func(*recordbatch.Batch) (bool, error),
) (done bool, next int64, err error) {
	next = at
	if len(f.Data) == 0 {
		done, err = visit(nil)
		return done, next, err
	}
	for rest := f.Data; len(rest) > 0; {
		b, after, err := recordbatch.Next(rest)
		if errors.Is(err, recordbatch.ErrPartial) {
			break
		}
		if err != nil {
			return false, next, err
		}
		rest = after
		if b.LastOffset < next {
			continue
		}
		if done, err := visit(&b); done || err != nil {
			return done, next, err
		}
		next = b.LastOffset + 1
	}
	return false, next, nil
}
