package state

import (
	"testing"

	"rosenblatt/stream/topics"
)

// TestDeadLettersInOrder: whatever the order in which they are found, they are in that of the records.
func TestDeadLettersInOrder(t *testing.T) {
	t.Parallel()
	l := DeadLetters{}
	for own, offset := range []int64{5, 9, 2, 7, 5} {
		l.Add(topics.Place{Offset: offset}, DeadLetter{Offset: int64(own)})
	}
	l.Add(topics.Place{Partition: 1, Offset: 3}, DeadLetter{})
	if d, found := l.Take(topics.Place{Offset: 7}); !found || d.Offset != 3 {
		t.Errorf("%+v, %v", d, found)
	}
	has := func(offset int64) bool {
		_, _, found := l.find(topics.Place{Offset: offset})
		return found
	}
	if _, found := l.Take(topics.Place{Offset: 6}); found || has(7) || !has(9) {
		t.Error("one that is not there is found, or one that is there is not")
	}
	for i, want := range []DeadLetter{{Record: 2, Offset: 2}, {Record: 5, Offset: 4}, {Record: 9, Offset: 1}} {
		if d, _ := l.Take(topics.Place{Offset: want.Record}); d != want {
			t.Errorf("%d: %+v, want %+v", i, d, want)
		}
	}
	if len(l) != 1 {
		t.Errorf("%v", l)
	}
}
