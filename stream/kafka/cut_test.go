package kafka

import (
	"bytes"
	"io"
	"slices"
	"sync/atomic"
	"testing"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// TestCutInMidFetch (row 24): connections break while records are on their way; they are fetched again from our own
// offset.
func TestCutInMidFetch(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	want := numbered("value", 300)
	for i := 0; i < len(want); i += 10 {
		b.put(b.name+"-in", 0, recordbatch.None, want[i:i+10]...)
	}
	var cuts atomic.Int64
	x := &tap{onRead: func(_ *tapped, p []byte) error {
		if bytes.Contains(p, []byte("value1")) && cuts.Add(1) <= 5 {
			return io.ErrUnexpectedEOF
		}
		return nil
	}}
	c := b.client(func(o *Options) { o.Dial, o.fetchBytes = x.dial, 2000 })
	values, _ := read(t, c.Open(topics.Input, 0, 0), 300)
	if !slices.Equal(values, want) || cuts.Load() < 5 {
		t.Errorf("%d cuts, read %d values: %.200q", cuts.Load(), len(values), values)
	}
}
