package kafka

import (
	"context"
	"errors"

	"rosenblatt/stream/recordbatch"
)

// scan shows every batch of a partition from an offset on to look, markers and uncommitted ones too, waiting for more to
// come until look is done or has an error. Nothing is unpacked. What passes by itself it sits out.
func (c *Client) scan(ctx context.Context, topic string, partition int32, from int64, look func(*recordbatch.Batch) (done bool, err error)) error {
	w := fetchRequest{topic: topic, partition: partition, at: from, isolation: uncommitted, bytes: c.fetchBytes(), wait: markerWait}
	what := "scan of " + topic
	badReads := 0
	for {
		var h *fetchResult
		err := c.retry(ctx, what, 0, func(ctx context.Context) (err error) {
			if w.id, err = c.topicID(ctx, topic); err != nil {
				return err
			}
			h, err = c.fetch(ctx, w)
			if code, _ := codeOf(err); code == codeUnknownTopicID || code == codeOtherTopicID || code == codeUnknownTopic {
				if _, err := c.identify(ctx, topic); err != nil && classify(err) != retriable {
					return err
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		done, next, err := scanResult(h, w.at, look)
		var corrupt *recordbatch.Corrupt
		if errors.As(err, &corrupt) && badReads < maxBadReads {
			badReads++
			w.disconnect = true
			continue
		}
		if done || err != nil {
			return err
		}
		w.at = next
	}
}

func scanResult(h *fetchResult, at int64, look func(*recordbatch.Batch) (bool, error)) (done bool, next int64, err error) {
	next = at
	for rest := h.data; len(rest) > 0; {
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
		if done, err := look(&b); done || err != nil {
			return done, next, err
		}
		next = b.LastOffset + 1
	}
	return false, next, nil
}
