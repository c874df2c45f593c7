package stream

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rosenblatt/stream/model"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
)

// askAgain asks what known ids mean now, where this start accepts that it is something else. There is an answer for
// each before the takeover, however long that takes.
func (r *recovery) askAgain(ctx context.Context) error {
	t := r.t
	done := func(token string) bool { return model.IsDone(r.st.Accepted, token) }
	if !t.Config.MayAccept(stops.SchemaChanged, done) || !t.schemas.asks() {
		return nil
	}
	var others changedSchemas
	var changed []schema.Entry
	err := t.schemas.ask(ctx, t.schemas.known.Latest(), func(was, is schema.Entry) bool {
		if others.note(was, is) != sameSchema {
			changed = append(changed, is)
		}
		return true
	})
	//mutation:schemas-exactly
	if err == nil && t.Config.Accepts(others.stop()) {
		r.changed, r.schemaChange = changed, others.stop()
	}
	return err
}

// changeSchemas makes what the operator has accepted the schemas of what is read from now on, and durable, before
// anything depends on it.
func (r *recovery) changeSchemas(ctx context.Context) error {
	s, st := r.t.schemas, r.st
	if s == nil {
		return nil
	}
	err := s.known.Lower(others(&r.plan.Reading, st.Positions), others(&r.plan.Labels, st.LabelPositions))
	if err != nil {
		return unsavedSchemas(r.t.Store.Dir, err)
	}
	if len(r.changed) > 0 {
		names := make([]string, len(r.changed))
		for i, e := range r.changed {
			names[i] = fmt.Sprintf("%v (%s)", e.ID, e.Schema.Name())
		}
		stop := r.schemaChange
		stop.What = "the registry has another schema than before under the id " + strings.Join(names, ", ")
		r.t.logAccepted(stop)
		r.accepted, r.needed = append(r.accepted, stop), true
		from := schema.From{Epoch: st.Epoch, Positions: st.Positions, Labels: st.LabelPositions}
		if err := s.known.Change(r.changed, from); err != nil {
			return unsavedSchemas(r.t.Store.Dir, r.t.schemasError(err))
		}
	}
	return r.t.saveSchemas(ctx, r.renew)
}

// others are the positions from which on there are other records than there were: those of partitions that were
// replaced or cut.
func others(read *plan.Reading, positions []int64) []int64 {
	all := slices.Clone(positions)
	for p := range all {
		if !read.IsOther(int32(p)) {
			all[p] = math.MaxInt64
		}
	}
	return all
}

// renew renews the fence, and moves the base behind its markers.
func (r *recovery) renew(ctx context.Context) error {
	fence, err := r.t.Journal.Renew(ctx, false)
	if err == nil {
		r.st.Base.Advance(fence.Ends())
	}
	return err
}
