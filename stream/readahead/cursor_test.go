package readahead

import (
	"context"
	"fmt"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/topics"
)

// endless is a partition with a record at each offset.
type endless struct{}

func (endless) Read(_ context.Context, run *topics.Run, most int) error {
	at := run.Next
	for range most {
		run.Records = append(run.Records, topics.Record{Offset: at, Value: fmt.Appendf(nil, `{"id":%d,"x":1}`, at)})
		at++
	}
	run.Next = at
	return nil
}

// TestDecodedInTurn: of partitions that take turns, what is decoded is what is used; of a partition that goes on, more
// and more, and then other goroutines decode whole blocks of it.
func TestDecodedInTurn(t *testing.T) {
	t.Parallel()
	decoders, err := Decoders(event.Defaults(event.JSON), 1)
	if err != nil {
		t.Fatal(err)
	}
	g := New(t.Context(), decoders, "m", 2)
	defer g.Close()
	const end = 100 * mostRecords
	a, b := g.Open(topics.Input, topics.Part{To: end}, endless{}), g.Open(topics.Input, topics.Part{To: end}, endless{})
	use := func(c *Cursor) {
		t.Helper()
		if r, err := c.Head(t.Context()); r == nil {
			t.Fatal(err)
		}
		c.Take()
	}
	for i := range 10 {
		for _, c := range []*Cursor{a, b} {
			if use(c); c.now.from != i || c.now.to != i+1 {
				t.Errorf("record %d: %d to %d are decoded", i, c.now.from, c.now.to)
			}
		}
	}
	for n, step := 10, 1; n < mostRecords; n, step = n+step, 2*step {
		for range min(step, mostRecords-n) {
			if use(a); a.now.to != min(n+step, mostRecords) {
				t.Errorf("record %d: decoded up to %d, not %d", n, a.now.to, n+step)
			}
		}
	}
	for len(a.passed) == 0 {
		if use(a); a.at > end/2 {
			t.Fatal("no block of a long run is decoded ahead")
		}
	}
}
