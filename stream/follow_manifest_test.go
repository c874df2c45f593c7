package stream

import (
	"fmt"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/late"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// TestFollowLabelsOfAManifest: a follower takes the positions of a manifest of its own epoch that is not ahead of it,
// and drops the dead letters below. Nothing goes back.
func TestFollowLabelsOfAManifest(t *testing.T) {
	t.Parallel()
	m := statetopic.Manifest{Seq: 7, Progress: statetopic.Progress{Epoch: 3, LabelPositions: []int64{5, 2, 9},
		LabelTimes: []int64{50, 20}}}
	for _, c := range []struct {
		epoch, seq int64
		want       string
	}{{3, 7, "[5 4] [50 40]"}, {3, 8, "[5 4] [50 40]"}, {3, 6, "[1 4] [10 40]"}, {4, 8, "[1 4] [10 40]"},
		{2, 8, "[1 4] [10 40]"}} {
		_, fixed := benchChunk(t, 1, 4)
		st := benchState(t, fixed)
		st.Epoch, st.Seq, st.LabelPositions, st.Pending = c.epoch, c.seq, []int64{1, 4}, &late.Labels{}
		st.Labels().Clock.Highest = []int64{10, 40}
		for _, offset := range []int64{6, 3, 1} {
			st.Dead.Add(topics.Place{Topic: topics.Labels, Offset: offset}, state.DeadLetter{Reason: event.NoID})
		}
		r := &recovery{st: st}
		r.raiseLabels(nil, st.Epoch)
		r.raiseLabels(&m, st.Epoch)
		if got := fmt.Sprint(st.LabelPositions, st.Labels().Clock.Highest); got != c.want {
			t.Errorf("epoch %d, seq %d: %s, want %s", c.epoch, c.seq, got, c.want)
		}
		dropped, kept := int64(0), 3
		if st.LabelPositions[0] == 5 {
			dropped, kept = 2, 1
		}
		if n := st.LabelCounts().Rejected["no-id"]; n != dropped || lettersIn(st) != kept {
			t.Errorf("epoch %d, seq %d: %d dead letters are counted, %d kept", c.epoch, c.seq, n, lettersIn(st))
		}
	}
}
