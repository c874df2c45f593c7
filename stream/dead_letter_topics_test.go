package stream

import (
	"testing"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/state"
	"rosenblatt/stream/topics"
)

// TestDeadLettersOfTwoTopics: a dead letter found at the takeover is of an event or of a label record, which may be at
// the same offset of the same partition; each counts for its own topic.
func TestDeadLettersOfTwoTopics(t *testing.T) {
	t.Parallel()
	_, fixed := benchChunk(t, 1, 4)
	st := benchState(t, fixed)
	st.Positions, st.LabelPositions = []int64{3}, []int64{3, 10}
	r := &recovery{st: st, plan: &plan.Plan{}, top: &topics.Topology{Input: topics.TopicState{Name: "in"},
		Labels: topics.TopicState{Name: "lb"}}}
	for _, l := range []journal.DeadLetter{
		{Topic: "in", Offset: 5, Reason: event.Syntax}, {Topic: "lb", Offset: 5, Reason: event.NoID},
		{Topic: "lb", Partition: 1, Offset: 9, Reason: event.NoID}, // below the position
		{Topic: "in", Partition: 1, Offset: 9, Reason: event.Syntax}, {Topic: "in", Offset: 2, Reason: event.Syntax},
		{Topic: "lb", Offset: 3, Reason: event.NoExample},
	} {
		r.addDeadLetter(0, l)
	}
	if lettersIn(st) != 3 {
		t.Fatalf("%v", st.Dead)
	}
	st.PassDead()
	if lettersIn(st) != 3 || st.LabelPositions[0] != 3 {
		t.Errorf("label records are passed before they are read: %v, %v", st.Dead, st.LabelPositions)
	}
	label := topics.Labels
	for _, at := range []topics.Place{{Offset: 5}, {Topic: label, Offset: 3}, {Topic: label, Offset: 5}} {
		if !st.Skip(at, &event.Example{}) || st.Skip(at, &event.Example{}) {
			t.Errorf("%v is not skipped once", at)
		}
	}
	want := model.LabelCounts{Read: 2, Rejected: map[string]int64{"no-id": 1, "no-example": 1}}
	if c := st.Counts; c.Read != 1 || c.Rejected["syntax"] != 1 || c.Labels.Read != want.Read ||
		len(c.Labels.Rejected) != 2 || c.Labels.Rejected["no-example"] != 1 {
		t.Errorf("%+v, %+v", c, c.Labels)
	}
	r.plan.Labels.Replaced = true
	if r.addDeadLetter(0, journal.DeadLetter{Topic: "lb", Offset: 7}); lettersIn(st) > 0 {
		t.Errorf("a dead letter of another topic of labels is kept: %v", st.Dead)
	}
}

// lettersIn is how many dead letters are.
func lettersIn(st *state.State) (n int) {
	for _, all := range st.Dead {
		n += len(all)
	}
	return n
}
