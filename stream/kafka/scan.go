package kafka

import (
	"context"
	"errors"
	"fmt"

	"rosenblatt/stream/recordbatch"
)

// scan calls visit for every batch of a partition from an offset on, markers and uncommitted ones too, until visit is
// done or returns an error. Where the log has no more yet, visit gets nil.
func (c *Client) scan(
	ctx context.Context, topic string, partition int32, from int64,
	visit func(*recordbatch.Batch) (done bool, err error),
) error {
	part := fetchPartition{topic: topic, partition: partition, at: from}
	disconnect := false
	for badReads := 0; ; {
		var f *fetchResult
		err := c.retry(ctx, "scan of "+topic, 0, func(ctx context.Context) (err error) {
			if part.id, err = c.topicID(ctx, topic); err != nil {
				return err
			}
			f, err = c.fetchOne(ctx, part, disconnect)
			if isOfTopic(err) {
				if _, err := c.identify(ctx, topic); err != nil && classify(err) != retriable {
					return err
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		done, next, err := scanResult(f, part.at, visit)
		var corrupt *recordbatch.Corrupt
		if errors.As(err, &corrupt) && badReads < maxBadReads {
			badReads++
			disconnect = true
			continue
		}
		if done || err != nil {
			return err
		}
		part.at = next
	}
}

// fetchOne fetches one partition's records, uncommitted ones too.
func (c *Client) fetchOne(ctx context.Context, part fetchPartition, disconnect bool) (*fetchResult, error) {
	req := c.fetchRequest(part)
	req.isolation, req.wait, req.disconnect = uncommitted, markerWait, disconnect
	results, err := c.timedFetch(ctx, leader(part.topic, part.partition), req)
	switch {
	case err != nil:
		return nil, err
	case results[0].err == nil && results[0].result == nil:
		return nil, fmt.Errorf("fetch of %s/%d: the response is about something else", part.topic, part.partition)
	}
	return results[0].result, results[0].err
}

func scanResult(
	f *fetchResult, at int64, visit func(*recordbatch.Batch) (bool, error),
) (done bool, next int64, err error) {
	next = at
	if len(f.data) == 0 {
		done, err = visit(nil)
		return done, next, err
	}
	for rest := f.data; len(rest) > 0; {
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
