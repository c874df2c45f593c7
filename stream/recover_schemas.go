package stream

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rosenblatt/stream/plan"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
)

// askAgain asks what known ids mean now, where this start accepts that it is something else. There is an answer for
// each before the takeover, however long that takes.
func (r *recovery) askAgain(ctx context.Context) error {
	t := r.t
	if !t.Config.Accepts(stops.SchemaChanged) || !t.schemas.asks() {
		return nil
	}
	return t.schemas.ask(ctx, t.schemas.known.Latest(), func(was, is schema.Entry) bool {
		if compareSchemas(was.Schema, is.Schema) != sameSchema {
			r.changed = append(r.changed, is)
		}
		return true
	})
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
		stop := &stops.Error{Name: stops.SchemaChanged, Safe: allPublished, Do: acceptSchemas,
			What: "the registry has another schema than before under the id " + strings.Join(names, ", ")}
		r.t.logAccepted(stop)
		r.accepted = append(r.accepted, stop)
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
