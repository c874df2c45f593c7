package kafka

import (
	"context"
	"errors"

	"rosenblatt/stream/recordbatch"
)

// scan calls visit for every batch of a partition from an offset on, markers and uncommitted ones too, until visit is
// done or returns an error. Where the log has no more yet, visit gets nil.
func (c *Client) scan(
	ctx context.Context, topic string, partition int32, from int64,
	visit func(*recordbatch.Batch) (done bool, err error),
) error {
	req := c.fetchRequest(topic, partition, from)
	req.isolation, req.wait = uncommitted, markerWait
	for badReads := 0; ; {
		var f *fetchResult
		err := c.retry(ctx, "scan of "+topic, 0, func(ctx context.Context) (err error) {
			if req.id, err = c.topicID(ctx, topic); err != nil {
				return err
			}
			f, err = c.fetch(ctx, req)
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
		done, next, err := scanResult(f, req.at, visit)
		var corrupt *recordbatch.Corrupt
		if errors.As(err, &corrupt) && badReads < maxBadReads {
			badReads++
			req.disconnect = true
			continue
		}
		if done || err != nil {
			return err
		}
		req.at = next
	}
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
