package producer

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/dustin/go-humanize/english"
	"golang.org/x/sync/errgroup"

	"rosenblatt/cmd/internal/cli"
)

// write sends records to a topic and waits for their acknowledgement.
type write func(context.Context, []outgoing) error

// later is a record that is sent later.
type later struct {
	outgoing
	label bool // else an event
	kind  labelKind
}

// labelQueue sends labels, and events that come behind their labels, when they are due.
type labelQueue struct {
	events, labels write
	changed        chan struct{} // holds one element once the queue has changed

	mu     sync.Mutex // of what follows
	due    Schedule[*later]
	last   time.Time // when the last of them is due
	left   int       // labels among them
	closed bool

	counts labelCounts
}

func newLabelQueue(events, labels write) *labelQueue {
	return &labelQueue{events: events, labels: labels, changed: make(chan struct{}, 1)}
}

// send sends the events of a feed and their labels.
func (q *labelQueue) send(ctx context.Context, program *cli.Program, to *sender, from *feed, show *progress) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		err := to.send(ctx, from, q.deliver, show.moved)
		show.bar.End()
		if last, n := q.close(); err == nil && n > 0 && ctx.Err() == nil {
			fmt.Fprintf(program.Stderr, "all events are sent; %d %s will follow until %s\n", n,
				english.PluralWord(n, "label", ""), last.Format(time.TimeOnly))
		}
		return err
	})
	group.Go(func() error { return q.run(ctx) })
	return group.Wait()
}

// deliver writes events, but for those that come behind their labels, and queues the labels.
func (q *labelQueue) deliver(ctx context.Context, batch []outgoing) error {
	now := make([]outgoing, 0, len(batch))
	for _, e := range batch {
		if e.hold == 0 {
			now = append(now, e)
		}
	}
	if err := q.events(ctx, now); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	turn := time.Now() // behind the timestamps of the events
	for _, e := range batch {
		if e.hold > 0 {
			q.add(turn.Add(e.hold), &later{outgoing: e})
		}
		for _, l := range e.labels {
			record := outgoing{key: l.Key, value: l.Value}
			q.add(turn.Add(l.After), &later{outgoing: record, label: true, kind: l.kind})
		}
		q.counts.event(&e)
	}
	q.notify()
	return nil
}

func (q *labelQueue) add(at time.Time, x *later) {
	q.due.Add(at, x)
	if x.label {
		q.left++
	}
	if at.After(q.last) {
		q.last = at
	}
}

func (q *labelQueue) notify() {
	select {
	case q.changed <- struct{}{}:
	default:
	}
}

// close says that no events follow. It returns how many labels do, and when the last one is due.
func (q *labelQueue) close() (last time.Time, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.notify()
	return q.last, q.left
}

// run sends what is due until the queue is closed and empty, or ctx ends; a batch in flight is then completed.
func (q *labelQueue) run(ctx context.Context) error {
	writing, cancel := beyond(ctx)
	defer cancel()
	for {
		events, labels, wait, more := q.take()
		if err := q.write(writing, events, labels); err != nil {
			return err
		}
		if !more {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-q.changed:
			timer.Stop()
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
	}
}

func (q *labelQueue) write(ctx context.Context, events []outgoing, labels []*later) error {
	batch := make([]outgoing, len(labels))
	for i, l := range labels {
		batch[i] = l.outgoing
	}
	if err := q.labels(ctx, batch); err != nil { // first: an event may come behind one of them
		return err
	}
	if err := q.events(ctx, events); err != nil {
		return err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, l := range labels {
		q.counts.sent[l.kind]++
	}
	return nil
}

// take takes what is due, and returns how long it is until the next one is; more is false if nothing follows.
func (q *labelQueue) take() (events []outgoing, labels []*later, wait time.Duration, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for {
		at, some := q.due.Next()
		wait = at.Sub(now)
		switch {
		case !some:
			return events, labels, time.Hour, !q.closed
		case wait > 0:
			return events, labels, wait, true
		case len(events) == maxBatch || len(labels) == maxBatch:
			return events, labels, 0, true
		}
		x := q.due.Take()
		if x.label {
			labels = append(labels, x)
			q.left--
		} else {
			events = append(events, x.outgoing)
		}
	}
}
