package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/stream/board"
)

// The maximum size of a batch.
const (
	batchEvents = 1000
	batchBytes  = 512 << 10
)

// feeder sends events to the input topic.
type feeder struct {
	source eventSource
	topic  string
	status func() *board.Status // the daemon's
	client *kafka.Client
	pace   pace
	labels *labelFeeder // nil: they are in the events

	held   []byte // an event that did not fit into the last batch
	memory []byte // of the batch
	spans  []int  // where events end in memory
}

func newFeeder(f *feedable, b *broker, group string, rate float64, labels *labelFeeder,
	status func() *board.Status) *feeder {
	topics := []string{f.topic}
	if labels != nil {
		topics = append(topics, labels.topic)
	}
	transport := &kafka.Transport{ClientID: "demo-feeder", MetadataTopics: topics}
	end := b.end(f.topic)
	return &feeder{
		source: f.eventSource, topic: f.topic, status: status, labels: labels,
		client: &kafka.Client{Addr: kafka.TCP(b.ListenAddrs()...), Transport: transport, Timeout: 20 * time.Second},
		pace:   pace{rate: rate, end: end, covered: func() int64 { return b.committed(group, f.topic) }},
	}
}

func (f *feeder) close() { f.client.Transport.(*kafka.Transport).CloseIdleConnections() }

// run is done when the whole source is predicted, and its labels are handled: at the end those that are not due yet are
// sent at once.
func (f *feeder) run(ctx context.Context) (done bool, err error) {
	if f.labels == nil {
		return f.feed(ctx)
	}
	done, err = f.feed(ctx)
	if err == nil {
		err = f.labels.send(ctx, f.client, time.Now().Add(2*f.labels.delay))
	}
	for done && err == nil && !f.labels.handled(f.status()) {
		done = wait(ctx, 10*time.Millisecond)
	}
	return done, err
}

func (f *feeder) feed(ctx context.Context) (done bool, err error) {
	for {
		if f.labels != nil {
			if err := f.labels.send(ctx, f.client, time.Now()); err != nil {
				return false, err
			}
		}
		n, pause := f.pace.due(time.Now(), f.status())
		if n == 0 {
			if !wait(ctx, pause) {
				return false, nil
			}
			continue
		}
		err := f.gather(n)
		if len(f.spans) > 0 {
			if err := f.send(ctx); err != nil {
				return false, err
			}
		}
		switch {
		case ctx.Err() != nil:
			return false, nil
		case errors.Is(err, io.EOF):
			return f.predicted(ctx), nil
		case err != nil:
			return false, err
		}
	}
}

func (f *feeder) predicted(ctx context.Context) bool {
	for position(f.status()) < f.pace.end {
		if !wait(ctx, 10*time.Millisecond) {
			return false
		}
	}
	return true
}

// gather makes a batch. Events gathered before an error are to be sent.
func (f *feeder) gather(n int) error {
	f.memory, f.spans = append(f.memory[:0], f.held...), f.spans[:0]
	if len(f.held) > 0 {
		f.spans, f.held = append(f.spans, len(f.memory)), f.held[:0]
	}
	for len(f.spans) < min(n, batchEvents) {
		value, err := f.source.next()
		if err != nil {
			return err
		}
		if f.labels != nil {
			value = f.labels.take(value)
		}
		if len(f.spans) > 0 && len(f.memory)+len(value) > batchBytes {
			f.held = append(f.held, value...)
			return nil
		}
		f.memory = append(f.memory, value...)
		f.spans = append(f.spans, len(f.memory))
	}
	return nil
}

func (f *feeder) send(ctx context.Context) error {
	records := make([]kafka.Record, len(f.spans))
	from := 0
	for i, to := range f.spans {
		records[i].Value = kafka.NewBytes(f.memory[from:to:to])
		from = to
	}
	if err := produce(ctx, f.client, f.topic, records); err != nil {
		return err
	}
	f.pace.sent(len(records), int64(len(f.memory)))
	return nil
}

// wait returns false when the context ended.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
