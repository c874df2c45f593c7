package stream

import (
	"context"

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
	st, input, markers := r.st, top.Input.Partitions, r.st.fence.Markers()
	beyond := len(input) > len(markers.Output)
	for _, t := range topics.Written {
		beyond = beyond || len(top.Of(t).Partitions) > len(*markers.Of(t))
	}
	//mutation:beyond-the-fence
	if beyond {
		return errPartitions
	}
	added := extend(&r.top.Input, input)
	st.positions, st.started = append(st.positions, added...), append(st.started, added...)
	added = extend(&r.top.Labels, top.Labels.Partitions)
	st.labelPositions, st.labelStarted = append(st.labelPositions, added...), append(st.labelStarted, added...)
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

// fillEnds replaces fromMarker by the marker's offset, and adds 0 for each added partition.
func fillEnds(ends, markers []int64) []int64 {
	for i, m := range markers {
		if i >= len(ends) {
			ends = append(ends, 0)
		} else if ends[i] == fromMarker {
			ends[i] = m
		}
	}
	return ends
}

// noteLeaders notes the epochs of leaders of now where a position is beyond what was read: recovery passes dead letters
// without reading their records, and a model may begin at the end of the log. A leader that has all below the position
// is as good as the one that wrote it: where its epoch ends below, that is lost.
func (r *recovery) noteLeaders() {
	for _, t := range r.top.Read() {
		reached, positions := *r.st.reachedOf(t), r.st.positionsOf(t)
		for _, p := range r.st.partitions(t) {
			known := int(p) < len(reached) && reached[p].Offset == positions[p]
			if led := r.top.Of(t).Partitions[p].Led; !known && positions[p] > 0 && led.Offset >= positions[p] {
				r.st.moved(t, p, positions[p], led.Leader)
			}
		}
	}
}

// compareStarts is the stop for a position below the start of the log, as of the fence. A member has followed for long:
// the newest checkpoint may not need what was deleted.
func (r *recovery) compareStarts() error {
	for _, t := range r.top.Read() {
		now, positions := r.top.Of(t), r.st.positionsOf(t)
		for _, p := range r.st.partitions(t) {
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
