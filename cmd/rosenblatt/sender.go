package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/daemon"
)

// maxBatch is the number of events sent in one go.
const maxBatch = 1000

// sender sends values at a pace and counts those acknowledged by all replicas. An acknowledgement that is lost makes the
// writer send again: then events may stand in the topic twice.
type sender struct {
	writer *kafkago.Writer
	pace   pacer
	sent   int64
}

func newSender(c *produceCommand, security daemon.Security) *sender {
	return &sender{
		pace: pacer{rate: c.Rate},
		writer: &kafkago.Writer{
			Addr: kafkago.TCP(c.Brokers...), Topic: c.Topic, Balancer: &kafkago.RoundRobin{},
			BatchSize: maxBatch, BatchTimeout: 5 * time.Millisecond, RequiredAcks: kafkago.RequireAll,
			Transport: c.transport(security),
		},
	}
}

func (c *produceCommand) transport(security daemon.Security) *kafkago.Transport {
	return &kafkago.Transport{ClientID: c.ClientID, TLS: security.TLS, SASL: security.SASL, MetadataTTL: 500 * time.Millisecond}
}

func (s *sender) close() {
	_ = s.writer.Close() // it holds nothing: every write was waited for
	if t, ok := s.writer.Transport.(*kafkago.Transport); ok {
		t.CloseIdleConnections()
	}
}

// send sends all values of a feed, or those until ctx ends. What was begun when it ends is brought to its end.
func (s *sender) send(ctx context.Context, f *feed, progress func(sent int64, done bool)) error {
	defer func() { progress(s.sent, true) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	writing, cancel := beyond(ctx)
	defer cancel()
	values, ended := f.values(ctx)
	batch := make([]kafkago.Message, 0, maxBatch)
	for {
		most, ok := s.pace.wait(ctx)
		if !ok {
			return nil
		}
		batch = gather(ctx, values, batch[:0], most)
		if len(batch) == 0 {
			if ctx.Err() != nil {
				return nil
			}
			return ended()
		}
		if err := s.write(writing, batch); err != nil {
			return err
		}
		progress(s.sent, false)
	}
}

// gather waits for one value and takes those that are there already, none at the end.
func gather(ctx context.Context, values <-chan []byte, batch []kafkago.Message, most int) []kafkago.Message {
	select {
	case v, ok := <-values:
		if !ok {
			return batch
		}
		batch = append(batch, kafkago.Message{Value: v})
	case <-ctx.Done():
		return batch
	}
	for len(batch) < most {
		select {
		case v, ok := <-values:
			if !ok {
				return batch
			}
			batch = append(batch, kafkago.Message{Value: v})
		default:
			return batch
		}
	}
	return batch
}

func (s *sender) write(ctx context.Context, batch []kafkago.Message) error {
	err := s.writer.WriteMessages(ctx, batch...)
	var each kafkago.WriteErrors
	switch {
	case err == nil:
		s.count(int64(len(batch)))
		return nil
	case errors.As(err, &each):
		s.count(int64(len(each) - each.Count()))
		for _, first := range each {
			if first != nil {
				err = first
				break
			}
		}
	}
	return fmt.Errorf("sending to %s: %w", s.writer.Topic, err)
}

func (s *sender) count(n int64) {
	s.sent += n
	s.pace.gone += float64(n)
}

// pacer tells how many events are due.
type pacer struct {
	rate  float64 // events a second; 0 for as many as there are
	began time.Time
	gone  float64
}

// wait waits until at least one event is due and returns how many are, at most maxBatch; false when ctx ended.
func (p *pacer) wait(ctx context.Context) (most int, ok bool) {
	if p.rate == 0 {
		return maxBatch, ctx.Err() == nil
	}
	if p.began.IsZero() {
		p.began = time.Now()
	}
	for ctx.Err() == nil {
		due := time.Since(p.began).Seconds()*p.rate + 1 - p.gone // the first one at once
		if due > p.rate+maxBatch {                               // it fell behind: no burst to catch up
			p.gone += due - 1
			due = 1
		}
		if due >= 1 {
			return int(min(due, maxBatch)), true
		}
		// At high rates the smallest pause sends several at once.
		pause := max(time.Duration((1-due)/p.rate*float64(time.Second)), 2*time.Millisecond)
		t := time.NewTimer(pause)
		select {
		case <-t.C:
		case <-ctx.Done():
		}
		t.Stop()
	}
	return 0, false
}
