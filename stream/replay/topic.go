package replay

import (
	"context"
	"fmt"
	"io"

	"rosenblatt/stream/topics"
)

// topic is a Source of a topic's partitions, merged.
type topic struct {
	name       string
	partitions []*topics.Cursor
	begin      int64 // the offsets at which the parts begin, added up
	passed     int64 // offsets
	total      int64
}

// FromTopic gives the records of stretches of a topic's partitions: in the order of the partition's offsets and,
// between partitions, of their timestamps; equal ones in the order of the partitions. The partitions are merged as
// streams: where a partition's timestamps go back, its later record waits behind the earlier one all the same.
func FromTopic(name string, log topics.Opener, parts []topics.Part) Source {
	t := &topic{name: name}
	for _, p := range parts {
		if p.To > p.From {
			t.partitions = append(t.partitions, topics.NewCursor(log, topics.Input, p, fetchRecords))
			t.begin += p.From
			t.total += p.To - p.From
		}
	}
	return t
}

// Fill implements Source.
func (t *topic) Fill(ctx context.Context, b *Block) error {
	for !b.Full() {
		if len(b.Records) > 0 && t.behind() {
			return nil
		}
		first, record, err := t.first(ctx)
		if err != nil {
			return err
		}
		if first == nil {
			t.count()
			return io.EOF
		}
		b.Records = append(b.Records, *record)
		b.Partitions = append(b.Partitions, first.Partition)
		first.Take()
	}
	t.count()
	return nil
}

// first finds the partition whose head comes first; nil at the end.
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

func (t *topic) behind() bool {
	for _, p := range t.partitions {
		if p.Waits() {
			return true
		}
	}
	return false
}

func (t *topic) count() {
	t.passed = -t.begin
	for _, p := range t.partitions {
		t.passed += p.Position()
	}
}

// Done implements Source, in offsets.
func (t *topic) Done() (done, total int64) { return t.passed, t.total }

// Where implements Source.
func (t *topic) Where(b *Block, i int) string { return where(t.name, b, i) }

func where(topic string, b *Block, i int) string {
	return fmt.Sprintf("topic %s partition %d offset %d", topic, b.Partitions[i], b.Records[i].Offset)
}
