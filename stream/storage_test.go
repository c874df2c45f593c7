package stream

import (
	"testing"

	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/statetopic"
)

// TestBehindTheTopic: a session whose folder lacks a later checkpoint of the topic saves nothing there until it has
// passed what that has.
func TestBehindTheTopic(t *testing.T) {
	s := &storage{inTopic: new(statetopic.Writer)}
	for _, at := range [][]int64{{11}, {11, 5}, {}} {
		s.notInFolder = &statetopic.Manifest{Progress: statetopic.Progress{Positions: []int64{12}}}
		var saved board.SavedCheckpoint
		err := s.saveInTopic(t.Context(), &saved, &model.Header{Positions: at})
		if err != nil || saved.Topic != nil || s.notInFolder == nil {
			t.Errorf("%v: %v, %+v", at, err, saved)
		}
	}
}
