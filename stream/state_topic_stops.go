package stream

import (
	"errors"
	"fmt"
	"slices"

	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
)

// fromTopicInstead adds to a stop that the topic has another checkpoint. Which of the two is of the present journal
// cannot be known: a model that is begun anew begins with seq and epoch 1, and a folder may be ahead of the topic. One
// that is later and could not be put into the folder is taken first.
func (t *Task) fromTopicInstead(err error) error {
	contradicts := []string{stops.JournalDiffers, stops.JournalGone, stops.DeadLettersGone, stops.TopicChanged,
		stops.InputGone, stops.BeyondEnd}
	stop, ok := errors.AsType[*stops.Error](err)
	if !ok || !slices.Contains(contradicts, stop.Name) {
		return err
	}
	//mutation:not-restored
	if t.remembered.notRestored != nil {
		return unwritable(t.Store.Dir, t.remembered.notRestored)
	}
	if m := t.remembered.passedOver; m != nil {
		with := *stop
		with.Do = fmt.Sprintf("the checkpoint topic, too, holds one of seq %d, epoch %d: if %s was left behind when a"+
			" loss was accepted or the model was begun anew elsewhere, move its checkpoints away, and a start goes"+
			" on from the topic's; if not, %s", m.Seq, m.Epoch, t.Store.Dir, stop.Do)
		return &with
	}
	return err
}

func otherManifest(err error) *stops.Error {
	s := &stops.Error{Name: stops.StateUnreadable, What: err.Error(), Safe: "nothing was changed",
		Do: "start the program that wrote it, or a later one", Cause: err}
	if other, ok := errors.AsType[*statetopic.OtherVersion](err); ok && other.Older() {
		s.Do = "start the program that wrote it; to begin the model anew with this one instead, name another" +
			" --checkpoint-topic, move the folder away and start with --accept state-missing"
	}
	return s
}

func unwritable(dir string, err error) *stops.Error {
	return &stops.Error{Name: stops.StateUnwritable,
		What: fmt.Sprintf("the checkpoint in the topic cannot be written to %s: %v", dir, err),
		Safe: "the checkpoint topic, and everything that was acknowledged",
		Do:   "make room, or give the rights, and start again", Cause: err}
}

func invalidTopic(faults []error) *stops.Error {
	return &stops.Error{Name: stops.StateInvalid,
		What: fmt.Sprintf("the checkpoint topic holds checkpoints, and none of them is whole: %v",
			errors.Join(faults...)),
		Safe: "nothing was changed",
		Do: "start with a folder that has a checkpoint, or put one back from a backup; or start a model from nothing" +
			" with --accept state-invalid,state-missing"}
}
