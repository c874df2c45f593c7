package state

import (
	"errors"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// ErrPartitions ends a session because partitions were added: the next takeover fences them first.
var ErrPartitions = errors.New("partitions were added")

// CompareTopics returns a function that says why a task cannot go on with the topics as they are then.
func (s *State) CompareTopics() func(*topics.Topology) error {
	was, markers := *s.Topology, s.Fence.Markers()
	return func(top *topics.Topology) error {
		//mutation:recreated-while-running
		for _, t := range append(append(was.Read(), topics.Written[:]...), topics.Checkpoints) {
			if now, before := top.Of(t), was.Of(t); now.Replaces(before) {
				return stops.Recreated(now.Name, before.ID, now.ID)
			}
		}
		added := false
		//mutation:label-partitions
		for _, t := range was.Read() {
			added = added || len(top.Of(t).Partitions) > len(was.Of(t).Partitions)
		}
		for _, t := range topics.Written {
			added = added || len(top.Of(t).Partitions) > len(*markers.Of(t))
		}
		if added {
			return ErrPartitions
		}
		return nil
	}
}
