// Package recall reads events back from the input, whose features are no longer in memory.
package recall

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Event is an event that is read back.
type Event struct {
	ID        labels.ID
	Seq       int64
	Partition int32
	Offset    int64
	Now       bool           // an outcome waits for it
	Passed    bool           // it was not read: there was no room
	Record    *topics.Record // nil: the input no longer holds it
}

// Of is the event of a waiting example.
func Of(e *labels.Example) Event {
	return Event{ID: e.ID, Seq: e.Seq, Partition: e.Partition, Offset: e.Offset}
}

// Events are read back as many at a time as memory allows, within these bounds.
const (
	Most  = 64 << 10 // events, at most
	Least = 64 << 10 // bytes of events, at least
)

const (
	batch      = 256  // records that are read at a time
	jump       = 4096 // offsets: what is further ahead is requested anew instead of read up to
	partitions = 16   // that are read at once
)

// Log is the log of the input.
type Log interface {
	topics.Opener
	Topology(ctx context.Context) (*topics.Topology, error)
}

// Awaiter is a Log of events that name their schemas.
type Awaiter interface {
	// AwaitSchema returns when the schema of a record is known, or is none.
	AwaitSchema(ctx context.Context, partition int32, r *topics.Record) error
}

// Sort orders events by place, as Read needs them.
func Sort(events []Event) {
	slices.SortFunc(events, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.Offset, b.Offset))
	})
}

// Read fills in the records of events, ordered by place: so many bytes, and what outcomes wait for.
func Read(ctx context.Context, log Log, events []Event, room int64) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(partitions)
	for all := int64(len(events)); len(events) > 0; {
		first := events[0].Partition
		end := slices.IndexFunc(events, func(e Event) bool { return e.Partition != first })
		if end < 0 {
			end = len(events)
		}
		part := events[:end]
		share := reader{log: log, room: room * int64(end) / all}
		g.Go(func() error {
			err := share.partition(ctx, part)
			//mutation:event-gone
			for stops.Is(err, stops.InputGone) { // retention may move on meanwhile
				if part, err = share.beyondGone(ctx, part, err); err == nil {
					err = share.partition(ctx, part)
				}
			}
			return err
		})
		events = events[end:]
	}
	return g.Wait()
}

// reader reads events of one partition.
type reader struct {
	log  Log
	room int64 // bytes of those that no outcome waits for
}

// beyondGone returns those events that the input still holds. Each call that is not an error leaves fewer.
func (x *reader) beyondGone(ctx context.Context, events []Event, gone error) ([]Event, error) {
	top, err := x.log.Topology(ctx)
	if err != nil {
		return nil, err
	}
	p := events[0].Partition
	if int(p) >= len(top.Input.Partitions) {
		return nil, gone
	}
	start := top.Input.Partitions[p].Start
	held := slices.IndexFunc(events, func(e Event) bool { return e.Offset >= start })
	switch {
	case held < 0:
		return nil, nil
	case held == 0:
		return nil, gone
	}
	return events[held:], nil
}

func (x *reader) partition(ctx context.Context, events []Event) error {
	var from topics.Reader
	var run topics.Run
	for len(events) > 0 {
		if x.passes(&events[0]) {
			events = events[1:]
			continue
		}
		e := &events[0]
		if from == nil || e.Offset-run.Next > jump {
			from = x.log.Open(topics.Input, e.Partition, e.Offset)
			run.Reset(e.Partition, e.Offset)
		}
		run.Reset(e.Partition, run.Next)
		if err := from.Read(ctx, &run, batch); err != nil {
			run.Release()
			return err
		}
		before := events
		for i := range run.Records {
			events = x.keep(&run.Records[i], events)
		}
		if err := x.await(ctx, before[:len(before)-len(events)]); err != nil {
			run.Release()
			return err
		}
		events = below(run.Next, events)
		run.Release()
	}
	return nil
}

// await waits for the schemas of events that were kept.
func (x *reader) await(ctx context.Context, kept []Event) error {
	log, ok := x.log.(Awaiter)
	if !ok {
		return nil
	}
	for i := range kept {
		if kept[i].Record == nil {
			continue
		}
		//mutation:schema-of-a-recalled-event
		if err := log.AwaitSchema(ctx, kept[i].Partition, kept[i].Record); err != nil {
			return err
		}
	}
	return nil
}

// keep keeps the record of an event, if it is wanted, and returns those after it.
func (x *reader) keep(r *topics.Record, events []Event) []Event {
	events = below(r.Offset, events)
	if len(events) == 0 || events[0].Offset != r.Offset {
		return events
	}
	if !x.passes(&events[0]) {
		events[0].Record = Keep(r)
		x.room -= Size(r)
	}
	return events[1:]
}

// passes reports whether an event is passed over: there is no room, and no outcome waits for it.
func (x *reader) passes(e *Event) bool {
	e.Passed = x.room <= 0 && !e.Now
	return e.Passed
}

// below returns the events from an offset on: those before are gone.
func below(offset int64, events []Event) []Event {
	for len(events) > 0 && events[0].Offset < offset {
		events = events[1:]
	}
	return events
}

// Keep returns a copy of a record.
func Keep(r *topics.Record) *topics.Record {
	text := slices.Concat(r.Key, r.Value, r.Headers)
	value, headers := len(r.Key), len(r.Key)+len(r.Value)
	copied := &topics.Record{Offset: r.Offset, Timestamp: r.Timestamp, Value: text[value:headers:headers]}
	if partition, ok := r.Partition(); ok {
		copied.In(partition)
	}
	if r.Key != nil {
		copied.Key = text[:value:value]
	}
	if r.Headers != nil {
		//mutation:kept-headers
		copied.Headers = text[headers:]
	}
	return copied
}

// Size is about the memory of a record that Keep returned, in bytes.
func Size(r *topics.Record) int64 {
	const others = 150 // the record, and its place in a map
	return others + int64(len(r.Key)+len(r.Value)+len(r.Headers))
}
