package stream

import (
	"rosenblatt/stream/journal"
	"rosenblatt/stream/statetopic"
)

// noteEpoch notes the epoch of the newest manifest, and those of the folder's checkpoints in whose place one was taken.
func (r *recovery) noteEpoch(held *statetopic.Copy) {
	r.newestEpoch = max(r.newestEpoch, r.t.remembered.folderEpoch)
	if held == nil || held.Empty() {
		return
	}
	r.manifestEpoch, r.manifestNumber = held.Newest().Epoch, held.Newest().Number
	//mutation:epoch-of-manifest
	r.newestEpoch = max(r.newestEpoch, r.manifestEpoch)
}

// hasFollowed reports whether this recovery has followed before its takeover.
func (r *recovery) hasFollowed() bool { return r.known.Output != nil }

// isOutdated reports whether a takeover goes on from what was saved before its fence, and not from what it has loaded:
// a member that has followed where that is of another epoch; a start in any case, since what is below the newest
// positions may be deleted.
func (r *recovery) isOutdated(newest *statetopic.Manifest) bool {
	if r.hasFollowed() {
		return r.isNewEpoch(newest)
	}
	//mutation:saved-before-the-fence
	return newest != nil && newest.Number != r.manifestNumber
}

// isUnknown reports whether the newest manifest is of an epoch of which nothing was loaded or learned, because it could
// not be put into the folder. That takeover may have changed what the journal goes on with.
func (r *recovery) isUnknown() bool {
	//mutation:unknown-epoch
	return r.manifestEpoch > r.lastEpoch
}

// nextEpoch is one that no takeover had. That of a follower is of the entries and dead letters that it has learned.
func (r *recovery) nextEpoch() int64 {
	if r.following {
		return max(r.st.Epoch, r.lastEpoch)
	}
	return max(r.st.Epoch, r.newestEpoch+1)
}

// changes reports whether the model goes on otherwise than the journal tells: the first checkpoint says how. Behind a
// completion that has an epoch of its own: followers load the newest checkpoint once for each epoch, and what the last
// flight lacked is in the journal before that checkpoint is in the topic.
func (r *recovery) changes() bool {
	return len(r.accepted) > 0 || len(r.changed) > 0 || r.limitsDiffer()
}

// isNewWriter reports whether an entry shows another epoch, of which the loaded checkpoint need not know: it is its
// first, or others are missing before it for good, which that epoch's takeover may have accepted.
func (r *recovery) isNewWriter(e *journal.Entry) bool {
	if !r.hasFollowed() || e.Record == nil {
		return false
	}
	hole := e.Order != journal.Next && r.entries.Epoch > max(r.lastEpoch, r.t.remembered.newWriter)
	other := e.Epoch > r.lastEpoch || r.isUnsaved(e.Epoch)
	//mutation:new-writer
	if !hole && (!other || e.Record.Offset < (*r.known.Of(e.Topic))[e.Output]) {
		return false
	}
	r.t.remembered.newWriter = r.entries.Epoch
	return true
}

// isUnsaved reports whether a writer has an epoch below that of what was loaded while the topic was empty. That is of a
// takeover whose checkpoint reached the folder alone. The writer has saved one in the topic since.
func (r *recovery) isUnsaved(writer int64) bool {
	//mutation:epoch-below
	return r.manifestNumber == 0 && writer < r.lastEpoch && writer != r.t.remembered.newWriter
}

// isNewDeadLetter is isNewWriter for a dead letter: a takeover may have left nothing else.
func (r *recovery) isNewDeadLetter(partition int32, l *journal.DeadLetter) bool {
	epoch := journal.EpochOf(l.Model)
	//mutation:new-dead-letter
	if r.hasFollowed() && epoch > r.lastEpoch && l.Own >= r.known.DeadLetters[partition] {
		r.t.remembered.newWriter = max(r.t.remembered.newWriter, epoch)
		return true
	}
	//mutation:epoch-of-dead-letters
	r.lastEpoch, r.newestEpoch = max(r.lastEpoch, epoch), max(r.newestEpoch, epoch)
	return false
}
