package tail

import (
	"bytes"
	"cmp"
	"context"

	"rosenblatt/stream/topics"
)

// atOnce is how many records of a partition are fetched together at most.
const atOnce = 4096

// merge is the records of some partitions by the time at which they were written, equal times by seq.
type merge struct {
	cursors []*topics.Cursor
	heads   []*record // the next of each; nil: to be read, or at the end
	first   []*record // that was read of each; nil: none
}

// record is one with what it is sorted by.
type record struct {
	topics.Record
	partition int32
	seq       int64 // 0 of what has none
}

func newMerge(log topics.Opener, topic topics.Topic, parts []topics.Part) *merge {
	m := &merge{heads: make([]*record, len(parts)), first: make([]*record, len(parts))}
	for _, p := range parts {
		m.cursors = append(m.cursors, topics.NewCursor(log, topic, p, atOnce))
	}
	return m
}

// next returns the next record, nil at the end of all parts. It stays valid.
func (m *merge) next(ctx context.Context) (r *record, err error) {
	best := -1
	for i, c := range m.cursors {
		if m.heads[i] == nil {
			head, err := c.Head(ctx)
			if err != nil {
				return nil, err
			}
			if head == nil {
				continue
			}
			m.heads[i] = newRecord(c.Partition, head)
			m.first[i] = cmp.Or(m.first[i], m.heads[i])
			c.Take()
		}
		if best < 0 || compare(m.heads[i], m.heads[best]) < 0 {
			best = i
		}
	}
	if best < 0 {
		return nil, nil
	}
	r, m.heads[best] = m.heads[best], nil
	return r, nil
}

func newRecord(partition int32, r *topics.Record) *record {
	return &record{*r, partition, seqIn(r.Value)}
}

// compare orders records of several partitions. Those of one flight have one time.
func compare(a, b *record) int {
	return cmp.Or(cmp.Compare(a.Timestamp, b.Timestamp), cmp.Compare(a.seq, b.seq),
		cmp.Compare(a.partition, b.partition), cmp.Compare(a.Offset, b.Offset))
}

var seqField = []byte(`,"seq":`)

// seqIn is the seq in the value of a prediction or an outcome, where it stands near the end.
func seqIn(value []byte) (seq int64) {
	at := bytes.LastIndex(value, seqField)
	if at < 0 {
		return 0
	}
	for _, digit := range value[at+len(seqField):] {
		if digit < '0' || digit > '9' {
			break
		}
		seq = 10*seq + int64(digit-'0')
	}
	return seq
}
