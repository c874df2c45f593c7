package main

import (
	"context"
	"io"
	"os"
	"testing"

	"rosenblatt/stream/board"
)

// filler is a source of equal events without end.
type filler struct {
	eventSource
	left int
}

func (f *filler) next() ([]byte, error) {
	if f.left == 0 {
		return nil, io.EOF
	}
	f.left--
	return make([]byte, 1000), nil
}

// fill sends n events of 1,000 bytes to the topic.
func fill(t *testing.T, b *broker, topic string, n int) {
	t.Helper()
	predicted := func() *board.Status { return at(b.end(topic)) }
	f := newFeeder(&feedable{eventSource: &filler{left: n}, topic: topic}, b, "nobody", 0, nil, predicted)
	defer f.close()
	if done, err := f.run(context.Background()); err != nil || !done {
		t.Fatal(done, err)
	}
}

// Retention works, also after the topics were read from disk, where kfake by itself would forget it.
func TestRetention(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const topic = "t"
	var start int64
	for round := range 3 {
		b, err := openBroker(folder)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.topic(topic, map[string]string{"retention.bytes": "2000000",
			"segment.bytes": "1000000"}); err != nil {
			t.Fatal(err)
		}
		if before := b.PartitionInfo(topic, 0); before.LogStartOffset != start ||
			before.HighWatermark != int64(round)*5000 {
			t.Errorf("round %d finds %+v, want it to start at %d", round, before, start)
		}
		fill(t, b, topic, 5000)
		await(t, "retention", func() bool { return b.PartitionInfo(topic, 0).NumBytes <= 2_000_000 })
		start = b.PartitionInfo(topic, 0).LogStartOffset
		b.close()
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) == 0 {
		t.Error("nothing on disk", err)
	}
}

// The feeder puts as many events into a batch as the pace allows, and never more bytes than a batch has, unless it is
// one.
func TestBatches(t *testing.T) {
	t.Parallel()
	sizes := []int{10, batchBytes, 10, 20, batchBytes + 1, 5}
	f := &feeder{source: &sized{sizes: sizes}}
	var got [][]int
	for err := error(nil); err == nil; {
		err = f.gather(2)
		var batch []int
		from := 0
		for _, to := range f.spans {
			batch, from = append(batch, to-from), to
		}
		got = append(got, batch)
	}
	want := [][]int{{10}, {batchBytes}, {10, 20}, {batchBytes + 1}, {5}}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if len(got[i]) != len(want[i]) || got[i][0] != want[i][0] {
			t.Errorf("batch %d: %v, want %v", i, got[i], want[i])
		}
	}
}

type sized struct {
	eventSource
	sizes []int
}

func (s *sized) next() ([]byte, error) {
	if len(s.sizes) == 0 {
		return nil, io.EOF
	}
	v := make([]byte, s.sizes[0])
	s.sizes = s.sizes[1:]
	return v, nil
}

// A committed offset of nobody is 0.
func TestCommitted(t *testing.T) {
	t.Parallel()
	b, err := openBroker(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	if at := b.committed("nobody", "t"); at != 0 {
		t.Errorf("%d", at)
	}
}
