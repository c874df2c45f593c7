package verify

import (
	"context"

	"rosenblatt/stream/event"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// idOf returns the id that an outcome names; false if it names none.
func (a *auditor) idOf(e *journal.Entry) (labels.ID, bool) {
	id := a.late.ids.ID(&event.Example{ID: e.Outcome.ID, IDIsJSON: true}, e.Record)
	return id, id != labels.ID{}
}

// event returns the event of a waiting example; nil if the input no longer holds it. With it, those of the next labels
// are read back.
func (a *auditor) event(x *labels.Example) (*labels.Kept, error) {
	if !a.inInput(x.Partition, x.Offset) {
		return nil, nil
	}
	if _, known := a.late.Features(x); !known {
		for _, p := range a.late.partitions {
			a.late.WantAll(p.Ahead())
		}
	}
	return a.late.FeaturesNow(a.ctx, inputLog{a}, x)
}

// inInput reports whether the input holds an event of the model's.
func (a *auditor) inInput(partition int32, offset int64) bool {
	if int(partition) >= len(a.inputs) {
		return false
	}
	in := a.inputs[partition]
	return offset >= in.start && offset < in.stable
}

// inputLog is the input as it was at the beginning of the audit.
type inputLog struct{ a *auditor }

// Open implements topics.Opener.
func (l inputLog) Open(_ topics.Topic, partition int32, from int64) topics.Reader {
	return l.a.openInput(partition, from)
}

// Topology implements recall.Log.
func (l inputLog) Topology(context.Context) (*topics.Topology, error) { return l.a.top, nil }
