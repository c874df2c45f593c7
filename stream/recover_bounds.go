package stream

import (
	"context"

	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// extendInput takes in what was added to input and labels since they were compared: until the fence, a predecessor may
// have handled that, in new partitions too. It returns errPartitions where there are partitions that the fence does not
// have: the predecessor may still be live in those.
func (r *recovery) extendInput(ctx context.Context) error {
	top, err := r.t.Log.Topology(ctx)
	if err != nil {
		return err
	}
	st, input, markers := r.st, top.Input.Partitions, r.st.Fence.Markers()
	beyond := len(input) > len(markers.Output)
	for _, t := range topics.Written {
		beyond = beyond || len(top.Of(t).Partitions) > len(*markers.Of(t))
	}
	//mutation:beyond-the-fence
	if beyond {
		return state.ErrPartitions
	}
	r.behindFence = top
	added := extend(&r.top.Input, input)
	st.Positions, st.Started = append(st.Positions, added...), append(st.Started, added...)
	added = extend(&r.top.Labels, top.Labels.Partitions)
	st.LabelPositions, st.LabelStarted = append(st.LabelPositions, added...), append(st.LabelStarted, added...)
	return nil
}

// extend moves the bounds of a topic on to those of now, and adds partitions. It returns the starts of those.
func extend(t *topics.TopicState, now []topics.Bounds) (added []int64) {
	for p, b := range now {
		if p < len(t.Partitions) {
			t.Partitions[p].Start, t.Partitions[p].End, t.Partitions[p].Stable = b.Start, b.End, b.Stable
			t.Partitions[p].Led = b.Led
			continue
		}
		t.Partitions, added = append(t.Partitions, b), append(added, b.Start)
	}
	return added
}

// noteLeaders notes the epochs of leaders of now where a position is beyond what was read: recovery passes dead letters
// without reading their records, and a model may begin at the end of the log. A leader that has all below the position
// is as good as the one that wrote it: where its epoch ends below, that is lost.
func (r *recovery) noteLeaders() {
	for _, t := range r.top.Read() {
		reached, positions := *r.st.ReachedOf(t), r.st.PositionsOf(t)
		for _, p := range r.st.Partitions(t) {
			known := int(p) < len(reached) && reached[p].Offset == positions[p]
			if led := r.top.Of(t).Partitions[p].Led; !known && positions[p] > 0 && led.Offset >= positions[p] {
				r.st.Moved(t, p, positions[p], led.Leader)
			}
		}
	}
}

// compareStarts is the stop for a position below the start of the log, as of the fence. A member has followed for long:
// the newest checkpoint may not need what was deleted.
func (r *recovery) compareStarts() error {
	for _, t := range r.top.Read() {
		now, positions := r.top.Of(t), r.st.PositionsOf(t)
		for _, p := range r.st.Partitions(t) {
			//mutation:starts-compared
			if start := now.Partitions[p].Start; positions[p] < start {
				if err := r.accept(stops.InputGoneAt(now.Name, p, positions[p], start)); err != nil {
					return err
				}
				positions[p] = start
			}
		}
	}
	return nil
}
