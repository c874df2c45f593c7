package journal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// log is an output topic: the seqs in each partition; 0 is a foreign record, below 0 for offsets
// without one.
type log [][]int64

func (l log) Open(_ topics.Topic, partition int32, from int64) topics.Reader {
	return &reader{l[partition], partition}
}

type reader struct {
	seqs      []int64
	partition int32
}

// Read gives one offset at a time, so that each record is met alone.
func (r *reader) Read(_ context.Context, c *topics.Run, _ int) error {
	at := c.Next
	c.Reset(r.partition, at+1)
	switch seq := r.seqs[at]; {
	case seq < -1:
		return errors.New("unreadable")
	case seq < 0:
		return nil
	case seq == 0:
		c.Records = append(c.Records, topics.Record{Offset: at, Value: []byte("hello")})
	default:
		value := fmt.Appendf(nil, `{"score":%d,"partition":%d,"offset":%d,"seq":%d,"model":"m@1"}`, seq, r.partition,
			at, seq)
		c.Records = append(c.Records, topics.Record{Offset: at, Value: value})
	}
	return nil
}

func (l log) reader(last int64) *journal.Reader {
	var sources []journal.Source
	for p, seqs := range l {
		part := topics.Part{Partition: int32(p), To: int64(len(seqs))}
		sources = append(sources, journal.Open(l, topics.Output, part, "m", 100))
	}
	return journal.NewReader(last, sources...)
}

// TestReader: the partitions are merged by seq, and what is in the way of the next entry is returned as what it is.
func TestReader(t *testing.T) {
	for name, row := range map[string]struct {
		log  log
		last int64
		want string
	}{
		"empty":           {log{{}, {-1, -1}}, 0, ""},
		"one":             {log{{1, 2, 3}}, 0, "1 2 3"},
		"two":             {log{{1, 4, -1, 5}, {-1, 2, 3, 6}}, 0, "1 2 3 4 5 6"},
		"from a position": {log{{8}, {7, 9}}, 6, "7 8 9"},
		"foreign":         {log{{1, 3}, {0, 2, 0}}, 0, "foreign@1/0 1 2 foreign@1/2 3"},
		"hole":            {log{{1, 5}, {6}}, 0, "1 5:hole 6"},
		"duplicate":       {log{{1, 2, 3}, {2}}, 0, "1 2 2:duplicate 3"},
		"out of order":    {log{{1, 3, 2, 4}}, 0, "1 3:hole 2:back 4"},
		"from before":     {log{{1, 2, 3}}, 2, "1:back 2:duplicate 3"},
	} {
		r, got := row.log.reader(row.last), ""
		for {
			e, err := r.Next(t.Context())
			if err != nil {
				t.Fatal(name, err)
			}
			if e == nil {
				break
			}
			if e.Kind == journal.Foreign {
				got += fmt.Sprintf(" foreign@%d/%d", e.Output, e.Record.Offset)
				continue
			}
			got += fmt.Sprint(" ", e.Seq, [...]string{"", ":hole", ":duplicate", ":back"}[e.Order])
			if e.Score != float64(e.Seq) {
				t.Errorf("%s: seq %d has score %v", name, e.Seq, e.Score)
			}
			r.Last = max(r.Last, e.Seq)
		}
		if got != row.want && got != " "+row.want {
			t.Errorf("%s: %s, want %s", name, got, row.want)
		}
		for p, at := range r.Positions() {
			if at != int64(len(row.log[p])) {
				t.Errorf("%s: partition %d ends at position %d", name, p, at)
			}
		}
	}
}

// TestReaderPositions: a partition is still to be read from its next entry, and the current entry is passed.
func TestReaderPositions(t *testing.T) {
	r := log{{1, -1, 4}, {-1, 2, 3}}.reader(0)
	var heads []int64
	for _, want := range [][]int64{{1, 1}, {2, 2}, {2, 3}, {3, 3}} {
		e, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Positions(); !slices.Equal(got, want) {
			t.Errorf("behind seq %d: %v, want %v", e.Seq, got, want)
		}
		heads = heads[:0]
		for _, h := range r.Heads() {
			if h != nil {
				heads = append(heads, h.Seq)
			}
		}
		if !slices.Contains(heads, e.Seq) {
			t.Errorf("seq %d is not among the heads %v", e.Seq, heads)
		}
		r.Last = e.Seq
	}
}

// TestReaderError: an error of the log ends the reading where it is met.
func TestReaderError(t *testing.T) {
	r := log{{1, 3}, {2, -2}}.reader(0)
	for seq := int64(1); ; seq++ {
		e, err := r.Next(t.Context())
		if err != nil {
			if seq != 3 {
				t.Errorf("before seq %d: %v", seq, err)
			}
			return
		}
		if e == nil || e.Seq != seq {
			t.Fatal(e)
		}
		r.Last = seq
	}
}
