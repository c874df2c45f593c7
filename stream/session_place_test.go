package stream

import (
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// TestRoomForRuns: an entry that would begin a run more than the layout may have belongs in the next flight. One that
// goes on with the last run does not.
func TestRoomForRuns(t *testing.T) {
	t.Parallel()
	f := &flight{limits: limitsOf(&topics.Topology{}, 1<<20, false), pool: &sharePool{}}
	f.reset()
	to := f.share(&f.predictions, 0, f.limits.predictions)
	place := func(partition int32) placement {
		run := journal.Run{Kind: journal.Predicted, Partition: partition}
		return f.place(run, to, f.limits.alone, func(*share) bool { return true })
	}
	last := int32(0)
	for seq := range int64(journal.MostRuns) {
		last = int32(seq % 2)
		if got := place(last); got != placed {
			t.Fatalf("run %d: %d, want it placed", seq+1, got)
		}
		f.add(last, seq+1)
	}
	if n := len(f.layout.Runs); n != journal.MostRuns {
		t.Fatalf("%d runs", n)
	}
	if got := place(1 - last); got != full {
		t.Errorf("a run more than the layout may have: %d, want the flight full", got)
	}
	if got := place(last); got != placed {
		t.Errorf("an entry of the last run: %d, want it placed", got)
	}
}
