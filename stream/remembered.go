package stream

import (
	"errors"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// remembered is what a run remembers from one recovery to the next. The goroutine of Run owns it, and the session reads
// it.
type remembered struct {
	prepared              bool                  // Prepare has found or created all topics
	targets, labelTargets []int64               // with Config.UntilEnd: the stable ends before the first takeover
	headersOnly           map[topics.Place]bool // the broker refused the dead letters of these records whole
	saving                <-chan struct{}       // closed when the last saver has ended

	loaded        checkpoint.Link // the checkpoint that was loaded last; zero: there was none
	recordsGone   bool            // what it needs was found to be deleted once
	recordsGoneAt checkpoint.Link // the checkpoint that was loaded then, the last time
	goneSince     time.Time       // the first time with that checkpoint
	unsaved       bool            // the takeover wrote no checkpoint
	toldTokens    bool            // those that were given and change no settings

	followed   bool  // the journal, at any time
	newWriter  int64 // the epoch because of which a follower loaded a checkpoint last
	assignedAs int32 // number of the last assignment; 0: none yet, or it was revoked

	quiet quiet // of a follower, until it is live

	passedOver  *statetopic.Manifest // the newest whole one, where the folder's checkpoint has a higher seq; or nil
	folderEpoch int64                // the highest of checkpoints in the folder beside some in the topic
	notRestored error                // why that is not in the folder; or nil
}

// begin begins a run.
func (m *remembered) begin() {
	m.headersOnly, m.targets, m.labelTargets, m.recordsGone = map[topics.Place]bool{}, nil, nil, false
	if m.saving == nil {
		m.saving = always
	}
}

// noteRefused notes a record whose dead letter was refused: the next one has headers only.
func (m *remembered) noteRefused(err error) {
	if r, ok := errors.AsType[*refusedRecord](err); ok {
		m.headersOnly[r.at] = true
	}
}
