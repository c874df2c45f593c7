package replay

import (
	"context"
	"fmt"
	"io"
	"slices"

	"rosenblatt/stream/topics"
)

type topic struct {
	name       string
	partitions []*topics.Cursor
	offsets
}

// FromTopic supplies parts of a topic, merged by timestamp, equal ones in the order of the partitions; within a
// partition by offset.
func FromTopic(name string, log topics.Opener, parts []topics.Part) Source {
	t := &topic{name: name}
	for _, p := range parts {
		if t.add(p) {
			t.partitions = append(t.partitions, topics.NewCursor(log, topics.Input, p, fetchRecords))
		}
	}
	return t
}

// Fill implements Source.
func (t *topic) Fill(ctx context.Context, b *Block) error {
	defer t.count()
	for !b.Full() {
		if len(b.Records) > 0 && slices.ContainsFunc(t.partitions, (*topics.Cursor).Waits) {
			return nil
		}
		first, record, err := t.first(ctx)
		if err != nil {
			return err
		}
		if first == nil {
			return io.EOF
		}
		b.Records = append(b.Records, *record)
		b.Partitions = append(b.Partitions, first.Partition)
		first.Take()
	}
	return nil
}

// first returns the partition with the earliest record; nil at the end.
func (t *topic) first(ctx context.Context) (first *topics.Cursor, record *topics.Record, err error) {
	for _, p := range t.partitions {
		head, err := p.Head(ctx)
		if err != nil {
			return nil, nil, err
		}
		if head != nil && (record == nil || head.Timestamp < record.Timestamp) {
			first, record = p, head
		}
	}
	return first, record, nil
}

func (t *topic) count() {
	t.passed = -t.begin
	for _, p := range t.partitions {
		t.passed += p.Position()
	}
}

// Where implements Source.
func (t *topic) Where(b *Block, i int) string { return where(t.name, b, i) }

func where(topic string, b *Block, i int) string {
	return fmt.Sprintf("topic %s partition %d offset %d", topic, b.Partitions[i], b.Records[i].Offset)
}
