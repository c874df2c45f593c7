package kafka

import (
	"testing"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// TestReaderAdvances: a reader goes on where it is told to, whatever it has fetched.
func TestReaderAdvances(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("a", 20)...)
	b.put(b.name+"-in", 0, recordbatch.None, numbered("b", 20)...)
	r := b.admin.Open(topics.Input, 0, 0)
	var run topics.Run
	for _, at := range []int64{0, 7, 30} { // in the batch, and behind it
		if at > 0 {
			r.(topics.AdvanceReader).Advance(at)
		}
		for len(run.Records) == 0 {
			if err := r.Read(t.Context(), &run, 1); err != nil {
				t.Fatal(err)
			}
		}
		if got := run.Records[0].Offset; got != at || run.Next != at+1 {
			t.Errorf("offset %d, and %d is next, want %d", got, run.Next, at)
		}
		run.Release()
	}
}
