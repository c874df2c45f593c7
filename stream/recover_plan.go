package stream

import (
	"fmt"
	"slices"

	"github.com/rs/zerolog"

	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// recoveryPlan says how a recovery gets from the newest checkpoint, or from nothing, to the live model. It is made
// before anything is written, and does not change from then on.
type recoveryPlan struct {
	Seq       int64       // of the checkpoint; 0 without one
	Positions []int64     // of the input: where learning goes on
	Started   []int64     // of the input: where the model's history begins
	Ends      topics.Ends // from where journal and dead letters are read, up to the markers; fromMarker: not at all
	Skipped   []topics.SkipRange

	Accepted      []*stops.Error // in the order in which they were found
	Truncated     []int32        // input partitions that end before the saved position
	InputReplaced bool           // the journal is of another input: it is passed, not learned again
	Config        *model.Config  // takes effect after the journal; nil: the checkpoint's stays
}

// fromMarker is an end that is the marker's own offset, which is known only after the takeover.
const fromMarker = -1

// stopAccepted reports whether the journal cannot be compared with the model, because a stop was accepted: it is
// followed as far as the input goes. Under an accepted configuration it can be: that takes effect after it.
func (p *recoveryPlan) stopAccepted() bool {
	return slices.ContainsFunc(p.Accepted, func(s *stops.Error) bool { return s.Name != stops.ConfigDiffers })
}

// MarshalZerologObject prints the plan in the log.
func (p *recoveryPlan) MarshalZerologObject(e *zerolog.Event) {
	e.Int64("seq", p.Seq).Array("positions", offsetList(p.Positions)).Array("output", offsetList(p.Ends.Output)).
		Array("deadLetters", offsetList(p.Ends.DeadLetters)).Bool("compared", !p.stopAccepted())
	if len(p.Ends.Outcomes) > 0 {
		e.Array("outcomes", offsetList(p.Ends.Outcomes))
	}
	if len(p.Truncated) > 0 {
		e.Ints32("truncated", p.Truncated)
	}
	if p.InputReplaced {
		e.Bool("inputReplaced", true)
	}
	if p.Config != nil {
		e.Bool("newConfig", true)
	}
}

// offsetList prints offsets of partitions in the log: the first sixteen, and how many more there are.
type offsetList []int64

// MarshalZerologArray implements zerolog.LogArrayMarshaler.
func (l offsetList) MarshalZerologArray(a *zerolog.Array) {
	const shown = 16
	for _, offset := range l[:min(len(l), shown)] {
		if offset == fromMarker {
			a.Str("from the marker")
		} else {
			a.Int64(offset)
		}
	}
	if more := len(l) - shown; more > 0 {
		a.Str(fmt.Sprintf("and %d more", more))
	}
}

// planFresh begins the plan of a model without a checkpoint: where the input is read from.
func planFresh(c *Config, top *topics.Topology) *recoveryPlan {
	p := &recoveryPlan{Skipped: slices.Clone(c.Skip)}
	for i, b := range top.Input.Partitions {
		at := b.Start
		if i < len(c.Start) {
			at = c.Start[i]
		}
		p.Positions = append(p.Positions, at)
	}
	p.Started = slices.Clone(p.Positions)
	return p
}

// beginFresh completes it: where the journal is read from. Predictions between the comparison and the markers are of a
// process that began at the same time, and are followed; where old predictions were given up, the journal begins at the
// markers.
func (p *recoveryPlan) beginFresh(top *topics.Topology) {
	from := func(partitions []topics.Bounds) (ends []int64) {
		for _, b := range partitions {
			if p.stopAccepted() {
				b.End = fromMarker
			}
			ends = append(ends, b.End)
		}
		return ends
	}
	for _, t := range topics.Written {
		*p.Ends.Of(t) = from(top.Of(t).Partitions)
	}
}

// planFromCheckpoint compares a checkpoint with the configuration and the cluster. The error is the first stop not
// accepted; the plan then has those accepted before it.
func planFromCheckpoint(h *model.Header, c *Config, top *topics.Topology) (*recoveryPlan, error) {
	p := &planner{header: h, config: c, top: top, recoveryPlan: recoveryPlan{
		Seq: h.Seq, Positions: slices.Clone(h.Positions), Started: slices.Clone(h.Started), Ends: h.Ends.Clone(),
		Skipped: topics.AddSkips(h.Skipped, c.Skip),
	}}
	for _, step := range []func() error{p.compareConfig, p.compareInput, p.compareWritten} {
		if err := step(); err != nil {
			return &p.recoveryPlan, err
		}
	}
	return &p.recoveryPlan, nil
}
