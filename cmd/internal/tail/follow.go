package tail

import (
	"context"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/topics"
)

const (
	together = 50 * time.Millisecond // what comes within this is sorted: the batches of a flight
	mostKept = 1000                  // of what is sorted
	lookAt   = 10 * time.Second      // how often it is asked whether there are more partitions
)

// follow shows what is written behind parts, until the context ends.
func (t *tail) follow(ctx context.Context, parts []topics.Part) error {
	g, ctx := errgroup.WithContext(ctx)
	come := make(chan *record, mostKept)
	read := func(partition int32, from int64) {
		part := topics.Part{Partition: partition, From: from, To: math.MaxInt64}
		g.Go(func() error { return t.read(ctx, part, come) })
	}
	for _, p := range parts {
		read(p.Partition, p.To)
	}
	if len(t.Partitions) == 0 {
		g.Go(func() error { return t.widen(ctx, len(parts), func(partition int32) { read(partition, 0) }) })
	}
	g.Go(func() error { return t.showComing(ctx, come) })
	return g.Wait()
}

// read passes on the records of a partition.
func (t *tail) read(ctx context.Context, p topics.Part, come chan<- *record) error {
	c := topics.NewCursor(t.client, t.topic, p, atOnce)
	for {
		r, err := c.Head(ctx)
		if err != nil {
			return err
		}
		select {
		case come <- newRecord(p.Partition, r):
		case <-ctx.Done():
			return ctx.Err()
		}
		c.Take()
	}
}

// widen reads partitions, too, that the topic gets.
func (t *tail) widen(ctx context.Context, known int, read func(partition int32)) error {
	tick := time.NewTicker(lookAt)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		starts, _, err := daemon.Extent(ctx, t.client, t.topic)
		if err != nil {
			return err
		}
		for ; known < len(starts); known++ {
			read(int32(known))
		}
	}
}

// showComing shows what comes, sorted where it comes together.
func (t *tail) showComing(ctx context.Context, come <-chan *record) error {
	for {
		some, err := gather(ctx, come)
		if err != nil {
			return err
		}
		slices.SortStableFunc(some, compare)
		for _, r := range some {
			if err := t.add(r); err != nil {
				return err
			}
		}
		if err := t.show.flush(); err != nil {
			return err
		}
	}
}

// gather waits for a record, and for those that come together with it.
func gather(ctx context.Context, come <-chan *record) (some []*record, err error) {
	var late <-chan time.Time
	for len(some) < mostKept {
		select {
		case r := <-come:
			if some = append(some, r); late == nil {
				late = time.After(together)
			}
		case <-late:
			return some, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return some, nil
}
