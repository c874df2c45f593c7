package walk_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// gaps is a partition with a label record at each offset that is no multiple of three.
type gaps struct{ at int64 }

func (g *gaps) Read(_ context.Context, run *topics.Run, most int) error {
	for ; len(run.Records) < most; g.at++ {
		if g.at%3 != 0 {
			value := fmt.Appendf(nil, `{"id":%d,"label":1}`, g.at)
			run.Records = append(run.Records, topics.Record{Offset: g.at, Value: value})
		}
	}
	run.Next = g.at
	return nil
}

func newLabels(t *testing.T, most int) *walk.Labels {
	t.Helper()
	d, err := event.NewLabels(event.Defaults(event.JSON), false)
	if err != nil {
		t.Fatal(err)
	}
	return &walk.Labels{Most: most, Decoder: d, IDs: &labels.Identifier{},
		Open: func(from int64) topics.Reader { return &gaps{from} }}
}

// checkLabel compares the record at hand with the one of an offset.
func checkLabel(t *testing.T, x *walk.Labels, r *topics.Record, want int64) {
	t.Helper()
	id := labels.NewID(event.AppendIDKey(nil, &event.Example{ID: fmt.Append(nil, want), IDIsJSON: true}))
	if r == nil || r.Offset != want || x.Label().Record != r || x.Label().Example.Label != 1 || x.ID() != id {
		t.Fatalf("%+v, want that of offset %d", r, want)
	}
}

// TestLabelsFromAPosition: the position may move meanwhile, on what was read and behind it.
func TestLabelsFromAPosition(t *testing.T) {
	t.Parallel()
	x := newLabels(t, 4)
	for _, step := range [][2]int64{{0, 1}, {1, 1}, {2, 2}, {5, 5}, {30, 31}} {
		r, err := x.Head(t.Context(), step[0], math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		checkLabel(t, x, r, step[1])
	}
	if n := len(x.Ahead()); n != 4 {
		t.Errorf("%d ids ahead", n)
	}
	if x.Take(); len(x.Ahead()) != 3 {
		t.Errorf("%d ids ahead", len(x.Ahead()))
	}
	if r, err := x.Head(t.Context(), 32, 32); r != nil || err != nil {
		t.Errorf("%+v, %v from the end on", r, err)
	}
}

// TestLabelAt: a record is found at its offset, behind and before the one that was asked for last.
func TestLabelAt(t *testing.T) {
	t.Parallel()
	x := newLabels(t, 2)
	for _, offset := range []int64{5, 7, 4, 6, 5, 50} {
		r, err := x.At(t.Context(), offset, math.MaxInt64)
		switch {
		case err != nil:
			t.Fatal(err)
		case offset%3 != 0:
			checkLabel(t, x, r, offset)
		case r != nil:
			t.Errorf("%+v at offset %d", r, offset)
		}
	}
}
