package stream

import (
	"context"
	"errors"
	"time"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// maxMissing is how often in a row a topic may be missing before the session ends: a broker that has just started may
// not know all topics yet. With the default of Config.WatchEvery it takes twenty seconds.
const maxMissing = 20

// settingsEvery is how often the topics' settings and log starts are looked up; partitions and ends are at each tick.
const settingsEvery = time.Minute

// watch looks at the topics from time to time: for the lag, for partitions that were added, and for topics that were
// deleted or created again; those are the errors. What fails otherwise, readers and writer meet themselves.
func (t *Task) watch(ctx context.Context, compare func(*topics.Topology) error) error {
	tick := time.NewTicker(t.Config.WatchEvery)
	defer tick.Stop()
	var known *topics.Topology // with settings and log starts of lookedUp
	var lookedUp time.Time
	for missing := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if time.Since(lookedUp) >= settingsEvery {
			known = nil
		}
		top, err := t.Log.Watch(ctx, known)
		if stop, ok := errors.AsType[*stops.Error](err); ok && stop.Name == stops.TopicMissing {
			//mutation:deleted-while-running
			if missing++; missing == maxMissing {
				return deleted(stop)
			}
		}
		if err != nil {
			continue
		}
		missing = 0
		if known == nil {
			known, lookedUp = top, time.Now()
		}
		t.seen.Store(&inputEnds{top.Input.Partitions, top.Labels.Partitions, time.Now()})
		t.listed.Store(top)
		if err := compare(top); err != nil {
			return err
		}
	}
}

// deleted is the stop for a topic that is missing while the task runs.
func deleted(missing *stops.Error) *stops.Error {
	return &stops.Error{Name: missing.Name, Cause: missing,
		What: missing.What + " any more: it was deleted while the task ran", Safe: missing.Safe,
		Do: "find out who deleted it; restore it with its records; or create it anew (an input, or a topic of labels," +
			" yourself, with as many partitions as it had; --create-topics creates the others only) and begin at its" +
			" start with --accept topic-changed"}
}

// compareTopics returns a function that says why a task cannot go on with the topics as they are then.
func (s *state) compareTopics() func(*topics.Topology) error {
	was, markers := *s.topology, s.fence.Markers()
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
			return errPartitions
		}
		return nil
	}
}
