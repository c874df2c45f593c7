package stream

import (
	"context"
	"time"

	"rosenblatt/stream/statetopic"
)

// readTopicOn reads the checkpoint topic on, until the takeover, so that little is left for the first save.
func (r *recovery) readTopicOn(ctx context.Context) error {
	if r.inTopic == nil {
		return nil
	}
	tick := time.NewTicker(topicEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			err := r.inTopic.ReadNow(ctx)
			//mutation:topic-unread
			if err != nil {
				r.t.board.UnreadTopic.Failed(&r.t.Logger, "the checkpoint topic cannot be read on", err)
				continue
			}
			r.t.board.UnreadTopic.Succeeded()
			r.noteManifest(r.inTopic)
			if err := r.noteSchemas(r.inTopic); err != nil {
				return err
			}
		}
	}
}

// noteSchemas takes in what the checkpoint topic has since it was loaded. Where that replaces something, what was
// decoded with it is loaded and decoded again.
func (r *recovery) noteSchemas(c *statetopic.Copy) error {
	replaced, err := r.t.noteSchemas(c, false)
	//mutation:replaced-schemas
	if err == nil && replaced {
		return errNewWriter
	}
	return err
}

// noteManifest tells the follower of the newest manifest that was read.
func (r *recovery) noteManifest(c *statetopic.Copy) {
	if m := c.Newest(); m != nil {
		r.manifest.Store(m)
	}
}

// isNewEpoch is isNewWriter for a manifest that was written since the checkpoint was loaded: a writer without entries
// saves, too. The first manifest of all may have any epoch: the folder's may be of a save that did not reach the topic.
func (r *recovery) isNewEpoch(m *statetopic.Manifest) bool {
	if m == nil {
		return false
	}
	//mutation:first-manifest
	first := r.manifestNumber == 0
	//mutation:new-manifest
	if !first && m.Epoch <= max(r.lastEpoch, r.manifestEpoch, r.t.remembered.newWriter) {
		return false
	}
	r.t.remembered.newWriter = m.Epoch
	return true
}

// readOn moves the positions of the input past what has no entry.
func (r *recovery) readOn(ctx context.Context) error {
	for _, x := range r.inputs {
		//mutation:follower-reads-on
		if x.Cursor == nil {
			continue // another task's
		}
		if err := x.readOn(ctx); err != nil {
			return err
		}
	}
	return nil
}

// raiseLabels moves positions in the labels, and label time, up to what a manifest says, since what is a repeat only
// the writer knows. Below its positions all became outcomes up to its seq, dead letters, or nothing. That holds for
// the model that is followed, of this epoch: another one may have accepted a stop.
func (r *recovery) raiseLabels(m *statetopic.Manifest, epoch int64) {
	st := r.st
	//mutation:manifest-of-own-epoch
	if m == nil || m.Epoch != epoch || m.Seq > st.Seq || st.Labels() == nil {
		return
	}
	for p, at := range m.LabelPositions[:min(len(m.LabelPositions), len(st.LabelPositions))] {
		//mutation:follower-raises-labels
		st.LabelPositions[p] = max(st.LabelPositions[p], at)
	}
	//mutation:follower-raises-label-time
	st.Labels().Clock.Raise(m.LabelTimes)
	st.DropDead()
}
