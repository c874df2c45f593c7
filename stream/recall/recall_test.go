package recall

import (
	"fmt"
	"testing"

	"rosenblatt/stream/topics"
)

// TestRoom: beyond the room only events are read back that outcomes wait for, and those that are passed over are
// not taken for gone.
func TestRoom(t *testing.T) {
	t.Parallel()
	var events []Event
	for i := range int64(6) {
		events = append(events, Event{Seq: i, Offset: 2 * i, Now: i == 4})
	}
	value := []byte("123456789")
	x := reader{room: 2 * Size(&topics.Record{Value: value})}
	left := events
	for offset := range int64(20) {
		if offset != 2 { // it is gone
			left = x.keep(&topics.Record{Offset: offset, Value: value}, left)
		}
	}
	got := ""
	for i := range events {
		got += fmt.Sprint(events[i].Record != nil, events[i].Passed, " ")
	}
	if want := "true false false false true false false true true false false true "; got != want || len(left) > 0 {
		t.Errorf("kept and passed %s, want %s; %d are left", got, want, len(left))
	}
}
