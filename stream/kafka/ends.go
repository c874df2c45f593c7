package kafka

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/topics"
)

// endRequests are the requests of a task for ends that are under way, by leader.
type endRequests struct {
	mu sync.Mutex
	of map[int32]*endRequest
}

type endRequest struct {
	running bool
	errs    cluster.Backoff
	until   time.Time // not made before
	highs   bool      // the next one is for high watermarks, too
}

// begin reports whether a leader is asked now, and for high watermarks too: they are not left out because it was being
// asked when somebody wanted them.
func (r *endRequests) begin(leader int32, highs bool) (begins, withHighs bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil {
		r.of = map[int32]*endRequest{}
	}
	if r.of[leader] == nil {
		r.of[leader] = &endRequest{}
	}
	is := r.of[leader]
	is.highs = is.highs || highs
	//mutation:ends-once
	if is.running || time.Now().Before(is.until) {
		return false, false
	}
	highs, is.highs, is.running = is.highs, false, true
	return true, highs
}

// end notes that a leader has responded, or why it has not.
func (r *endRequests) end(leader int32, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	is := r.of[leader]
	if is.running = false; err == nil {
		is.errs.Reset()
	} else {
		is.until = time.Now().Add(is.errs.Grow(cluster.LastPause))
	}
}

// Ends is described at topics.Log. It is one ListOffsets to each broker that leads some of the partitions, and one more
// for high watermarks. What fails is not reported as an outage: fetches of the same partitions fail alike.
func (c *Client) Ends(ctx context.Context, highs bool, found func([]topics.PartitionEnd)) {
	known, err := c.cluster.Metadata(ctx)
	if err != nil {
		return
	}
	led := map[int32][]topics.PartitionEnd{}
	for _, t := range c.names.Read() {
		for _, p := range c.portion.Owned(len(known.Leaders[c.names.Of(t)])) {
			end := topics.PartitionEnd{Topic: t, Partition: p, High: -1}
			leader, err := c.cluster.LeaderOf(c.names.Of(t), p)
			if err != nil {
				end.Err = err
				found([]topics.PartitionEnd{end})
				c.cluster.Refresh()
				continue
			}
			led[leader] = append(led[leader], end)
		}
	}
	var all sync.WaitGroup
	for _, leader := range slices.Sorted(maps.Keys(led)) {
		ends := led[leader]
		if begins, highs := c.asking.begin(leader, highs); begins {
			//mutation:ends-beside
			all.Go(func() {
				err := c.endsFrom(ctx, leader, highs, ends)
				c.asking.end(leader, err)
				found(ends)
			})
		}
	}
	all.Wait()
}

// endsFrom asks one leader. It returns an error if that did not respond.
func (c *Client) endsFrom(ctx context.Context, leader int32, highs bool, ends []topics.PartitionEnd) (err error) {
	// Before the others: what is below a last stable offset that is not lower is all readable.
	if highs {
		err = c.listEnds(ctx, leader, cluster.Uncommitted, ends, func(e *topics.PartitionEnd, at int64) { e.High = at })
	}
	if err == nil {
		err = c.listEnds(ctx, leader, cluster.Committed, ends, func(e *topics.PartitionEnd, at int64) { e.Stable = at })
	}
	for i := range ends {
		if err != nil {
			ends[i].Err = err
		}
		if ends[i].Err != nil && ctx.Err() == nil {
			c.cluster.Refresh()
		}
	}
	return err
}

// listEnds asks one leader for ends in an isolation.
func (c *Client) listEnds(ctx context.Context, leader int32, isolation int8, ends []topics.PartitionEnd,
	set func(*topics.PartitionEnd, int64)) error {
	req := &kmsg.ListOffsetsRequest{ReplicaID: -1, IsolationLevel: isolation}
	for _, e := range ends {
		cluster.AddPartition(req, c.names.Of(e.Topic), e.Partition, cluster.LogEnd)
	}
	to := cluster.Node(leader)
	return c.cluster.ListEach(ctx, to, req, func(topic string, p int32, at topics.Reached, err error) bool {
		for i := range ends {
			if e := &ends[i]; c.names.Of(e.Topic) == topic && e.Partition == p {
				if err != nil {
					e.Err = err
				}
				set(e, at.Offset)
				return true
			}
		}
		return false
	})
}
