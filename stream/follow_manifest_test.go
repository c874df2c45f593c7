package stream

import (
	"fmt"
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/late"
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
		st.epoch, st.seq, st.labelPositions, st.pending = c.epoch, c.seq, []int64{1, 4}, &late.Labels{}
		st.labels().Clock.Highest = []int64{10, 40}
		for _, offset := range []int64{6, 3, 1} {
			st.dead.add(topics.Place{Topic: topics.Labels, Offset: offset}, deadLetter{reason: event.NoID})
		}
		r := &recovery{st: st}
		r.raiseLabels(nil, st.epoch)
		r.raiseLabels(&m, st.epoch)
		if got := fmt.Sprint(st.labelPositions, st.labels().Clock.Highest); got != c.want {
			t.Errorf("epoch %d, seq %d: %s, want %s", c.epoch, c.seq, got, c.want)
		}
		dropped, kept := int64(0), 3
		if st.labelPositions[0] == 5 {
			dropped, kept = 2, 1
		}
		if n := st.labelCounts().Rejected["no-id"]; n != dropped || lettersIn(st) != kept {
			t.Errorf("epoch %d, seq %d: %d dead letters are counted, %d kept", c.epoch, c.seq, n, lettersIn(st))
		}
	}
}

// TestDeadLettersInOrder: whatever the order in which they are found, they are in that of the records.
func TestDeadLettersInOrder(t *testing.T) {
	t.Parallel()
	l := deadLetters{}
	for own, offset := range []int64{5, 9, 2, 7, 5} {
		l.add(topics.Place{Offset: offset}, deadLetter{offset: int64(own)})
	}
	l.add(topics.Place{Partition: 1, Offset: 3}, deadLetter{})
	if d, found := l.take(topics.Place{Offset: 7}); !found || d.offset != 3 {
		t.Errorf("%+v, %v", d, found)
	}
	has := func(offset int64) bool { return l.has(topics.Place{Offset: offset}) }
	if _, found := l.take(topics.Place{Offset: 6}); found || has(7) || !has(9) {
		t.Error("one that is not there is found, or one that is there is not")
	}
	for i, want := range []deadLetter{{record: 2, offset: 2}, {record: 5, offset: 4}, {record: 9, offset: 1}} {
		if d, _ := l.take(topics.Place{Offset: want.record}); d != want {
			t.Errorf("%d: %+v, want %+v", i, d, want)
		}
	}
	if len(l) != 1 {
		t.Errorf("%v", l)
	}
}
