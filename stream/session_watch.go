package stream

import (
	"context"
	"errors"
	"slices"
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
		top, full, err := t.look(ctx, known, time.Since(lookedUp) >= settingsEvery)
		if stop, ok := errors.AsType[*stops.Error](err); ok && stop.Name == stops.TopicMissing {
			//mutation:deleted-while-running
			if missing++; missing == maxMissing {
				return deleted(stop)
			}
		}
		if err != nil {
			continue
		}
		if missing = 0; full {
			known, lookedUp = top, time.Now()
		}
		t.seen.Store(&inputEnds{top.Input.Partitions, top.Labels.Partitions, t.toldAt(top)})
		t.listed.Store(top)
		if err := compare(top); err != nil {
			return err
		}
	}
}

// look looks at the topics, settings and log starts included where that is due. A partition without a leader holds that
// up: then there is what can be known without them.
func (t *Task) look(ctx context.Context, known *topics.Topology, due bool) (
	top *topics.Topology, full bool, err error) {
	if known == nil || !due {
		top, err = t.Log.Watch(ctx, known)
		return top, known == nil, err
	}
	limited, cancel := context.WithTimeout(ctx, fullLook)
	defer cancel()
	//mutation:full-look-bounded
	if top, err = t.Log.Watch(limited, nil); limited.Err() == nil {
		return top, err == nil, err
	}
	top, err = t.Log.Watch(ctx, known)
	return top, err == nil, err // as good as one: the next is due in a minute
}

// fullLook is how long one may take that is not the first.
const fullLook = 5 * time.Second

// toldAt is the time of a look in which all ends of the input and labels were told: this one, or the last such one.
func (t *Task) toldAt(top *topics.Topology) time.Time {
	untold := func(b topics.Bounds) bool { return b.Untold }
	seen := t.seen.Load()
	//mutation:told-now
	if slices.ContainsFunc(top.Input.Partitions, untold) || slices.ContainsFunc(top.Labels.Partitions, untold) {
		if seen == nil {
			return time.Time{}
		}
		return seen.at
	}
	return time.Now()
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
