package readahead_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/topics"
)

// partition is records at some offsets below end. Those that a Read returns are overwritten once they are released.
type partition struct {
	offsets []int64
	end     int64
	value   func(offset int64) string
	fails   int64        // the offset at which Read fails, 0 for none
	read    atomic.Int64 // records
}

var errBroken = errors.New("broken")

type memory []topics.Record

func (m memory) Release() {
	for _, r := range m {
		clear(r.Value)
	}
}

func (p *partition) Read(ctx context.Context, run *topics.Run, most int) error {
	from := run.Next
	run.Reset(run.Partition, p.end)
	for _, offset := range p.offsets {
		switch {
		case offset < from:
			continue
		case len(run.Records) == most:
			run.Next = offset
		case p.fails > 0 && offset >= p.fails:
			run.Next = p.fails
			if from == p.fails {
				return errBroken
			}
		default:
			run.Records = append(run.Records, topics.Record{Offset: offset, Value: []byte(p.value(offset))})
			continue
		}
		break
	}
	if from == p.end {
		<-ctx.Done() // as at the end of a log
		return ctx.Err()
	}
	p.read.Add(int64(len(run.Records)))
	run.Hold(memory(slices.Clone(run.Records)))
	return nil
}

func eventAt(offset int64) string {
	return fmt.Sprintf(`{"id":%d,"label":1,"features":{"x":%d}}`, offset, offset)
}

func predictionAt(offset int64) string {
	return fmt.Sprintf(`{"prediction":1,"score":%d,"updated":true,"partition":0,"offset":%d,"time":1,"seq":%d,`+
		`"model":"m@3"}`, offset, offset, offset+1)
}

func upTo(n int64) (all []int64) {
	for offset := range n {
		all = append(all, offset)
	}
	return all
}

func group(t *testing.T, partitions int) *readahead.Group {
	t.Helper()
	decoders, err := readahead.Decoders(event.Defaults(event.JSON), 2)
	if err != nil {
		t.Fatal(err)
	}
	g := readahead.New(t.Context(), decoders, "m", partitions)
	t.Cleanup(g.Close)
	return g
}

func parts(to int64) topics.Part { return topics.Part{To: to} }

// TestExamples: the records of an input come decoded, in order, over gaps and markers, and up to what is asked for.
func TestExamples(t *testing.T) {
	p := &partition{offsets: append(upTo(3000), 3005, 4000), end: 5000, value: eventAt}
	for _, partitions := range []int{1, 10_000} {
		c := group(t, partitions).Open(topics.Input, parts(p.end), p)
		var got []int64
		for _, to := range []int64{1, 2, 1000, 2999, 3003, 3005, 3006, 4000, p.end} {
			c.To = to
			for {
				r, err := c.Head(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if r == nil {
					break
				}
				if id := fmt.Sprint(r.Offset); string(c.Example().ID) != id || len(c.Features()) != 1 ||
					string(r.Value) != eventAt(r.Offset) || c.Position() != r.Offset {
					t.Fatalf("offset %d: id %s, features %v, value %s, position %d",
						r.Offset, c.Example().ID, c.Features(), r.Value, c.Position())
				}
				got = append(got, r.Offset)
				c.Take()
			}
			if c.Position() != to {
				t.Errorf("up to %d: position %d", to, c.Position())
			}
		}
		if !slices.Equal(got, p.offsets) {
			t.Errorf("%d records, want %d", len(got), len(p.offsets))
		}
	}
}

// TestTurns: whatever is used of one partition before another one has its turn, the examples are those of the records.
func TestTurns(t *testing.T) {
	t.Parallel()
	const records = 5000
	g := group(t, 2)
	var all []*readahead.Cursor
	for range 2 {
		p := &partition{offsets: upTo(records), end: records, value: eventAt}
		all = append(all, g.Open(topics.Input, parts(p.end), p))
	}
	for at, n := int64(0), int64(1); at < records; n = n*5/4 + 1 {
		to := min(at+n, records)
		for _, c := range all {
			for offset := at; offset < to; offset++ {
				r, err := c.Head(t.Context())
				if err != nil || r == nil {
					t.Fatal(r, err)
				}
				if id := fmt.Sprint(offset); r.Offset != offset || string(c.Example().ID) != id {
					t.Fatalf("offset %d: id %s, want %s", r.Offset, c.Example().ID, id)
				}
				c.Take()
			}
		}
		at = to
	}
}

// TestEntries: predictions come parsed, as a source that a journal.Reader merges.
func TestEntries(t *testing.T) {
	g := group(t, 1)
	p := &partition{offsets: upTo(1000), end: 1000, value: predictionAt}
	r := journal.NewReader(0, readahead.Entries{Cursor: g.Open(topics.Output, parts(p.end), p)})
	for n := int64(0); ; n++ {
		e, err := r.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			if n != p.end {
				t.Errorf("%d entries", n)
			}
			return
		}
		if e.Order != journal.Next || e.Offset != n || e.Score != float64(n) || e.Epoch != 3 {
			t.Fatalf("%+v", e)
		}
		r.Last = e.Seq
	}
}

// TestErrorInItsPlace: what cannot be read is an error only for somebody who comes there.
func TestErrorInItsPlace(t *testing.T) {
	p := &partition{offsets: upTo(300), end: 300, value: eventAt, fails: 200}
	c := group(t, 1).Open(topics.Input, parts(p.end), p)
	c.To = 200
	for n := 0; ; n++ {
		r, err := c.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			if n != 200 {
				t.Errorf("%d records before the error", n)
			}
			break
		}
		c.Take()
	}
	c.To = 201
	if _, err := c.Head(t.Context()); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

// TestSharedMemory: a thousand partitions that wait for their turn hold no more records together than a few.
func TestSharedMemory(t *testing.T) {
	for _, n := range []int{1, 64, 1000} {
		g := group(t, n)
		var all []*partition
		for range n {
			p := &partition{offsets: upTo(5000), end: 5000, value: eventAt}
			c := g.Open(topics.Input, parts(p.end), p)
			if _, err := c.Head(t.Context()); err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
		g.Close()
		sum := int64(0)
		for _, p := range all {
			sum += p.read.Load()
		}
		if sum > 33_000 {
			t.Errorf("%d partitions: %d records read ahead", n, sum)
		}
	}
}

// TestClose: a group ends while its partitions wait for records, and a cursor's error is that of the context.
func TestClose(t *testing.T) {
	g := group(t, 1)
	p := &partition{offsets: upTo(1), end: 1, value: eventAt}
	c := g.Open(topics.Input, parts(2), p)
	if r, err := c.Head(t.Context()); r == nil {
		t.Fatal(err)
	}
	c.Take()
	g.Close()
	if r, err := c.Head(t.Context()); r != nil || !errors.Is(err, context.Canceled) {
		t.Error(r, err)
	}
}
