package kafka

import (
	"slices"
	"testing"
	"time"

	"rosenblatt/stream/kafka/produce"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// withCheckpoints is a client of a bed with a checkpoint topic, which is created.
func (b *bed) withCheckpoints(change func(*Options)) *Client {
	b.t.Helper()
	name := b.name + "-state"
	c := b.client(func(o *Options) {
		o.Checkpoints = name
		if change != nil {
			change(o)
		}
	})
	made, err := c.Ensure(timeout(b.t, 30*time.Second), true)
	if err != nil || len(made) > 1 {
		b.t.Fatal(made, err)
	}
	top, err := c.Topology(b.t.Context())
	if s := top.Checkpoints; err != nil || !s.Compacted || s.Deleted || len(s.Partitions) != 1 || s.Name != name {
		b.t.Fatalf("%+v, %v", s, err)
	}
	return c
}

func putPiece(t *testing.T, l *produce.CheckpointLog, values ...string) error {
	return l.Append(timeout(t, 30*time.Second), build(values...))
}

// TestCheckpointsAreFenced: from the successor's marker on, the predecessor writes no piece, and what is before the
// marker is final.
func TestCheckpointsAreFenced(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.withCheckpoints(nil).Journal()
	if err := putPiece(t, j.Checkpoints(), "early"); err == nil {
		t.Fatal("written before a takeover")
	}
	takeover(t, j, topics.NoProducer)
	if err := putPiece(t, j.Checkpoints(), "x", "y"); err != nil {
		t.Fatal(err)
	}
	c := b.withCheckpoints(nil)
	next := c.Journal()
	f := takeover(t, next, topics.NoProducer)
	var at recordbatch.Batch
	ctx := timeout(t, 20*time.Second)
	err := c.fetcher.Scan(ctx, c.opt.Checkpoints, 0, 0, func(batch *recordbatch.Batch) (bool, error) {
		if batch == nil {
			return true, nil
		}
		at = *batch
		return batch.Control && batch.ProducerID == f.Producer.ID && batch.Epoch == f.Producer.Epoch, nil
	})
	if err != nil || !at.Control || at.BaseOffset != f.Checkpoints {
		t.Errorf("the marker is at %d, the fence has %d: %v", at.BaseOffset, f.Checkpoints, err)
	}
	if err := putPiece(t, j.Checkpoints(), "zombie"); !stops.Is(err, stops.Fenced) {
		t.Errorf("a predecessor's piece: %v", err)
	}
	l := next.Checkpoints()
	if err := putPiece(t, l, "z"); err != nil {
		t.Fatal(err)
	}
	from, to, err := l.Bounds(t.Context())
	if err != nil || to != f.Checkpoints+2 {
		t.Fatal(from, to, err)
	}
	if values, _ := read(t, l.Open(from), 3); !slices.Equal(values, []string{"x", "y", "z"}) {
		t.Errorf("read %q", values)
	}
}

// TestUnreadableBatchOfCheckpoints: it is passed over, since a manifest tells what it lacks.
func TestUnreadableBatchOfCheckpoints(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.withCheckpoints(nil).Journal()
	takeover(t, j, topics.NoProducer)
	for _, value := range []string{"x", "FLIPFLIPFLIP", "y"} {
		if err := putPiece(t, j.Checkpoints(), value); err != nil {
			t.Fatal(err)
		}
	}
	l := b.withCheckpoints(flipForEver).Journal().Checkpoints()
	if values, _ := read(t, l.Open(0), 4); !slices.Equal(values, []string{"x", "y"}) {
		t.Errorf("read %q", values)
	}
}
