package stream

import (
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
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

// TestLaterOfEqualSeq: of two checkpoints of one seq and epoch the folder's counts where nothing of it is below the
// topic's: retention may remove what the topic's does not need.
func TestLaterOfEqualSeq(t *testing.T) {
	t.Parallel()
	m := &statetopic.Manifest{Files: []statetopic.File{{Link: checkpoint.Link{Sum: 1}}}, Progress: statetopic.Progress{
		Epoch: 3, Positions: []int64{66}, Ends: topics.Ends{Output: []int64{8}, DeadLetters: []int64{38}}}}
	for header, later := range map[string]bool{
		`{"epoch":3,"positions":[105],"outputEnds":[8],"deadLetterEnds":[38]}`: false,
		`{"epoch":3,"positions":[105],"outputEnds":[7],"deadLetterEnds":[38]}`: true,
		`{"epoch":3,"positions":[105],"outputEnds":[8],"deadLetterEnds":[37]}`: true,
		`{"epoch":3,"positions":[65],"outputEnds":[9],"deadLetterEnds":[39]}`:  true,
		`{"epoch":4,"positions":[66],"outputEnds":[9],"deadLetterEnds":[39]}`:  true,
	} {
		if isLater(m, &checkpoint.File{Header: []byte(header)}) != later {
			t.Errorf("%s: the topic's is later: %v", header, !later)
		}
	}
}
