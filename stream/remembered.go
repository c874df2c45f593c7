package stream

import (
	"errors"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
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

	followed   bool  // the journal, at any time
	newWriter  int64 // the epoch because of which a follower loaded a checkpoint last
	assignedAs int32 // number of the last assignment; 0: none yet, or it was revoked

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

// isNewTopic reports whether a topic is missing of which a broker may not have heard yet.
func (t *Task) isNewTopic(err error) bool {
	return t.remembered.prepared && stops.Is(err, stops.TopicMissing) || errors.Is(err, plan.ErrUntold)
}

// retentionWait is for how long a member waits for a checkpoint that does not need what was deleted. One that has taken
// over saves after firstSave.
const retentionWait = 10 * firstSave

// lostToRetention reports whether a member lacks records that were deleted, which a newer checkpoint may not need:
// others save them. Where the same checkpoint was loaded again, only another member can have one yet, which has just
// taken over.
func (t *Task) lostToRetention(err error, a *assignment) bool {
	gone := stops.Is(err, stops.InputGone) || stops.Is(err, stops.JournalGone) || stops.Is(err, stops.DeadLettersGone)
	//mutation:follower-overtaken
	if t.Standby == nil || !gone {
		return false
	}
	m := &t.remembered
	if !m.recordsGone || m.recordsGoneAt != m.loaded {
		m.recordsGoneAt, m.recordsGone, m.goneSince = m.loaded, true, time.Now()
		return true
	}
	//mutation:overtaken-waits
	return a != nil && !a.isGiven() && time.Since(m.goneSince) < retentionWait
}
