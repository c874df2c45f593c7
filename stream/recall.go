package stream

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// recalled is an event that is read back from the input, since its features are not in memory.
type recalled struct {
	id     labels.ID
	seq    int64
	at     place
	now    bool           // an outcome waits for it
	passed bool           // it was not read: there was no room
	kept   *topics.Record // nil: the input no longer holds it
}

const (
	recallRecords    = 256  // read at a time
	recallJump       = 4096 // offsets: what is further ahead is requested anew instead of read up to
	recallMore       = 8192 // events that are read back beyond those that are needed now
	recallPartitions = 16   // partitions that are read at once
)

// recall reads events back.
type recall struct {
	log  Log
	room int64 // bytes of those that no outcome waits for
}

// read fills in what is kept of events, ordered by place: so many bytes, and what outcomes wait for.
func (x *recall) read(ctx context.Context, events []recalled, room int64) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(recallPartitions)
	for all := int64(len(events)); len(events) > 0; {
		first := events[0].at
		end := slices.IndexFunc(events, func(e recalled) bool { return e.at.partition != first.partition })
		if end < 0 {
			end = len(events)
		}
		part := events[:end]
		share := recall{log: x.log, room: room * int64(end) / all}
		g.Go(func() error {
			err := share.partition(ctx, part)
			//mutation:event-gone
			if stops.Is(err, stops.InputGone) {
				err = share.beyondGone(ctx, part, err)
			}
			return err
		})
		events = events[end:]
	}
	return g.Wait()
}

// beyondGone reads those events that the input still holds.
func (x *recall) beyondGone(ctx context.Context, events []recalled, gone error) error {
	top, err := x.log.Topology(ctx)
	if err != nil {
		return err
	}
	p := events[0].at.partition
	if int(p) >= len(top.Input.Partitions) {
		return gone
	}
	start := top.Input.Partitions[p].Start
	held := slices.IndexFunc(events, func(e recalled) bool { return e.at.offset >= start })
	switch {
	case held < 0:
		return nil
	case held == 0:
		return gone
	}
	return x.partition(ctx, events[held:])
}

// partition reads events of one partition.
func (x *recall) partition(ctx context.Context, events []recalled) error {
	var reader topics.Reader
	var run topics.Run
	for len(events) > 0 {
		if x.passes(&events[0]) {
			events = events[1:]
			continue
		}
		at := events[0].at
		if reader == nil || at.offset-run.Next > recallJump {
			reader = x.log.Open(topics.Input, at.partition, at.offset)
			run.Reset(at.partition, at.offset)
		}
		run.Reset(at.partition, run.Next)
		if err := reader.Read(ctx, &run, recallRecords); err != nil {
			run.Release()
			return err
		}
		for i := range run.Records {
			events = x.keep(&run.Records[i], events)
		}
		events = below(run.Next, events)
		run.Release()
	}
	return nil
}

// keep keeps the event of a record, if it is wanted, and returns those after it.
func (x *recall) keep(r *topics.Record, events []recalled) []recalled {
	events = below(r.Offset, events)
	if len(events) == 0 || events[0].at.offset != r.Offset {
		return events
	}
	if !x.passes(&events[0]) {
		events[0].kept = keep(r)
		x.room -= keptSize(r)
	}
	return events[1:]
}

// passes reports whether an event is passed over: there is no room, and no outcome waits for it.
func (x *recall) passes(e *recalled) bool {
	e.passed = x.room <= 0 && !e.now
	return e.passed
}

// below returns the events from an offset on: those before are gone.
func below(offset int64, events []recalled) []recalled {
	for len(events) > 0 && events[0].at.offset < offset {
		events = events[1:]
	}
	return events
}
