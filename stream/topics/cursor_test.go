package topics_test

import (
	"context"
	"slices"
	"testing"

	"rosenblatt/stream/topics"
)

// log is a partition of records at these offsets, of which two come with each Read; behind them are markers.
type log []int64

func (l log) Open(topics.Topic, int32, int64) topics.Reader { return l }

func (l log) Read(_ context.Context, c *topics.Run, _ int) error {
	from := c.Next
	c.Reset(c.Partition, from+2)
	for _, offset := range l {
		if from <= offset && offset < from+2 {
			c.Records = append(c.Records, topics.Record{Offset: offset})
		}
	}
	return nil
}

// TestCursor: the records of a part come once each, over gaps, and the part may be extended.
func TestCursor(t *testing.T) {
	l := log{0, 1, 4, 5, 6, 9, 20}
	c := topics.NewCursor(l, topics.Input, topics.Part{From: 1, To: 3}, 100)
	var got []int64
	for _, to := range []int64{3, 3, 5, 6, 12, 30} {
		c.To = to
		for {
			r, err := c.Head(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if r == nil {
				break
			}
			if c.Waits() || c.Position() != r.Offset {
				t.Errorf("at offset %d: position %d, waits %v", r.Offset, c.Position(), c.Waits())
			}
			got = append(got, r.Offset)
			c.Take()
		}
		if c.Position() != to {
			t.Errorf("up to %d: position %d", to, c.Position())
		}
	}
	if want := l[1:]; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
