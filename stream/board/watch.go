package board

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

// Watch looks at the topics from time to time: for the lag, for partitions that were added, and for topics that were
// deleted or created again; those are the errors. What fails otherwise, readers and writer meet themselves.
func (b *Board) Watch(
	ctx context.Context, log topics.Log, every time.Duration, compare func(*topics.Topology) error,
) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var known *topics.Topology // with settings and log starts of lookedUp
	var lookedUp time.Time
	for missing := 0; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		top, full, err := look(ctx, log, known, time.Since(lookedUp) >= settingsEvery)
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
		b.seen.Store(&inputEnds{top.Input.Partitions, top.Labels.Partitions, b.toldAt(top)})
		b.listed.Store(top)
		if err := compare(top); err != nil {
			return err
		}
	}
}

// look looks at the topics, settings and log starts included where that is due. A partition without a leader holds that
// up: then there is what can be known without them.
func look(ctx context.Context, log topics.Log, known *topics.Topology, due bool) (
	top *topics.Topology, full bool, err error) {
	if known == nil || !due {
		top, err = log.Watch(ctx, known)
		return top, known == nil, err
	}
	limited, cancel := context.WithTimeout(ctx, fullLook)
	defer cancel()
	//mutation:full-look-bounded
	if top, err = log.Watch(limited, nil); limited.Err() == nil {
		return top, err == nil, err
	}
	top, err = log.Watch(ctx, known)
	return top, err == nil, err // as good as one: the next is due in a minute
}

// fullLook is how long one may take that is not the first.
const fullLook = 5 * time.Second

// toldAt is the time of a look in which all ends of the input and labels were told: this one, or the last such one.
func (b *Board) toldAt(top *topics.Topology) time.Time {
	untold := func(b topics.Bounds) bool { return b.Untold }
	seen := b.seen.Load()
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
