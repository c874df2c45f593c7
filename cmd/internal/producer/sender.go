package producer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/kafka/produce"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

const maxBatch = 1000

// sender sends events at a pace and counts those acknowledged by all replicas. Events with a key go to the partition
// that the partitioner chooses, the others round robin.
type sender struct {
	to            *produce.Sender
	topic         string
	pace          pace
	took          time.Duration // send; labels may still follow
	mu            sync.Mutex    // of what follows: events that come behind their labels are written in between
	turn          int           // partition of the next event without a key
	keys          daemon.Keys
	all           []int
	sent          int64 // acknowledged
	indeterminate int64 // sent when an error came, perhaps in the topic
	done          int64 // acknowledged bytes of the file, see event.end
	keyless       int64 // acknowledged without the requested key
}

func newSender(to *produce.Sender, topic string, keys daemon.Keys, rate float64) *sender {
	s := &sender{to: to, topic: topic, keys: keys, pace: newPace(rate), all: make([]int, to.Partitions())}
	for p := range s.all {
		s.all[p] = p
	}
	return s
}

// send has all events of a feed delivered at the pace, or those until ctx ends; a batch in flight is then completed.
func (s *sender) send(ctx context.Context, f *feed, deliver write, progress func(s *sender)) error {
	began := time.Now()
	defer func() { s.took = time.Since(began) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	writing, cancel := beyond(ctx)
	defer cancel()
	events, ended := f.events(ctx)
	batch := make([]outgoing, 0, maxBatch)
	for {
		most, err := s.pace.wait(ctx)
		if err != nil {
			return nil
		}
		batch = gather(ctx, events, batch[:0], most)
		if len(batch) == 0 {
			if ctx.Err() != nil {
				return nil
			}
			return ended()
		}
		s.pace.spend(len(batch))
		if err := deliver(writing, batch); err != nil {
			return err
		}
		progress(s)
	}
}

// gather waits for one event and adds those available; none at the end.
func gather(ctx context.Context, events <-chan outgoing, batch []outgoing, most int) []outgoing {
	select {
	case e, ok := <-events:
		if !ok {
			return batch
		}
		batch = append(batch, e)
	case <-ctx.Done():
		return batch
	}
	for len(batch) < most && len(events) > 0 { // this is the only receiver
		batch = append(batch, <-events)
	}
	return batch
}

// write sends a batch to its partitions concurrently and waits for all.
func (s *sender) write(ctx context.Context, batch []outgoing) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sent, indeterminate atomic.Int64
	var group errgroup.Group
	now := time.Now().UnixMilli()
	for p, events := range s.share(batch) {
		if len(events) == 0 {
			continue
		}
		group.Go(func() error {
			n, unknown, err := s.partition(ctx, int32(p), now, events)
			sent.Add(n)
			indeterminate.Add(unknown)
			return err
		})
	}
	err := group.Wait()
	s.sent += sent.Load()
	s.indeterminate += indeterminate.Load()
	if err != nil {
		return fmt.Errorf("sending to %s: %w", s.topic, err)
	}
	for _, e := range batch {
		s.done = max(s.done, e.end)
		if e.keyless {
			s.keyless++
		}
	}
	return nil
}

// share divides a batch among the partitions; events of one key keep their order.
func (s *sender) share(batch []outgoing) [][]outgoing {
	shares := make([][]outgoing, len(s.all))
	for _, e := range batch {
		p, fixed := s.keys.PartitionOf(e.key, s.all)
		if !fixed {
			p = s.turn % len(s.all)
			s.turn = p + 1
		}
		shares[p] = append(shares[p], e)
	}
	return shares
}

// partition sends events to one partition, in as many batches as needed.
func (s *sender) partition(ctx context.Context, p int32, now int64, events []outgoing) (sent, unknown int64,
	err error) {
	for len(events) > 0 {
		b := &recordbatch.Builder{}
		n := 0
		for n < len(events) && b.AppendHeaders(now, events[n].key, events[n].value, nil, events[n].headers) {
			n++
		}
		if n == 0 { // over the default limit: the broker decides
			const frame = 1 << 10
			b.Limit = recordbatch.DefaultLimit + len(events[0].key) + len(events[0].value) + frame
			b.AppendHeaders(now, events[0].key, events[0].value, nil, events[0].headers)
			n = 1
		}
		acknowledged, err := s.to.Send(ctx, p, b)
		sent += int64(acknowledged)
		var r *topics.Refused
		if errors.As(err, &r) {
			e := events[r.Index]
			return sent, unknown, fmt.Errorf("an event of %d bytes is refused: %v (is it over the topic's "+
				"max.message.bytes?): %s",
				len(e.value), r.Err, excerpt(e.value))
		}
		if err != nil {
			return sent, int64(n - acknowledged), err
		}
		events = events[n:]
	}
	return sent, 0, nil
}

// excerpt is a value's beginning, to recognize it by.
func excerpt(value []byte) string {
	const length = 60
	if len(value) > length {
		return fmt.Sprintf("%.*q...", length, value)
	}
	return fmt.Sprintf("%q", value)
}

// Graceful is the time for a batch in flight after an interrupt.
const Graceful = 10 * time.Second

// beyond returns a context that ends Graceful after ctx.
func beyond(ctx context.Context) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(Graceful, func() { cancel(errors.New("no acknowledgement in time")) })
	})
	return out, func() { stop(); cancel(nil) }
}
