package stream

import (
	"context"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// recalled is an event that is read back from the input, since its features are not in memory.
type recalled struct {
	id   labels.ID
	seq  int64
	at   place
	kept *labels.Kept // nil: the input no longer holds it
}

const (
	recallRecords = 256  // read at a time
	recallJump    = 4096 // offsets: what is further ahead is requested anew instead of read up to
	recallMore    = 8192 // events that are read back beyond those that are needed now
)

// recall reads events back.
type recall struct {
	log     Log
	decoder *event.Decoder
	arena   []learner.Feature
}

func newRecall(log Log, o event.Options) (*recall, error) {
	d, err := event.New(o)
	return &recall{log: log, decoder: d}, err
}

// read fills in what is kept of events, ordered by place.
func (x *recall) read(ctx context.Context, events []recalled) error {
	for len(events) > 0 {
		first := events[0].at
		end := slices.IndexFunc(events, func(e recalled) bool { return e.at.partition != first.partition })
		if end < 0 {
			end = len(events)
		}
		err := x.partition(ctx, events[:end])
		//mutation:event-gone
		if stops.Is(err, stops.InputGone) {
			err = x.beyondGone(ctx, events[:end], err)
		}
		if err != nil {
			return err
		}
		events = events[end:]
	}
	return nil
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
			events = x.pass(&run.Records[i], events)
		}
		events = below(run.Next, events)
		run.Release()
	}
	return nil
}

// pass keeps the event of a record, if it is wanted, and returns those after it.
func (x *recall) pass(r *topics.Record, events []recalled) []recalled {
	events = below(r.Offset, events)
	if len(events) == 0 || events[0].at.offset != r.Offset {
		return events
	}
	var e event.Example
	x.arena = x.decoder.Decode(r.Key, r.Value, x.arena[:0], &e)
	if e.Rejected == nil && !e.Skip {
		events[0].kept = labels.Keep(&e, e.Features(x.arena), r)
	}
	return events[1:]
}

// below returns the events from an offset on: those before are gone.
func below(offset int64, events []recalled) []recalled {
	for len(events) > 0 && events[0].at.offset < offset {
		events = events[1:]
	}
	return events
}
