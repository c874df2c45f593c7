package kafka

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

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

func (l *CheckpointLog) put(t *testing.T, values ...string) error {
	return l.Append(timeout(t, 30*time.Second), build(values...))
}

// TestCheckpointsAreFenced: from the successor's marker on, the predecessor writes no piece, and what is before the
// marker is final.
func TestCheckpointsAreFenced(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.withCheckpoints(nil).Journal()
	if err := j.Checkpoints().put(t, "early"); err == nil {
		t.Fatal("written before a takeover")
	}
	takeover(t, j, topics.NoProducer)
	if err := j.Checkpoints().put(t, "x", "y"); err != nil {
		t.Fatal(err)
	}
	c := b.withCheckpoints(nil)
	next := c.Journal()
	f := takeover(t, next, topics.NoProducer)
	var at recordbatch.Batch
	err := c.scan(timeout(t, 20*time.Second), c.opt.Checkpoints, 0, 0, func(batch *recordbatch.Batch) (bool, error) {
		if batch == nil {
			return true, nil
		}
		at = *batch
		return batch.Control && batch.ProducerID == f.Producer.ID && batch.Epoch == f.Producer.Epoch, nil
	})
	if err != nil || !at.Control || at.BaseOffset != f.Checkpoints {
		t.Errorf("the marker is at %d, the fence has %d: %v", at.BaseOffset, f.Checkpoints, err)
	}
	if err := j.Checkpoints().put(t, "zombie"); !stops.Is(err, stops.Fenced) {
		t.Errorf("a predecessor's piece: %v", err)
	}
	l := next.Checkpoints()
	if err := l.put(t, "z"); err != nil {
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

// TestNoPieceInARenewal: markers are written with no piece in flight, and no piece is sent under an old fence.
func TestNoPieceInARenewal(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.withCheckpoints(func(o *Options) { o.RenewEvery = 300 * time.Millisecond }).Journal()
	takeover(t, j, topics.NoProducer)
	l := j.Checkpoints()

	release, err := l.pause(t.Context()) // as a piece in flight does
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Renew(deadline(t, 100*time.Millisecond), true); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("renewed with a piece in flight: %v", err)
	}
	release()

	j = b.withCheckpoints(func(o *Options) { o.RenewEvery = 300 * time.Millisecond }).Journal()
	f := takeover(t, j, topics.NoProducer)
	l = j.Checkpoints()
	l.began = l.began.Add(-time.Hour)
	if err := l.Append(deadline(t, 100*time.Millisecond), build("x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("sent under an old fence: %v", err)
	}
	j = b.withCheckpoints(nil).Journal()
	takeover(t, j, topics.NoProducer)
	l = j.Checkpoints()
	l.began = l.began.Add(-2 * time.Hour)
	done := make(chan error, 1)
	go func() { done <- l.put(t, "x") }()
	g, err := j.Renew(timeout(t, 30*time.Second), true)
	if err != nil || g.Checkpoints <= f.Checkpoints {
		t.Fatal(g, err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestUnreadableBatchOfCheckpoints: it is passed over, since a manifest tells what it lacks.
func TestUnreadableBatchOfCheckpoints(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	j := b.withCheckpoints(nil).Journal()
	takeover(t, j, topics.NoProducer)
	for _, value := range []string{"x", "FLIPFLIPFLIP", "y"} {
		if err := j.Checkpoints().put(t, value); err != nil {
			t.Fatal(err)
		}
	}
	l := b.withCheckpoints(flipForEver).Journal().Checkpoints()
	if values, _ := read(t, l.Open(0), 4); !slices.Equal(values, []string{"x", "y"}) {
		t.Errorf("read %q", values)
	}
}
