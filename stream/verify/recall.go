package verify

import (
	"context"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/recall"
	"rosenblatt/stream/topics"
)

// recalled are events that were read back for the next outcomes of a partition.
type recalled struct {
	events map[int64]*recall.Event // by seq
	next   int64                   // the events of the outcomes below this offset were read back
	room   int64                   // bytes
	size   int64                   // bytes of an event, as many as the mean of the last that were read back
}

// readEvent reads the event of an example from the input, with those of the next outcomes of its partition: many for a
// request. e is the outcome, nil for an event alone.
func (a *auditor) readEvent(x *labels.Example, e *journal.Entry) (*labels.Kept, error) {
	if !a.inInput(x.Partition, x.Offset, x.Seq) {
		return nil, nil
	}
	events := map[int64]*recall.Event{}
	if e != nil {
		events = a.late.recalled[e.Output].events
	}
	event := events[x.Seq]
	if event == nil || event.Partition != x.Partition || event.Offset != x.Offset { // what an outcome says may be wrong
		var err error
		if event, err = a.recall(x, e); err != nil {
			return nil, err
		}
	}
	delete(events, x.Seq)
	if event.Record == nil {
		return nil, nil
	}
	k := &labels.Kept{Record: *event.Record}
	a.late.decode(k)
	return k, nil
}

// inInput reports whether the input holds an event of the model's.
func (a *auditor) inInput(partition int32, offset, seq int64) bool {
	if int(partition) >= len(a.inputs) || seq <= a.From.Replaced {
		return false
	}
	in := a.inputs[partition]
	return offset >= in.start && offset < in.stable
}

// recall reads back the event of an example, and those of the outcomes that follow e. If those were read back already,
// it reads the event alone: it was in memory then.
func (a *auditor) recall(x *labels.Example, e *journal.Entry) (*recall.Event, error) {
	events, room := []recall.Event{recall.Of(x)}, int64(0)
	events[0].Now = true
	if e != nil && e.Record.Offset >= a.late.recalled[e.Output].next {
		var err error
		if events, err = a.appendEvents(events, e); err != nil {
			return nil, err
		}
		room = a.late.recalled[e.Output].room
	}
	recall.Sort(events)
	if err := recall.Read(a.ctx, inputLog{a}, events, room); err != nil {
		return nil, err
	}
	var of *recall.Event
	bySeq, size := map[int64]*recall.Event{}, int64(0)
	for i := range events {
		if event := &events[i]; event.Now {
			of = event
		} else if event.Record != nil {
			bySeq[event.Seq] = event
			size += recall.Size(event.Record)
		}
	}
	if n := int64(len(bySeq)); n > 0 {
		r := &a.late.recalled[e.Output]
		r.events, r.size = bySeq, size/n
	}
	return of, nil
}

// appendEvents appends the events of outcomes that follow one in its partition, as many as there is room for.
func (a *auditor) appendEvents(events []recall.Event, e *journal.Entry) ([]recall.Event, error) {
	r := &a.late.recalled[e.Output]
	part := topics.Part{Partition: e.Output, From: e.Record.Offset + 1, To: a.top.Outcomes.Partitions[e.Output].End}
	c := topics.NewCursor(a, topics.Outcomes, part, 256)
	most := int(min(r.room/r.size*7/8, recall.Most))
	// A forged outcome may be of any event.
	listed := map[topics.Place]bool{{Partition: events[0].Partition, Offset: events[0].Offset}: true}
	// Memory reaches back so many entries, now as when an outcome comes; a bit less, since events differ in size.
	reach := int64(0)
	if oldest := a.late.cache.Oldest(); oldest < e.Seq {
		reach = (e.Seq - oldest) * 7 / 8
	}
	for n := 4 * most; n > 0 && len(events) <= most; n-- {
		record, err := c.Head(a.ctx)
		if record == nil {
			return events, err
		}
		o, err := journal.ParseOutcome(record.Value)
		if err == nil && a.inInput(o.Partition, o.Offset, o.Of) && o.Of < o.Seq-reach {
			if at := (topics.Place{Partition: o.Partition, Offset: o.Offset}); !listed[at] {
				listed[at] = true
				events = append(events, recall.Event{Seq: o.Of, Partition: o.Partition, Offset: o.Offset})
			}
		}
		c.Take()
		r.next = record.Offset + 1
	}
	return events, nil
}

// inputLog is the input as it was at the beginning of the audit.
type inputLog struct{ a *auditor }

// Open implements topics.Opener.
func (l inputLog) Open(_ topics.Topic, partition int32, from int64) topics.Reader {
	return l.a.openInput(partition, from)
}

// Topology implements recall.Log.
func (l inputLog) Topology(context.Context) (*topics.Topology, error) { return l.a.top, nil }
