package main

import (
	"context"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/cmd/internal/producer"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/board"
)

// labelFeeder takes the labels out of events and sends them later, to a topic of their own.
type labelFeeder struct {
	split *producer.Splitter
	topic string
	delay time.Duration
	due   producer.Schedule[producer.LabelRecord]
	taken int64 // events, over all runs on one state
	end   int64 // the log's end
}

// labelsOf names the topic of the labels.
func labelsOf(f *feedable) string { return f.topic + ".labels" }

// withLabels makes the feeder of later labels; nil if labels are in the events. A table gets a column of ids.
func (o *Options) withLabels(f *feedable) (*labelFeeder, error) {
	if o.LabelDelay == 0 {
		return nil, nil
	}
	r := &f.reading
	label := r.LabelField
	if label == "" {
		label = "label"
	}
	s := &producer.Settings{IDField: "id", IDPrefix: "e", Seed: 1,
		LateLabels: producer.LateLabels{Out: labelsOf(f), LabelField: label, Delay: o.LabelDelay}}
	table := source.Table{Columns: r.Columns, Dialect: r.Dialect()}
	split, err := s.Splitter(r.Format, &table)
	if err != nil {
		return nil, err
	}
	if r.Columns = table.Columns; r.Columns != nil {
		r.IDField = s.IDField
	}
	return &labelFeeder{split: split, topic: s.Out, delay: o.LabelDelay}, nil
}

// take returns the next event without its label, which is due later.
func (l *labelFeeder) take(value []byte) []byte {
	event, labels := l.split.Split(l.taken, value)
	l.taken++
	now := time.Now()
	for _, r := range labels {
		l.due.Add(now.Add(r.After), r)
	}
	return event
}

// send sends the labels that are due by a time.
func (l *labelFeeder) send(ctx context.Context, client *kafka.Client, by time.Time) error {
	for {
		var records []kafka.Record
		for len(records) < batchEvents {
			at, ok := l.due.Next()
			if !ok || at.After(by) {
				break
			}
			records = append(records, kafka.Record{Value: kafka.NewBytes(l.due.Take().Value)})
		}
		if len(records) == 0 {
			return nil
		}
		if err := produce(ctx, client, l.topic, records); err != nil {
			return err
		}
		l.end += int64(len(records))
	}
}

// handled reports whether all labels that were sent are.
func (l *labelFeeder) handled(s *board.Status) bool {
	return s.Late != nil && len(s.Late.Partitions) > 0 && s.Late.Partitions[0].Position >= l.end
}

// produce sends records to the only partition of a topic. It is not interrupted by the end of ctx, since the log's end
// has to be known.
func produce(ctx context.Context, client *kafka.Client, topic string, records []kafka.Record) error {
	res, err := client.Produce(context.WithoutCancel(ctx), &kafka.ProduceRequest{
		Topic: topic, Partition: 0, RequiredAcks: kafka.RequireAll, Records: kafka.NewRecordReader(records...),
	})
	if err == nil {
		err = res.Error
	}
	if err != nil {
		return fmt.Errorf("feeding topic %s: %w", topic, err)
	}
	return nil
}
